"""Keytimes and the warp plot on the strip."""
