"""Pairings of a heads-up bracket, each opened as soon as both its players are known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from tournaments import play
from tournaments.brackets import bracket_of, entries_by_seed
from tournaments.models import EntryState, RoundTable, TableKind, Tournament
from tournaments.services import seeding
from tournaments.services.lifecycle import SecretSource
from tournaments.services.opening import NewTable, open_round_row, open_tables
from tournaments.structure.bracket import Bracket, Pairing


def open_due(
    tournament: Tournament, *, secret_for: SecretSource, now: datetime
) -> list[RoundTable]:
    """Open the pairings that can be played and are not open yet; the first time, draw the seeds."""
    if not tournament.rounds.exists():
        entries = list(tournament.entries.filter(state=EntryState.PLAYING).order_by("number"))
        if len(entries) < 2:
            return []
        seeding.seed(tournament, entries)
    bracket = bracket_of(tournament)
    open_ones = set(
        RoundTable.objects.filter(round__tournament=tournament)
        .exclude(kind=TableKind.TIE_BREAK)
        .values_list("round__number", "number")
    )
    due = [p for p in bracket.playable() if (p.round, p.match_index + 1) not in open_ones]
    opened: list[RoundTable] = []
    for (number, is_third), some in groupby(due, key=lambda p: (p.round, p.is_third_place)):
        opened += _open(
            tournament,
            bracket,
            number,
            list(some),
            is_third=is_third,
            secret_for=secret_for,
            now=now,
        )
    return opened


def _open(
    tournament: Tournament,
    bracket: Bracket,
    number: int,
    due: Sequence[Pairing],
    *,
    is_third: bool,
    secret_for: SecretSource,
    now: datetime,
) -> list[RoundTable]:
    """Tables for pairings of one round; its row is made with the first of them."""
    is_final = number == bracket.rounds and not is_third
    opened = tournament.rounds.filter(number=number).first()
    if opened is None:
        played = [pairing for pairing in bracket.pairings(number) if not pairing.is_bye]
        opened = open_round_row(
            tournament,
            number=number,
            places=0 if number == bracket.rounds else len(bracket.pairings(number)),
            tables=len(played),
            secret_for=secret_for,
            now=now,
        )
    pairs = [[s for s in (pairing.first, pairing.second) if s is not None] for pairing in due]
    by_seed = entries_by_seed(tournament, seeds=[seed for pair in pairs for seed in pair])
    wanted = [
        NewTable(
            number=pairing.match_index + 1,
            entries=tuple(by_seed[seed] for seed in pair),
            kind=TableKind.THIRD_PLACE if is_third else TableKind.PLAY,
            places=0 if is_final else 1,
        )
        for pairing, pair in zip(due, pairs, strict=True)
    ]
    return open_tables(
        tournament,
        opened,
        wanted,
        options=play.round_options(play.terms_of(tournament), is_final=is_final),
        secret_for=secret_for,
        now=now,
    )
