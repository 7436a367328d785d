"""Quick tables: a seat at one table, at once against bots or as soon as people have filled it.

A quick table is a tournament of one table like any other, with the same registration, ledger, clock
and sweep. Beside them there is only the choice whether to join one that waits or to make another.
Locks: the player, then the kind, then the tournament as ever. Bots play for nothing, so only
practice has them. A table that does not fill in time is called off by the sweep.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import money, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, QuickKind, QuickTable, Shape, Tournament
from tournaments.play import quick as terms
from tournaments.selectors.quick import open_seats_of, seat_of
from tournaments.services import drafting, lifecycle, registration, rounds, seats
from tournaments.services.aborting import cancel
from tournaments.services.lifecycle import SecretSource
from tournaments.structure.due import StartKind, Times
from tournaments.structure.lifecycle import State

WAITS: Final = timedelta(minutes=10)
"""How long a table waits for its last player."""
AT_ONCE: Final = 3
"""Quick tables at which somebody may sit at once."""
MIN_SEATS: Final = 2
MAX_SEATS: Final = 6
STAKES: Final = (0, 10, 50, 100, 500)
"""Entry fees in play points."""
BOTS: Final = ("Asha", "Bilal", "Chitra", "Dev", "Esha")


class QuickFormat(StrEnum):
    """What can be played at a quick table."""

    POINTS = "points"
    POOL101 = "pool101"
    DEALS = "deals"


_GAMES: Final = {
    QuickFormat.POINTS: "points",
    QuickFormat.POOL101: "101 pool",
    QuickFormat.DEALS: "deals",
}
"""As names say them; `wording.named` tells a name to readers in their language."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """The table that somebody wants. `stake` is in play points, 0 for practice."""

    format: QuickFormat = QuickFormat.POINTS
    seats: int = 2
    stake: int = 0
    with_bots: bool = False

    @property
    def kind(self) -> str:
        """Names all tables like this."""
        return f"{'bots' if self.with_bots else 'people'}:{self.format}:{self.seats}:{self.stake}"


def sit_down(
    *, player_id: int, wish: Wish, secret_for: SecretSource = play.fresh_secret, now: datetime
) -> Tournament:
    """Give a player a seat at a table like this; it begins at once if that was its last seat.

    Who sits at one already is led back to it. Raises `TournamentRefusal` (BAD_QUICK_TABLE,
    TOO_MANY_TABLES) and what `register` raises.
    """
    _check(wish)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=player_id)
        kind = _locked_kind(wish.kind)
        mine = open_seats_of(player_id)
        for seat in mine:
            if seat.kind_id == kind.pk:
                return seat.tournament
        if len(mine) >= AT_ONCE:
            raise TournamentRefusal(
                TournamentCode.TOO_MANY_TABLES,
                _("You sit at %(count)s quick tables; finish or leave one first.")
                % {"count": len(mine)},
            )
        tournament = _waiting(kind) or _new_table(kind, wish, secret_for, now)
        registration.register(
            tournament_id=tournament.pk,
            player_id=player_id,
            actor=money.player_owner(player_id),
            tell=False,
            now=now,
        )
        if wish.with_bots:
            _seat_bots(tournament, wish.seats - 1, now)
        _begin_if_full(tournament.pk, secret_for, now)
    return tournament


def leave(*, public_id: str, player_id: int, now: datetime) -> None:
    """Give up a seat before the table begins; the last to leave calls it off.

    Raises `TournamentRefusal`: UNKNOWN_TABLE, or as `withdraw` does.
    """
    with transaction.atomic():
        seat = seat_of(public_id, player_id)
        if seat is None:
            raise TournamentRefusal(
                TournamentCode.UNKNOWN_TABLE, _("You do not sit at this table."), field="table"
            )
        actor = money.player_owner(player_id)
        pk = seat.tournament.pk
        registration.withdraw(tournament_id=pk, player_id=player_id, actor=actor, now=now)
        if not seat.tournament.entries.filter(state=EntryState.ENTERED).exists():
            cancel(tournament_id=pk, actor=actor, reason="Everybody has left.", now=now)


def _check(wish: Wish) -> None:
    refused = None
    if not MIN_SEATS <= wish.seats <= MAX_SEATS:
        refused = ("seats", _("A quick table has 2 to 6 seats."))
    elif wish.stake not in STAKES:
        refused = ("stake", _("Choose one of the stakes that are offered."))
    elif wish.with_bots and wish.stake:
        refused = ("stake", _("Bots play for nothing; choose practice, or play with people."))
    if refused is not None:
        raise TournamentRefusal(TournamentCode.BAD_QUICK_TABLE, refused[1], field=refused[0])


def _locked_kind(name: str) -> QuickKind:
    QuickKind.objects.get_or_create(name=name)
    return QuickKind.objects.select_for_update().get(name=name)


def _waiting(kind: QuickKind) -> Tournament | None:
    """The table of this kind that has waited longest and has a seat, locked."""
    waiting = QuickTable.objects.filter(
        kind=kind, with_bots=False, tournament__state=State.REGISTERING
    )
    for pk in waiting.order_by("pk").values_list("tournament_id", flat=True)[:AT_ONCE]:
        tournament = lifecycle.lock(pk)
        if tournament.state == State.REGISTERING and seats.has_free_seat(tournament):
            return tournament
    return None


def _new_table(kind: QuickKind, wish: Wish, secret_for: SecretSource, now: datetime) -> Tournament:
    tournament = drafting.create(
        name=f"Quick table: {_GAMES[wish.format]}, {wish.seats} players",
        shape=Shape.SINGLE,
        terms=terms.quick_terms(
            format_name=wish.format, seats=wish.seats, hints=not wish.stake and wish.with_bots
        ),
        entry_fee=wish.stake,
        capacity=wish.seats,
        min_entries=wish.seats,
        times=Times(kind=StartKind.FIXED_PLAYERS, closes_at=now + WAITS),
        now=now,
    )
    QuickTable.objects.create(tournament=tournament, kind=kind, with_bots=wish.with_bots)
    return lifecycle.open_registration(
        tournament_id=tournament.pk, actor="quick", secret_for=secret_for, now=now
    )


def _seat_bots(tournament: Tournament, number: int, now: datetime) -> None:
    for bot in _bots(number):
        registration.register(
            tournament_id=tournament.pk, player_id=bot.pk, actor="quick", bot=terms.BOT, now=now
        )


def _bots(number: int) -> list[User]:
    """Users that nobody can log in as; a name that a person has taken is passed over."""
    found: list[User] = []
    for turn in range(2):
        for name in BOTS:
            bot, is_new = User.objects.get_or_create(
                username=f"bot-{name.lower()}" + "-" * turn,
                defaults={"first_name": name, "password": "!"},
            )
            if (is_new or not bot.has_usable_password()) and len(found) < number:
                found.append(bot)
        if len(found) == number:
            break
    return found


def _begin_if_full(tournament_id: int, secret_for: SecretSource, now: datetime) -> None:
    """Close, start and open the table once every seat is taken.

    Where that is refused, as when a wallet was frozen meanwhile, the sweep decides.
    """
    tournament = lifecycle.lock(tournament_id)
    if tournament.state != State.REGISTERING or seats.has_free_seat(tournament):
        return
    try:
        with transaction.atomic():
            lifecycle.close_registration(tournament_id=tournament_id, actor="quick", now=now)
            lifecycle.start(tournament_id=tournament_id, actor="quick", now=now)
            rounds.open_due(tournament_id=tournament_id, secret_for=secret_for, now=now)
    except TournamentRefusal:
        return
