"""Constraints met: what core is given, and what came of it."""
