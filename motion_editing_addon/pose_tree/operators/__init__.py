"""Operators of pose trees."""
