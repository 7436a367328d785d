"""What can be done to a whole tournament."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments import services
from tournaments.admin.control.asks import AskAbort, AskNoReason, Wish
from tournaments.admin.control.deed import About, Deed, just, open_tables, tried, where
from tournaments.admin.control.time_deeds import EXTEND_ALL
from tournaments.admin.control.words import Told, told_in
from tournaments.amounts import in_unit
from tournaments.selectors.lists import player_name
from tournaments.services import in_person
from tournaments.structure.lifecycle import State

BACK_SHOWN: Final = 30


def _tables_stop(wish: Wish) -> Told:
    n = open_tables(wish)
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
    n = open_tables(wish)
    said = ngettext(
        "%(n)s table goes on with the time that was left.",
        "%(n)s tables go on with the time that was left.",
        n,
    )
    return told_in([said % {"n": n}])


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
            open_tables(wish),
        )
        % {"n": open_tables(wish)},
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


def _go_on(wish: Wish) -> object:
    return in_person.next_step(**where(wish))


TOURNAMENT_DEEDS: Final = (
    Deed(
        "pause",
        gettext_lazy("Pause"),
        gettext_lazy("All clocks stop, and nothing is played until the tournament goes on."),
        About.TOURNAMENT,
        AskNoReason,
        _tables_stop,
        just(lambda wish: services.pause(**where(wish), reason=wish.reason)),
        states=frozenset({State.RUNNING}),
    ),
    Deed(
        "resume",
        gettext_lazy("Let it go on"),
        gettext_lazy("Every clock has what it had when the tournament was paused."),
        About.TOURNAMENT,
        AskNoReason,
        _tables_go_on,
        just(lambda wish: services.resume(**where(wish), reason=wish.reason)),
        states=frozenset({State.PAUSED}),
    ),
    EXTEND_ALL,
    Deed(
        "go_on",
        gettext_lazy("Open what is next"),
        gettext_lazy("In person: open the tables that are due, or settle after the final."),
        About.TOURNAMENT,
        AskNoReason,
        tried(_go_on),
        just(_go_on),
        states=frozenset({State.RUNNING}),
    ),
    Deed(
        "abort",
        gettext_lazy("Call it off"),
        gettext_lazy("Ends the tournament. Running deals count for nothing."),
        About.TOURNAMENT,
        AskAbort,
        _given_back,
        just(
            lambda wish: services.abort(
                **where(wish), reason=wish.reason, by_standing=bool(wish.data["by_standing"])
            )
        ),
        is_grave=True,
    ),
)
