"""How staggered poses are edited."""
