"""What a tournament says to its reader over HTTP, and what is his own: results, tickets, files."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments import api_shapes as shown
from tournaments import selectors
from tournaments.calendars import token_of
from tournaments.models import Ticket
from tournaments.offers import Act, Offer, known_of, offers_of
from tournaments.play.after import hand_history
from tournaments.selectors.results import matches_of, my_result

_ADDRESSES: Final = {
    Act.JOIN: "tournaments:api-join",
    Act.WITHDRAW: "tournaments:api-withdraw",
    Act.CHECK_IN: "tournaments:api-check-in",
    Act.RE_ENTER: "tournaments:api-re-enter",
    Act.REBUY: "tournaments:api-rebuy",
}


def _player(request: Request) -> int:
    return int(request.user.pk or 0)


class OffersView(APIView):
    """The buttons."""

    @extend_schema(
        summary="What you can do in a tournament now, and what keeps you from it",
        responses=shown.OffersSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """An offer promises nothing: what is asked for decides."""
        tournament = selectors.tournament_named(public_id)
        found = offers_of(known_of(tournament, _player(request), timezone.now()))
        told = {**found._asdict(), "offers": [_offer(public_id, one) for one in found.offers]}
        return Response(shown.OffersSerializer(told).data)


def _offer(public_id: str, offer: Offer) -> dict[str, Any]:
    if offer.act is Act.USE_TICKET:
        address = reverse("tournaments:api-use-ticket")
    else:
        address = reverse(_ADDRESSES[offer.act], args=[public_id])
    return {
        "do": address.rstrip("/").rpartition("/")[2],
        "address": address,
        "words": offer.words,
        "ticket": offer.ticket or None,
        "asks_code": offer.asks_code,
    }


@extend_schema(summary="Your tickets, the latest first")
class TicketsView(generics.ListAPIView):
    """Tickets."""

    serializer_class = shown.TicketSerializer
    filter_backends: list[Any] = []
    queryset = Ticket.objects.none()

    def get_queryset(self) -> QuerySet[Ticket]:
        """Those that were paid, whatever became of them."""
        mine = Ticket.objects.filter(
            payment__entry__player_id=self.request.user.pk,
            payment__entry__bot="",
            payment__paid_at__isnull=False,
        )
        return mine.select_related("target", "payment")


class MyResultView(APIView):
    """One tournament of the player's."""

    @extend_schema(
        operation_id="me_results_retrieve",
        summary="What you made of a tournament, table by table and deal by deal",
        responses=shown.MyResultSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """404 for who has not entered."""
        return Response(shown.MyResultSerializer(my_result(public_id, _player(request))).data)


class MyHistoryView(APIView):
    """All his deals of a tournament."""

    @extend_schema(
        summary="All your deals of a tournament (rummy-hand-history)",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, public_id: str) -> HttpResponse:
        """The file that the page offers for saving."""
        player = _player(request)
        content = hand_history(matches_of(public_id, player), player, "json")
        return HttpResponse(content, content_type="application/json")


class CalendarView(APIView):
    """The calendar to subscribe to."""

    @extend_schema(
        summary="The secret address of your calendar; a new password ends it",
        responses=shown.CalendarSerializer,
    )
    def get(self, request: Request) -> Response:
        """Whoever has it reads the calendar."""
        user: Any = request.user
        address = reverse("tournaments:feed", args=[token_of(user)])
        return Response({"address": request.build_absolute_uri(address)})
