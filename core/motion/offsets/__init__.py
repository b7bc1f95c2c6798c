"""Offsets from one pose or motion to another."""
