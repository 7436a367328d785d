"""The audit log: a line for everything that staff do, in the same transaction as the doing.

An edge of staff work wraps the one service that it calls:

    with acting(by=doer_of(request), action="tournaments.pause", subject=subject, reason=reason):
        pausing.pause(...)

Where the service refuses, nothing is written; where the line cannot be written, nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from allauth.account.adapter import get_adapter
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.http import HttpRequest
from django.utils.crypto import get_random_string

from staff.models import MAX_NAME, MAX_REASON, StaffAction
from wording.typed import is_printable

Picture = Mapping[str, Any]
"""How a subject stands, as JSON: field or fact to value."""
MAX_SIGNATURE: Final = 120
NOTHING: Final[Picture] = MappingProxyType({})
"""The picture of what is not there, yet or any more, or of what needs none."""


class Doer(NamedTuple):
    """Who acts, from which address, at which moment. `user` is None where nobody has logged in."""

    user: User | None
    origin: str
    at: datetime
    name: str = ""
    """Only where there is no user: the name that was given."""

    @property
    def signature(self) -> str:
        """What services sign their own rows with, where they ask for an `actor`."""
        return self.name[:MAX_SIGNATURE] if self.user is None else signature_of(self.user)


def signature_of(user: User) -> str:
    """What services sign with where this user asks them, and know him by afterwards."""
    return user.get_username()[:MAX_SIGNATURE]


class Subject(NamedTuple):
    """What is acted on: its kind (`tournament`), its public id or key, and what people call it."""

    kind: str
    key: str
    name: str


@dataclass
class Line:
    """A line that is going to be written. Its edge may still fill in what it did not know."""

    subject: Subject | None
    reason: str = ""
    before: Picture = field(default_factory=dict)
    after: Picture = field(default_factory=dict)
    is_left_out: bool = False

    def leave_out(self) -> None:
        """Write no line: it turned out that nothing was to be done."""
        self.is_left_out = True


def doer_of(request: HttpRequest) -> Doer:
    """Who sends a request, from where, and now. An edge calls this, once, for a user logged in."""
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    return Doer(user, origin_of(request), datetime.now(UTC))


def origin_of(request: HttpRequest) -> str:
    """The address of who asks, as limits of attempts count it (see RUMMY_BEHIND_PROXY)."""
    try:
        return str(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return ""


@contextmanager
def acting(
    *,
    by: Doer,
    action: str,
    subject: Subject | None = None,
    reason: str = "",
    picture: Callable[[], Picture] | None = None,
) -> Iterator[Line]:
    """One transaction around one service, and the line of it.

    `picture` is taken before and after. Where the subject is only made by the service, the edge
    sets `line.subject`; so may it set `line.before`, `line.after` and `line.reason`.
    Raises what the service raises, having written nothing.
    """
    line = Line(subject=subject, reason=reason)
    with transaction.atomic():
        if picture is not None:
            line.before = picture()
        yield line
        if picture is not None:
            line.after = picture()
        _write(by, action, [line], batch="")


@contextmanager
def acting_if_staff(*, by: Doer, action: str, subject: Subject | None = None) -> Iterator[Line]:
    """As `acting`, around what players may do as well: their doing has no line."""
    if by.user is not None and by.user.is_staff:
        with acting(by=by, action=action, subject=subject) as line:
            yield line
    else:
        yield Line(subject)


@contextmanager
def acting_on_many(
    *,
    by: Doer,
    action: str,
    subjects: Iterable[Subject],
    reason: str = "",
    pictures: Callable[[], Mapping[str, Picture]] | None = None,
) -> Iterator[dict[str, Line]]:
    """One transaction around one bulk service, and a line for each subject, of one batch.

    Yields the lines by the subject's key. `pictures` gives all pictures by key, and is taken before
    and after: of what is the same in both no line is written.
    """
    lines = {subject.key: Line(subject=subject, reason=reason) for subject in subjects}
    with transaction.atomic():
        before = pictures() if pictures is not None else {}
        yield lines
        after = pictures() if pictures is not None else {}
        for key, line in lines.items():
            line.before = before.get(key, line.before)
            line.after = after.get(key, line.after)
            if pictures is not None and before.get(key) == after.get(key):
                line.leave_out()
        _write(by, action, lines.values(), batch=new_batch())


def note(
    *,
    by: Doer,
    action: str,
    subject: Subject,
    reason: str = "",
    before: Picture = NOTHING,
    after: Picture = NOTHING,
    batch: str = "",
) -> None:
    """Write a line of what is being done by somebody else's code, inside its transaction."""
    line = Line(subject=subject, reason=reason, before=before, after=after)
    _write(by, action, [line], batch=batch)


def new_batch() -> str:
    """A name for one bulk action."""
    return get_random_string(16)


def fields_of(row: models.Model, *names: str) -> Picture:
    """A picture of a row: the named fields as they are in it."""
    return {
        field.name: field.value_from_object(row)
        for field in row._meta.fields
        if field.name in names
    }


def _write(by: Doer, action: str, lines: Iterable[Line], *, batch: str) -> None:
    rows = [_row(by, action, line, batch) for line in lines if not line.is_left_out]
    StaffAction.objects.bulk_create(rows)


def _row(by: Doer, action: str, line: Line, batch: str) -> StaffAction:
    if line.subject is None:
        raise ValueError(f"An audit line of {action} names no subject.")
    return StaffAction(
        at=by.at,
        actor=by.user,
        actor_name=_text(by.signature, MAX_SIGNATURE),
        origin=by.origin,
        action=action,
        subject_kind=line.subject.kind,
        subject=_text(line.subject.key, 120),
        subject_name=_text(line.subject.name, MAX_NAME),
        before=_json(line.before),
        after=_json(line.after),
        reason=_text(line.reason, MAX_REASON),
        batch=batch,
    )


def _text(text: str, longest: int) -> str:
    """As it is read: nothing in it turns the line around, or breaks it."""
    plain = str(text).replace("\0", "")
    return "".join(sign if is_printable(sign) else " " for sign in plain).strip()[:longest]


def _json(value: Any) -> Any:
    """What the column takes on both databases: no NUL, and keys as text."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, Mapping):
        return {_json(str(key)): _json(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_json(one) for one in value]
    return value
