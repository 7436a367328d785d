"""What the audit log says of keys that staff make and revoke; players' keys are not told there."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.http import HttpRequest

from players.models import Key
from players.services import tokens
from staff.services.audit import Doer, Subject, acting_if_staff, doer_of, note, origin_of

MADE: Final = "players.make_key"
REVOKED: Final = "players.revoke_key"


def subject_of(user: User, key_id: int | None) -> Subject:
    """A user's key, or all of them."""
    name = user.get_username()
    return Subject("key", f"{user.pk}/{'all' if key_id is None else key_id}", f"Key of {name}")


def make(request: HttpRequest, **wanted: Any) -> tokens.Made:
    """A key for who asks, with its line for staff. Raises as `tokens.make` does."""
    by = doer_of(request)
    with acting_if_staff(by=by, action=MADE) as line:
        made = tokens.make(player_id=made_for(by), now=by.at, **wanted)
        line.subject = subject_of(made.key.user, made.key.pk)
        line.after = picture_of(made.key)
    return made


def note_log_in(request: HttpRequest, made: tokens.Made, *, now: datetime) -> None:
    """The line of a key that a program of the staff's got for name and password."""
    user = made.key.user
    if user.is_staff:
        by = Doer(user, origin_of(request), now)
        after = picture_of(made.key)
        note(by=by, action=MADE, subject=subject_of(user, made.key.pk), after=after)


def revoke(request: HttpRequest, key_id: int | None) -> None:
    """End a key of who asks, or all of them, with a line for staff.

    Raises as `tokens.revoke` does.
    """
    by = doer_of(request)
    own = made_for(by)
    subject = subject_of(User.objects.get(pk=own), key_id)
    with acting_if_staff(by=by, action=REVOKED, subject=subject) as line:
        if key_id is None:
            if not tokens.revoke_all(player_id=own):
                line.leave_out()
        else:
            tokens.revoke(player_id=own, key_id=key_id)


def made_for(by: Doer) -> int:
    """Whose key it is: that of who asks."""
    return int(by.user.pk) if by.user is not None else 0


def picture_of(key: Key) -> dict[str, Any]:
    """What a key may do, and how long; never what it is."""
    return {
        "name": key.name,
        "scopes": list(key.scopes),
        "expires_at": key.expires_at,
        "by_password": key.by_password,
    }
