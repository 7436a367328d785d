"""The ledger over HTTP, read only: players see their own accounts, operators all of them.

Amounts are whole numbers of the asset's smallest unit. Lists are paged by a cursor over a key that
never changes, newest first, so a page is never repeated or skipped while others post.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ledger import selectors, services, sheets
from ledger.errors import Code, LedgerError
from ledger.models import Account, Checkpoint, Entry
from ledger.serializers import (
    AccountSerializer,
    AssetTotalsSerializer,
    CheckpointSerializer,
    EntrySerializer,
    TransferSerializer,
    WelcomeSerializer,
)
from staff.api import SCOPE
from staff.desk import holds_one
from staff.saving import to_be_saved
from staff.services.audit import Subject, doer_of, note


def is_operator(user: Any) -> bool:
    """Whether the user may look at everybody's accounts: as long as he is of the staff."""
    return holds_one(user, "ledger.view_account")


def owner_of(user: Any) -> str:
    """The owner reference under which a player's accounts are kept."""
    return f"player:{user.pk}"


def sees_all(request: Request) -> bool:
    """Whether everybody's accounts are shown: to operators, whose key has to be for that."""
    scopes = getattr(request.auth, "scopes", (SCOPE,))
    return is_operator(request.user) and SCOPE in scopes


class OperatorsOnly(BasePermission):
    """Refuses everybody who may not look at all accounts."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Operators and superusers."""
        return sees_all(request)


class _PeriodSerializer(serializers.Serializer):
    """The query of a statement: a half-open period, and the form of the answer."""

    since = serializers.DateTimeField(required=False, default=None)
    until = serializers.DateTimeField(required=False, default=None)
    form = serializers.ChoiceField(choices=sorted(sheets.MEDIA), default="json")


@extend_schema_view(
    list=extend_schema(summary="Accounts: your own, or all for an operator"),
    retrieve=extend_schema(summary="One account with its balance"),
)
class AccountViewSet(viewsets.ReadOnlyModelViewSet):
    """Accounts with what is posted, held and available on them."""

    serializer_class = AccountSerializer
    filterset_fields = ["owner", "asset", "purpose", "is_open"]
    queryset = Account.objects.none()

    def get_queryset(self) -> QuerySet[Account]:
        """Somebody else's account is not forbidden: for a player it does not exist."""
        found = Account.objects.select_related("asset", "balance")
        if getattr(self, "swagger_fake_view", False):
            return found.none()
        if sees_all(self.request):
            return found
        return found.filter(owner=owner_of(self.request.user))

    @extend_schema(
        summary="What moved on the account, newest first",
        responses=TransferSerializer(many=True),
        filters=False,
    )
    @action(detail=True)
    def transfers(self, request: Request, pk: str | None = None) -> Response:
        """Every transfer on either side of the account."""
        account: Account = self.get_object()
        page = self.paginate_queryset(selectors.transfers_of(account.id))
        context = {**self.get_serializer_context(), "account": account.id}
        rows = TransferSerializer(page, many=True, context=context).data
        return self.get_paginated_response(rows)

    @extend_schema(
        summary="A statement over a period, to be saved",
        parameters=[_PeriodSerializer],
        responses={
            (200, media.split(";")[0]): OpenApiTypes.OBJECT
            if form == "json"
            else OpenApiTypes.BINARY
            for form, media in sheets.MEDIA.items()
        },
        filters=False,
    )
    @action(detail=True, pagination_class=None)
    def statement(self, request: Request, pk: str | None = None) -> HttpResponse:
        """Opening and closing balance with every line between them; a player is not told whom
        the other accounts belong to. Saving somebody else's leaves a line in the audit log."""
        account: Account = self.get_object()
        query = _PeriodSerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        since: datetime | None = query.validated_data["since"]
        until: datetime | None = query.validated_data["until"]
        found = selectors.statement(account=account.id, since=since, until=until)
        sheet = selectors.statement_sheet(found, names_others=sees_all(request))
        if account.owner != owner_of(request.user):
            note(
                by=doer_of(request),
                action="ledger.save_statement",
                subject=Subject("account", str(account.pk), str(account)),
                after=dict(request.query_params.items()),
            )
        return to_be_saved(sheet, f"statement-{account.id}", query.validated_data["form"])


@extend_schema_view(
    list=extend_schema(summary="Entries, newest of each journal first (operators)"),
    retrieve=extend_schema(summary="One entry with its lines and hashes (operators)"),
)
class EntryViewSet(viewsets.ReadOnlyModelViewSet):
    """Entries with their lines; `reference` lists everything that ever moved for one thing."""

    serializer_class = EntrySerializer
    key_scope = SCOPE
    permission_classes = [IsAuthenticated, OperatorsOnly]
    filterset_fields = ["reference", "kind", "key", "journal__code"]
    queryset = Entry.objects.select_related("journal").prefetch_related("transfers")


@extend_schema_view(list=extend_schema(summary="Sealed checkpoints, newest first (operators)"))
class CheckpointViewSet(mixins.ListModelMixin, viewsets.GenericViewSet):
    """The roots that were sealed, to be compared with what others have kept."""

    serializer_class = CheckpointSerializer
    key_scope = SCOPE
    permission_classes = [IsAuthenticated, OperatorsOnly]
    filterset_fields = ["occasion"]
    queryset = Checkpoint.objects.all()


class TrialBalanceView(APIView):
    """Debits and credits of every asset; they are equal."""

    key_scope = SCOPE
    permission_classes = [IsAuthenticated, OperatorsOnly]

    @extend_schema(
        summary="Trial balance per asset (operators)", responses=AssetTotalsSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """All assets, by code."""
        return Response(AssetTotalsSerializer(selectors.trial_balance(), many=True).data)


class WelcomeView(APIView):
    """The points that welcome a newcomer."""

    write_scope = "play"

    @extend_schema(
        summary="Whether welcome points wait for you, and how many",
        responses=WelcomeSerializer,
    )
    def get(self, request: Request) -> Response:
        """Nothing waits for who has had them, or where the site gives none."""
        return Response(_welcome(request))

    @extend_schema(
        summary="Take your welcome points, once", request=None, responses=WelcomeSerializer
    )
    def post(self, request: Request) -> Response:
        """Again gives nothing more. A confirmed e-mail address is asked for."""
        if not is_verified(request.user):
            raise LedgerError(
                Code.NOT_VERIFIED,
                _("Confirm your e-mail address first; then the points are yours."),
            )
        owner = owner_of(request.user)
        services.give_welcome(owner=owner, actor=owner, now=timezone.now())
        return Response(_welcome(request))


def _welcome(request: Request) -> dict[str, Any]:
    points = services.welcome_points()
    had = services.had_welcome(owner_of(request.user))
    waits = points if points > 0 and not had else 0
    return {"waiting": waits, "is_verified": is_verified(request.user), "had": had}


def is_verified(user: Any) -> bool:
    """Whether one of the user's e-mail addresses is confirmed; where nobody asks, all are."""
    addresses = getattr(user, "emailaddress_set", None)
    return addresses is None or addresses.filter(verified=True).exists()
