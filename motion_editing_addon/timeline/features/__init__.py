"""Features of a reference carried to windows."""
