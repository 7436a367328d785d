"""An arbiter's ruling about a table, whatever it says: previewed, confirmed, carried out.

A ruling is previewed first: it is carried out, compared with how things stood, and undone. Whoever
confirms it gives the token of that preview; if anything has changed meanwhile, it is refused.
Where later tables were opened on the strength of the result it takes force, and they are discarded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from tournaments import play
from tournaments.amounts import in_unit
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Decision, DecisionKind, RoundTable, Shape, Tournament
from tournaments.services import discarding, reopening
from tournaments.services.desk import decided, name_of
from tournaments.services.foretelling import only_looking
from tournaments.services.lifecycle import lock
from tournaments.services.ruling_pictures import lost_tables, picture_of
from tournaments.structure.lifecycle import State
from tournaments.structure.overrides import Consequences, consequences

RULING: Final = "an arbiter's ruling"

Ruling = Callable[[Tournament, RoundTable], None]
"""Changes a table from which nothing follows any more."""


def previewed(
    tournament_id: int, table_id: int, rule: Ruling, *, what: str, actor: str, now: datetime
) -> Consequences:
    """What would follow from a ruling; `what` names it. Nothing is changed.

    Raises `TournamentRefusal` (NOT_RUNNING, PRIZES_SETTLED, UNKNOWN_TABLE, LATER_TABLES in timed
    levels) and what the ruling raises.
    """

    def tried() -> Consequences:
        tournament, table = _locked(tournament_id, table_id)
        later = discarding.built_on(tournament, table)
        return _carried_out(tournament, table, later, rule, what=what, actor=actor, now=now)

    return only_looking(tried)


def confirmed_ruling(
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
    """Carry a ruling out as it was previewed; `confirmed` is the token of that.

    Raises what the preview raises, and `TournamentRefusal`: BAD_REASON, CHANGED_MEANWHILE for
    another token, LATER_TABLES naming what would be discarded unless `force`.
    """
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
            f"The prizes of {tournament.name} are settled, so its results stand. The operator can "
            "correct what was paid.",
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
    before, lost = picture_of(tournament, table), lost_tables(later)
    discarding.discard(tournament, table, later, actor=actor, now=now)
    table.refresh_from_db()
    if table.is_over:
        reopening.take_back(tournament=tournament, table=table, actor=actor, reason=RULING, now=now)
    rule(tournament, table)
    Tournament.objects.filter(pk=tournament.pk).update(is_due=True)
    after = picture_of(tournament, table)
    prizes = {amount for _, amount in (*before.prizes, *after.prizes)}
    return consequences(
        before,
        after,
        lost,
        what=f"{tournament.pk}:{table.pk}:{what}",
        unit="chips" if play.plays_for_chips(play.terms_of(tournament)) else "points",
        prize_words={amount: in_unit(amount, tournament.asset) for amount in prizes},
    )
