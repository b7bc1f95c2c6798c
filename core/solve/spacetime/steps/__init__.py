"""Steps of the solver: the least change that meets linearized constraints."""
