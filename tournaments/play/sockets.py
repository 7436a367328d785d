"""What every socket of the site stands on: its log-in, and the threads that reach the database."""

from __future__ import annotations

from tables.logins import Login, ended, login_of
from tables.threads import in_database

__all__ = ["Login", "ended", "in_database", "login_of"]
"""`ended` are the log-ins that do not hold any more."""
