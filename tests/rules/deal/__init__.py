"""The deal engine, tested from the rules."""
