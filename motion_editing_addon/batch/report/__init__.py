"""What edits did to clips, in numbers and pictures, on one page."""
