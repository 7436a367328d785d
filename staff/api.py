"""The audit log over HTTP, to be read: for staff who may look at it, with a key for that."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request

from staff.desk import holds_one
from staff.models import StaffAction

SCOPE = "staff"
"""The scope that a key needs for what only staff may do."""


class Holding(BasePermission):
    """Lets in staff who hold the view's `needs`, one of several permissions."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Asked after the key's scope."""
        return holds_one(request.user, *view.needs)


class ActionSerializer(serializers.ModelSerializer):
    """A line of the audit log."""

    class Meta:
        model = StaffAction
        fields = ["id", "at", "actor_name", "origin", "action", "subject_kind", "subject"]
        fields += ["subject_name", "before", "after", "reason", "batch"]


class ActionsView(generics.ListAPIView):
    """Who did what."""

    key_scope = SCOPE
    needs = ("staff.view_staffaction",)
    permission_classes = [IsAuthenticated, Holding]
    serializer_class = ActionSerializer
    filterset_fields = ["action", "actor_name", "subject_kind", "subject", "batch"]
    queryset = StaffAction.objects.all()

    @extend_schema(operation_id="desk_actions_list", summary="The audit log, newest first (staff)")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Fifty lines a page."""
        return super().get(request, *args, **kwargs)
