"""Splines fitted to samples: tangents by least squares."""
