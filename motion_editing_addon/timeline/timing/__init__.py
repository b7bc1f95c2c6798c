"""New timing for windows: the timeline's time edits."""
