"""What the lane of pose icons shows, read from Blender."""
