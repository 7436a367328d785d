"""The Celery application. Tasks only wake services up; no rule and no deadline lives here."""

from __future__ import annotations

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings.prod")

app = Celery("rummy_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _log_as_the_site_does(**_: Any) -> None:
    """Worker and beat write the site's labelled lines; Celery leaves the loggers alone then."""
    logging.config.dictConfig(settings.LOGGING)
