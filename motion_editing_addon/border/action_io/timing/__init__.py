"""Keys at other times: moved, resampled, cut off."""
