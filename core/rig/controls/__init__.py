"""Which controls of a rig move its figure, and channels of theirs that show what a figure does."""
