"""Keys of programs over HTTP: had for name and password, made, listed, revoked."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players import key_lines
from players import serializers as own
from players.errors import PlayerCode, PlayerRefusal
from players.models import Key
from players.selectors.keys import keys_of
from players.services import tokens


def _player(request: Request) -> int:
    return int(request.user.pk or 0)


def _told(made: tokens.Made) -> dict[str, Any]:
    """A new key's row with its text."""
    return {**own.KeySerializer(made.key).data, "token": made.text}


class TokenObtainView(APIView):
    """Log in by password."""

    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []
    key_scope = ""
    throttle_scope = "token"

    @extend_schema(
        summary="A new key for name and password",
        request=own.PasswordSerializer,
        responses=own.NewKeySerializer,
    )
    def post(self, request: Request) -> Response:
        """Told once; it holds until it is revoked or expires."""
        said = own.PasswordSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        now = timezone.now()
        made = tokens.log_in(request._request, now=now, **said.validated_data)
        key_lines.note_log_in(request, made, now=now)
        return Response(_told(made))


class TokenRevokeView(APIView):
    """Give the key up."""

    key_scope = ""

    @extend_schema(
        summary="Revoke the key that asks; in a browser's session all of yours",
        request=None,
        responses={204: None},
    )
    def post(self, request: Request) -> Response:
        """It holds no more at once; sockets opened with it end within ten seconds."""
        if isinstance(request.auth, Key):
            key_lines.revoke(request, request.auth.pk)
        else:
            key_lines.revoke(request, None)
        return Response(status=status.HTTP_204_NO_CONTENT)


class KeysView(APIView):
    """A player's keys."""

    @extend_schema(
        operation_id="tokens_list",
        summary="Your keys, the latest first; never the keys themselves",
        responses=own.KeySerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """There are twenty at most."""
        return Response(own.KeySerializer(keys_of(_player(request)), many=True).data)

    @extend_schema(
        operation_id="tokens_create",
        summary="Make a key, with scopes that your own key has",
        request=own.WantedKeySerializer,
        responses={201: own.NewKeySerializer},
    )
    def post(self, request: Request) -> Response:
        """Its text is told this once. No key makes one that may do more than itself."""
        said = own.WantedKeySerializer(data=request.data)
        said.is_valid(raise_exception=True)
        wanted = said.validated_data
        if isinstance(request.auth, Key):
            _check_within(request.auth, wanted["scopes"])
        made = key_lines.make(request, **wanted)
        return Response(_told(made), status=status.HTTP_201_CREATED)


def _check_within(key: Key, scopes: list[str]) -> None:
    if set(scopes) - set(key.scopes):
        raise PlayerRefusal(
            PlayerCode.BAD_SETTING,
            _("A key makes only keys that may do what it may do itself."),
            field="scopes",
        )


class KeyView(APIView):
    """One key."""

    @extend_schema(operation_id="tokens_revoke", summary="Revoke a key", responses={204: None})
    def delete(self, request: Request, key_id: int) -> Response:
        """Somebody else's is unknown."""
        key_lines.revoke(request, key_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
