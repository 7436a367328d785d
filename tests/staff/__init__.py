"""Tests of the staff app."""
