"""Models as arrays that are saved, in full or compact."""
