"""Edits of staggered poses."""
