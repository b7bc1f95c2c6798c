"""Poses of the rig and of targets: captured, saved and put back."""
