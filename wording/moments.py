"""Moments as people read them: in the reader's zone, which is named."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format


def moment_text(at: datetime) -> str:
    """`3 Dec 2026, 18:30 IST`."""
    local = timezone.localtime(at)
    return f"{date_format(local, 'j M Y, H:i')} {local.tzname()}"
