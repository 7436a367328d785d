"""The staff app in the admin: the audit log, and users, groups and log-ins with lines in it."""

from __future__ import annotations

from staff import log_admin, people_admin

__all__ = ["log_admin", "people_admin"]
