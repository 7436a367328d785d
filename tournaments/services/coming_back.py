"""Who paid to come back, and is not out by a ruling after all, has that fee back."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db import transaction

from tournaments import money, play
from tournaments.models import EntryState, Placing, Shape, TableKind, Tournament
from tournaments.money import desk


def give_back(tournament: Tournament, *, now: datetime) -> None:
    """Give back what was paid more often than players were out; again gives back nothing.

    The caller holds the tournament's lock. Whoever still plays a table of an earlier round anew is
    waited for, and a wallet that is frozen is tried again with the next result.
    """
    if tournament.shape != Shape.KNOCKOUT or not play.terms_of(tournament).entering.reentries:
        return
    paid = {
        entry.pk: entry
        for entry in tournament.entries.filter(state=EntryState.PLAYING, reentries__gt=0)
    }
    played = Placing.objects.filter(entry__in=paid, table__kind=TableKind.PLAY)
    open_now = set(played.filter(place=None).values_list("entry_id", flat=True))
    lost = played.filter(place__isnull=False, goes_on=False)
    times = Counter(lost.values_list("entry_id", flat=True))
    for entry in paid.values():
        if entry.pk in open_now:
            continue
        while entry.reentries > times[entry.pk]:
            try:
                with transaction.atomic():
                    desk.give_back_reentry(tournament=tournament, entry=entry, now=now)
            except money.AccountClosed:
                break
            entry.reentries -= 1
            entry.save(update_fields=["reentries"])
