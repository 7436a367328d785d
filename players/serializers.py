"""How a player's own rows look over HTTP, and what he may send."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils import timezone
from rest_framework import serializers

from players.models import Key, Lead, Limits, Notice, Profile, Scope
from players.services.limits import EXCLUSIONS, MOST, TIME_OUTS
from players.services.tokens import LONGEST_DAYS, USUAL, USUAL_DAYS
from players.wording import sentence_of


class WantedKeySerializer(serializers.Serializer):
    """A key to make; `days` after which it expires, null for never."""

    name = serializers.CharField(max_length=60, default="")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.choices), min_length=1, max_length=4
    )
    days = serializers.IntegerField(
        min_value=1, max_value=LONGEST_DAYS, allow_null=True, default=USUAL_DAYS
    )


class PasswordSerializer(WantedKeySerializer):
    """A log-in by password; without scopes the key is for what a player does."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=128, trim_whitespace=False, write_only=True)
    name = serializers.CharField(max_length=60, default="Log-in by password")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.choices),
        min_length=1,
        max_length=4,
        default=list(USUAL),
    )


class KeySerializer(serializers.ModelSerializer):
    """A key, but not the key itself; `last_used` is a day."""

    scopes = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Key
        fields = ["id", "name", "scopes", "made_at", "expires_at", "last_used", "by_password"]
        read_only_fields = fields


class NewKeySerializer(KeySerializer):
    """A new key with its text, to send as `Authorization: Token <token>`; told this once."""

    token = serializers.CharField(read_only=True)

    class Meta(KeySerializer.Meta):
        fields = ["token", *KeySerializer.Meta.fields]
        read_only_fields = fields


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
        fields = ["zone", "language", "lead_minutes", "mail_calls", "sounds", "four_colours"]
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

    entries = serializers.IntegerField(
        min_value=0, max_value=MOST["entries"], allow_null=True, required=False
    )
    points = serializers.IntegerField(
        min_value=0, max_value=MOST["points"], allow_null=True, required=False
    )


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
