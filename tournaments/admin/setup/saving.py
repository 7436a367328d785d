"""Saving a form: one service each, with its line in the audit log."""

from __future__ import annotations

from typing import Any

import msgspec

from staff.services.audit import Doer, acting
from tournaments import services
from tournaments.auditing import subject_of
from tournaments.models import Tournament
from tournaments.services.drafting import Draft, draft_of
from tournaments.services.editing import changed_fields


def picture(tournament: Tournament) -> dict[str, Any]:
    """What is set of a tournament, for the audit log."""
    shown = picture_of_draft(draft_of(tournament))
    return {"state": tournament.state, "version": tournament.version, **shown}


def picture_of_draft(draft: Draft) -> dict[str, Any]:
    """What is set in a draft; that there is an entry code, not which."""
    shown: dict[str, Any] = msgspec.to_builtins(draft, str_keys=True)
    conditions = shown["terms"]["entering"]["conditions"]
    conditions["code"] = "set" if conditions["code"] else ""
    return shown


def picture_now(tournament_id: int) -> dict[str, Any]:
    """The same of a tournament as it is stored now."""
    return picture(Tournament.objects.get(pk=tournament_id))


def create(doer: Doer, draft: Draft) -> Tournament:
    """A new draft that this doer runs. Raises what `services.create` raises."""
    with acting(by=doer, action="tournaments.create") as line:
        fields: dict[str, Any] = {name: getattr(draft, name) for name in draft.__struct_fields__}
        made = services.create(
            **fields, organiser_id=None if doer.user is None else doer.user.pk, now=doer.at
        )
        line.subject = subject_of(made)
        line.after = picture(made)
    return made


def change(
    doer: Doer, tournament: Tournament, draft: Draft, *, version: int, reason: str, force: bool
) -> Tournament:
    """Save what differs from what is stored. Raises what `services.edit` raises."""
    before = draft_of(tournament)
    changes = {name: getattr(draft, name) for name in changed_fields(before, draft)}
    with acting(
        by=doer,
        action="tournaments.edit",
        subject=subject_of(tournament),
        reason=reason,
        picture=lambda: picture_now(tournament.pk),
    ) as line:
        saved = services.edit(
            tournament_id=tournament.pk,
            version=version,
            actor=doer.signature,
            reason=reason,
            force=force,
            now=doer.at,
            **changes,
        )
        if saved.version == version:
            line.leave_out()
    return saved
