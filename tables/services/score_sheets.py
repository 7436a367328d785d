"""The score sheet of a table with real cards: deals, answers and corrections, by a scorer's hand.

Who enters something says which version of the sheet he saw, so that of two scorers at once one is
told that it has moved on. The same thing sent twice by the same scorer is entered once. Everything
goes the way of the online engine from there: the match's log, the signals, the owner's ledger.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
from django.db import transaction

from tables import store
from tables.errors import TableCode, TableRefusal
from tables.models import Match, MatchStatus, SheetLine
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import (
    AwaitRebuy,
    AwaitRejoin,
    AwaitSplit,
    DealsStopped,
    MatchOver,
    NextDeal,
    PlayerLeft,
    RejoinAnswered,
    SplitAnswered,
    SplitOffered,
    Step,
    TimePassed,
)
from tables.rules.score_sheet import SheetRow, Written, read_sheet
from tables.rules.shoe import SECRET_BYTES, commitment_of
from tables.services import closing, correcting
from tables.services.matches import SecretSource

MAX_REASON: Final = 500

Answer = RejoinAnswered | SplitOffered | SplitAnswered | PlayerLeft | TimePassed | DealsStopped
"""What a scorer may enter between two deals."""


def fresh_secret(label: str) -> bytes:
    """A secret from the operating system; the label is for sources that derive it."""
    return secrets.token_bytes(SECRET_BYTES)


def enter_deal(
    *,
    match_id: int,
    rows: Sequence[SheetRow],
    wild: str = "",
    actor: str,
    sheet_version: int,
    secret_for: SecretSource = fresh_secret,
    now: datetime,
) -> Match:
    """Enter the deal that is due.

    Raises `SheetRefused` with all that is wrong with the rows, `RuleViolation`
    (`DEAL_NOT_EXPECTED`, `MATCH_OVER`), `TableRefusal` (`NOT_IN_PERSON`, `SHEET_MOVED_ON`).
    """
    written = Written(tuple(rows), wild)
    with transaction.atomic():
        match = _locked(match_id)
        if _is_repeated(match, sheet_version, actor, written):
            return match
        _check_version(match, sheet_version)
        closing.check_runs(match)
        step = _deal_due(store.load_game(match).next_step())
        result = read_sheet(step, rows, wild)
        _mark_left(match, rows)
        match.deals_dealt += 1
        closing.score_deal(
            match=match,
            result=result,
            name=closing.entry_name(match, match.version + 1),
            number=match.deals_dealt,
            tie_break=step.tie_break,
            secret=_write(match, written, actor=actor, secret_for=secret_for, now=now),
            now=now,
        )
        return match


def answer_on_sheet(
    *,
    match_id: int,
    entry: Answer,
    actor: str,
    sheet_version: int,
    secret_for: SecretSource = fresh_secret,
    now: datetime,
) -> Match:
    """Enter what somebody said between two deals: about a rejoin, a split, or that he leaves.

    `TimePassed` says no for everybody who has not answered, `DealsStopped` that no deal is being
    played and the table's owner lets no further one begin. Raises `RuleViolation` if the format
    or the owner refuses it, `TableRefusal` (`NOT_IN_PERSON`, `SHEET_MOVED_ON`).
    """
    with transaction.atomic():
        match = _locked(match_id)
        if _is_repeated(match, sheet_version, actor, entry):
            return match
        _check_version(match, sheet_version)
        if not isinstance(entry, PlayerLeft):
            closing.check_runs(match)
        if isinstance(entry, DealsStopped):
            _check_stopped(match, now)
        secret = _write(match, entry, actor=actor, secret_for=secret_for, now=now)
        closing.enter(match=match, entry=entry, secret=secret, now=now)
        return match


def correct_last_deal(
    *,
    match_id: int,
    rows: Sequence[SheetRow],
    wild: str = "",
    actor: str,
    reason: str,
    sheet_version: int,
    secret_for: SecretSource = fresh_secret,
    now: datetime,
) -> Match:
    """Enter the last deal as it really was; the log and the sheet keep both.

    What was answered since is void and asked again. The rows say anew who has left. Raises as
    `enter_deal` does, `RuleViolation(NO_DEAL_YET)`, `TableRefusal` (`BAD_REASON`, `NO_CHANGE`), and
    what the table's owner refuses by when he has built on the result.
    """
    written = Written(tuple(rows), wild)
    reason = reason.strip()
    with transaction.atomic():
        match = _locked(match_id)
        if _is_repeated(match, sheet_version, actor, written):
            return match
        _check_version(match, sheet_version)
        if not 0 < len(reason) <= MAX_REASON:
            raise TableRefusal(
                TableCode.BAD_REASON,
                f"Say why the deal is corrected, in 1 to {MAX_REASON} characters.",
                field="reason",
            )
        game = store.load_game(match)
        result = read_sheet(_deal_due(game.before_last_deal().next_step()), rows, wild)
        gone = {entry.seat for entry in game.since_last_deal if isinstance(entry, PlayerLeft)}
        gone |= set(match.seats.filter(left=True).values_list("number", flat=True))
        stay = tuple(row.seat for row in rows if row.seat in gone and not row.leaves)
        others_left = _mark_left(match, rows)
        if result == game.results[-1] and not stay and not others_left:
            raise TableRefusal(
                TableCode.NO_CHANGE,
                "The last deal stands like this already; change what is wrong with it.",
            )
        secret = _write(match, written, actor=actor, reason=reason, secret_for=secret_for, now=now)
        correcting.correct(
            match=match,
            result=result,
            stay=stay,
            actor=actor,
            reason=reason,
            secret=secret,
            now=now,
        )
        return match


def _locked(match_id: int) -> Match:
    match = closing.lock_match(match_id)
    if not match.in_person:
        raise TableRefusal(
            TableCode.NOT_IN_PERSON, "This table is played online; it keeps its score itself."
        )
    if match.status == MatchStatus.VOID:
        raise TableRefusal(TableCode.MATCH_VOID, "This match was called off; nothing counts in it.")
    return match


def _check_version(match: Match, sheet_version: int) -> None:
    if match.version != sheet_version:
        raise TableRefusal(
            TableCode.SHEET_MOVED_ON,
            "Somebody else has written on this sheet meanwhile; look at it and go on from there.",
        )


def _is_repeated(match: Match, sheet_version: int, actor: str, what: Written | Answer) -> bool:
    """Whether this has been entered before, at this version and by this scorer."""
    return SheetLine.objects.filter(
        match=match, seq=sheet_version + 1, actor=actor, written=_as_json(what)
    ).exists()


def _as_json(what: Written | Answer) -> str:
    return msgspec.json.encode(what).decode()


def _check_stopped(match: Match, now: datetime) -> None:
    game = store.load_game(match)
    if game.runs_until_stopped and closing.may_deal(match=match, game=game, now=now):
        raise RuleViolation(Code.NOT_DUE, "The time is not up yet; another deal may begin.")


def _deal_due(step: Step) -> NextDeal:
    """The deal that is asked for. Raises `RuleViolation` when something else is."""
    match step:
        case NextDeal():
            return step
        case MatchOver():
            sentence = "This match is over; only its last deal can still be corrected."
            raise RuleViolation(Code.MATCH_OVER, sentence)
        case AwaitRejoin():
            sentence = "Enter first who buys in again and who does not."
        case AwaitRebuy():
            sentence = "Enter first who buys chips and who does not."
        case AwaitSplit():
            sentence = "Enter first who accepts the split and who does not."
        case _:
            sentence = "No deal is due."
    raise RuleViolation(Code.DEAL_NOT_EXPECTED, sentence)


def _mark_left(match: Match, rows: Sequence[SheetRow]) -> bool:
    """Note who has left for good, as the rows say; whether that is news."""
    leaves = {row.seat: row.leaves for row in rows}
    changed = [
        seat for seat in match.seats.filter(number__in=leaves) if seat.left != leaves[seat.number]
    ]
    for seat in changed:
        seat.left = leaves[seat.number]
        seat.save(update_fields=["left"])
    return bool(changed)


def _write(
    match: Match,
    what: Written | Answer,
    *,
    actor: str,
    reason: str = "",
    secret_for: SecretSource,
    now: datetime,
) -> bytes:
    """Note on the sheet who enters what, and reveal the secret for lots that follow from it.

    The match commits itself to another secret for the next line.
    """
    secret = match.next_secret
    SheetLine.objects.create(
        match=match,
        seq=match.version + 1,
        actor=actor,
        reason=reason,
        written=_as_json(what),
        commitment=match.next_commitment,
        secret=secret,
        at=now,
    )
    again = f"/match-{match.number}" if match.number > 1 else ""
    coming = secret_for(f"{match.table.label}{again}/line-{match.version + 2}")
    match.next_secret, match.next_commitment = coming.hex(), commitment_of(coming)
    match.save(update_fields=["next_secret", "next_commitment", "deals_dealt"])
    return bytes.fromhex(secret)
