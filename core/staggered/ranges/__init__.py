"""How far joints go: hinges that bend one way, and the range that a motion uses."""
