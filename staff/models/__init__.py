"""Rows of staff: what was done, by whom, why."""
