"""Staggered poses on the strip."""
