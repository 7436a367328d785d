"""The parts of `benchmarks.live`: servers to measure, people to play there, and the yardsticks."""
