"""A table played again by the same players, as an arbiter ordered; `rulings` carries it out."""

from __future__ import annotations

from datetime import datetime

from tournaments import play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    Decision,
    DecisionKind,
    EntryState,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.money import desk as desk_money
from tournaments.play import desk as desk_tables
from tournaments.services.calls import call_back
from tournaments.services.rulings import Ruling, confirmed_ruling, previewed
from tournaments.structure.overrides import Consequences


def preview_redo(*, tournament_id: int, table_id: int, actor: str, now: datetime) -> Consequences:
    """What would follow if a table were played again; nothing is changed. Raises as `redo`."""
    rule = _played_again(actor, now)
    return previewed(tournament_id, table_id, rule, what="redo", actor=actor, now=now)


def redo(
    *,
    tournament_id: int,
    table_id: int,
    confirmed: str,
    force: bool = False,
    actor: str,
    reason: str,
    now: datetime,
) -> Decision:
    """Call a table's match off and let it be played again by the same players.

    Raises as `override`; BAD_RULING at a table where somebody bought in again, or of timed levels.
    """
    rule = _played_again(actor, now)
    return confirmed_ruling(
        tournament_id,
        table_id,
        rule,
        DecisionKind.REDONE,
        what="redo",
        confirmed=confirmed,
        force=force,
        actor=actor,
        reason=reason,
        now=now,
    )


def _played_again(actor: str, now: datetime) -> Ruling:
    def rule(tournament: Tournament, table: RoundTable) -> None:
        placings = list(table.placings.select_related("entry").order_by("seat"))
        if tournament.shape == Shape.LEVELS or any(p.entry.rejoins for p in placings):
            raise TournamentRefusal(
                TournamentCode.BAD_RULING,
                "Somebody has bought in again at this table; give it a result instead.",
            )
        table.match_id = desk_tables.play_again(match_id=table.match_id, now=now)
        table.save(update_fields=["match"])
        chips = play.starting_chips(play.terms_of(tournament))
        if chips and table.kind != TableKind.TIE_BREAK:
            desk_money.renew_stacks(
                tournament=tournament,
                chips={placing.entry_id: chips for placing in placings},
                named=f"again:{table.match_id}",
                actor=actor,
                now=now,
            )
        for placing in placings:
            if placing.entry.state != EntryState.PLAYING:
                desk_tables.remove_player(
                    match_id=table.match_id, seat=placing.seat, actor=actor, now=now
                )
        present = [p.entry.player_id for p in placings if p.entry.state == EntryState.PLAYING]
        call_back(table, present, now=now)

    return rule
