"""Recipes: what they may say, and doing it to a clip."""
