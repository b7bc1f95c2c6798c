"""Staggered poses: a motion as a few poses whose joints have timing of their own, with all detail kept."""
