"""What a warp is guided by."""
