"""Answers to pages that ask again and again whether there is anything new.

A part carries a name of what it shows. Who sends that name back, as htmx does, is told that there
is nothing new and changes nothing on his page; who sends it as `If-None-Match` gets a 304.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control, patch_vary_headers


def name_of(request: HttpRequest, seen: object) -> str:
    """A short name of what is shown, to whom, in which language and zone."""
    zone, language = timezone.get_current_timezone_name(), translation.get_language()
    text = repr((request.user.pk, language, zone, seen))
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def polled(
    request: HttpRequest, seen: object, template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """The part, or that it is what the asker has; `context` may hold what is costly lazily."""
    name = name_of(request, seen)
    answer: HttpResponse
    if request.GET.get("seen") == name:
        answer = HttpResponse(status=204)
    elif request.headers.get("If-None-Match") == f'"{name}"':
        answer = HttpResponseNotModified()
    else:
        answer = render(request, template, {**context, "seen_name": name})
    answer["ETag"] = f'"{name}"'
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ["Cookie", "Accept-Language"])
    return answer
