"""Poses in which joints turn back: extremes of a motion."""
