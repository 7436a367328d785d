"""Servers: PostgreSQL and Redis, addresses and secrets from the environment, HTTPS only.

docs/operations.md lists the variables. What is missing or unsafe stops the start with a sentence.
"""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from rummy_site.settings.base import *  # noqa: F403
from rummy_site.settings.base import BASE_DIR, REST_FRAMEWORK, env
from rummy_site.settings.databases import from_url
from rummy_site.settings.kept import version_of


def _required(name: str, purpose: str) -> str:
    value: str = env.str(name, default="").strip()
    if not value:
        raise ImproperlyConfigured(f"{name} is not set; give it {purpose}.")
    return value


for _name in ("RUMMY_DEBUG", "DJANGO_DEBUG", "DEBUG"):
    if env.bool(_name, default=False):
        raise ImproperlyConfigured(
            f"{_name} is on; production never runs with DEBUG. Unset {_name}, or use "
            "rummy_site.settings.dev on your own machine."
        )

DEBUG = False
SECRET_KEY = _required("RUMMY_SECRET_KEY", "at least 50 random characters")
if len(SECRET_KEY) < 50:
    raise ImproperlyConfigured(
        f"RUMMY_SECRET_KEY has {len(SECRET_KEY)} characters; give it at least 50 random ones."
    )

# --- who is served ---------------------------------------------------------------------------

_HOSTS = _required("RUMMY_HOSTS", "the site's host names, with commas between them")
ALLOWED_HOSTS = [host.strip() for host in _HOSTS.split(",") if host.strip()]
CSRF_TRUSTED_ORIGINS = [
    f"https://*{host}" if host.startswith(".") else f"https://{host}" for host in ALLOWED_HOSTS
]

SECURE_SSL_REDIRECT = True
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # asked over plain HTTP from inside
SECURE_HSTS_SECONDS: int = env.int("RUMMY_HSTS_SECONDS", default=365 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
# Only behind a proxy that sets the header itself: otherwise any client could claim HTTPS.
if env.bool("RUMMY_BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Limits of attempts count by client, whose address the one proxy adds last.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
    REST_FRAMEWORK = REST_FRAMEWORK | {"NUM_PROXIES": 1}
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"

# --- database --------------------------------------------------------------------------------

_DATABASE_URL = _required("DATABASE_URL", "the address of a PostgreSQL database")
if not _DATABASE_URL.startswith(("postgres://", "postgresql://")):
    raise ImproperlyConfigured(
        "DATABASE_URL is not a PostgreSQL address; production keeps its books in PostgreSQL. "
        "Write postgres://user:password@host:5432/name."
    )
# A web process shares a pool between its threads. A Celery worker closes a pool after every task,
# so it keeps one connection instead (RUMMY_WORKER=on).
_IS_WORKER = env.bool("RUMMY_WORKER", default=False)
DATABASES: dict[str, Any] = {"default": from_url(_DATABASE_URL, pool=not _IS_WORKER)}
if _IS_WORKER:
    DATABASES["default"]["CONN_MAX_AGE"] = 600
    CELERY_DB_REUSE_MAX = 1000

# --- Redis -----------------------------------------------------------------------------------

REDIS_URL = _required("REDIS_URL", "the address of a Redis server")

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL},
    "pages": {
        "BACKEND": "rummy_site.kept.PagesInRedis",
        "LOCATION": REDIS_URL,
        # Named by templates and translations: no release shows parts that another one made.
        "KEY_PREFIX": f"pages:{version_of([BASE_DIR / 'templates', BASE_DIR / 'locale'])}",
    },
}
# Publish/subscribe: nothing is queued for a slow reader. It sees the gap in the numbered log and
# asks for what it missed.
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "rummy_site.redis_layer.RedisChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "rummy"},
    }
}
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # however long Redis is gone

# --- e-mail ----------------------------------------------------------------------------------

_MAIN_HOST = ALLOWED_HOSTS[0].lstrip(".")
RUMMY_ADDRESS = env.str("RUMMY_ADDRESS", default=f"https://{_MAIN_HOST}")
# smtp+tls://user:password@host:587; without it e-mails are written to the log and nobody gets them.
_MAIL = env.email_url("EMAIL_URL", default="consolemail://")
EMAIL_BACKEND: str = _MAIL["EMAIL_BACKEND"]
EMAIL_HOST: str = _MAIL.get("EMAIL_HOST") or "localhost"
EMAIL_PORT: int = _MAIL.get("EMAIL_PORT") or 25
EMAIL_HOST_USER: str = _MAIL.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD: str = _MAIL.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS: bool = _MAIL.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL: bool = _MAIL.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL: str = env.str("RUMMY_MAIL_FROM", default=f"rummy@{_MAIN_HOST}")

# --- files -----------------------------------------------------------------------------------

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "rummy_site.static_files.HashedFiles"},
}
