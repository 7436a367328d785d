"""Another result for a table, given by an arbiter; `rulings` previews it and carries it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from tournaments import play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Decision, DecisionKind, RoundTable, Shape, Tournament
from tournaments.play import desk as desk_tables
from tournaments.services import results
from tournaments.services.rulings import Ruling, confirmed_ruling, previewed
from tournaments.structure.overrides import Consequences, SeatRuling, check_rulings


def preview_override(
    *,
    tournament_id: int,
    table_id: int,
    rulings: Sequence[SeatRuling],
    actor: str,
    now: datetime,
) -> Consequences:
    """What would follow if a table had this result; nothing is changed.

    Raises `TournamentRefusal` (NOT_RUNNING, PRIZES_SETTLED, UNKNOWN_TABLE, LATER_TABLES in timed
    levels), `StructureError(BAD_RULING)`.
    """
    rule = _given_result(rulings, now)
    what = _what("override", rulings)
    return previewed(tournament_id, table_id, rule, what=what, actor=actor, now=now)


def override(
    *,
    tournament_id: int,
    table_id: int,
    rulings: Sequence[SeatRuling],
    confirmed: str,
    force: bool = False,
    actor: str,
    reason: str,
    now: datetime,
) -> Decision:
    """Give a table this result, as `preview_override` told; `confirmed` is the token of that.

    Raises what the preview raises, and `TournamentRefusal`: BAD_REASON, CHANGED_MEANWHILE for
    another token, LATER_TABLES naming what would be discarded unless `force`.
    """
    rule = _given_result(rulings, now)
    return confirmed_ruling(
        tournament_id,
        table_id,
        rule,
        DecisionKind.OVERRIDDEN,
        what=_what("override", rulings),
        confirmed=confirmed,
        force=force,
        actor=actor,
        reason=reason,
        now=now,
    )


def _what(kind: str, rulings: Sequence[SeatRuling]) -> str:
    ordered = sorted(rulings, key=lambda ruling: ruling.seat)
    return f"{kind}:{msgspec.json.encode(ordered).decode()}"


def _given_result(rulings: Sequence[SeatRuling], now: datetime) -> Ruling:
    def rule(tournament: Tournament, table: RoundTable) -> None:
        check_rulings(rulings, table.placings.values_list("seat", flat=True))
        if tournament.shape == Shape.LEVELS:
            raise TournamentRefusal(
                TournamentCode.BAD_RULING,
                "In timed levels the chips in play are the result; correct the deal instead.",
            )
        desk_tables.call_off(match_id=table.match_id, now=now)
        results.take_result(
            tournament=tournament,
            table=table,
            results=_as_results(rulings),
            split_weights=None,
            now=now,
        )

    return rule


def _as_results(rulings: Sequence[SeatRuling]) -> Mapping[int, play.SeatResult]:
    best = min(rulings, key=lambda ruling: ruling.place).score
    of_two = len(rulings) == 2
    return {
        ruling.seat: play.SeatResult(
            ruling.place,
            ruling.score,
            abs(ruling.score - best) if of_two and ruling.place > 1 else None,
        )
        for ruling in rulings
    }
