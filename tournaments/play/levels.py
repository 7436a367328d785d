"""Opening the tables of a timed level: everybody sits down with the chips he has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from tables import services
from tables.rules.formats import MatchOver
from tournaments.models import Entry, Tournament
from tournaments.play.tables import SecretSource, draw_label, owner_of
from tournaments.play.terms import TournamentTerms, level_format


def open_level_tables(
    *,
    tournament: Tournament,
    terms: TournamentTerms,
    number: int,
    tables: Mapping[int, Sequence[Entry]],
    chips: Mapping[int, int],
    secret_for: SecretSource,
    now: datetime,
) -> dict[int, int]:
    """Open a match for each table number with its entries in seat order; gives matches' ids.

    `chips` by entry are what they bring.
    """
    label = draw_label(tournament, number)
    formats = {
        at: level_format(
            terms,
            number,
            tuple(chips[entry.pk] for entry in entries),
            tuple(entry.rejoins for entry in entries),
        )
        for at, entries in tables.items()
    }
    matches = services.open_matches(
        owner=owner_of(tournament),
        tables=[
            services.TableSpec(
                number=at,
                label=f"{label}/table-{at}",
                places=tuple(services.Place(e.player_id, e.bot) for e in entries),
                options=formats[at],
            )
            for at, entries in tables.items()
        ],
        options=terms.format,
        profile=terms.profile,
        clock=terms.clock,
        secret_for=secret_for,
        now=now,
    )
    return {at: match.pk for at, match in zip(tables, matches, strict=True)}


def chips_at_table(outcome: MatchOver) -> dict[int, tuple[int, int]]:
    """Place, from 1, and chips of each seat at the end of a level's table."""
    chips = dict(outcome.scores)
    found: dict[int, tuple[int, int]] = {}
    for tied in outcome.places:
        place = len(found) + 1
        found |= {seat: (place, chips[seat]) for seat in tied}
    return found


def stop_if_due(*, match_id: int, now: datetime) -> bool:
    """End a table at which no further deal may begin; whether it was ended."""
    return services.stop_if_due(match_id=match_id, now=now)
