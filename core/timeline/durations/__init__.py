"""When windows happen, and how long they last."""
