"""What `benchmarks.pages` runs in a process of its own."""
