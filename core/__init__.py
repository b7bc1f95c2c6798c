"""Motion editing algorithms on NumPy arrays; knows nothing of Blender."""
