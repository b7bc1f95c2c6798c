"""The other motion of a blend or transition."""
