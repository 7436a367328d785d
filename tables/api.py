"""Tables and deals over HTTP, each as its reader may know it (see `tables.reading`)."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tables import hints, history, snapshots, store
from tables.errors import TableCode, TableRefusal
from tables.explaining import Explained
from tables.frames import write_frame
from tables.reading import Reading, matches_at, reading_of
from tables.replay import results_of
from tables.rules.evolve import replay
from tables.rules.visibility import view_of
from tables.verification import checks_of


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


class DealResultView(APIView):
    """A finished deal, explained."""

    @extend_schema(
        summary="Every hand of a finished deal: its groups, what each card counts, and why",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Cards lie open at the end of a deal."""
        found = reading_of(public_id, request.user.pk)
        if not found.is_over:
            raise TableRefusal(TableCode.UNKNOWN_DEAL, "There is no such deal.", field="deal")
        hands = results_of(store.load(found.deal), found.events[-1], found.names)
        return Response({"deal": public_id, "hands": [_hand(hand) for hand in hands]})


def _hand(hand: Explained) -> dict[str, Any]:
    told = {name: getattr(hand, name) for name in ("seat", "name", "outcome", "points", "reasons")}
    groups = [
        {
            "kind": str(group.kind),
            "cards": [
                {"card": card.card, "points": card.points, "counts": card.counts}
                for card in group.cards
            ],
        }
        for group in hand.groups
    ]
    return {**told, "counted": hand.counted, "groups": groups}


class DealChecksView(APIView):
    """A finished deal's shuffle."""

    @extend_schema(
        summary="What to compute to check a finished deal's shuffle; empty while it is played",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """As the page of verification computes it."""
        checks = checks_of(reading_of(public_id, request.user.pk))
        return Response({"deal": public_id, "checks": msgspec.to_builtins(checks)})


class TableView(APIView):
    """A table as it stands."""

    @extend_schema(
        summary="A table as you may see it: the socket's snapshot",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Who plays no seat sees the last finished deal."""
        viewer = snapshots.viewer_of(table=public_id, user_id=request.user.pk)
        frame = snapshots.snapshot(viewer, timezone.now())
        return Response(json.loads(write_frame(frame)))


class HintView(APIView):
    """A hint."""

    @extend_schema(
        summary="The best groups of your own hand, where the table gives hints",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """With fourteen cards those that the best discard leaves."""
        viewer = snapshots.viewer_of(table=public_id, user_id=request.user.pk)
        return Response({"groups": hints.best_groups(viewer)})


class TableHistoryView(APIView):
    """All deals of a table."""

    @extend_schema(
        summary="The deals of a table where you have played (rummy-hand-history)",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, public_id: str) -> HttpResponse:
        """The file that the page offers for saving."""
        user: Any = request.user
        matches = matches_at(public_id, user.pk)
        if not matches:
            raise TableRefusal(
                TableCode.UNKNOWN_TABLE, "You have not played at this table.", field="table"
            )
        content = history.as_json(history.matches_history(matches, user.pk))
        return HttpResponse(content, content_type="application/json")
