"""An arbiter's ruling about a table: another result, or the whole table played again.

A ruling is previewed first: it is carried out, compared with how things stood, and undone. Whoever
confirms it gives the token of that preview; if anything has changed meanwhile, it is refused.
Where later tables were opened on the strength of the result it takes force, and they are discarded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec
from django.db import transaction

from tournaments import play
from tournaments.amounts import in_unit
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    Decision,
    DecisionKind,
    Entry,
    EntryState,
    Placing,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.money import desk as desk_money
from tournaments.play import desk as desk_tables
from tournaments.services import discarding, reopening, results
from tournaments.services.awarding import award
from tournaments.services.desk import decided, name_of
from tournaments.services.lifecycle import lock
from tournaments.services.rounds import final_is_over
from tournaments.services.standing import final_standings
from tournaments.structure.lifecycle import State
from tournaments.structure.overrides import (
    Consequences,
    Fate,
    Line,
    LostTable,
    Picture,
    SeatRuling,
    check_rulings,
    consequences,
)

RULING: Final = "an arbiter's ruling"

Ruling = Callable[[Tournament, RoundTable], None]
"""Changes a table from which nothing follows any more."""


class _OnlyAsked(Exception):
    """Undoes what was only tried."""

    def __init__(self, found: Consequences) -> None:
        super().__init__("only a preview")
        self.found = found


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
    return _previewed(tournament_id, table_id, rule, what=what, actor=actor, now=now)


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
    return _confirmed(
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


def preview_redo(*, tournament_id: int, table_id: int, actor: str, now: datetime) -> Consequences:
    """What would follow if a table were played again; nothing is changed. Raises as `redo`."""
    rule = _played_again(actor, now)
    return _previewed(tournament_id, table_id, rule, what="redo", actor=actor, now=now)


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
    return _confirmed(
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


def _what(kind: str, rulings: Sequence[SeatRuling]) -> str:
    ordered = sorted(rulings, key=lambda ruling: ruling.seat)
    return f"{kind}:{msgspec.json.encode(ordered).decode()}"


def _previewed(
    tournament_id: int, table_id: int, rule: Ruling, *, what: str, actor: str, now: datetime
) -> Consequences:
    try:
        with transaction.atomic():
            tournament, table = _locked(tournament_id, table_id)
            later = discarding.built_on(tournament, table)
            found = _carried_out(tournament, table, later, rule, what=what, actor=actor, now=now)
            raise _OnlyAsked(found)
    except _OnlyAsked as asked:
        return asked.found


def _confirmed(
    tournament_id: int,
    table_id: int,
    rule: Ruling,
    kind: DecisionKind,
    *,
    what: str,
    confirmed: str,
    force: bool,
    actor: str,
    reason: str,
    now: datetime,
) -> Decision:
    if not reason.strip():
        raise TournamentRefusal(
            TournamentCode.BAD_REASON, "Say why the result is changed.", field="reason"
        )
    with transaction.atomic():
        tournament, table = _locked(tournament_id, table_id)
        name, later = name_of(table), discarding.built_on(tournament, table)
        if later and not force:
            raise _later_tables(later)
        before = {
            "table": discarding.as_record([table]),
            "discarded": discarding.as_record(later),
        }
        found = _carried_out(tournament, table, later, rule, what=what, actor=actor, now=now)
        if found.token != confirmed:
            raise TournamentRefusal(
                TournamentCode.CHANGED_MEANWHILE,
                "Something has changed since you looked; look at the consequences again.",
                field="confirmed",
            )
        table.refresh_from_db()
        return decided(
            tournament,
            kind,
            table_name=name,
            actor=actor,
            reason=reason,
            before=before,
            after={"table": discarding.as_record([table]), "told": list(found.sentences)},
            now=now,
        )


def _locked(tournament_id: int, table_id: int) -> tuple[Tournament, RoundTable]:
    tournament = lock(tournament_id)
    if tournament.state == State.COMPLETED:
        raise TournamentRefusal(
            TournamentCode.PRIZES_SETTLED,
            f"The prizes of {tournament.name} are settled; reverse the payout first.",
        )
    if tournament.state != State.RUNNING:
        raise TournamentRefusal(
            TournamentCode.NOT_RUNNING,
            f"{tournament.name} is {tournament.state}; a result can be changed while it runs.",
        )
    tables = RoundTable.objects.filter(round__tournament=tournament, pk=table_id)
    table = tables.select_related("round").first()
    if table is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TABLE, "This tournament has no such table.", field="table"
        )
    return tournament, table


def _later_tables(later: Sequence[RoundTable]) -> TournamentRefusal:
    named = ", ".join(sorted(name_of(table) for table in later))
    return TournamentRefusal(
        TournamentCode.LATER_TABLES,
        f"Opened on the strength of this result: {named}. Force it to discard them.",
        field="force",
    )


def _carried_out(
    tournament: Tournament,
    table: RoundTable,
    later: Sequence[RoundTable],
    rule: Ruling,
    *,
    what: str,
    actor: str,
    now: datetime,
) -> Consequences:
    """Discard what was built on the result, take it back, and rule."""
    if later and tournament.shape == Shape.LEVELS:
        raise TournamentRefusal(
            TournamentCode.LATER_TABLES,
            "The next level was opened with the chips of this one, so its result stands.",
        )
    before, lost = _picture(tournament, table), _lost(later)
    discarding.discard(tournament, table, later, actor=actor, now=now)
    table.refresh_from_db()
    if table.is_over:
        reopening.take_back(tournament=tournament, table=table, actor=actor, reason=RULING, now=now)
    rule(tournament, table)
    Tournament.objects.filter(pk=tournament.pk).update(is_due=True)
    after = _picture(tournament, table)
    prizes = {amount for _, amount in (*before.prizes, *after.prizes)}
    return consequences(
        before,
        after,
        lost,
        what=f"{tournament.pk}:{table.pk}:{what}",
        unit="chips" if play.plays_for_chips(play.terms_of(tournament)) else "points",
        prize_words={amount: in_unit(amount, tournament.asset) for amount in prizes},
    )


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

    return rule


def _picture(tournament: Tournament, table: RoundTable) -> Picture:
    """Everybody of the table's round, and who would get what if the final is over."""
    rows = Placing.objects.filter(table__round=table.round_id).select_related(
        "entry__player", "table"
    )
    lines = {}
    for row in rows.order_by("table__kind", "entry__number"):
        if row.table_id == table.pk or row.entry.number not in lines:
            lines[row.entry.number] = _line(row)
    return Picture(tuple(lines[number] for number in sorted(lines)), _prizes(tournament))


def _line(row: Placing) -> Line:
    fate = Fate.OUT if row.place is not None else Fate.OPEN
    if row.goes_on or row.is_tied:
        fate = Fate.GOES_ON if row.goes_on else Fate.TIED
    return Line(row.entry.number, _name(row.entry), fate, row.place, row.score)


def _name(entry: Entry) -> str:
    return entry.player.get_full_name() or entry.player.get_username()


def _prizes(tournament: Tournament) -> tuple[tuple[int, int], ...]:
    last = tournament.rounds.order_by("-number").first()
    if last is None or last.closed_at is None or not final_is_over(tournament, last):
        return ()
    gets = award(tournament, final_standings(tournament)).gets
    numbers = dict(tournament.entries.values_list("pk", "number"))
    return tuple(sorted((numbers[pk], what.amount) for pk, what in gets.items() if what.amount))


def _lost(later: Sequence[RoundTable]) -> list[LostTable]:
    return [
        LostTable(
            name=name_of(table),
            players=tuple(
                _name(placing.entry)
                for placing in table.placings.select_related("entry__player").order_by("seat")
            ),
            deals=table.match.deals_dealt,
        )
        for table in later
    ]
