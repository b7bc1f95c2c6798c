"""Runs: jobs, the processes and machines that do them, and records of what was done."""
