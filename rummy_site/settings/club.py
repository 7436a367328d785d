"""A club evening on one laptop, without the internet: one process, phones in the same network.

Like a development site it keeps everything in `var/`, but in a file of its own, with a secret of
its own, and without the demo and its public passwords.
"""

import os
import secrets
from pathlib import Path

from rummy_site.machine import own_names
from rummy_site.settings.base import env
from rummy_site.settings.databases import sqlite
from rummy_site.settings.dev import *  # noqa: F403
from rummy_site.settings.dev import VAR_DIR


def _kept_secret(path: Path) -> str:
    """Made once, for whoever may read this folder."""
    if not path.exists():
        new = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        new.replace(path)
    return path.read_text()


DEBUG = False
SECRET_KEY = _kept_secret(VAR_DIR / "club-secret")
ALLOWED_HOSTS = env.list("RUMMY_HOSTS", default=[]) + own_names()
DATABASES = {"default": sqlite(VAR_DIR / "club.sqlite3")}

# Phones come by plain HTTP, where browsers only complain of this header.
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
