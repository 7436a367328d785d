"""The steps of the tables of players."""
