"""What `benchmarks.ledger` runs in processes of their own."""
