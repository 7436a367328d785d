"""What reaches into every app over HTTP: a player's data as one file, and closing his account."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rummy_site.own_data import close_account, everything_about


class CloseSerializer(serializers.Serializer):
    """A closing has to be confirmed by the password."""

    password = serializers.CharField(max_length=128, trim_whitespace=False, write_only=True)


class OwnDataView(APIView):
    """All that is kept about the player."""

    key_scope = "account"

    @extend_schema(
        summary="Everything about you as one ZIP of JSON files",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request) -> HttpResponse:
        """The file of the page *My data*."""
        user: Any = request.user
        return HttpResponse(
            everything_about(user),
            content_type="application/zip",
            headers={"Content-Disposition": 'attachment; filename="my-rummy-data.zip"'},
        )


class CloseAccountView(APIView):
    """The end."""

    throttle_scope = "token"

    @extend_schema(
        summary="Close your account for good", request=CloseSerializer, responses={204: None}
    )
    def post(self, request: Request) -> Response:
        """Refused while a tournament that is not over has you, or while money is in your wallet."""
        said = CloseSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        user: Any = request.user
        close_account(user_id=user.pk, password=said.validated_data["password"])
        return Response(status=status.HTTP_204_NO_CONTENT)
