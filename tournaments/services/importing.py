"""Entrants from a file: a preview that changes nothing, and an import of all rows or none.

A preview is the import itself, undone at its end; so what it says is what would happen, waitlist,
conditions and missing points included. Whoever is in already stays as he is: importing a file
again does no harm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import transaction

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Tournament
from tournaments.services import charging, seats
from tournaments.services.foretelling import only_looking
from tournaments.services.lifecycle import lock
from tournaments.services.staffing import put_in
from tournaments.sheets import Row, read_sheet
from tournaments.structure.errors import StructureError

FIELDS: Final = ("username", "first_name", "last_name", "email")
_HEADINGS: Final = {
    "user": "username",
    "player": "username",
    "user_name": "username",
    "e_mail": "email",
    "mail": "email",
}
ALREADY_IN: Final = "already_in"


class RowError(msgspec.Struct, frozen=True):
    """What is wrong with a row; `field` is None where it is the row as a whole."""

    row: int
    field: str | None
    sentence: str


class Outcome(msgspec.Struct, frozen=True):
    """What becomes of a row: an entry's state or `already_in`, empty where it has errors."""

    row: int
    username: str
    becomes: str = ""
    is_new_player: bool = False
    errors: tuple[RowError, ...] = ()


class Preview(msgspec.Struct, frozen=True):
    """What an import would do, and which columns it does not read."""

    rows: tuple[Outcome, ...]
    unread: tuple[str, ...]

    @property
    def errors(self) -> tuple[RowError, ...]:
        """Everything that is wrong, by row."""
        return tuple(error for row in self.rows for error in row.errors)


class ImportRefused(TournamentRefusal):
    """Some rows are wrong, so none was imported; `errors` names every one."""

    def __init__(self, errors: Sequence[RowError]) -> None:
        rows = len({error.row for error in errors})
        super().__init__(
            TournamentCode.BAD_ROWS,
            f"Nothing was imported: {rows} rows have errors. Correct them and try again.",
            field="file",
        )
        self.errors = tuple(errors)


def preview(
    *,
    tournament_id: int,
    content: bytes,
    create_players: bool = False,
    actor: str,
    now: datetime,
) -> Preview:
    """What importing this CSV or XLSX file would do; nothing is changed.

    Raises `TournamentRefusal(BAD_FILE)` where the file as a whole cannot be read.
    """
    return only_looking(lambda: _run(tournament_id, content, create_players, actor, now))


def import_entrants(
    *,
    tournament_id: int,
    content: bytes,
    create_players: bool = False,
    actor: str,
    now: datetime,
) -> Preview:
    """Enter everybody in the file in its order, all or none, as staff's `add` would.

    With `create_players` a name that is not known becomes a player who cannot log in yet. Raises
    `ImportRefused` with every error by row and field, or `TournamentRefusal(BAD_FILE)`.
    """
    with transaction.atomic():
        done = _run(tournament_id, content, create_players, actor, now)
        if done.errors:
            raise ImportRefused(done.errors)
    return done


def _run(
    tournament_id: int, content: bytes, create_players: bool, actor: str, now: datetime
) -> Preview:
    (_, heading), *rows = read_sheet(content)
    columns = _columns(heading)
    tournament = lock(tournament_id)
    seen: dict[str, int] = {}
    outcomes = []
    for row in rows:
        values = _values(columns, row)
        errors = _faults(row[0], values, seen)
        outcome = Outcome(row=row[0], username=values["username"], errors=tuple(errors))
        if not errors:
            outcome = _enter(
                tournament, outcome, values, create_players=create_players, actor=actor, now=now
            )
        outcomes.append(outcome)
    unread = [name for at, name in enumerate(heading) if at not in columns and name]
    return Preview(rows=tuple(outcomes), unread=tuple(unread))


def _columns(heading: Sequence[str]) -> dict[int, str]:
    """Which column holds which field."""
    columns: dict[int, str] = {}
    for at, name in enumerate(heading):
        key = "_".join(name.lower().replace("-", " ").split())
        field = _HEADINGS.get(key, key.replace(" ", "_"))
        if field in FIELDS:
            if field in columns.values():
                raise _bad_heading(f"Two columns are headed {field}.")
            columns[at] = field
    if "username" not in columns.values():
        raise _bad_heading("The first row must have headings, one of them username.")
    return columns


def _bad_heading(sentence: str) -> TournamentRefusal:
    return TournamentRefusal(TournamentCode.BAD_FILE, sentence, field="file")


def _values(columns: Mapping[int, str], row: Row) -> dict[str, str]:
    values = dict.fromkeys(FIELDS, "")
    values.update({columns[at]: cell for at, cell in enumerate(row[1]) if at in columns})
    return values


def _faults(number: int, values: Mapping[str, str], seen: dict[str, int]) -> list[RowError]:
    """What is wrong with a row in itself, and whether somebody comes twice."""
    users: Any = get_user_model()
    errors = []
    for field in FIELDS:
        try:
            users._meta.get_field(field).clean(values[field], None)
        except ValidationError as fault:
            errors.append(RowError(number, field, " ".join(fault.messages)))
    name = values["username"]
    if name in seen:
        told = f"{name} is in row {seen[name]} already."
        errors.append(RowError(number, "username", told))
    elif name:
        seen[name] = number
    return errors


def _enter(
    tournament: Tournament,
    outcome: Outcome,
    values: Mapping[str, str],
    *,
    create_players: bool,
    actor: str,
    now: datetime,
) -> Outcome:
    users: Any = get_user_model()
    player = users.objects.filter(username=values["username"]).first()
    is_new = player is None
    if is_new and not create_players:
        return _refused(outcome, "username", _unknown(values["username"]))
    try:
        with transaction.atomic():
            if is_new:
                player = users.objects.create(password=make_password(None), **values)
            known = None if is_new else seats.entry_of(tournament, player.pk)
            if known is not None and known.state in seats.IS_IN and known.state != "applied":
                becomes = ALREADY_IN
            else:
                becomes = put_in(tournament, player.pk, actor=actor, now=now).state
    except (TournamentRefusal, StructureError, *charging.CANNOT_PAY) as refusal:
        return _refused(outcome, None, refusal.sentence)
    return msgspec.structs.replace(outcome, becomes=str(becomes), is_new_player=is_new)


def _unknown(username: str) -> str:
    users: Any = get_user_model()
    similar = users.objects.filter(username__iexact=username).first()
    if similar is not None:
        return f"There is no player {username}; {similar.get_username()} is written otherwise."
    return f"There is no player {username}; correct the name, or let new players be made."


def _refused(outcome: Outcome, field: str | None, sentence: str) -> Outcome:
    error = RowError(outcome.row, field, sentence)
    return msgspec.structs.replace(outcome, errors=(error,))
