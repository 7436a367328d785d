"""Tests of players' accounts."""
