"""A player's new name makes every page stale that shows the old one."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.signals import post_save
from django.dispatch import receiver

from tournaments.models import Tournament

_NAMES: Final = frozenset({"username", "first_name", "last_name"})


@receiver(post_save, sender=settings.AUTH_USER_MODEL)
def make_stale(
    *, instance: Any, created: bool, update_fields: frozenset[str] | None, **_: Any
) -> None:
    """Count a change of each tournament he entered; a log-in, which saves a date, is none."""
    if not created and (update_fields is None or _NAMES & set(update_fields)):
        transaction.on_commit(lambda: _count_change(instance.pk))


def _count_change(player_id: int) -> None:
    """One by one and after the commit, so that no lock is held while another one is waited for."""
    entered = Tournament.objects.filter(entries__player_id=player_id)
    for pk in list(entered.order_by("pk").values_list("pk", flat=True)):
        Tournament.objects.filter(pk=pk).update(changes=F("changes") + 1)
