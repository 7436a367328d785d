"""The pages, settings and commands that belong to no app."""
