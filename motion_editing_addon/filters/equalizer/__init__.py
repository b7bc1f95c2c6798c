"""The equalizer: its board, picture and operators."""
