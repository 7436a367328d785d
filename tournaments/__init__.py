"""Tournaments: entries, rounds and prizes. The only app that knows both tables and ledger."""
