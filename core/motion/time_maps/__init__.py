"""Which time of a motion is shown when."""
