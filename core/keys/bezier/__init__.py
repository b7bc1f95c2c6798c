"""Bézier keys for sampled curves."""
