"""Edits of staggered poses as tools."""
