"""Writing down what staff did."""
