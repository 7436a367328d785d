"""The steps of the tables of staff."""
