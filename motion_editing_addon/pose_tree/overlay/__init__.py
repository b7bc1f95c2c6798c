"""Pose trees as the 3D View shows them."""
