"""Rounds: drawing and opening tables, taking in their results, closing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from django.db import transaction
from django.db.models import Count

from tournaments import money, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    Entry,
    EntryState,
    Placing,
    Round,
    RoundTable,
    Shape,
    Tournament,
)
from tournaments.services import levels
from tournaments.services.lifecycle import SecretSource, commit_next_draw, lock
from tournaments.structure.bracket import Bracket, open_bracket
from tournaments.structure.lifecycle import State
from tournaments.structure.seating import seat_entrants, table_sizes

Tables = dict[int, Sequence[Entry]]
"""Entries in seat order by table number."""


def open_round(
    *, tournament_id: int, secret_for: SecretSource = play.fresh_secret, now: datetime
) -> Round | None:
    """Draw and open the next round, or None when one player is left or a round is being played.

    Asked twice, it opens one round. Raises `TournamentRefusal(NOT_RUNNING)`.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.state != State.RUNNING:
            raise TournamentRefusal(
                TournamentCode.NOT_RUNNING, f"{tournament.name} is {tournament.state}, not running."
            )
        if tournament.shape == Shape.LEVELS:
            return levels.open_level(tournament=tournament, secret_for=secret_for, now=now)
        last = tournament.rounds.order_by("-number").first()
        if last is not None and last.closed_at is None:
            return None
        entries = list(tournament.entries.filter(state=EntryState.PLAYING).order_by("number"))
        if len(entries) < 2 or final_is_over(tournament, last):
            return None
        return _open(tournament, entries, last.number + 1 if last else 1, secret_for, now)


def final_is_over(tournament: Tournament, last: Round | None) -> bool:
    """Whether the last round was a final; a tied heads-up final leaves two in it."""
    if last is None:
        return False
    if tournament.shape == Shape.LEVELS:
        return levels.is_over(tournament, last)
    if tournament.shape == Shape.HEADS_UP:
        return last.number == bracket_of(tournament).rounds
    return last.tables.count() == 1


def _open(
    tournament: Tournament,
    entries: Sequence[Entry],
    number: int,
    secret_for: SecretSource,
    now: datetime,
) -> Round:
    terms = play.terms_of(tournament)
    secret = bytes.fromhex(tournament.next_secret)
    opened = Round.objects.create(
        tournament=tournament,
        number=number,
        draw_commitment=tournament.next_commitment,
        draw_secret=tournament.next_secret,
        opened_at=now,
    )
    commit_next_draw(tournament, number + 1, secret_for)
    tournament.save(update_fields=["next_secret", "next_commitment"])
    if tournament.shape == Shape.HEADS_UP:
        tables = _pair(tournament, entries, number, secret)
    else:
        tables = _seat(tournament, entries, number, secret, terms.seats)
    matches = play.open_round_tables(
        tournament=tournament,
        round_number=number,
        is_final=[len(entries)] == [len(seated) for seated in tables.values()],
        tables=tables,
        terms=terms,
        secret_for=secret_for,
        now=now,
    )
    _write_tables(opened, tables, matches)
    money.issue_chips(
        tournament=tournament,
        round_number=number,
        entry_ids=[entry.pk for seated in tables.values() for entry in seated],
        each=play.starting_chips(terms),
        now=now,
    )
    return opened


def _draw(
    tournament: Tournament, entries: Sequence[Entry], number: int, secret: bytes
) -> list[Entry]:
    by_number = {entry.number: entry for entry in entries}
    label = play.draw_label(tournament, number)
    return [by_number[n] for n in play.drawn_order(list(by_number), secret, label)]


def _seat(
    tournament: Tournament, entries: Sequence[Entry], number: int, secret: bytes, seats: int
) -> Tables:
    order = _draw(tournament, entries, number, secret)
    sizes = table_sizes(len(order), seats)
    seated = seat_entrants(range(len(order)), sizes)
    return {at: [order[place] for place in places] for at, places in enumerate(seated, 1)}


def _pair(tournament: Tournament, entries: Sequence[Entry], number: int, secret: bytes) -> Tables:
    """The pairings of a bracket round; the first round's draw gives the seeds."""
    if number == 1:
        for seed, entry in enumerate(_draw(tournament, entries, 1, secret), 1):
            entry.seed = seed
        Entry.objects.bulk_update(entries, ["seed"], batch_size=500)
    by_seed = {entry.seed: entry for entry in entries}
    return {
        pairing.match_index + 1: [by_seed[pairing.first], by_seed[pairing.second]]
        for pairing in bracket_of(tournament).pairings(number)
        if pairing.is_playable
    }


def bracket_of(tournament: Tournament) -> Bracket:
    """The bracket with every result so far. Two queries, whatever its size."""
    seeds = tournament.entries.filter(seed__isnull=False).aggregate(n=Count("id"))["n"]
    bracket = open_bracket(seeds)
    won = (
        Placing.objects.filter(table__round__tournament=tournament, goes_on=True)
        .order_by("table__round__number", "table__number")
        .values_list("table__round__number", "table__number", "entry__seed")
    )
    shared: dict[tuple[int, int], list[int]] = {}
    for number, table, seed in won:
        shared.setdefault((number, table), []).append(seed or 0)
    for (number, table), seeds_on in shared.items():
        if len(seeds_on) == 1:
            bracket = bracket.advance(number, table - 1, seeds_on[0])
        else:
            bracket = bracket.share_final()
    return bracket


def _write_tables(opened: Round, tables: Tables, matches: Mapping[int, int]) -> None:
    rows = RoundTable.objects.bulk_create(
        RoundTable(round=opened, number=number, match_id=matches[number]) for number in tables
    )
    Placing.objects.bulk_create(
        Placing(table=row, entry=entry, seat=seat)
        for row, entries in zip(rows, tables.values(), strict=True)
        for seat, entry in enumerate(entries)
    )


def take_result(
    *,
    tournament: Tournament,
    table: RoundTable,
    results: Mapping[int, play.SeatResult],
    split_weights: Sequence[tuple[int, int]] | None,
    now: datetime,
) -> None:
    """Enter a finished table; the caller holds the tournament's lock.

    The last table of a round closes it: who did not win his table is out.
    """
    if table.is_over:
        return
    placings = list(table.placings.select_related("entry"))
    for placing in placings:
        result = results[placing.seat]
        placing.place, placing.score, placing.margin = result.place, result.score, result.margin
        placing.goes_on = result.place == 1
    Placing.objects.bulk_update(placings, ["place", "score", "margin", "goes_on"])
    out = [placing.entry_id for placing in placings if not placing.goes_on]
    Entry.objects.filter(pk__in=out).update(state=EntryState.OUT)
    table.is_over = True
    if split_weights is not None:
        table.split_weights = msgspec.json.encode(split_weights).decode()
    table.save(update_fields=["is_over", "split_weights"])
    if play.plays_for_chips(play.terms_of(tournament)):
        money.retire_chips(
            tournament=tournament,
            match_id=table.match_id,
            entry_ids=[placing.entry_id for placing in placings],
            now=now,
        )
    if not table.round.tables.filter(is_over=False).exists():
        Round.objects.filter(pk=table.round_id, closed_at__isnull=True).update(closed_at=now)
