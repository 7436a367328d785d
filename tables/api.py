"""Deals over HTTP, each as its reader may know it (see `tables.reading`)."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tables import history
from tables.errors import TableCode, TableRefusal
from tables.reading import Reading, reading_of
from tables.rules.evolve import replay
from tables.rules.visibility import view_of


def _reading(request: Request, public_id: str) -> Reading:
    """A deal that there is something to be read of; for others than its players once over."""
    found = reading_of(public_id, request.user.pk)
    if not found.may_read:
        raise TableRefusal(TableCode.UNKNOWN_DEAL, "There is no such deal.", field="deal")
    return found


class DealView(APIView):
    """A deal as it stands."""

    @extend_schema(
        summary="A deal as your seat sees it; `state` is that of the socket's snapshot",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Somebody else's deal is shown once it is over."""
        found = _reading(request, public_id)
        view = view_of(replay(found.events), found.seat)
        answer: dict[str, Any] = {
            "deal": found.deal.public_id,
            "table": found.deal.match.table.public_id,
            "seat": found.seat,
            "version": view.version,
            "is_over": found.is_over,
            "players": {str(seat): name for seat, name in found.names.items()},
            "state": json.loads(msgspec.json.encode(view)),
        }
        return Response(answer)


class DealHistoryView(APIView):
    """A deal's log."""

    @extend_schema(
        summary="A deal's log as you may know it (rummy-hand-history)",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, public_id: str) -> HttpResponse:
        """The file that the pages offer for saving."""
        content = history.as_json([_reading(request, public_id)])
        return HttpResponse(content, content_type="application/json")
