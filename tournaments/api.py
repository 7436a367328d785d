"""Tournaments over HTTP, as everybody may read them. Nothing here changes anything."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments import api_serializers as shown
from tournaments import selectors
from tournaments.filters import LobbyFilter
from tournaments.models import HOLDS_A_SEAT, Entry, Tournament
from tournaments.selectors.lobby import SORTS
from tournaments.selectors.prizes import PrizeTable, prize_tables

PRIZES_A_PAGE = 100
_CHOICES = ("q", "state", "format", "stake", "fee_from", "fee_to", "within", "seats", "sort")
_QUERY = [OpenApiParameter(name, str) for name in _CHOICES if name not in ("sort", "seats")]
_QUERY += [
    OpenApiParameter("seats", bool),
    OpenApiParameter("sort", str, enum=[key for key in SORTS if key]),
    OpenApiParameter("after", str, description="Where the stretch begins; taken from `next`."),
]


def number_of(request: Request, name: str, default: int) -> int:
    """A whole number out of the address. Raises `ValidationError` for what is none."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise ValidationError({name: "Give a whole number."})
    return int(text)


class TournamentListView(APIView):
    """The lobby."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_list",
        summary="Tournaments, filtered and in an order, 24 at a time",
        parameters=_QUERY,
        responses=shown.TournamentPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """As the lobby's page; a choice that is none is refused with its name."""
        said = request.query_params
        wanted = LobbyFilter(said, queryset=selectors.listed_tournaments())
        if not wanted.form.is_valid():
            raise ValidationError(dict(wanted.form.errors))
        found = selectors.lobby(wanted.qs, sort=said.get("sort", ""), after=said.get("after", ""))
        rows: list[Any] = []
        for card in selectors.cards_of(found.tournaments):
            rows.append(_with_card(card))
        following = None
        if found.after:
            kept = {name: said[name] for name in _CHOICES if said.get(name)}
            query = urlencode({**kept, "after": found.after})
            following = request.build_absolute_uri(f"{request.path}?{query}")
        page = {"next": following, "results": rows}
        return Response(shown.TournamentPageSerializer(page).data)


def _with_card(card: selectors.Card) -> Any:
    row: Any = card.tournament
    row.seats_taken, row.pool_words = card.entries, card.pool
    return row


class TournamentView(APIView):
    """One tournament."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_retrieve",
        summary="One tournament: facts, rules in words, terms, and your place in it",
        responses=shown.DetailSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """A draft does not exist."""
        sheet = selectors.overview(selectors.tournament_named(public_id))
        row = _with_card(sheet.card)
        row.rules, row.mine = sheet.rules, None
        if request.user.is_authenticated:
            row.mine = selectors.my_places(request.user.pk, [row]).get(row.pk)
        return Response(shown.DetailSerializer(row).data)


class ByNumber(CursorPagination):
    """In the order of joining, 50 rows a page, up to 200 where asked for."""

    ordering: Any = "number"
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200


class ByRank(ByNumber):
    """Best first; who shares a rank stands in the order of joining."""

    ordering = ("rank", "number")


@extend_schema(summary="Who has a seat, in the order of joining")
class EntrantsView(generics.ListAPIView):
    """Entrants."""

    permission_classes = [AllowAny]
    serializer_class = shown.EntrantSerializer
    pagination_class: Any = ByNumber
    filter_backends: list[Any] = []
    queryset = Entry.objects.none()

    def get_queryset(self) -> QuerySet[Entry]:
        """With their players, for the names."""
        found: Tournament = selectors.tournament_named(self.kwargs["public_id"])
        return found.entries.filter(state__in=HOLDS_A_SEAT).select_related("player")


@extend_schema(summary="Standings: whose rank is decided, and by what")
class StandingsView(EntrantsView):
    """Ranks."""

    pagination_class: Any = ByRank

    def get_queryset(self) -> QuerySet[Entry]:
        """Whoever has a rank."""
        return super().get_queryset().filter(rank__isnull=False)


class PrizesView(APIView):
    """What can be won."""

    permission_classes = [AllowAny]

    @extend_schema(
        summary="Prizes: with every seat taken, and as they are; a hundred ranks at a time",
        parameters=[OpenApiParameter("after", int, description="The last rank that you have.")],
        responses=shown.PrizesSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """`next_after` is the rank to go on from."""
        after = number_of(request, "after", 0)
        tables = prize_tables(selectors.tournament_named(public_id))
        both = [table for table in tables if table is not None]
        last = max((table.rows[-1].rank for table in both if table.rows), default=0)
        until = after + PRIZES_A_PAGE
        page = {
            "expected": _stretch(tables.expected, after, until),
            "actual": None if tables.actual is None else _stretch(tables.actual, after, until),
            "next_after": until if last > until else None,
        }
        return Response(shown.PrizesSerializer(page).data)


def _stretch(table: PrizeTable, after: int, until: int) -> dict[str, Any]:
    rows = [row for row in table.rows if after < row.rank <= until]
    return {**table._asdict(), "to_house": table.to_house, "rows": rows}


class RoundsView(APIView):
    """Rounds."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_rounds_list",
        summary="Rounds, the latest first",
        responses=shown.RoundSerializer(many=True),
    )
    def get(self, request: Request, public_id: str) -> Response:
        """There are few: each leaves a part of the field behind."""
        rounds = selectors.round_list(selectors.tournament_named(public_id))
        return Response(shown.RoundSerializer(rounds, many=True).data)


class RoundView(APIView):
    """One round."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_rounds_retrieve",
        summary="A round's tables as they stand, fifty at a time",
        parameters=[OpenApiParameter("page", int)],
        responses=shown.RoundDetailSerializer,
    )
    def get(self, request: Request, public_id: str, number: int) -> Response:
        """Tables in the order of their numbers."""
        found = selectors.live_round(public_id, number, number_of(request, "page", 1))
        return Response(shown.RoundDetailSerializer(found).data)
