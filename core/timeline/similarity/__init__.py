"""Parts of a motion that are like each other."""
