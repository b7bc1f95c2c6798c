"""Pose icons and windows on the strip."""
