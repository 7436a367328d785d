"""One machine, nothing else installed: SQLite in `var/`, everything inside one process.

Also the embedded profile of a club evening on a laptop. Demo log-ins exist only here.
"""

from django.core.exceptions import ImproperlyConfigured

from rummy_site.settings.base import *  # noqa: F403
from rummy_site.settings.base import BASE_DIR, LOGGING
from rummy_site.settings.databases import sqlite

DEBUG = True
SECRET_KEY = "for-development-only"  # noqa: S105 - not a secret: production refuses it
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

VAR_DIR = BASE_DIR / "var"
try:
    VAR_DIR.mkdir(exist_ok=True)
except OSError as fault:
    raise ImproperlyConfigured(
        f"{VAR_DIR} cannot be made ({fault.strerror}), and the site keeps all it knows there. "
        "Use a folder of your own on a disk with room."
    ) from fault

# Never an address from the environment: `make run` migrates and fills what it finds here.
DATABASES = {"default": sqlite(VAR_DIR / "rummy.sqlite3")}

CHANNEL_LAYERS = {"default": {"BACKEND": "rummy_site.channel_layer.ProcessChannelLayer"}}

CELERY_BROKER_URL = "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.1}

# Static files straight from the sources, so that an edit shows on the next load.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

EMAIL_BACKEND = "rummy_site.terminal_mail.EmailBackend"
# A line for each request would bury them.
LOGGING = LOGGING | {
    "loggers": LOGGING["loggers"] | {"uvicorn.access": {"level": "WARNING"}},
}
