"""A tree solved: shares of targets, groups, and the result as keys."""
