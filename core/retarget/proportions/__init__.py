"""Sizes and rest poses of two characters."""
