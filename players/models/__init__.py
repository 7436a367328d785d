"""Rows of players: what they prefer, what limits they set, what they were told."""
