"""What mouse and keys do in the strip."""
