"""What tournaments are called and ask for, where others keep a reference to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.urls import reverse

from tournaments import money, play
from tournaments.amounts import in_unit
from tournaments.models import Tournament
from tournaments.selectors.lists import public_tournaments
from tournaments.selectors.prizes import prize_tables
from wording import named


def names_of(references: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Name and address of every public tournament among these references. One query."""
    numbers = {play.tournament_id_of(reference): reference for reference in references}
    rows = public_tournaments().filter(pk__in=[n for n in numbers if n is not None])
    return {
        numbers[pk]: (named(name), reverse("tournaments:tournament", args=[public_id]))
        for pk, name, public_id in rows.values_list("pk", "name", "public_id")
    }


def prices_at_tables(owner: str) -> dict[str, str]:
    """What a tournament asks of a player who is offered to buy in again. At most one query."""
    pk = play.tournament_id_of(owner)
    if pk is None:
        return {}
    paid = Tournament.objects.filter(pk=pk, entry_fee__gt=0)
    row = paid.values_list("entry_fee", "asset").first()
    return {} if row is None else {"rejoin": in_unit(*row)}


def shares_at_tables(owner: str, weights: Sequence[int]) -> tuple[str, ...]:
    """What a split by these weights would pay of a tournament's pool as it is now, to each.

    As it is paid (`services.awarding`): the pool with what the house adds, to the last unit.
    """
    pk = play.tournament_id_of(owner)
    tournament = None if pk is None else Tournament.objects.filter(pk=pk).first()
    prizes = None if tournament is None else prize_tables(tournament).actual
    if tournament is None or prizes is None or not prizes.pool:
        return ()
    shares = money.split(prizes.pool, weights)
    return tuple(in_unit(share, tournament.asset) for share in shares)
