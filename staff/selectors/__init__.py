"""Reading what staff did."""
