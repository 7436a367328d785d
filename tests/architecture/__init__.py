"""Habits of this project that a machine can check."""
