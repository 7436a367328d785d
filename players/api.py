"""A player's own things over HTTP: settings, limits and inbox. Nobody else sees them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players import serializers as own
from players.models import Notice
from players.selectors.profiles import limits_of, profile_of
from players.services import inbox, limits, profiles


def _player(request: Request) -> int:
    return int(request.user.pk or 0)


class MeView(APIView):
    """Who is asking."""

    @extend_schema(summary="Who you are", responses=own.MeSerializer)
    def get(self, request: Request) -> Response:
        """Id, name to log in, and name shown."""
        return Response(own.MeSerializer(request.user).data)


class SettingsView(APIView):
    """How the player wants the site."""

    @extend_schema(summary="Your settings", responses=own.SettingsSerializer)
    def get(self, request: Request) -> Response:
        """Those that hold, also where none was ever saved."""
        return Response(own.SettingsSerializer(profile_of(_player(request))).data)

    @extend_schema(
        summary="Change your settings",
        request=own.SettingsSerializer(partial=True),
        responses=own.SettingsSerializer,
    )
    def patch(self, request: Request) -> Response:
        """What is left out stays as it is."""
        before = profile_of(_player(request))
        said = own.SettingsSerializer(before, data=request.data, partial=True)
        said.is_valid(raise_exception=True)
        names = ("zone", "language", "lead_minutes", "mail_calls", "sounds", "four_colours")
        wanted = {name: said.validated_data.get(name, getattr(before, name)) for name in names}
        profile = profiles.change(
            player_id=_player(request),
            is_of_age=said.validated_data.get("is_of_age", False),
            today=timezone.localdate(),
            now=timezone.now(),
            **wanted,
        )
        return Response(own.SettingsSerializer(profile).data)


class LimitsView(APIView):
    """The limits that the player set himself."""

    @extend_schema(summary="Your limits", responses=own.LimitsSerializer)
    def get(self, request: Request) -> Response:
        """Those that hold now, and raises that wait."""
        return Response(own.LimitsSerializer(limits_of(_player(request))).data)

    @extend_schema(
        summary="Set limits: lower at once, higher after 72 hours",
        request=own.NewLimitsSerializer(partial=True),
        responses=own.LimitsSerializer,
    )
    def patch(self, request: Request) -> Response:
        """What is left out stays as it is."""
        said = own.NewLimitsSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        player = _player(request)
        limits.set_limits(player_id=player, values=said.validated_data, now=timezone.now())
        return Response(own.LimitsSerializer(limits_of(player)).data)


class TimeOutView(APIView):
    """A pause."""

    @extend_schema(
        summary="Join nothing for a while",
        request=own.TimeOutSerializer,
        responses=own.LimitsSerializer,
    )
    def post(self, request: Request) -> Response:
        """A longer one that runs stays."""
        said = own.TimeOutSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        found = limits.take_time_out(
            player_id=_player(request), span=said.validated_data["span"], now=timezone.now()
        )
        return Response(own.LimitsSerializer(found).data)


class ExclusionView(APIView):
    """A long pause."""

    @extend_schema(
        summary="Exclude yourself; it cannot be undone",
        request=own.ExclusionSerializer,
        responses=own.LimitsSerializer,
    )
    def post(self, request: Request) -> Response:
        """Never shortened."""
        said = own.ExclusionSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        found = limits.exclude(
            player_id=_player(request), span=said.validated_data["span"], now=timezone.now()
        )
        return Response(own.LimitsSerializer(found).data)


@extend_schema(summary="Your inbox, newest first")
class InboxView(generics.ListAPIView):
    """Notices."""

    serializer_class = own.NoticeSerializer
    filter_backends: list[Any] = []
    queryset = Notice.objects.none()

    def get_queryset(self) -> QuerySet[Notice]:
        """Those that still apply."""
        return Notice.objects.filter(player_id=self.request.user.pk, taken_back_at__isnull=True)


class InboxReadView(APIView):
    """Marking."""

    @extend_schema(
        summary="Mark one notice, or all, as read",
        request=own.MarkSerializer,
        responses=own.MarkedSerializer,
    )
    def post(self, request: Request) -> Response:
        """Somebody else's notice is none; nothing is marked then."""
        said = own.MarkSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        marked = inbox.mark_read(
            player_id=_player(request), notice_id=said.validated_data["notice"], now=timezone.now()
        )
        return Response({"marked": marked})
