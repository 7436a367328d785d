"""Correcting a match's last deal: what counted since is void, and the owner is told what to undo.

Runs inside the caller's transaction with the owner's and the match's locks held.
"""

from __future__ import annotations

from datetime import datetime

from tables import signals, store
from tables.models import Match, MatchStatus
from tables.rules.formats import DealCorrected, DealScored, PlayerLeft, RejoinAnswered
from tables.rules.formats import Match as Game
from tables.rules.formats.base import Seats
from tables.rules.results import DealResult
from tables.services import closing


def correct(
    *,
    match: Match,
    result: DealResult,
    stay: Seats,
    actor: str,
    reason: str,
    secret: bytes,
    now: datetime,
) -> Game:
    """Replace the last deal's result and go on from there.

    `match_reopened` comes first where the match was over: the owner refuses by raising. Then
    `deal_corrected` names what has to be undone, and the match's next step is taken anew.
    """
    before = store.load_game(match)
    after = before.correct(result, stay)
    if match.status == MatchStatus.OVER:
        news = signals.MatchReopened(
            owner=match.table.owner, match_id=match.pk, actor=actor, reason=reason, at=now
        )
        signals.match_reopened.send(sender=Match, news=news)
        match.over_at = None
    store.append_entry(match, DealCorrected(result, stay), now=now)
    signals.deal_corrected.send(
        sender=Match,
        news=signals.DealCorrected(
            owner=match.table.owner,
            match_id=match.pk,
            void=_void(match, before),
            void_rejoins=_void_rejoins(match, before),
            name=closing.entry_name(match, match.version),
            changes=closing.changes(before.before_last_deal(), after),
            stay=stay,
            actor=actor,
            reason=reason,
            at=now,
        ),
    )
    return closing.proceed(match=match, game=after, secret=secret, now=now)


def _last_scored(game: Game) -> int:
    """The place in the log of what stands for the last deal: the deal, or its last correction."""
    return max(
        place
        for place, entry in enumerate(game.log)
        if isinstance(entry, DealScored | DealCorrected)
    )


def _void(match: Match, game: Game) -> tuple[str, ...]:
    """What has moved scores since, the latest first. The log's entries are numbered from 1."""
    last = _last_scored(game)
    moved = [
        place
        for place, entry in enumerate(game.log)
        if place == last or (place > last and isinstance(entry, PlayerLeft))
    ]
    return tuple(closing.entry_name(match, place + 1) for place in reversed(moved))


def _void_rejoins(match: Match, game: Game) -> tuple[tuple[int, int], ...]:
    """Player and number of the rejoins since, the latest first."""
    last, players = _last_scored(game), closing.players_of(match)
    counted: dict[int, int] = {}
    void = []
    for place, entry in enumerate(game.log):
        if isinstance(entry, RejoinAnswered) and entry.comes_back:
            counted[entry.seat] = counted.get(entry.seat, 0) + 1
            if place > last:
                void.append((players[entry.seat], counted[entry.seat]))
    return tuple(reversed(void))
