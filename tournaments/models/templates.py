"""Set-ups of tournaments that are kept under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.core import new_public_id

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Template(models.Model):
    """What an organiser set of a tournament, to start new ones from; no entry code is kept."""

    public_id = models.CharField(max_length=24, unique=True, default=new_public_id)
    name = models.CharField(max_length=120)
    owner: models.ForeignKey[User | None, User | None] = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    """Whose it is; nobody's where it is the site's, for all organisers."""
    setup = models.TextField()
    """The draft as JSON (`services.drafting.Draft`)."""
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="tournaments_template_name"),
            models.UniqueConstraint(
                fields=["name"],
                condition=Q(owner__isnull=True),
                name="tournaments_site_template_name",
            ),
        ]
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name
