"""Hand-keyed poses, edited in the animator's own keys."""
