"""How tournaments look over HTTP. Amounts are whole numbers of the asset's smallest unit."""

from __future__ import annotations

from typing import Any

import msgspec
from rest_framework import serializers

from tournaments.models import Entry, Placing, Tournament
from tournaments.selectors.lists import player_name, readable_terms, state_words
from tournaments.services.quick import MAX_SEATS, MIN_SEATS, STAKES, QuickFormat

_FACTS = ["id", "name", "state", "state_words", "shape", "format", "stake", "in_person", "asset"]
_FACTS += ["entry_fee", "house_fee", "capacity", "min_entries", "starts_at", "opens_at"]
_FACTS += ["closes_at", "check_in_opens_at", "check_in_closes_at", "started_at", "over_at"]


class TournamentSerializer(serializers.ModelSerializer):
    """A tournament in a list; `id` is its public one."""

    id = serializers.CharField(source="public_id", read_only=True)
    format = serializers.CharField(source="format_name", read_only=True)
    state = serializers.CharField(read_only=True)
    state_words = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = _FACTS
        read_only_fields = _FACTS

    def get_state_words(self, tournament: Tournament) -> str:
        """The state in the reader's language."""
        return state_words(tournament)


class ListedSerializer(TournamentSerializer):
    """With seats taken, and the pool in words, as the lobby shows them."""

    seats_taken = serializers.IntegerField(read_only=True)
    pool_words = serializers.CharField(read_only=True)

    class Meta(TournamentSerializer.Meta):
        fields = [*_FACTS, "seats_taken", "pool_words"]
        read_only_fields = fields


class TournamentPageSerializer(serializers.Serializer):
    """A stretch of the list; `next` is the address of the one after it."""

    next = serializers.CharField(allow_null=True, read_only=True)
    results = ListedSerializer(many=True, read_only=True)


class RulesSerializer(serializers.Serializer):
    """A heading and the sentences under it."""

    title = serializers.CharField(read_only=True)
    sentences = serializers.ListField(child=serializers.CharField(), read_only=True)


class PlaceSerializer(serializers.Serializer):
    """What the reader is in it; `waiting` is the place on the waitlist, 0 for none.

    `table` is the id of the table that waits for him, empty for none.
    """

    state = serializers.CharField(read_only=True)
    waiting = serializers.IntegerField(read_only=True)
    table = serializers.CharField(read_only=True)
    rank = serializers.IntegerField(allow_null=True, read_only=True)


class DetailSerializer(ListedSerializer):
    """One tournament: its rules in words, its terms for programs, and the reader's place."""

    rules = RulesSerializer(many=True, read_only=True)
    terms = serializers.SerializerMethodField()
    mine = PlaceSerializer(allow_null=True, read_only=True)

    class Meta(ListedSerializer.Meta):
        fields = [*_FACTS, "seats_taken", "pool_words", "rules", "terms", "mine"]
        read_only_fields = fields

    def get_terms(self, tournament: Tournament) -> dict[str, Any] | None:
        """Format, profile, clock and prizes; null where they cannot be read.

        The entry code is a secret of those who were given it: only whether there is one is told.
        """
        terms = readable_terms(tournament)
        if terms is None:
            return None
        told: dict[str, Any] = msgspec.to_builtins(terms)
        conditions = told["entering"]["conditions"]
        conditions["needs_code"] = bool(conditions.pop("code"))
        return told


class EntrantSerializer(serializers.ModelSerializer):
    """Somebody who has a seat."""

    player = serializers.SerializerMethodField()
    is_bot = serializers.SerializerMethodField()
    state = serializers.CharField(read_only=True)

    class Meta:
        model = Entry
        fields = ["number", "player", "is_bot", "state", "seed", "rejoins", "reentries"]
        fields += ["rank", "reason", "prize"]
        read_only_fields = fields

    def get_player(self, entry: Entry) -> str:
        """The name shown."""
        return player_name(entry)

    def get_is_bot(self, entry: Entry) -> bool:
        """Whether a program of the site plays."""
        return bool(entry.bot)


class PrizeRowSerializer(serializers.Serializer):
    """What a rank gets; `share` in basis points of the pool, `ticket` a tournament's id or ""."""

    rank = serializers.IntegerField(read_only=True)
    amount = serializers.IntegerField(read_only=True)
    share = serializers.IntegerField(read_only=True)
    ticket = serializers.CharField(read_only=True)
    ticket_value = serializers.IntegerField(read_only=True)


class PrizeTableSerializer(serializers.Serializer):
    """The prizes of a pool, a hundred ranks at a time."""

    entries = serializers.IntegerField(read_only=True)
    pool = serializers.IntegerField(read_only=True)
    overlay = serializers.IntegerField(read_only=True)
    to_house = serializers.IntegerField(read_only=True)
    rows = PrizeRowSerializer(many=True, read_only=True)


class PrizesSerializer(serializers.Serializer):
    """With every seat taken, and (from the start on) as they are."""

    expected = PrizeTableSerializer(read_only=True)
    actual = PrizeTableSerializer(allow_null=True, read_only=True)
    next_after = serializers.IntegerField(allow_null=True, read_only=True)


class RoundSerializer(serializers.Serializer):
    """A round in the list."""

    number = serializers.IntegerField(read_only=True)
    opened_at = serializers.DateTimeField(read_only=True)
    closed_at = serializers.DateTimeField(allow_null=True, read_only=True)
    table_count = serializers.IntegerField(read_only=True)
    player_count = serializers.IntegerField(read_only=True)


class SeatSerializer(serializers.Serializer):
    """A player at a table; place and score as of now."""

    name = serializers.CharField(read_only=True)
    seat = serializers.IntegerField(read_only=True)
    place = serializers.IntegerField(allow_null=True, read_only=True)
    score = serializers.IntegerField(allow_null=True, read_only=True)
    still_in = serializers.BooleanField(read_only=True)
    goes_on = serializers.BooleanField(read_only=True)


class RoundTableSerializer(serializers.Serializer):
    """A table; `table` is its id for `/ws/tables/<id>/`."""

    number = serializers.IntegerField(read_only=True)
    table = serializers.CharField(source="address", read_only=True)
    kind = serializers.CharField(read_only=True)
    status = serializers.CharField(read_only=True)
    seats = SeatSerializer(many=True, read_only=True)


class RoundDetailSerializer(serializers.Serializer):
    """A round with fifty of its tables; tables are only ever added behind the last."""

    number = serializers.IntegerField(read_only=True)
    is_closed = serializers.BooleanField(read_only=True)
    pages = serializers.IntegerField(source="page.paginator.num_pages", read_only=True)
    tables = RoundTableSerializer(many=True, read_only=True)


class MyEntrySerializer(serializers.ModelSerializer):
    """An entry of the reader's."""

    tournament = serializers.CharField(source="tournament.public_id", read_only=True)
    name = serializers.CharField(source="tournament.name", read_only=True)
    tournament_state = serializers.CharField(source="tournament.state", read_only=True)
    state = serializers.CharField(read_only=True)

    class Meta:
        model = Entry
        fields = ["tournament", "name", "tournament_state", "number", "state", "joined_at"]
        fields += ["checked_in_at", "rejoins", "reentries", "rank", "reason", "prize"]
        read_only_fields = fields


class CallSerializer(serializers.Serializer):
    """A table that waits for the reader."""

    tournament = serializers.CharField(read_only=True)
    tournament_name = serializers.CharField(read_only=True)
    round_number = serializers.IntegerField(read_only=True)
    table_number = serializers.IntegerField(read_only=True)
    table = serializers.CharField(read_only=True)
    is_tie_break = serializers.BooleanField(read_only=True)
    at = serializers.DateTimeField(read_only=True)


class MyMatchSerializer(serializers.ModelSerializer):
    """A table at which the reader sits or sat, with the deals that are over."""

    tournament = serializers.CharField(source="table.round.tournament.public_id", read_only=True)
    round = serializers.IntegerField(source="table.round.number", read_only=True)
    number = serializers.IntegerField(source="table.number", read_only=True)
    table = serializers.CharField(source="table.match.table.public_id", read_only=True)
    is_over = serializers.BooleanField(source="table.is_over", read_only=True)
    deals = serializers.SerializerMethodField()

    class Meta:
        model = Placing
        fields = ["tournament", "round", "number", "table", "is_over", "seat", "place", "score"]
        fields += ["goes_on", "deals"]
        read_only_fields = fields

    def get_deals(self, placing: Placing) -> list[str]:
        """Ids, in the order of play."""
        found = self.context.get("deals", {}).get(placing.table.match_id, ())
        return [deal.public_id for deal in found]


class JoinSerializer(serializers.Serializer):
    """A code, where the tournament asks for one."""

    code = serializers.CharField(max_length=64, allow_blank=True, default="")


class UseTicketSerializer(serializers.Serializer):
    """Which ticket."""

    ticket = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class WishSerializer(serializers.Serializer):
    """A quick table; bots play for nothing."""

    format = serializers.ChoiceField(
        choices=[str(one) for one in QuickFormat], default=str(QuickFormat.POINTS)
    )
    seats = serializers.IntegerField(min_value=MIN_SEATS, max_value=MAX_SEATS, default=2)
    stake = serializers.ChoiceField(choices=list(STAKES), default=0)
    with_bots = serializers.BooleanField(default=False)


class QuickSeatSerializer(serializers.Serializer):
    """The reader's seat; `table` is empty until play begins."""

    id = serializers.CharField(source="tournament.public_id", read_only=True)
    state = serializers.CharField(source="tournament.state", read_only=True)
    taken = serializers.IntegerField(read_only=True)
    seats = serializers.IntegerField(read_only=True)
    with_bots = serializers.BooleanField(read_only=True)
    table = serializers.CharField(read_only=True, allow_blank=True)
