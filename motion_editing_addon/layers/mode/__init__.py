"""Editing a layer with Blender's own tools."""
