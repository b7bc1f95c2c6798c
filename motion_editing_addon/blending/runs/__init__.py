"""How blends, gaps and ways over the ground are edited."""
