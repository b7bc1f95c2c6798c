"""Files with motion, and the clips in them."""
