"""Overlap of bones in a row: each later than the one before it."""
