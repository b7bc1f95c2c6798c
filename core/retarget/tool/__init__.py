"""Retargeting as a tool."""
