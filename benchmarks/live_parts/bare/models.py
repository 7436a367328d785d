"""The two rows of a bare move."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Counter(models.Model):
    """Locked and updated by each move of a group."""

    objects: ClassVar[models.Manager[Counter]] = models.Manager()

    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"counter {self.pk} at {self.version}"


class Line(models.Model):
    """Inserted by each move."""

    objects: ClassVar[models.Manager[Line]] = models.Manager()

    counter = models.ForeignKey(Counter, models.PROTECT)
    seq = models.PositiveIntegerField()
    payload = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["counter", "seq"], name="bare_line_once"),
        ]

    def __str__(self) -> str:
        return f"line {self.seq} of {self.counter}"
