"""The original beside the edit."""
