"""Runs: jobs, the processes and machines that do them, and records of what was done."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
