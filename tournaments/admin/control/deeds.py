"""What can be done in the control room: each deed with what it asks, foretells and does."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments import services
from tournaments.access import may_arbitrate, may_organise
from tournaments.admin.control.asks import (
    Ask,
    AskAbort,
    AskNoReason,
    AskResult,
    AskSeconds,
    AskSubstitute,
    AskTable,
    Wish,
)
from tournaments.admin.control.words import Told, told_by, told_changes, told_in
from tournaments.amounts import in_unit
from tournaments.models import RoundTable, Tournament
from tournaments.selectors.lists import player_name
from tournaments.services import desk, foretelling, in_person
from tournaments.structure.lifecycle import State

LIVE: Final = frozenset({State.RUNNING, State.PAUSED})
BACK_SHOWN: Final = 30


class About(Enum):
    """What a deed is done to."""

    TOURNAMENT = "tournament"
    TABLE = "table"
    PLAYER = "player"


class Deed(NamedTuple):
    """One thing that staff can do. `carry_out` gets the token of what was foretold, and force."""

    name: str
    title: str | Promise
    meaning: str | Promise
    about: About
    ask: type[Ask]
    foretell: Callable[[Wish], Told]
    carry_out: Callable[[Wish, str, bool], object]
    right: Callable[[Any, Tournament], bool] = may_organise
    states: frozenset[State] = LIVE
    is_grave: bool = False

    def is_open_to(self, user: Any, tournament: Tournament) -> bool:
        """Whether this user may do it as things stand."""
        return State(tournament.state) in self.states and self.right(user, tournament)


def _open_tables(wish: Wish) -> int:
    return RoundTable.objects.filter(round__tournament=wish.tournament, is_over=False).count()


def _where(wish: Wish) -> dict[str, Any]:
    return {"tournament_id": wish.tournament.pk, "actor": wish.actor, "now": wish.now}


def _whom(wish: Wish) -> dict[str, Any]:
    return _where(wish) | {"player_id": wish.who.player_id, "reason": wish.reason}


def _tables_stop(wish: Wish) -> Told:
    n = _open_tables(wish)
    return told_in(
        [
            ngettext(
                "%(n)s table stops. Its clock keeps what it has.",
                "%(n)s tables stop. Their clocks keep what they have.",
                n,
            )
            % {"n": n},
            _("Nothing is played, answered or opened until the tournament goes on."),
        ]
    )


def _tables_go_on(wish: Wish) -> Told:
    n = _open_tables(wish)
    said = ngettext(
        "%(n)s table goes on with the time that was left.",
        "%(n)s tables go on with the time that was left.",
        n,
    )
    return told_in([said % {"n": n}])


def _time_given(wish: Wish) -> Told:
    seconds = wish.data["seconds"]
    if wish.table is not None:
        said = _("Table %(table)s has %(seconds)s s more for what it waits for now.")
        return told_in([said % {"table": wish.table.number, "seconds": seconds}])
    n = _open_tables(wish)
    more = ngettext(
        "%(n)s table has %(seconds)s s more for what it waits for now.",
        "%(n)s tables have %(seconds)s s more for what they wait for now.",
        n,
    )
    return told_in([more % {"n": n, "seconds": seconds}])


def _called(wish: Wish) -> Told:
    names = [seat.name for seat in wish.at.seats if seat.is_missing]
    if not names:
        return told_in([_("Everybody is at the table; nobody is called.")])
    return told_in([_("Called again: %(names)s.") % {"names": ", ".join(names)}])


def _given_back(wish: Wish) -> Told:
    backs = services.preview_abort(
        tournament_id=wish.tournament.pk, by_standing=bool(wish.data["by_standing"])
    )
    asset, paid = wish.tournament.asset, [back for back in backs if back.amount]
    names = {
        entry.pk: player_name(entry)
        for entry in wish.tournament.entries.select_related("player").filter(
            pk__in=[back.entry_id for back in paid[:BACK_SHOWN]]
        )
    }
    total = sum(back.amount for back in paid)
    said = [
        ngettext(
            "%(n)s table is called off; its deal counts for nothing.",
            "%(n)s tables are called off; their deals count for nothing.",
            _open_tables(wish),
        )
        % {"n": _open_tables(wish)},
        ngettext("%(n)s player gets %(sum)s.", "%(n)s players get %(sum)s in all.", len(paid))
        % {"n": len(paid), "sum": in_unit(total, asset)},
        *(
            f"{names.get(back.entry_id, '')}: {in_unit(back.amount, asset)}"
            for back in paid[:BACK_SHOWN]
        ),
    ]
    if len(paid) > BACK_SHOWN:
        said.append(_("… and %(n)s more.") % {"n": len(paid) - BACK_SHOWN})
    return told_in(said)


def _tried(do: Callable[[Wish], object]) -> Callable[[Wish], Told]:
    """Foretell by doing and undoing."""

    def foretell(wish: Wish) -> Told:
        found = foretelling.foretell(tournament_id=wish.tournament.pk, act=lambda: do(wish))
        return told_changes(found)

    return foretell


def _just(do: Callable[[Wish], object]) -> Callable[[Wish, str, bool], object]:
    """What was foretold by words of our own needs no token: the view compares them."""
    return lambda wish, _token, _force: do(wish)


def _ruled(wish: Wish) -> dict[str, Any]:
    return _where(wish) | {"table_id": wish.at.pk}


def _withdraw(wish: Wish) -> object:
    return desk.withdraw(**_whom(wish))


def _disqualify(wish: Wish) -> object:
    return services.disqualify(**_whom(wish))


def _substitute(wish: Wish) -> object:
    return services.substitute(**_whom(wish), substitute_id=wish.data["username"].pk)


def _go_on(wish: Wish) -> object:
    return in_person.next_step(**_where(wish))


def _table_pk(wish: Wish) -> int | None:
    return None if wish.table is None else wish.table.pk


_EXTEND = _just(
    lambda wish: services.extend(
        **_where(wish),
        table_id=_table_pk(wish),
        seconds=wish.data["seconds"],
        reason=wish.reason,
    )
)

DEEDS: Final[tuple[Deed, ...]] = (
    Deed(
        "pause",
        gettext_lazy("Pause"),
        gettext_lazy("All clocks stop, and nothing is played until the tournament goes on."),
        About.TOURNAMENT,
        AskNoReason,
        _tables_stop,
        _just(lambda wish: services.pause(**_where(wish), reason=wish.reason)),
        states=frozenset({State.RUNNING}),
    ),
    Deed(
        "resume",
        gettext_lazy("Let it go on"),
        gettext_lazy("Every clock has what it had when the tournament was paused."),
        About.TOURNAMENT,
        AskNoReason,
        _tables_go_on,
        _just(lambda wish: services.resume(**_where(wish), reason=wish.reason)),
        states=frozenset({State.PAUSED}),
    ),
    Deed(
        "extend_all",
        gettext_lazy("More time for all"),
        gettext_lazy("Counts for the turn, declaration or answer that is awaited now."),
        About.TOURNAMENT,
        AskSeconds,
        _time_given,
        _EXTEND,
    ),
    Deed(
        "go_on",
        gettext_lazy("Open what is next"),
        gettext_lazy("In person: open the tables that are due, or settle after the final."),
        About.TOURNAMENT,
        AskNoReason,
        _tried(_go_on),
        _just(_go_on),
        states=frozenset({State.RUNNING}),
    ),
    Deed(
        "abort",
        gettext_lazy("Call it off"),
        gettext_lazy("Ends the tournament. Running deals count for nothing."),
        About.TOURNAMENT,
        AskAbort,
        _given_back,
        _just(
            lambda wish: services.abort(
                **_where(wish), reason=wish.reason, by_standing=bool(wish.data["by_standing"])
            )
        ),
        is_grave=True,
    ),
    Deed(
        "call",
        gettext_lazy("Call again"),
        gettext_lazy("Whoever is not at this table is called once more, on the site and by mail."),
        About.TABLE,
        AskNoReason,
        _called,
        _just(
            lambda wish: services.call_again(
                tournament_id=wish.tournament.pk, table_id=wish.at.pk, now=wish.now
            )
        ),
        right=may_arbitrate,
    ),
    Deed(
        "extend",
        gettext_lazy("More time"),
        gettext_lazy("Counts for the turn, declaration or answer that is awaited now."),
        About.TABLE,
        AskSeconds,
        _time_given,
        _EXTEND,
        right=may_arbitrate,
    ),
    Deed(
        "override",
        gettext_lazy("Give a result"),
        gettext_lazy("Places from 1, equal ones alike, such as 1 2 2 4; chips or points."),
        About.TABLE,
        AskResult,
        lambda wish: told_by(
            services.preview_override(**_ruled(wish), rulings=wish.data["rulings"])
        ),
        lambda wish, token, force: services.override(
            **_ruled(wish),
            rulings=wish.data["rulings"],
            confirmed=token,
            force=force,
            reason=wish.reason,
        ),
        right=may_arbitrate,
        is_grave=True,
    ),
    Deed(
        "redo",
        gettext_lazy("Play it again"),
        gettext_lazy(
            "The match of this table is called off and begins anew, with the same players."
        ),
        About.TABLE,
        Ask,
        lambda wish: told_by(services.preview_redo(**_ruled(wish))),
        lambda wish, token, force: services.redo(
            **_ruled(wish), confirmed=token, force=force, reason=wish.reason
        ),
        is_grave=True,
    ),
    Deed(
        "move",
        gettext_lazy("Move"),
        gettext_lazy("To another table of the round, before anybody has been dealt a card there."),
        About.PLAYER,
        AskTable,
        lambda wish: told_by(
            services.preview_move(
                tournament_id=wish.tournament.pk,
                player_id=wish.who.player_id,
                table_id=wish.data["to"],
                now=wish.now,
            )
        ),
        lambda wish, token, _force: services.move(
            **_whom(wish), table_id=wish.data["to"], confirmed=token
        ),
    ),
    Deed(
        "substitute",
        gettext_lazy("Substitute"),
        gettext_lazy(
            "Somebody else takes the seat, before the player's first deal. Fees change hands."
        ),
        About.PLAYER,
        AskSubstitute,
        _tried(_substitute),
        _just(_substitute),
    ),
    Deed(
        "withdraw",
        gettext_lazy("Withdraw"),
        gettext_lazy("By the player's own wish: his open games are forfeits, his fee stays."),
        About.PLAYER,
        Ask,
        _tried(_withdraw),
        _just(_withdraw),
        is_grave=True,
    ),
    Deed(
        "disqualify",
        gettext_lazy("Disqualify"),
        gettext_lazy("For what he did: his open games are forfeits, and he cannot enter again."),
        About.PLAYER,
        Ask,
        _tried(_disqualify),
        _just(_disqualify),
        is_grave=True,
    ),
)
BY_NAME: Final = {deed.name: deed for deed in DEEDS}


def open_deeds(user: Any, tournament: Tournament, about: About) -> list[Deed]:
    """What this user may do now to the tournament, its tables or its players."""
    return [
        deed
        for deed in DEEDS
        if deed.about is about
        and (deed.name != "go_on" or tournament.in_person)
        and deed.is_open_to(user, tournament)
    ]
