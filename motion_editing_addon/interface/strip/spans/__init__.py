"""Lanes of spans, which lists of several capabilities share."""
