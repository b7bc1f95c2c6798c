"""Edits of time as tools."""
