"""What a step would do, in sentences, before it is done; nothing here changes anything."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import selectors
from tournaments.amounts import in_unit
from tournaments.models import EntryState, Tournament
from tournaments.services.aborting import preview_cancel
from tournaments.services.drafting import Draft, draft_of
from tournaments.services.lifecycle import waits_for_check_in
from tournaments.structure.due import StartKind
from wording import moment_text

REFUNDS_SHOWN: Final = 50


class Refund(NamedTuple):
    """A player and what he gets back, written out."""

    name: str
    amount: str


class Consequences(NamedTuple):
    """Sentences, and who gets what back; `more` are not listed."""

    sentences: tuple[str, ...]
    refunds: tuple[Refund, ...] = ()
    more: int = 0
    refunded: str = ""


def consequences_of(name: str, tournament: Tournament, kept: int = 0) -> Consequences:
    """What the step of this name would do now."""
    draft = draft_of(tournament)
    counts = counts_of(tournament)
    match name:
        case "announce":
            return Consequences(_announced(draft))
        case "open_registration":
            return Consequences(_opened(draft))
        case "close_registration":
            return Consequences(_closed(tournament, counts))
        case "reopen_registration":
            return Consequences(_reopened(counts))
        case "end_check_in":
            return Consequences(_check_in_ended(tournament, draft))
        case "start":
            return Consequences(_started(tournament, draft, counts))
        case "retract":
            sentence = _("It is a draft again: nobody but you sees it, and its price can change.")
            return Consequences((sentence,))
        case _:
            return _cancelled(tournament, kept)


def counts_of(tournament: Tournament) -> dict[str, int]:
    """How many entries are in each state. One query."""
    found: dict[str, int] = dict.fromkeys(EntryState.values, 0)
    counted = tournament.entries.order_by().values_list("state").annotate(Count("pk"))
    return found | dict(counted)


def _price(draft: Draft) -> str:
    if not draft.entry_fee:
        return _("Entering is free.")
    parts = {
        "fee": in_unit(draft.entry_fee, draft.asset),
        "house": in_unit(draft.house_fee, draft.asset),
        "pool": in_unit(_pool(draft, draft.capacity), draft.asset),
        "seats": draft.capacity,
    }
    words = _(
        "An entry costs %(fee)s, %(house)s of it for the house; with all %(seats)d seats taken "
        "the prize pool is %(pool)s."
    )
    return words % parts


def _pool(draft: Draft, entries: int) -> int:
    return selectors.prize_preview(
        draft.terms, entries=entries, entry_fee=draft.entry_fee, house_fee=draft.house_fee
    ).pool


def _announced(draft: Draft) -> tuple[str, ...]:
    opens = draft.times.opens_at
    opening = (
        _("Registration opens by itself on %(when)s.") % {"when": moment_text(opens)}
        if opens is not None
        else _("Nobody can enter before you open registration.")
    )
    return (_("Everybody sees it in the lobby."), opening, _price(draft), *_starts(draft))


def _opened(draft: Draft) -> tuple[str, ...]:
    return (
        _("Everybody sees it in the lobby, and players can enter at once."),
        _("Fee, prizes and rules can no longer be changed."),
        _price(draft),
        *_starts(draft),
    )


def _starts(draft: Draft) -> tuple[str, ...]:
    match draft.times.kind:
        case StartKind.FIXED_TIME if draft.times.starts_at is not None:
            told = _("It starts by itself on %(when)s, or is called off with fewer than %(n)d.")
            return (told % {"when": moment_text(draft.times.starts_at), "n": draft.min_entries},)
        case StartKind.FIXED_PLAYERS:
            return (_("It starts by itself 20 seconds after the last seat is taken."),)
        case _:
            return (_("It starts when you start it."),)


def _closed(tournament: Tournament, counts: dict[str, int]) -> tuple[str, ...]:
    told = [_("Nobody can enter or withdraw any more.")]
    waiting, applied = counts[EntryState.WAITING], counts[EntryState.APPLIED]
    if waiting and waits_for_check_in(tournament):
        told.append(_("The waitlist stays, for the seats of who does not check in."))
    elif waiting:
        words = ngettext(
            "%(n)d player on the waitlist gets no seat.",
            "%(n)d players on the waitlist get no seat.",
            waiting,
        )
        told.append(words % {"n": waiting})
    if applied:
        words = ngettext(
            "%(n)d application that nobody has decided lapses, and its fee goes back.",
            "%(n)d applications that nobody has decided lapse, and their fees go back.",
            applied,
        )
        told.append(words % {"n": applied})
    return tuple(told)


def _reopened(counts: dict[str, int]) -> tuple[str, ...]:
    told = [_("Players can enter and withdraw again.")]
    again = counts[EntryState.NOT_SEATED]
    if again:
        words = ngettext(
            "%(n)d player who got no seat waits again, in his old place.",
            "%(n)d players who got no seat wait again, in their old places.",
            again,
        )
        told.append(words % {"n": again})
    return tuple(told)


def _check_in_ended(tournament: Tournament, draft: Draft) -> tuple[str, ...]:
    absent = tournament.entries.filter(state=EntryState.ENTERED, checked_in_at__isnull=True)
    number = absent.count()
    words = ngettext(
        "%(n)d player has not checked in and loses his seat.",
        "%(n)d players have not checked in and lose their seats.",
        number,
    )
    keeps = draft.terms.entering.no_show_keeps_fee
    fees = _("Their fees stay in the prize pool.") if keeps else _("Their fees go back.")
    told = [words % {"n": number}] + ([fees] if number else [])
    if draft.terms.entering.waitlist_moves_up:
        told.append(_("The waitlist gets the seats that become free."))
    return tuple(told)


def _started(tournament: Tournament, draft: Draft, counts: dict[str, int]) -> tuple[str, ...]:
    entered = counts[EntryState.ENTERED]
    words = ngettext("%(n)d player plays.", "%(n)d players play.", entered)
    told = [words % {"n": entered}]
    if entered < draft.min_entries:
        least = _("That is fewer than the %(n)d it needs; it cannot start.")
        told.append(least % {"n": draft.min_entries})
    if draft.entry_fee and entered:
        taken = _("%(fees)s of fees are taken; the prize pool is %(pool)s.")
        parts = {
            "fees": in_unit(entered * draft.entry_fee, draft.asset),
            "pool": in_unit(_pool(draft, entered), draft.asset),
        }
        told.append(taken % parts)
    if tournament.state == "registering":
        told += _closed(tournament, counts)
    if tournament.in_person:
        told.append(_("Tables open when you let it go on. This cannot be taken back."))
    else:
        told.append(_("Seats are drawn, and tables open. This cannot be taken back."))
    return tuple(told)


def _cancelled(tournament: Tournament, kept: int) -> Consequences:
    backs = preview_cancel(tournament_id=tournament.pk, cancellation_fee=kept)
    names = _names([back.player_id for back in backs[:REFUNDS_SHOWN]])
    asset = tournament.asset
    refunds = tuple(
        Refund(names[back.player_id], in_unit(back.amount, asset)) for back in backs[:REFUNDS_SHOWN]
    )
    total = in_unit(sum(back.amount for back in backs), asset)
    told = [_("It is over for good: it cannot be opened again, but it can be copied.")]
    words = ngettext(
        "%(n)d player gets back %(total)s.",
        "%(n)d players get back %(total)s in all.",
        len(backs),
    )
    told.append(
        words % {"n": len(backs), "total": total} if backs else _("Nobody has paid anything.")
    )
    told.append(_("Everybody who is in is told, with your reason."))
    return Consequences(tuple(told), refunds, max(0, len(backs) - REFUNDS_SHOWN), total)


def _names(player_ids: list[int]) -> dict[int, Any]:
    found = User.objects.filter(pk__in=player_ids).values_list("pk", "username")
    return dict(found)
