"""Edits of the timeline as tools."""
