"""What `benchmarks.tournaments` runs in processes of its own."""
