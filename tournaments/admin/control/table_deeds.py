"""What can be done to a table."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import services
from tournaments.access import may_arbitrate
from tournaments.admin.control.asks import Ask, AskNoReason, AskResult, Wish
from tournaments.admin.control.deed import About, Deed, just, where
from tournaments.admin.control.time_deeds import EXTEND
from tournaments.admin.control.words import Told, told_by, told_in


def _called(wish: Wish) -> Told:
    names = [seat.name for seat in wish.at.seats if seat.is_missing]
    if not names:
        return told_in([_("Everybody is at the table; nobody is called.")])
    return told_in([_("Called again: %(names)s.") % {"names": ", ".join(names)}])


def _ruled(wish: Wish) -> dict[str, Any]:
    return where(wish) | {"table_id": wish.at.pk}


TABLE_DEEDS: Final = (
    Deed(
        "call",
        gettext_lazy("Call again"),
        gettext_lazy("Whoever is not at this table is called once more, on the site and by mail."),
        About.TABLE,
        AskNoReason,
        _called,
        just(
            lambda wish: services.call_again(
                tournament_id=wish.tournament.pk, table_id=wish.at.pk, now=wish.now
            )
        ),
        right=may_arbitrate,
    ),
    EXTEND,
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
)
