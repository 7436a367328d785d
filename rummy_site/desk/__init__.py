"""Pages of the desk that put the apps together: what waits, a player's file, the dashboard."""
