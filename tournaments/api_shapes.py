"""How the parts of tournaments that are looked at, and a player's own, look over HTTP."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournaments.api_serializers import MyEntrySerializer
from tournaments.models import Entry, LogLine, Ticket
from tournaments.selectors.lists import player_name


class LogLineSerializer(serializers.ModelSerializer):
    """A change of state."""

    action = serializers.CharField(read_only=True)

    class Meta:
        model = LogLine
        fields = ["action", "before", "after", "actor", "reason", "at"]
        read_only_fields = fields


class ChipsSerializer(serializers.ModelSerializer):
    """What somebody holds."""

    player = serializers.SerializerMethodField()
    state = serializers.CharField(read_only=True)
    chips = serializers.IntegerField(read_only=True)

    class Meta:
        model = Entry
        fields = ["number", "player", "state", "chips"]
        read_only_fields = fields

    def get_player(self, entry: Entry) -> str:
        """The name shown."""
        return player_name(entry)


class ChipsPageSerializer(serializers.Serializer):
    """A page of stacks."""

    pages = serializers.IntegerField(read_only=True)
    results = ChipsSerializer(many=True, read_only=True)


class SeatedSerializer(serializers.Serializer):
    """A table that is being played; `names` by seat, `table` its id."""

    round = serializers.IntegerField(read_only=True)
    number = serializers.IntegerField(read_only=True)
    kind = serializers.CharField(read_only=True)
    table = serializers.CharField(source="address", read_only=True)
    names = serializers.ListField(child=serializers.CharField(), read_only=True)


class SideSerializer(serializers.Serializer):
    """A player of a pairing."""

    name = serializers.CharField(read_only=True)
    seed = serializers.IntegerField(allow_null=True, read_only=True)
    score = serializers.IntegerField(allow_null=True, read_only=True)


class PairingSerializer(serializers.Serializer):
    """A match of a bracket; who is not known yet is null, `table` is empty before it opens."""

    round = serializers.IntegerField(source="round_number", read_only=True)
    number = serializers.IntegerField(read_only=True)
    status = serializers.CharField(read_only=True)
    is_third_place = serializers.BooleanField(read_only=True)
    first = SideSerializer(allow_null=True, read_only=True)
    second = SideSerializer(allow_null=True, read_only=True)
    winner_seed = serializers.IntegerField(allow_null=True, read_only=True)
    table = serializers.CharField(source="address", read_only=True)


class DrawSerializer(serializers.Serializer):
    """A draw; `checks` are of the form that docs/players.md and the page's script go by."""

    number = serializers.IntegerField(source="round.number", read_only=True)
    nothing_drawn = serializers.BooleanField(read_only=True)
    checks: Any = serializers.ListField(child=serializers.DictField(), read_only=True)


class LeaderSerializer(serializers.Serializer):
    """A line of a leaderboard; `value` is a number of wins, or of smallest units."""

    rank = serializers.IntegerField(read_only=True)
    username = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    value = serializers.IntegerField(read_only=True)


class LeaderboardSerializer(serializers.Serializer):
    """A page of a month's list."""

    year = serializers.IntegerField(read_only=True)
    month = serializers.IntegerField(read_only=True)
    by = serializers.CharField(source="measure", read_only=True)
    asset = serializers.CharField(read_only=True)
    pages = serializers.IntegerField(source="page.paginator.num_pages", read_only=True)
    lines = LeaderSerializer(many=True, read_only=True)


class ResultLineSerializer(serializers.ModelSerializer):
    """A tournament that somebody has finished."""

    tournament = serializers.CharField(source="tournament.public_id", read_only=True)
    name = serializers.CharField(source="tournament.name", read_only=True)
    over_at = serializers.DateTimeField(source="tournament.over_at", read_only=True)

    class Meta:
        model = Entry
        fields = ["tournament", "name", "over_at", "rank"]
        read_only_fields = fields


class PlayerSerializer(serializers.Serializer):
    """What everybody may know of a player."""

    username = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    rating = serializers.IntegerField(allow_null=True, read_only=True)
    played = serializers.IntegerField(read_only=True)
    won = serializers.IntegerField(read_only=True)
    best = serializers.IntegerField(allow_null=True, read_only=True)
    pages = serializers.IntegerField(source="results.paginator.num_pages", read_only=True)
    results = ResultLineSerializer(many=True, read_only=True)


# --- a player's own ----------------------------------------------------------------------------


class OfferSerializer(serializers.Serializer):
    """Something to do: POST to `address`, with a `code` where it asks for one."""

    do = serializers.CharField(read_only=True)
    address = serializers.CharField(read_only=True)
    words = serializers.CharField(read_only=True)
    ticket = serializers.IntegerField(allow_null=True, read_only=True)
    asks_code = serializers.BooleanField(read_only=True)


class OffersSerializer(serializers.Serializer):
    """What a tournament says to its reader; `table` waits for him, `problems` keep him out."""

    sentence = serializers.CharField(read_only=True)
    until = serializers.DateTimeField(allow_null=True, read_only=True)
    table = serializers.CharField(read_only=True)
    problems = serializers.ListField(child=serializers.CharField(), read_only=True)
    offers = OfferSerializer(many=True, read_only=True)


class TicketSerializer(serializers.ModelSerializer):
    """A prize that is an entry into another tournament; `value` in smallest units."""

    ticket = serializers.IntegerField(source="pk", read_only=True)
    tournament = serializers.CharField(source="target.public_id", read_only=True)
    name = serializers.CharField(source="target.name", read_only=True)
    state = serializers.CharField(read_only=True)
    value = serializers.IntegerField(source="payment.amount", read_only=True)

    class Meta:
        model = Ticket
        fields = ["ticket", "tournament", "name", "state", "value"]
        read_only_fields = fields


class MyDealSerializer(serializers.Serializer):
    """A deal that is over; no points where it was called off or one was not dealt in."""

    deal = serializers.CharField(source="deal.public_id", read_only=True)
    number = serializers.IntegerField(source="deal.number", read_only=True)
    is_tie_break = serializers.BooleanField(source="deal.is_tie_break", read_only=True)
    points = serializers.IntegerField(allow_null=True, read_only=True)


class MyTableSerializer(serializers.Serializer):
    """A table at which the reader sat."""

    round = serializers.IntegerField(source="table.round.number", read_only=True)
    number = serializers.IntegerField(source="table.number", read_only=True)
    table = serializers.CharField(source="address", read_only=True)
    place = serializers.IntegerField(source="placing.place", allow_null=True, read_only=True)
    score = serializers.IntegerField(source="placing.score", allow_null=True, read_only=True)
    deals = MyDealSerializer(many=True, read_only=True)


class MyResultSerializer(serializers.Serializer):
    """A tournament from the reader's side; `net` in words, empty while it is not over."""

    entry = MyEntrySerializer(read_only=True)
    net = serializers.SerializerMethodField()
    tables = MyTableSerializer(many=True, read_only=True)

    def get_net(self, result: Any) -> str:
        """What was won less what was paid."""
        return "" if result.line is None else str(result.line.net)


class CalendarSerializer(serializers.Serializer):
    """The secret address of a player's calendar (RFC 5545)."""

    address = serializers.CharField(read_only=True)
