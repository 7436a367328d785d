"""How a tournament is entered: the columns for its times, and the lock on what was agreed.

What players paid for - rules, fees, prizes, shape, number of seats - cannot be changed once the
tournament has started. A changed row is refused here when it is saved; an UPDATE that goes round
the model is refused by the database (see `tournaments.guards`).
"""

from __future__ import annotations

from typing import Any, Final

from django.db import models

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.structure.due import StartKind, Times

LOCKED_AFTER_START: Final = (
    "shape",
    "in_person",
    "terms",
    "asset",
    "entry_fee",
    "house_fee",
    "capacity",
    "min_entries",
    "draw_label",
)


class Entrance(models.Model):
    """The part of a tournament's row that is about getting in and getting started."""

    start_kind = models.CharField(
        max_length=16,
        choices=[(kind.value, kind.value.replace("_", " ")) for kind in StartKind],
        default=StartKind.BY_HAND.value,
    )
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    check_in_opens_at = models.DateTimeField(null=True, blank=True)
    check_in_closes_at = models.DateTimeField(null=True, blank=True)
    check_in_ended_at = models.DateTimeField(null=True, blank=True)
    """When the no-shows were taken out."""
    starts_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """When something is to be done by itself; empty when nothing is."""
    version = models.PositiveIntegerField(default=1)
    """Grows with every change of state or settings; a form that was opened before is refused."""
    schedule: models.ForeignKey[Any, Any] = models.ForeignKey(
        "tournaments.Schedule",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="tournaments",
        db_index=False,
    )
    """The series it belongs to."""
    occurrence = models.DateField(null=True, blank=True)
    """Its day in the series."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Save; raises `TournamentRefusal(LOCKED)` for a change of what was agreed."""
        self._refuse_locked(options.get("update_fields"))
        super().save(*args, **options)

    @property
    def times(self) -> Times:
        """When what happens before the start."""
        return Times(
            kind=StartKind(self.start_kind),
            opens_at=self.opens_at,
            closes_at=self.closes_at,
            check_in_opens_at=self.check_in_opens_at,
            check_in_closes_at=self.check_in_closes_at,
            starts_at=self.starts_at,
        )

    def _refuse_locked(self, update_fields: Any) -> None:
        checked = [
            field for field in LOCKED_AFTER_START if update_fields is None or field in update_fields
        ]
        if self._state.adding or not checked:
            return
        rows: Any = type(self)._default_manager
        started = rows.filter(pk=self.pk, started_at__isnull=False)
        for field, agreed in (started.values(*checked).first() or {}).items():
            if getattr(self, field) != agreed:
                raise TournamentRefusal(
                    TournamentCode.LOCKED,
                    f"{field} cannot be changed any more: the tournament has started.",
                    field=field,
                )
