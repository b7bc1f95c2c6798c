"""The strip's own menu."""
