"""A tournament with cards on real tables: scorers write, and what follows from a correction.

Everything else goes the way of the online engine. A result can be taken back as long as nothing was
built on it: no later table has been opened out of it, and no prize was settled. So that there is
time to correct, a tournament in person goes on when its organiser says so, not by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from tournaments import money, play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, Placing, RoundTable, Shape
from tournaments.play import sheets
from tournaments.services import reopening
from tournaments.services import tables as heard
from tournaments.services.lifecycle import lock
from tournaments.services.progress import go_on


def next_step(*, tournament_id: int, actor: str, now: datetime) -> bool:
    """Open the next round of a tournament in person, or settle it; whether there was that to do.

    From then on the results before it stand. Who settles it may not approve its payout. Raises
    `TournamentRefusal(NOT_IN_PERSON)`.
    """
    with transaction.atomic():
        tournament = lock(tournament_id)
        if not tournament.in_person:
            raise TournamentRefusal(
                TournamentCode.NOT_IN_PERSON,
                f"{tournament.name} is played online and goes on by itself.",
            )
    return go_on(tournament_id=tournament_id, actor=actor, now=now)


def enter_deal(
    *,
    table_id: int,
    scorer: User,
    rows: Sequence[sheets.SheetRow],
    wild: str = "",
    sheet_version: int,
    now: datetime,
) -> None:
    """Enter the deal that is due at a table.

    Raises `TournamentRefusal`: `NOT_A_SCORER`, `UNKNOWN_TABLE`, and whatever the sheet refuses.
    """
    sheets.enter_deal(
        match_id=_match_of(table_id, scorer),
        rows=rows,
        wild=wild,
        actor=sheets.actor_of(scorer),
        sheet_version=sheet_version,
        now=now,
    )


def answer(
    *, table_id: int, scorer: User, entry: sheets.Answer, sheet_version: int, now: datetime
) -> None:
    """Enter what somebody at a table said between two deals; raises as `enter_deal` does."""
    sheets.answer_on_sheet(
        match_id=_match_of(table_id, scorer),
        entry=entry,
        actor=sheets.actor_of(scorer),
        sheet_version=sheet_version,
        now=now,
    )


def correct_last_deal(
    *,
    table_id: int,
    scorer: User,
    rows: Sequence[sheets.SheetRow],
    wild: str = "",
    reason: str,
    sheet_version: int,
    now: datetime,
) -> None:
    """Enter the last deal of a table as it really was; raises as `enter_deal` does, and
    `RESULT_USED` once something was built on it.
    """
    sheets.correct_last_deal(
        match_id=_match_of(table_id, scorer),
        rows=rows,
        wild=wild,
        actor=sheets.actor_of(scorer),
        reason=reason,
        sheet_version=sheet_version,
        now=now,
    )


def _match_of(table_id: int, scorer: User) -> int:
    table = RoundTable.objects.filter(pk=table_id).select_related("round__tournament").first()
    if table is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TABLE, "There is no such table.", field="table"
        )
    if not sheets.may_enter_deals(scorer, play.owner_of(table.round.tournament)):
        raise TournamentRefusal(
            TournamentCode.NOT_A_SCORER,
            "Only staff who may enter deals in this tournament write on a score sheet.",
        )
    return int(table.match_id)


def match_reopened(*, owner: str, match_id: int, actor: str, reason: str, now: datetime) -> None:
    """Take the result of a table back, whose last deal is corrected; raises as `take_back` does."""
    tournament = heard.lock_owner(owner)
    if tournament is None:
        return
    table = RoundTable.objects.select_related("round").get(match_id=match_id)
    reopening.take_back(tournament=tournament, table=table, actor=actor, reason=reason, now=now)


def _check_not_left(match_id: int, seats: Sequence[int]) -> None:
    placings = Placing.objects.filter(table__match_id=match_id, seat__in=seats)
    left = placings.exclude(entry__left="").select_related("entry__player").first()
    if left is not None:
        raise TournamentRefusal(
            TournamentCode.RESULT_USED,
            f"{left.entry.player} has left the tournament ({left.entry.left}), so he has left this "
            "table too; tick it in his row.",
        )


def deal_corrected(
    *,
    owner: str,
    match_id: int,
    void: Sequence[str],
    void_rejoins: Sequence[tuple[int, int]],
    deal: str,
    changes: Mapping[int, int],
    stay: Sequence[int],
    actor: str,
    reason: str,
    now: datetime,
) -> None:
    """Move chips and buy-ins back that followed from a wrong deal, and the right chips instead.

    `void` and `deal` name what moved chips and what moves them now, `changes` by how much at each
    seat; `void_rejoins` are players and which of their rejoins never were, `stay` seats that were
    entered as gone and are not. Raises `TournamentRefusal` (`RESULT_USED`) for who has left
    the tournament and not his table alone, and once chips of a level were bought.
    """
    tournament = heard.lock_owner(owner)
    if tournament is None:
        return
    _check_not_left(match_id, stay)
    if void_rejoins and tournament.shape == Shape.LEVELS:
        raise TournamentRefusal(
            TournamentCode.RESULT_USED,
            "Chips were bought after this deal, so it stands; ask the organiser for a ruling.",
        )
    # In the order of players, so that two tournaments with the same players wait in no circle.
    for player_id, number in sorted(void_rejoins, key=lambda void: (void[0], -void[1])):
        money.take_back_rejoin(
            tournament=tournament,
            player_id=player_id,
            number=number,
            actor=actor,
            reason=reason,
            now=now,
        )
        entry = Entry.objects.filter(tournament=tournament, player_id=player_id)
        entry.update(rejoins=F("rejoins") - 1)
    if play.plays_for_chips(play.terms_of(tournament)):
        money.take_back_deals(
            tournament=tournament, deals=void, actor=actor, reason=reason, now=now
        )
    heard.deal_finished(owner=owner, match_id=match_id, deal=deal, changes=changes, now=now)
