"""Tests of the tournaments app with a real database."""
