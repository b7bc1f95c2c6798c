"""Editing a pose with Blender's own tools."""
