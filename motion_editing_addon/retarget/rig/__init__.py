"""Rigs in retargeting: shown bones, controls and the mechanism between them."""
