"""More of tournaments over HTTP for everybody: log, waitlist, chips, seating, bracket, draws; and
leaders and players. Nothing here changes anything.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments import api_shapes as shown
from tournaments import selectors
from tournaments.api import ByNumber, number_of
from tournaments.api_serializers import EntrantSerializer
from tournaments.draw_checks import draw_page
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState
from tournaments.selectors.results import profile_of


class LogView(APIView):
    """What happened."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_log_list",
        summary="Changes of state: what, by whom, when, why",
        responses=shown.LogLineSerializer(many=True),
    )
    def get(self, request: Request, public_id: str) -> Response:
        """The first hundreds; few have so many."""
        lines = selectors.log_of(selectors.tournament_named(public_id))
        return Response(shown.LogLineSerializer(lines, many=True).data)


class ByJoining(ByNumber):
    """Who has waited longest first."""

    ordering = ("joined_at", "id")


@extend_schema(summary="Who waits for a seat, in the order in which seats are given")
class WaitlistView(generics.ListAPIView):
    """The waitlist."""

    permission_classes = [AllowAny]
    serializer_class = EntrantSerializer
    pagination_class: Any = ByJoining
    filter_backends: list[Any] = []
    queryset = Entry.objects.none()

    def get_queryset(self) -> QuerySet[Entry]:
        """With their players, for the names."""
        found = selectors.tournament_named(self.kwargs["public_id"])
        return found.entries.filter(state=EntryState.WAITING).select_related("player")


class ChipsView(APIView):
    """Timed levels as they stand."""

    permission_classes = [AllowAny]

    @extend_schema(
        summary="Chips of everybody in timed levels, most first; numbered pages",
        parameters=[OpenApiParameter("page", int)],
        responses=shown.ChipsPageSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Empty where nobody plays for chips now."""
        tournament = selectors.tournament_named(public_id)
        found = selectors.entrants_page(tournament, number_of(request, "page", 1))
        entries = list(found.page) if found.has_chips else []
        page = {"pages": found.page.paginator.num_pages, "results": entries}
        return Response(shown.ChipsPageSerializer(page).data)


class SeatingView(APIView):
    """Who sits where."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_seating_list",
        summary="Tables that are being played, with their players by seat",
        responses=shown.SeatedSerializer(many=True),
    )
    def get(self, request: Request, public_id: str) -> Response:
        """As on the wall."""
        seating = selectors.seating_list(public_id)
        return Response(shown.SeatedSerializer(seating.tables, many=True).data)


class BracketView(APIView):
    """A heads-up bracket."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_bracket_list",
        summary="Pairings of a heads-up bracket, by round: all, or one section of it",
        parameters=[
            OpenApiParameter(
                "section",
                int,
                description="As the page's parts. More than 1,024 entrants are only had in sections"
                "; without this, the last rounds.",
            )
        ],
        responses=shown.PairingSerializer(many=True),
    )
    def get(self, request: Request, public_id: str) -> Response:
        """404 where there is no bracket (yet)."""
        number = number_of(request, "section", 0)
        rounds = selectors.live_bracket(public_id, number or None).rounds
        pairings = [pairing for one in rounds for pairing in one]
        return Response(shown.PairingSerializer(pairings, many=True).data)


class DrawView(APIView):
    """A draw."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_draw_retrieve",
        summary="A round's draw: commitments, secrets and orders, to be computed again",
        responses=shown.DrawSerializer,
    )
    def get(self, request: Request, public_id: str, number: int) -> Response:
        """What the page of verification computes from."""
        return Response(shown.DrawSerializer(draw_page(public_id, number)).data)


class LeaderboardView(APIView):
    """A month's best."""

    permission_classes = [AllowAny]

    @extend_schema(
        summary="Who did best in a month (UTC), 50 a page",
        parameters=[
            OpenApiParameter("month", str, description="Like 2026-03; this month without it."),
            OpenApiParameter("by", str, enum=[str(one) for one in selectors.Measure]),
            OpenApiParameter("page", int),
        ],
        responses=shown.LeaderboardSerializer,
    )
    def get(self, request: Request) -> Response:
        """By tournaments won unless asked otherwise."""
        asked = request.query_params
        if asked.get("by", "wins") not in list(selectors.Measure):
            raise ValidationError({"by": "Choose wins, prizes or net."})
        year, month = _month(asked.get("month", ""))
        board = selectors.leaderboard(
            year=year,
            month=month,
            measure=selectors.Measure(asked.get("by", "wins")),
            page=number_of(request, "page", 1),
        )
        return Response(shown.LeaderboardSerializer(board).data)


def _month(text: str) -> tuple[int, int]:
    if not text:
        today = datetime.now(UTC)
        return today.year, today.month
    try:
        asked = datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
    except ValueError as fault:
        raise ValidationError({"month": "Give a month like 2026-03."}) from fault
    return asked.year, asked.month


class PlayerView(APIView):
    """A player, as everybody may know him."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="players_retrieve",
        summary="A player's results and rating, without amounts; 20 results a page",
        parameters=[
            OpenApiParameter("page", int),
            OpenApiParameter("username", OpenApiTypes.STR, "path"),
        ],
        responses=shown.PlayerSerializer,
    )
    def get(self, request: Request, username: str) -> Response:
        """By user name."""
        try:
            found = profile_of(username, number_of(request, "page", 1))
        except TournamentRefusal as refusal:
            if refusal.code != TournamentCode.UNKNOWN_TOURNAMENT:
                raise
            raise NotFound("There is no such player.") from refusal
        return Response(shown.PlayerSerializer(found).data)
