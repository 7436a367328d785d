"""`demo` fills a development site, `serve` serves it."""
