"""Collecting the texts of the site, and keeping the files of their translations."""
