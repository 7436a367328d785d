"""What somebody of the staff did: who, when, from where, to what, how it was and is, and why.

Rows are only ever added (see `staff.append_only` and `staff.guards`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from staff.append_only import AppendOnly
from staff.log_words import action_word

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MAX_REASON = 500
MAX_NAME = 200


class StaffAction(AppendOnly):
    """One line of the audit log. `before` and `after` are JSON in the words of who wrote them."""

    at = models.DateTimeField(_("when"))
    actor: models.ForeignKey[User | None, User | None] = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("who"),
        db_index=False,
    )
    """Empty where nobody had logged in yet, as after a wrong password."""
    actor_name = models.CharField(_("name"), max_length=150)
    """As it was then."""
    origin = models.CharField(_("from where"), max_length=45, blank=True)
    """The address the request came from; empty for a command on the server."""
    action = models.CharField(_("action"), max_length=60)
    """Such as `tournaments.pause`."""
    subject_kind = models.CharField(_("kind"), max_length=40)
    """Such as `tournament`."""
    subject = models.CharField(_("key"), max_length=120)
    """Public id or key of what was acted on."""
    subject_name = models.CharField(_("subject"), max_length=MAX_NAME)
    before: models.JSONField[Any, Any] = models.JSONField(
        _("before"), default=dict, encoder=DjangoJSONEncoder
    )
    after: models.JSONField[Any, Any] = models.JSONField(
        _("after"), default=dict, encoder=DjangoJSONEncoder
    )
    reason = models.CharField(_("reason"), max_length=MAX_REASON, blank=True)
    batch = models.CharField(_("batch"), max_length=24, blank=True)
    """The same on all lines of one bulk action."""

    class Meta:
        verbose_name = _("staff action")
        verbose_name_plural = _("audit log")
        default_permissions = ("view",)
        permissions = [("export_staffaction", "Can export the audit log")]
        indexes = [
            models.Index(fields=["at", "id"], name="staff_action_at"),
            models.Index(fields=["actor", "id"], name="staff_action_actor"),
            models.Index(fields=["action", "id"], name="staff_action_action"),
            models.Index(fields=["subject_kind", "subject", "id"], name="staff_action_subject"),
            models.Index(
                fields=["batch"], name="staff_action_batch", condition=~models.Q(batch="")
            ),
        ]
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{action_word(self.action)}: {self.subject_name}"
