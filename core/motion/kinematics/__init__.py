"""From rotations of joints to places in the scene."""
