"""Settings of the test suite: quick, alone on its machine, the same tests on both databases.

Without DATABASE_URL a SQLite *file* is used, because several threads share it and an in-memory
database fails then. Each process has a folder or a name of its own, so two runs do not meet.
"""

import os
import tempfile
from pathlib import Path

from rummy_site.settings.base import *  # noqa: F403
from rummy_site.settings.base import REST_FRAMEWORK, env
from rummy_site.settings.databases import from_url, sqlite

DEBUG = False
SECRET_KEY = "for-tests-only"  # noqa: S105 - not a secret: production refuses it
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
RUMMY_MONEY_PLAY = False

_RUN = f"rummy_test_{os.getpid()}"
SCRATCH = tempfile.TemporaryDirectory(prefix=f"{_RUN}_")  # goes when the process ends
_FILE = Path(SCRATCH.name) / "rummy.sqlite3"
_URL = env.str("DATABASE_URL", default="")
_ON_SERVER = bool(_URL) and not _URL.startswith("sqlite")

DATABASES = {"default": from_url(_URL) if _ON_SERVER else sqlite(_FILE, synchronous="OFF")}
DATABASES["default"]["TEST"] = {"NAME": _RUN if _ON_SERVER else str(_FILE)}

# Read by the tests marked `services` only.
REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/15")

CHANNEL_LAYERS = {"default": {"BACKEND": "rummy_site.channel_layer.ProcessChannelLayer"}}

CELERY_BROKER_URL = "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.1}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Tests ask often; the one about throttles sets rates of its own.
REST_FRAMEWORK = REST_FRAMEWORK | {
    "DEFAULT_THROTTLE_RATES": dict.fromkeys(("token", "writes", "reads"), None)
}
# All tests come from one address; those of the limits turn them on.
ACCOUNT_RATE_LIMITS = False
