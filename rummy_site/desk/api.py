"""The operators' desk over HTTP: payouts and their audits, what waits for approval, deciding.

A key needs the scope `staff`, its owner the permission. Amounts are whole numbers of the asset's
smallest unit. What is decided leaves the same lines in the audit log as on the pages.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rummy_site.desk.approvals import APPROVE, Waiting, decide, waiting_for
from rummy_site.desk.dashboard import MONEY
from rummy_site.desk.views import VERBS
from rummy_site.paging import NewestFirst
from staff.api import SCOPE, Holding
from staff.services.audit import doer_of
from tournaments.payout_audit import Report, report_of
from tournaments.selectors import tournament_by_id
from tournaments.selectors.payouts import payouts

PRIZES_A_PAGE: Final = 100


class PayoutSerializer(serializers.Serializer):
    """The prizes of a tournament, and how far they are."""

    tournament = serializers.CharField(source="tournament.public_id")
    name = serializers.CharField(source="tournament.name")
    asset = serializers.CharField(source="tournament.asset")
    state = serializers.CharField()
    prizes = serializers.IntegerField()
    amount = serializers.IntegerField()
    to_house = serializers.IntegerField()
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    approved_by = serializers.CharField()
    approved_at = serializers.DateTimeField(allow_null=True)
    paid_at = serializers.DateTimeField(allow_null=True)
    held_by = serializers.CharField()
    held_reason = serializers.CharField()


class PayoutPageSerializer(serializers.Serializer):
    """A page of payouts."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = PayoutSerializer(many=True)


class FigureSerializer(serializers.Serializer):
    """A figure of an audit: its amount, and how many transfers are behind it."""

    amount = serializers.IntegerField()
    transfers = serializers.IntegerField()


class DiscrepancySerializer(serializers.Serializer):
    """What is wrong, and what to do."""

    code = serializers.CharField()
    sentence = serializers.CharField()
    advice = serializers.CharField()
    figure = serializers.CharField()


class PartSerializer(serializers.Serializer):
    """A part of a prize, and the rule that it rests on."""

    rule = serializers.CharField()
    words = serializers.CharField()
    amount = serializers.IntegerField()


class PrizeSerializer(serializers.Serializer):
    """What one entry is owed."""

    rank = serializers.IntegerField()
    player = serializers.CharField()
    amount = serializers.IntegerField()
    ticket = serializers.IntegerField()
    parts = PartSerializer(many=True)
    paid_at = serializers.DateTimeField(allow_null=True)
    fault = serializers.CharField()


class AuditSerializer(serializers.Serializer):
    """The audit of a tournament; `prizes` come a hundred a page, the best first."""

    tournament = serializers.CharField(source="tournament.public_id")
    name = serializers.CharField(source="tournament.name")
    asset = serializers.CharField(source="tournament.asset")
    state = serializers.CharField(source="payout.state", default="none")
    is_sound = serializers.BooleanField()
    discrepancies = DiscrepancySerializer(many=True)
    figures = serializers.DictField(child=FigureSerializer())
    left_in_pool = serializers.IntegerField(source="remains.pool")
    unpaid = serializers.IntegerField()
    pages = serializers.IntegerField(source="prizes.paginator.num_pages")
    prizes = PrizeSerializer(many=True)


class WaitingSerializer(serializers.Serializer):
    """Something that waits for a second person; `row` names it when deciding."""

    row = serializers.CharField(source="key")
    kind = serializers.CharField()
    what = serializers.CharField()
    amount = serializers.CharField()
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    why = serializers.CharField()
    reason = serializers.CharField()
    is_own = serializers.BooleanField()
    put_back = serializers.CharField()


class DecisionSerializer(serializers.Serializer):
    """What is decided about which rows; refusing needs a reason."""

    rows = serializers.ListField(child=serializers.CharField(max_length=40), max_length=200)
    verb = serializers.ChoiceField(choices=VERBS)
    reason = serializers.CharField(max_length=350, allow_blank=True, default="")

    def validate(self, said: dict[str, Any]) -> dict[str, Any]:
        """Raises `ValidationError` for a refusal without a reason."""
        if said["verb"] == "refuse" and not said["reason"].strip():
            raise serializers.ValidationError({"reason": _("Give a reason.")})
        return said


class OutcomeSerializer(serializers.Serializer):
    """What became of a row; `refusal` is empty where it was done."""

    row = serializers.CharField(source="row.key")
    refusal = serializers.CharField()


class _DeskView(APIView):
    key_scope = SCOPE
    permission_classes = [IsAuthenticated, Holding]


class PayoutsView(_DeskView):
    """Payouts."""

    needs = (MONEY,)

    @extend_schema(
        operation_id="desk_payouts_list",
        summary="Payouts, newest first (operators)",
        parameters=[OpenApiParameter("state", str), OpenApiParameter("q", str)],
        responses=PayoutPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Filtered by state, and by a piece of the tournament's name."""
        asked, pages = request.query_params, NewestFirst()
        found = payouts(state=asked.get("state", ""), named=asked.get("q", ""))
        page = pages.paginate_queryset(found, request, view=self)
        return pages.get_paginated_response(PayoutSerializer(page, many=True).data)


def _report(request: Request, public_id: str) -> Report:
    tournament = tournament_by_id(public_id)
    if tournament is None:
        raise Http404(_("There is no such tournament."))
    return report_of(tournament, page=request.query_params.get("page", 1))


class AuditView(_DeskView):
    """The audit of one tournament."""

    needs = (MONEY,)

    @extend_schema(
        operation_id="desk_payouts_audit",
        summary="The payout audit of a tournament (operators)",
        parameters=[OpenApiParameter("page", int, description="Of the prizes.")],
        responses=AuditSerializer,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Figures, what does not fit, and prizes with the rules behind them."""
        report = _report(request, public_id)
        figures = {figure.value: one for figure, one in report.figures.items()}
        return Response(AuditSerializer(report._replace(figures=figures)).data)  # type: ignore[arg-type]


class ApprovalsView(_DeskView):
    """What waits for a second person."""

    needs = tuple(APPROVE.values())

    @extend_schema(
        operation_id="desk_approvals_list",
        summary="What waits for a second person, the oldest first (operators)",
        responses=WaitingSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """What you may decide about, of each kind the 200 that wait longest."""
        return Response(WaitingSerializer(waiting_for(request.user), many=True).data)

    @extend_schema(
        operation_id="desk_approvals_decide",
        summary="Approve, refuse (put back) or ask anew for rows (operators)",
        request=DecisionSerializer,
        responses=OutcomeSerializer(many=True),
    )
    def post(self, request: Request) -> Response:
        """Each row by itself; what is refused keeps no other back. Rows that do not wait are
        left out."""
        said = DecisionSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        wanted = said.validated_data
        rows: list[Waiting] = [
            row for row in waiting_for(request.user) if row.key in set(wanted["rows"])
        ]
        by: Any = doer_of(request)
        outcomes = decide(rows=rows, verb=wanted["verb"], reason=wanted["reason"].strip(), by=by)
        return Response(OutcomeSerializer(outcomes, many=True).data)
