"""Judges motion: every tool on many clips and rigs, by laws that need nobody to look.

Started by `scripts/judge.py`. Nothing here uses the extension's own detectors: positions come
from Blender's evaluation, contacts, flights and floors from the slow references in `events.py`.
What is in `measures` and `laws` needs no Blender; `scenes` and `tools` do.
"""
