"""What can be done to a player."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import services
from tournaments.access import may_mute
from tournaments.admin.control.asks import Ask, AskNoReason, AskSubstitute, AskTable, Wish
from tournaments.admin.control.deed import About, Deed, just, tried, where
from tournaments.admin.control.words import Told, told_by, told_in
from tournaments.selectors.lists import player_name
from tournaments.services import desk


def _whom(wish: Wish) -> dict[str, Any]:
    return where(wish) | {"player_id": wish.who.player_id, "reason": wish.reason}


def _withdraw(wish: Wish) -> object:
    return desk.withdraw(**_whom(wish))


def _disqualify(wish: Wish) -> object:
    return services.disqualify(**_whom(wish))


def _substitute(wish: Wish) -> object:
    return services.substitute(**_whom(wish), substitute_id=wish.data["username"].pk)


def _falls_silent(wish: Wish) -> Told:
    who = {"name": player_name(wish.who), "table": wish.at.number}
    return told_in(
        [_("%(name)s cannot write at table %(table)s any more. What was written stays.") % who]
    )


def _may_write_again(wish: Wish) -> Told:
    who = {"name": player_name(wish.who), "table": wish.at.number}
    return told_in([_("%(name)s may write at table %(table)s again.") % who])


def _mute(wish: Wish, *, muted: bool) -> object:
    return services.mute(
        tournament_id=wish.tournament.pk,
        table_id=wish.at.pk,
        player_id=wish.who.player_id,
        muted=muted,
    )


PLAYER_DEEDS: Final = (
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
        tried(_substitute),
        just(_substitute),
    ),
    Deed(
        "withdraw",
        gettext_lazy("Withdraw"),
        gettext_lazy("By the player's own wish: his open games are forfeits, his fee stays."),
        About.PLAYER,
        Ask,
        tried(_withdraw),
        just(_withdraw),
        is_grave=True,
    ),
    Deed(
        "disqualify",
        gettext_lazy("Disqualify"),
        gettext_lazy("For what he did: his open games are forfeits, and he cannot enter again."),
        About.PLAYER,
        Ask,
        tried(_disqualify),
        just(_disqualify),
        is_grave=True,
    ),
    Deed(
        "mute",
        gettext_lazy("Mute"),
        gettext_lazy("The player cannot write in the chat of this table any more."),
        About.PLAYER,
        Ask,
        _falls_silent,
        just(lambda wish: _mute(wish, muted=True)),
        right=may_mute,
    ),
    Deed(
        "unmute",
        gettext_lazy("Let write again"),
        gettext_lazy("The player may write in the chat of this table again."),
        About.PLAYER,
        AskNoReason,
        _may_write_again,
        just(lambda wish: _mute(wish, muted=False)),
        right=may_mute,
    ),
)
