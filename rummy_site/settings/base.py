"""What holds everywhere. Secrets, addresses and the database come from the other modules."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import environ

from rummy_site.settings import desk

env: Final = environ.Env()

BASE_DIR: Final = Path(__file__).resolve().parent.parent.parent

# --- the game --------------------------------------------------------------------------------

# Off: online tournaments are played for play points, which cannot be bought or cashed. On: a
# currency may be used, where the law allows it and a licence is held.
RUMMY_MONEY_PLAY: bool = env.bool("RUMMY_MONEY_PLAY", default=False)

# --- the ledger ------------------------------------------------------------------------------

# Seals the checkpoints; must not lie in the database. Without it Django's secret key does.
RUMMY_LEDGER_KEY: str = env.str("RUMMY_LEDGER_KEY", default="")
RUMMY_LEDGER_KEY_FALLBACKS: list[str] = env.list("RUMMY_LEDGER_KEY_FALLBACKS", default=[])
# Above this amount, in the asset's smallest unit, a second operator has to approve:
# RUMMY_LEDGER_FOUR_EYES='{"PLAY": 100000}'
RUMMY_LEDGER_FOUR_EYES: dict[str, int] = env.json("RUMMY_LEDGER_FOUR_EYES", default={})
# Play points for every new player, once; 0 gives none.
RUMMY_WELCOME_POINTS: int = env.int("RUMMY_WELCOME_POINTS", default=10_000)
# Who knows what the ledger's references are called (see ledger/references.py).
RUMMY_REFERENCES = {"tournament": "tournaments.selectors.names.names_of"}
# Who knows what a table's owner asks for another buy-in (see tables/prices.py).
RUMMY_TABLE_PRICES = {"tournament": "tournaments.selectors.names.prices_at_tables"}
# Who knows what each share of a split would be in the owner's prize pool.
RUMMY_TABLE_SHARES = {"tournament": "tournaments.selectors.names.shares_at_tables"}
# Who knows which of the staff serve at an owner's tables (see tables/scorers.py).
RUMMY_TABLE_STAFF = {"tournament": "tournaments.access.may_serve_owner"}
# Who knows which keys of programs still hold (see tables/logins.py).
RUMMY_KEYS = "players.selectors.keys.still_held"

# --- Django ----------------------------------------------------------------------------------

DEBUG = False
ROOT_URLCONF = "rummy_site.urls"
WSGI_APPLICATION = "rummy_site.wsgi.application"
ASGI_APPLICATION = "rummy_site.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "unfold.contrib.forms",
    "unfold.contrib.import_export",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "rest_framework",
    "ledger",
    "players",
    "staff",
    "tables",
    "tournaments",
    "rummy_site",  # last: its groups are filled from the permissions of all the others
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "rummy_site.plain_text.PlainTextMiddleware",
    "rummy_site.static_files.StaticFilesMiddleware",
    "rummy_site.policy.PolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "players.middleware.PlayerMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "staff.middleware.StaffMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "rummy_site.context.frame",
            ],
            "builtins": ["wording.filters"],
        },
    }
]

# The admin's looks and its side bar.
UNFOLD: dict[str, Any] = desk.UNFOLD

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("hi", "हिन्दी")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
WHITENOISE_ALLOW_ALL_ORIGINS = False

# --- what is kept for a while: counts of requests, and parts of pages -------------------------

CACHES: dict[str, Any] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "default",
    },
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
}

# --- log-ins ---------------------------------------------------------------------------------

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_ADAPTER = "players.accounts.AccountAdapter"
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 3
# A newcomer plays at once; points wait for a confirmed address (see `ledger.api.is_verified`).
ACCOUNT_EMAIL_VERIFICATION = "optional"
# Nobody learns whose address has an account: a taken one signs up too, and cannot be confirmed.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_SESSION_REMEMBER = True
MFA_TOTP_ISSUER = "Rummy tournaments"
MFA_TOTP_TOLERANCE = 1

_VALIDATORS: Final = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{_VALIDATORS}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATORS}.MinimumLengthValidator"},
    {"NAME": f"{_VALIDATORS}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATORS}.NumericPasswordValidator"},
]

# --- what a browser may load: nothing from elsewhere, nothing inline ---------------------------

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# --- e-mail ----------------------------------------------------------------------------------

# What e-mails put before the addresses of our pages.
RUMMY_ADDRESS: str = env.str("RUMMY_ADDRESS", default="http://127.0.0.1:8000")

# --- HTTP API --------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.SessionAuthentication",
        "players.authentication.KeyAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rummy_site.parsers.PlainJSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "rummy_site.schema.ScopedSchema",
    "DEFAULT_PAGINATION_CLASS": "rummy_site.paging.NewestFirst",
    "EXCEPTION_HANDLER": "rummy_site.errors.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": [
        "rummy_site.throttles.ReadThrottle",
        "rummy_site.throttles.WriteThrottle",
        "rest_framework.throttling.ScopedRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"token": "5/min", "writes": "60/min", "reads": "600/min"},
    # Addresses are those of the connection; a header that anybody can send does not count.
    "NUM_PROXIES": 0,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Rummy tournaments",
    "DESCRIPTION": "Tournaments, tables and accounts of a 13-card rummy site.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",  # whose schemas are JSON Schema as it is
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "rummy_site.schema.with_nulls",
    ],
}

# --- Celery ----------------------------------------------------------------------------------

CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# The schedule is of seconds and made of code, so nothing of it needs to be kept in a file.
CELERY_BEAT_SCHEDULER = "celery.beat.Scheduler"
CELERY_BEAT_SCHEDULE = {
    "clock": {"task": "tables.run_clock", "schedule": 1.0, "options": {"expires": 1}},
    "sockets": {"task": "tables.drop_unseen_sockets", "schedule": 15.0, "options": {"expires": 15}},
    "tournaments": {
        "task": "tournaments.run_tournaments",
        "schedule": 2.0,
        "options": {"expires": 2},
    },
    "reminders": {
        "task": "tournaments.send_reminders",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "lost mail": {"task": "players.send_mail", "schedule": 30.0, "options": {"expires": 30}},
    "expired holds": {
        "task": "ledger.release_expired_holds",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "checkpoints": {
        "task": "ledger.take_checkpoint",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "check of the books": {
        "task": "ledger.check_books",
        "schedule": 86400.0,
        "options": {"expires": 86400},
    },
}
# The clock has a queue of its own, so that no other work makes it late.
CELERY_TASK_ROUTES = {"tables.run_clock": {"queue": "clock"}}
CELERY_TASK_DEFAULT_QUEUE = "site"

# --- log lines -------------------------------------------------------------------------------

LOG_LEVEL: str = env.str("RUMMY_LOG_LEVEL", default="INFO").upper()

# At DEBUG these write every frame and every statement with its values: the cards of all players,
# passwords' hashes, tokens. Whoever reads the log may be a player too.
_TELLTALES: Final = ("django.db.backends", "uvicorn.error", "websockets")

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "labelled": {"()": "rummy_site.log_lines.LabelledFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "labelled"},
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # Anybody can ask for any host; it is refused, and is no fault of this site's.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "django.server": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # Each says something about each task, and the clock is a task a second.
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "celery.worker.request": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        **{name: {"level": "INFO" if LOG_LEVEL == "DEBUG" else LOG_LEVEL} for name in _TELLTALES},
    },
}
