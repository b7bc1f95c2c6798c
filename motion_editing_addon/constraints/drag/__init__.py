"""A joint dragged in the 3D View while the motion follows."""
