"""Blender's side of the judge: clips put on rigs and kept as files, and figures recorded as they are seen."""
