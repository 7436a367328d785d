"""How a player's own rows look over HTTP, and what he may send."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils import timezone
from rest_framework import serializers

from players.models import Lead, Limits, Notice, Profile
from players.services.limits import EXCLUSIONS, MOST, TIME_OUTS
from players.wording import sentence_of


class PasswordSerializer(serializers.Serializer):
    """A log-in by password."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=128, trim_whitespace=False, write_only=True)


class TokenSerializer(serializers.Serializer):
    """The key to send as `Authorization: Token <key>`."""

    token = serializers.CharField(read_only=True)


class MeSerializer(serializers.Serializer):
    """Who is asking."""

    id = serializers.IntegerField(read_only=True)
    username = serializers.CharField(read_only=True)
    name = serializers.CharField(source="get_full_name", read_only=True)


class SettingsSerializer(serializers.ModelSerializer):
    """How a player wants the site; `is_of_age` confirms that he is 18 or older, for good."""

    zone = serializers.CharField(max_length=64)
    language = serializers.ChoiceField(choices=["", *dict(settings.LANGUAGES)])
    lead_minutes = serializers.ChoiceField(choices=[int(lead) for lead in Lead])
    is_of_age = serializers.BooleanField(write_only=True, required=False)

    class Meta:
        model = Profile
        fields = ["zone", "language", "lead_minutes", "sounds", "four_colours"]
        fields += ["of_age_since", "is_of_age"]
        read_only_fields = ["of_age_since"]


class LimitsSerializer(serializers.ModelSerializer):
    """Limits a day that hold now; `next_*` is a raise that comes at `next_*_at`."""

    entries = serializers.SerializerMethodField()
    points = serializers.SerializerMethodField()

    class Meta:
        model = Limits
        fields = ["entries", "next_entries", "next_entries_at", "points", "next_points"]
        fields += ["next_points_at", "away_until", "excluded_until", "excluded_for_ever"]
        read_only_fields = fields

    def get_entries(self, limits: Limits) -> int | None:
        """Entries a day."""
        return limits.value("entries", timezone.now())

    def get_points(self, limits: Limits) -> int | None:
        """Points spent on entries a day."""
        return limits.value("points", timezone.now())


class NewLimitsSerializer(serializers.Serializer):
    """Limits to set; null is none, and what is left out stays as it is."""

    entries = serializers.IntegerField(min_value=0, max_value=MOST, allow_null=True, required=False)
    points = serializers.IntegerField(min_value=0, max_value=MOST, allow_null=True, required=False)


class TimeOutSerializer(serializers.Serializer):
    """For how long to join nothing."""

    span = serializers.ChoiceField(choices=list(TIME_OUTS))


class ExclusionSerializer(serializers.Serializer):
    """For how long to be excluded; nobody can undo it."""

    span = serializers.ChoiceField(choices=list(EXCLUSIONS))
    sure = serializers.BooleanField()

    def validate_sure(self, value: bool) -> bool:
        """It has to be said."""
        if not value:
            raise serializers.ValidationError("Say that you are sure: it cannot be undone.")
        return value


class NoticeSerializer(serializers.ModelSerializer):
    """A notice, its sentence in the reader's language; `link` is an address of this site."""

    sentence = serializers.SerializerMethodField()
    facts: Any = serializers.DictField(read_only=True)

    class Meta:
        model = Notice
        fields = ["id", "kind", "sentence", "facts", "link", "at", "read_at", "is_waiting"]
        read_only_fields = fields

    def get_sentence(self, notice: Notice) -> str:
        """Plain text."""
        return sentence_of(notice.kind, notice.facts)


class MarkSerializer(serializers.Serializer):
    """Which notice to mark as read; null for all of them."""

    notice = serializers.IntegerField(min_value=1, max_value=2**63 - 1, allow_null=True)


class MarkedSerializer(serializers.Serializer):
    """How many notices were unread before."""

    marked = serializers.IntegerField(read_only=True)
