"""Feet and hands on the floor that the target has."""
