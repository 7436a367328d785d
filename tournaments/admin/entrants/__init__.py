"""The organisers' pages of entrants: list, one entry, files in and out, check-in, paper."""
