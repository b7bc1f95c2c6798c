"""Poses found in a motion, or in its keys."""
