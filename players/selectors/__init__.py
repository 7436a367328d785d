"""Reading profiles, limits and inboxes; a fixed number of queries each."""
