"""What a tournament has to say to one reader: a sentence about him, and what he can do now.

`offers_of` is pure: what is known goes in, a sentence and buttons come out. `known_of` reads what
it needs, in a number of queries that does not depend on how many have entered. A button promises
nothing: the service behind it decides, under its lock.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from tournaments import play
from tournaments.amounts import in_unit
from tournaments.entry_codes import code_of
from tournaments.models import (
    HOLDS_A_SEAT,
    Entry,
    EntryState,
    Placing,
    Shape,
    Ticket,
    TicketState,
    Tournament,
)
from tournaments.selectors.players import facts_about
from tournaments.selectors.waiting import place_of
from tournaments.services.late import running_of
from tournaments.structure.conditions import EntryRules, check_late, check_reentry, unmet
from tournaments.structure.due import is_held_fast
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import State, is_live, is_over, may_leave_waitlist
from wording import number_text, told


class Act(StrEnum):
    """What a reader can do; the value is the last part of its address."""

    JOIN = "join"
    WITHDRAW = "withdraw"
    CHECK_IN = "check-in"
    RE_ENTER = "come-back"
    REBUY = "buy-chips"
    USE_TICKET = "use-ticket"


class Offer(NamedTuple):
    """A button: what it does and what stands on it."""

    act: Act
    words: str
    ticket: int = 0
    asks_code: bool = False
    is_main: bool = True


class Offers(NamedTuple):
    """What a reader is told; `problems` are what keeps him from joining, `table` waits for him."""

    sentence: str
    offers: tuple[Offer, ...] = ()
    problems: tuple[str, ...] = ()
    table: str = ""
    until: datetime | None = None
    """To when something counts down that the sentence speaks of."""
    must_log_in: bool = False
    code: str = ""
    """By which he checks in at the desk, until he has."""


class Known(NamedTuple):
    """What is known of a tournament and a reader; amounts are written out."""

    state: State
    now: datetime
    fee: str
    """Empty where it is free."""
    rules: EntryRules
    is_logged_in: bool = True
    entry: EntryState | None = None
    seats_free: int = 0
    waiting: int = 0
    """How many wait; for somebody who waits himself, his place."""
    is_held_fast: bool = False
    is_checked_in: bool = False
    check_in: tuple[datetime, datetime] | None = None
    """From when till when, if there is one and it has not been ended."""
    opens_at: datetime | None = None
    starts_at: datetime | None = None
    not_in_now: str = ""
    """Why nobody can enter (any more), or this player not come back."""
    problems: tuple[str, ...] = ()
    ticket: int = 0
    rebuy: str = ""
    table: str = ""
    rank: int | None = None
    prize: str = ""
    has_left: bool = False
    code: str = ""
    """By which a player checks in at the desk."""


def offers_of(known: Known) -> Offers:
    """The sentence and the buttons for what is known."""
    match known.entry:
        case EntryState.APPLIED:
            told = _("You have applied; the organiser has not decided yet.")
            return Offers(told, _way_out(known, _("Take the application back")))
        case EntryState.WAITING:
            told = _("You are number %(place)d on the waitlist.") % {"place": known.waiting}
            if not may_leave_waitlist(known.state):
                return Offers(told)
            return Offers(told, (Offer(Act.WITHDRAW, _("Leave the waitlist"), is_main=False),))
        case EntryState.ENTERED:
            return _entered(known)
        case EntryState.PLAYING:
            return _playing(known)
        case EntryState.OUT:
            return _out(known)
        case EntryState.RANKED:
            return _ranked(known)
        case None | EntryState.WITHDRAWN:
            return _outside(known)
        case EntryState.NOT_SEATED if known.state is State.REGISTERING:
            return _outside(known)
        case _:
            return Offers(_ended(known.entry))


def _ended(entry: EntryState) -> str:
    """What became of somebody who can do nothing more."""
    return {
        EntryState.REFUSED: _("The organiser has refused your entry; ask him before trying again."),
        EntryState.NO_SHOW: _("You did not check in, so you have no seat."),
        EntryState.NOT_SEATED: _("No seat became free for you."),
        EntryState.REFUNDED: _("It was called off; your fee went back."),
    }[entry]


def _outside(known: Known) -> Offers:
    """Somebody who is not in."""
    match known.state:
        case State.REGISTERING:
            return _invited(known)
        case State.ANNOUNCED if known.opens_at is not None:
            return Offers(_("Registration has not opened yet; it opens in"), until=known.opens_at)
        case State.ANNOUNCED:
            return Offers(_("Registration has not opened yet."))
        case State.CLOSED:
            return Offers(_("Registration has closed."))
        case State.RUNNING | State.PAUSED:
            if known.not_in_now:
                return Offers(known.not_in_now)
            return _invited(known)
        case _:
            return Offers(_("It is over."))


def _invited(known: Known) -> Offers:
    words, told = _join_words(known)
    if not known.is_logged_in:
        return Offers(told, (Offer(Act.JOIN, words),), must_log_in=True)
    if known.problems:
        return Offers(told, problems=known.problems)
    join = Offer(Act.JOIN, words, asks_code=bool(known.rules.conditions.code))
    if not known.ticket or not known.seats_free:
        return Offers(told, (join,))
    ticket = Offer(Act.USE_TICKET, _("Enter with your ticket"), ticket=known.ticket)
    return Offers(told, (ticket, join._replace(is_main=False)))


def _join_words(known: Known) -> tuple[str, str]:
    """What stands on the button, and the sentence before it."""
    amount = {"fee": known.fee}
    has_seat = known.seats_free and (not known.waiting or is_live(known.state))
    if is_live(known.state):
        told = _("It has started and still takes players in, from the next round on.")
        return _("Join late for %(fee)s") % amount if known.fee else _("Join late, free"), told
    if known.rules.needs_approval:
        told = _("The organiser approves each entry; your fee is set aside until he decides.")
        return _("Apply for %(fee)s") % amount if known.fee else _("Apply, free"), told
    if not has_seat:
        told = _("Every seat is taken. Waiting costs nothing; who waits longest is next.")
        if not known.fee:
            return _("Join the waitlist"), told
        return _("Join the waitlist (a seat costs %(fee)s)") % amount, told
    told = _("Your fee is set aside, and given back if you withdraw while registration is open.")
    if not known.fee:
        return _("Join free"), _("Seats left: %(n)d.") % {"n": known.seats_free}
    return _("Join for %(fee)s") % amount, told


def _way_out(known: Known, words: str) -> tuple[Offer, ...]:
    if known.state is not State.REGISTERING:
        return ()
    if known.fee:
        words = _("%(do)s, get %(fee)s back") % {"do": words, "fee": known.fee}
    return (Offer(Act.WITHDRAW, words, is_main=False),)


def _entered(known: Known) -> Offers:
    offers: tuple[Offer, ...] = ()
    told = _("You are in.")
    until = known.starts_at
    if known.check_in is not None and not known.is_checked_in:
        opens, closes = known.check_in
        if opens <= known.now < closes:
            told, until = _("Check in now, or you lose your seat in"), closes
            offers = (Offer(Act.CHECK_IN, _("Check in")),)
        elif known.now < opens:
            told, until = _("You are in. Check-in opens in"), opens
    elif known.is_checked_in:
        told = _("You are in and have checked in.")
    if until == known.starts_at and until is not None:
        told = " ".join((told, _("It starts in")))
    if not known.is_held_fast:
        offers = (*offers, *_way_out(known, _("Withdraw")))
    asks_code = known.check_in is not None and not known.is_checked_in
    return Offers(told, offers, until=until, code=known.code if asks_code else "")


def _playing(known: Known) -> Offers:
    if known.table:
        return Offers(_("Your table is open."), table=known.table)
    told = _("You are in; wait here until your next table opens.")
    if known.state is State.PAUSED:
        told = _("It is paused; you play on when the organiser resumes it.")
    if known.rebuy and known.state is State.RUNNING:
        return Offers(told, (Offer(Act.REBUY, known.rebuy, is_main=False),))
    return Offers(told)


def _out(known: Known) -> Offers:
    if known.has_left:
        return Offers(_("You have left this tournament."))
    if known.not_in_now or not is_live(known.state):
        return Offers(_("You are out. Your rank is settled when it is over."))
    words = _("Come back for %(fee)s") % {"fee": known.fee} if known.fee else _("Come back, free")
    return Offers(_("You are out, and may come back."), (Offer(Act.RE_ENTER, words),))


def _ranked(known: Known) -> Offers:
    place = {"rank": known.rank or 0, "prize": known.prize}
    if known.prize:
        return Offers(_("You finished on rank %(rank)d and won %(prize)s.") % place)
    return Offers(_("You finished on rank %(rank)d.") % place)


# --- reading -----------------------------------------------------------------------------------

_ASKS: Final = (None, EntryState.WITHDRAWN, EntryState.NOT_SEATED)
"""States from which somebody can join (again)."""


def known_of(tournament: Tournament, player_id: int | None, now: datetime) -> Known:
    """What is known at this moment; `player_id` is None for who has not logged in.

    Raises `TournamentRefusal(BAD_TERMS)`.
    """
    terms = play.terms_of(tournament)
    entry = None
    if player_id is not None:
        entry = Entry.objects.filter(tournament=tournament, player_id=player_id).first()
    state = State(tournament.state)
    opens, closes = tournament.check_in_opens_at, tournament.check_in_closes_at
    is_asked = opens is not None and closes is not None and tournament.check_in_ended_at is None
    known = Known(
        state=state,
        now=now,
        fee=in_unit(tournament.entry_fee, tournament.asset) if tournament.entry_fee else "",
        rules=terms.entering,
        is_logged_in=player_id is not None,
        entry=None if entry is None else EntryState(entry.state),
        is_held_fast=is_held_fast(tournament.times),
        check_in=(opens, closes) if is_asked and opens and closes else None,
        opens_at=tournament.opens_at,
        starts_at=None if tournament.started_at else tournament.starts_at,
    )
    if entry is not None and entry.state not in _ASKS:
        return _with_entry(known, tournament, entry, terms)
    if is_over(state) or state not in (State.REGISTERING, State.RUNNING, State.PAUSED):
        return known
    return _with_door(known, tournament, player_id, now)


def _with_door(known: Known, tournament: Tournament, player_id: int | None, now: datetime) -> Known:
    """For who may want to join: room, conditions, and a ticket."""
    closed = _why_closed(tournament, known.rules) if is_live(known.state) else ""
    if closed:
        return known._replace(not_in_now=closed)
    entries = tournament.entries
    taken = entries.filter(state__in=HOLDS_A_SEAT).count()
    known = known._replace(
        seats_free=max(0, tournament.capacity - taken),
        waiting=entries.filter(state=EntryState.WAITING).count(),
    )
    if player_id is None:
        return known
    asked = known.rules.conditions
    facts = facts_about(
        tournament=tournament,
        player_id=player_id,
        conditions=asked,
        code_is_right=True,
        now=now,
    )
    tickets = Ticket.objects.filter(
        target=tournament,
        state=TicketState.UNUSED,
        payment__entry__player_id=player_id,
        payment__paid_at__isnull=False,
    )
    ticket = tickets.order_by("pk").values_list("pk", flat=True).first()
    return known._replace(problems=tuple(map(told, unmet(asked, facts))), ticket=ticket or 0)


def _why_closed(tournament: Tournament, rules: EntryRules, used: int | None = None) -> str:
    """Why a tournament that runs takes somebody in no more; `used` are his re-entries so far."""
    if used is None and rules.needs_approval:
        return _("It has started; ask the organiser to let you in.")
    if not rules.late_until_round:
        return _("It has started and takes nobody in any more.")
    try:
        check_late(rules, running_of(tournament))
        if used is not None:
            check_reentry(rules, used)
    except StructureError as refusal:
        return told(refusal.sentence)
    return ""


def _with_entry(
    known: Known, tournament: Tournament, entry: Entry, terms: play.TournamentTerms
) -> Known:
    """For who is in, or was."""
    match entry.state:
        case EntryState.WAITING:
            return known._replace(waiting=place_of(entry))
        case EntryState.ENTERED:
            is_here = entry.checked_in_at is not None
            return known._replace(is_checked_in=is_here, code=code_of(entry))
        case EntryState.PLAYING:
            return known._replace(table=_table_of(entry), rebuy=_rebuy(tournament, terms))
        case EntryState.OUT if is_live(known.state) and not entry.left:
            return known._replace(not_in_now=_why_closed(tournament, known.rules, entry.reentries))
        case EntryState.OUT:
            return known._replace(has_left=bool(entry.left))
        case _:
            prize = in_unit(entry.prize, tournament.asset) if entry.prize else ""
            return known._replace(rank=entry.rank, prize=prize)


def _table_of(entry: Entry) -> str:
    """The table a player is called to, empty for none."""
    placing = (
        Placing.objects.filter(entry=entry, table__is_over=False)
        .exclude(table__match__status="void")
        .order_by("-table_id")
        .values_list("table__match__table__public_id", flat=True)
    )
    return placing.first() or ""


def _rebuy(tournament: Tournament, terms: play.TournamentTerms) -> str:
    """What stands on the button that buys chips, empty where there is none."""
    if tournament.shape != Shape.LEVELS or terms.levels is None or terms.levels.rebuy is None:
        return ""
    rebuy = terms.levels.rebuy
    words = _("Buy %(chips)s chips for %(fee)s")
    return words % {"chips": number_text(rebuy.chips), "fee": in_unit(rebuy.fee, tournament.asset)}
