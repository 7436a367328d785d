"""Real sockets to a real server."""
