"""What a player does over HTTP: join, leave, check in, come back, sit down; and his own play."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments import api_serializers as shown
from tournaments import money, selectors, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, Placing
from tournaments.play.after import played_deals
from tournaments.services.quick import QuickFormat, Wish
from tournaments.structure.lifecycle import State


def _player(request: Request) -> int:
    return int(request.user.pk or 0)


def _who(request: Request, public_id: str) -> dict[str, Any]:
    player = _player(request)
    return {
        "tournament_id": selectors.tournament_named(public_id).pk,
        "player_id": player,
        "actor": money.player_owner(player),
        "now": timezone.now(),
    }


def _entry(entry: Entry) -> Response:
    return Response(shown.MyEntrySerializer(entry).data)


class JoinView(APIView):
    """Registration."""

    write_scope = "play"

    @extend_schema(
        summary="Join; the fee is set aside, or you are put on the waitlist",
        request=shown.JoinSerializer,
        responses=shown.MyEntrySerializer,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Again is the same entry and one fee."""
        said = shown.JoinSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        return _entry(services.register(**said.validated_data, **_who(request, public_id)))


class WithdrawView(APIView):
    """Leaving."""

    write_scope = "play"

    @extend_schema(
        summary="Withdraw while registration is open; the fee comes back",
        request=None,
        responses=shown.MyEntrySerializer,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """The next on the waitlist moves up."""
        return _entry(services.withdraw(**_who(request, public_id)))


class CheckInView(APIView):
    """Being there."""

    write_scope = "play"

    @extend_schema(summary="Check in", request=None, responses=shown.MyEntrySerializer)
    def post(self, request: Request, public_id: str) -> Response:
        """Again changes nothing."""
        return _entry(services.check_in(**_who(request, public_id)))


class ReEnterView(APIView):
    """Coming back."""

    write_scope = "play"

    @extend_schema(
        summary="Pay the fee again and play on from the next round",
        request=None,
        responses=shown.MyEntrySerializer,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """For who is out, where it is allowed."""
        return _entry(services.re_enter(**_who(request, public_id)))


class RebuyView(APIView):
    """Chips."""

    write_scope = "play"

    @extend_schema(
        summary="Buy chips for the next level", request=None, responses=shown.MyEntrySerializer
    )
    def post(self, request: Request, public_id: str) -> Response:
        """For who sits at no table."""
        return _entry(services.rebuy(**_who(request, public_id)))


class UseTicketView(APIView):
    """Tickets."""

    write_scope = "play"

    @extend_schema(
        summary="Join with a ticket",
        request=shown.UseTicketSerializer,
        responses=shown.MyEntrySerializer,
    )
    def post(self, request: Request) -> Response:
        """Enters the tournament that the ticket is for."""
        said = shown.UseTicketSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        player = _player(request)
        entry = services.use_ticket(
            ticket_id=said.validated_data["ticket"],
            player_id=player,
            actor=money.player_owner(player),
            now=timezone.now(),
        )
        return _entry(entry)


@extend_schema(summary="Your entries, the latest first")
class MyEntriesView(generics.ListAPIView):
    """Entries."""

    serializer_class = shown.MyEntrySerializer
    filter_backends: list[Any] = []
    queryset = Entry.objects.none()

    def get_queryset(self) -> QuerySet[Entry]:
        """Whatever became of them."""
        mine = Entry.objects.filter(player_id=self.request.user.pk, bot="")
        return mine.exclude(tournament__state=State.DRAFT).select_related("tournament")


class MyCallsView(APIView):
    """Calls."""

    @extend_schema(
        operation_id="me_calls_list",
        summary="Tables that wait for you",
        responses=shown.CallSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Open ones only; there are few."""
        calls = selectors.calls_of(_player(request))
        return Response(shown.CallSerializer(calls, many=True).data)


@extend_schema(summary="Your tables with their deals, the latest first")
class MyMatchesView(generics.ListAPIView):
    """Matches."""

    serializer_class = shown.MyMatchSerializer
    filter_backends: list[Any] = []
    queryset = Placing.objects.none()

    def get_queryset(self) -> QuerySet[Placing]:
        """Those that are played, too."""
        mine = Placing.objects.filter(entry__player_id=self.request.user.pk, entry__bot="")
        return mine.select_related("table__round__tournament", "table__match__table")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The deals of a page are read at once."""
        page = self.paginate_queryset(self.get_queryset()) or []
        deals = played_deals([placing.table.match_id for placing in page])
        context = {**self.get_serializer_context(), "deals": deals}
        rows = shown.MyMatchSerializer(page, many=True, context=context).data
        return self.get_paginated_response(rows)


class QuickListView(APIView):
    """Quick tables."""

    write_scope = "play"

    @extend_schema(
        operation_id="quick_list",
        summary="Quick tables at which you sit",
        responses=shown.QuickSeatSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Those that wait and those that are played."""
        seats = selectors.open_seats_of(_player(request))
        return Response(shown.QuickSeatSerializer(seats, many=True).data)

    @extend_schema(
        operation_id="quick_sit_down",
        summary="Join a quick table that waits, or open one",
        request=shown.WishSerializer,
        responses={201: shown.QuickSeatSerializer},
    )
    def post(self, request: Request) -> Response:
        """Who sits at such a table already is told of his seat."""
        said = shown.WishSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        wanted = said.validated_data
        wish = Wish(**{**wanted, "format": QuickFormat(wanted["format"])})
        player = _player(request)
        made = services.sit_down(player_id=player, wish=wish, now=timezone.now())
        seat = selectors.seat_of(made.public_id, player)
        return Response(shown.QuickSeatSerializer(seat).data, status=status.HTTP_201_CREATED)


class QuickView(APIView):
    """One quick table."""

    @extend_schema(
        operation_id="quick_retrieve",
        summary="Your seat at a quick table",
        responses=shown.QuickSeatSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Of a table where the reader does not sit there is nothing."""
        seat = selectors.seat_of(public_id, _player(request))
        if seat is None:
            raise TournamentRefusal(
                TournamentCode.UNKNOWN_TABLE, "You do not sit at this table.", field="table"
            )
        return Response(shown.QuickSeatSerializer(seat).data)


class QuickLeaveView(APIView):
    """Getting up."""

    write_scope = "play"

    @extend_schema(
        summary="Leave a quick table before it begins", request=None, responses={204: None}
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Nothing is charged."""
        services.leave(public_id=public_id, player_id=_player(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)
