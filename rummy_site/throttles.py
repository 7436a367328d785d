"""How often one player, or one address of a visitor, may ask over HTTP.

Reads and writes count apart; log-ins, which guess passwords, have a rate of their own on the view
that takes them (`throttle_scope = "token"`). The rates stand in the settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

if TYPE_CHECKING:
    from rest_framework.views import APIView


class ReadThrottle(UserRateThrottle):
    """What changes nothing."""

    scope = "reads"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Counts safe methods only."""
        return request.method not in SAFE_METHODS or super().allow_request(request, view)


class WriteThrottle(UserRateThrottle):
    """What changes something."""

    scope = "writes"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Counts methods that are not safe only."""
        return request.method in SAFE_METHODS or super().allow_request(request, view)
