"""Tests of the tables app with a real database."""
