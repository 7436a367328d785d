"""Tests of the pure tournament structure; no database."""
