"""The pace of a motion, found exactly."""
