"""Lists of tournaments, and what a list says of one."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments import play
from tournaments.amounts import in_unit
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import HOLDS_A_SEAT, Entry, Tournament
from tournaments.play.words import TermsInWords, in_words
from tournaments.selectors.prizes import pool_now
from tournaments.structure.lifecycle import Action, State

_STATE_WORDS: Final = {
    State.DRAFT: _("Draft"),
    State.ANNOUNCED: _("Announced"),
    State.REGISTERING: _("Open for registration"),
    State.CLOSED: _("Registration closed"),
    State.RUNNING: _("Being played"),
    State.PAUSED: _("Paused"),
    State.COMPLETED: _("Over"),
    State.CANCELLED: _("Cancelled"),
    State.ABORTED: _("Aborted"),
}
_ACTION_WORDS: Final = {
    Action.ANNOUNCE: _("Announced"),
    Action.RETRACT: _("Announcement taken back"),
    Action.OPEN_REGISTRATION: _("Registration opened"),
    Action.CLOSE_REGISTRATION: _("Registration closed"),
    Action.REOPEN_REGISTRATION: _("Registration opened again"),
    Action.START: _("Started"),
    Action.PAUSE: _("Paused"),
    Action.RESUME: _("Resumed"),
    Action.COMPLETE: _("Completed"),
    Action.CANCEL: _("Cancelled"),
    Action.ABORT: _("Aborted"),
    "edit": _("Changed"),
}


class Card(NamedTuple):
    """A tournament in a list. Amounts are written out; `winners` is empty until it is over."""

    tournament: Tournament
    state: str
    terms: TermsInWords | None
    entries: int
    fee: str
    pool: str
    winners: tuple[str, ...]
    is_by_approval: bool = False
    """Whether the organiser decides on each entry."""

    @property
    def seats_left(self) -> int:
        """Seats that nobody has taken."""
        return max(0, int(self.tournament.capacity) - self.entries)


def public_tournaments() -> QuerySet[Tournament]:
    """All that anybody may see: everything but drafts, newest first."""
    return Tournament.objects.exclude(state=State.DRAFT).order_by("-created_at", "-id")


def listed_tournaments() -> QuerySet[Tournament]:
    """What the lobby shows: all but quick tables, which have a page of their own."""
    return public_tournaments().filter(quick__isnull=True)


def is_there(*, name: str) -> bool:
    """Whether there is a tournament of exactly this name, in whatever state."""
    return Tournament.objects.filter(name=name).exists()


def unfinished(*, name: str) -> str | None:
    """The public id of the latest tournament of exactly this name that is not over."""
    rows = Tournament.objects.filter(name=name, over_at__isnull=True).order_by("-pk")
    return rows.values_list("public_id", flat=True).first()


def tournament_by_id(public_id: str) -> Tournament | None:
    """A tournament of any state, drafts too, for staff; None where there is none."""
    return Tournament.objects.filter(public_id=public_id).first()


def tournament_named(public_id: str) -> Tournament:
    """A public tournament. Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`."""
    found = public_tournaments().filter(public_id=public_id).first()
    if found is None:
        raise unknown()
    return found


def tournament_of(owner: str) -> Tournament:
    """The public tournament that a table belongs to. Raises `UNKNOWN_TOURNAMENT`."""
    number = play.tournament_id_of(owner)
    found = None if number is None else public_tournaments().filter(pk=number).first()
    if found is None:
        raise unknown()
    return found


def unknown() -> TournamentRefusal:
    return TournamentRefusal(
        TournamentCode.UNKNOWN_TOURNAMENT, "There is no such tournament.", field="tournament"
    )


def with_counts(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    seated = Q(entries__state__in=HOLDS_A_SEAT)
    winners = Entry.objects.filter(rank=1).select_related("player").order_by("number")
    return tournaments.annotate(seats=Count("entries", filter=seated)).prefetch_related(
        Prefetch("entries", queryset=winners, to_attr="first")
    )


def card_of(tournament: Any, received: int | None) -> Card:
    """A tournament with its counts; `received` is what its pool has got, None before the start."""
    terms = readable_terms(tournament)
    pool = pool_now(tournament, terms, entries=tournament.seats, received=received)
    return Card(
        tournament=tournament,
        state=state_words(tournament),
        terms=None if terms is None else in_words(terms),
        entries=tournament.seats,
        fee=in_unit(tournament.entry_fee, tournament.asset)
        if tournament.entry_fee
        else gettext("free"),
        pool=in_unit(pool, tournament.asset),
        winners=tuple(player_name(entry) for entry in tournament.first),
        is_by_approval=terms is not None and terms.entering.needs_approval,
    )


def fee_words(tournament: Tournament) -> str:
    """The entry fee with its unit, or that there is none."""
    if not tournament.entry_fee:
        return gettext("free")
    return in_unit(tournament.entry_fee, tournament.asset)


def state_words(tournament: Tournament) -> str:
    """The state in a word or three."""
    return words_of_state(State(tournament.state))


def words_of_state(state: State) -> str:
    """The same of any state."""
    return str(_STATE_WORDS[state])


def words_of_action(action: str) -> str:
    """What the log says was done."""
    return str(_ACTION_WORDS[action])


def readable_terms(tournament: Tournament) -> play.TournamentTerms | None:
    """The terms; None where they cannot be read, so that one bad row spoils no list."""
    try:
        return play.terms_of(tournament)
    except TournamentRefusal:
        return None


def player_name(entry: Entry) -> str:
    """The name of an entry's player; the entry comes with its player."""
    return entry.player.get_full_name() or entry.player.get_username()
