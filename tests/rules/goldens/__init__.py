"""Recorded deals that the engine must play again byte for byte."""
