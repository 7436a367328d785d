"""The test suite. `rules` and `structure` need no database, `services` needs two servers."""
