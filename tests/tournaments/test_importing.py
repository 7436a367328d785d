"""Entrants from CSV and XLSX: previewed, all or none, harmless when repeated, bounded."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    join,
    players,
    terms,
    wallet,
)
from tests.tournaments.test_staffing import states
from tournaments import sheets
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, Tournament
from tournaments.services import importing
from tournaments.structure.conditions import Conditions, EntryRules

pytestmark = pytest.mark.django_db


def csv_of(*rows: str) -> bytes:
    """A CSV file."""
    return "\n".join(rows).encode()


def xlsx_of(*rows: tuple[Any, ...]) -> bytes:
    """An XLSX file."""
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def names(people: list[User]) -> list[str]:
    """A file's rows that name these people."""
    return ["username", *(person.username for person in people)]


def preview(tournament: Tournament, content: bytes, **options: Any) -> importing.Preview:
    """What an import would do."""
    return importing.preview(
        tournament_id=tournament.pk, content=content, actor="staff", now=NOW, **options
    )


def load(tournament: Tournament, content: bytes, **options: Any) -> importing.Preview:
    """Import."""
    return importing.import_entrants(
        tournament_id=tournament.pk, content=content, actor="staff", now=NOW, **options
    )


def bad_file(tournament: Tournament, content: bytes) -> str:
    """The sentence with which a file is refused as a whole."""
    with pytest.raises(TournamentRefusal) as refusal:
        preview(tournament, content)
    assert (refusal.value.code, refusal.value.field) == (TournamentCode.BAD_FILE, "file")
    return refusal.value.sentence


def test_a_preview_says_what_would_happen_and_changes_nothing() -> None:
    tournament = a_tournament(capacity=2)
    people = players(3)
    join(tournament, people[1])
    found = preview(tournament, csv_of(*names(people)))
    assert [(row.row, row.becomes) for row in found.rows] == [
        (2, "entered"),
        (3, "already_in"),
        (4, "waiting"),
    ]
    assert found.errors == ()
    assert states(tournament, people) == ["-", "entered", "-"]
    assert [wallet(person).held for person in people] == [0, FEE, 0]
    tournament.refresh_from_db()
    assert tournament.numbers_given == 1


def test_an_import_enters_in_the_order_of_the_file_and_repeated_does_nothing_more() -> None:
    tournament = a_tournament(capacity=2)
    people = players(3)
    content = csv_of(*names(people))
    assert [row.becomes for row in load(tournament, content).rows] == [
        "entered",
        "entered",
        "waiting",
    ]
    before = list(tournament.entries.values())
    assert {row.becomes for row in load(tournament, content).rows} == {"already_in"}
    assert list(tournament.entries.values()) == before
    assert [wallet(person).held for person in people] == [FEE, FEE, 0]


def test_one_bad_row_keeps_every_row_out_and_each_error_names_its_row_and_field() -> None:
    tournament = a_tournament()
    rich, [poor] = players(2), players(1, points=FEE - 20)
    content = csv_of(
        "Username;E-Mail",
        f"{rich[0].username};",
        f"{poor.username};",
        "nobody;",
        f"{rich[1].username};not an address",
        f"{rich[0].username};",
        f";{'x' * 10}",
    )
    with pytest.raises(importing.ImportRefused) as refusal:
        load(tournament, content)
    assert refusal.value.code is TournamentCode.BAD_ROWS
    found = [(error.row, error.field) for error in refusal.value.errors]
    assert found == [
        (3, None),
        (4, "username"),
        (5, "email"),
        (6, "username"),
        (7, "username"),
        (7, "email"),
    ]
    assert "20 play points of the entry fee" in refusal.value.errors[0].sentence
    assert refusal.value.errors == preview(tournament, content).errors
    assert not Entry.objects.exists()
    assert wallet(rich[0]).held == 0


def test_a_line_break_in_a_name_becomes_a_blank() -> None:
    """So that no name writes lines of its own into hand histories and lists."""
    content = csv_of("username,first_name", 'asha,"Asha\r\n  9.0 s\u2028Bela drops"')
    load(a_tournament(entry_fee=0), content, create_players=True)
    assert User.objects.get(username="asha").first_name == "Asha 9.0 s Bela drops"


def test_new_players_are_made_only_when_asked_for_and_cannot_log_in() -> None:
    tournament = a_tournament(entry_fee=0)
    content = csv_of("username,first name,last name", "asha,Asha,Rao")
    assert "no player asha" in preview(tournament, content).errors[0].sentence
    assert preview(tournament, content, create_players=True).rows[0].is_new_player
    assert not User.objects.filter(username="asha").exists()
    load(tournament, content, create_players=True)
    asha = User.objects.get(username="asha")
    assert (asha.get_full_name(), asha.has_usable_password()) == ("Asha Rao", False)
    assert not load(tournament, content, create_players=True).rows[0].is_new_player
    assert User.objects.filter(username__iexact="asha").count() == 1


def test_a_name_written_otherwise_is_pointed_out() -> None:
    User.objects.create(username="Asha")
    [error] = preview(a_tournament(), csv_of("username", "asha")).errors
    assert "Asha is written otherwise" in error.sentence


def test_conditions_hold_for_rows_too() -> None:
    rules = EntryRules(conditions=Conditions(invited_only=True))
    tournament = a_tournament(terms=terms(entering=rules))
    [error] = preview(tournament, csv_of(*names(players(1)))).errors
    assert "invitation" in error.sentence


def test_a_tournament_that_takes_nobody_says_so_by_row() -> None:
    tournament = a_tournament(capacity=2)
    join(tournament, *players(2))
    close_and_start(tournament)
    [error] = preview(tournament, csv_of(*names(players(1)))).errors
    assert "started" in error.sentence


def test_xlsx_is_read_as_csv_is_with_numbers_as_they_look() -> None:
    User.objects.create(username="1850")
    tournament = a_tournament(entry_fee=0)
    content = xlsx_of(("Username", "Club"), (1850, "A"), (None, None), ("", ""))
    found = load(tournament, content)
    assert [(row.username, row.becomes) for row in found.rows] == [("1850", "entered")]
    assert found.unread == ("Club",)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_formula_is_the_text_that_was_typed(kind: str) -> None:
    tournament = a_tournament(entry_fee=0)
    rows = [("username", "last name"), ("=1+1", "x"), ("asha", "=1+1")]
    content = xlsx_of(*rows) if kind == "xlsx" else csv_of(*(",".join(row) for row in rows))
    [error] = preview(tournament, content, create_players=True).errors
    assert (error.row, error.field) == (2, "username")
    load(tournament, csv_of("username,last name", "asha,=1+1"), create_players=True)
    assert User.objects.get(username="asha").last_name == "=1+1"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"name\nasha", "username"),
        (b"username,user\na,b", "Two columns"),
        (b"username\n\xff\xfe", "UTF-8"),
        (b"username\na\0b", "no text"),
        (b'username\n"a', "not CSV"),
        (b"username\n" + b"x" * 201, "Row 2"),
        (b"," * 30 + b"username\n", "columns"),
        (b"username\n" + b"a\n" * 2001, "2,000 rows"),
        (b"username\n" + b"\n" * 10_001 + b"a", "below row"),
        (b"x" * 1_000_001, "larger"),
        (b"PK\x03\x04 and no more", "XLSX"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_what_to_do(content: bytes, says: str) -> None:
    assert says in bad_file(a_tournament(), content)


def test_as_many_rows_as_are_allowed_are_read() -> None:
    assert len(sheets.read_sheet(b"username\n" + b"a\n" * sheets.MAX_ROWS)) == 2001


def test_a_small_file_that_unpacks_to_a_large_one_is_refused_before_it_is_read() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("xl/worksheets/sheet1.xml", b" " * (sheets.MAX_UNPACKED_BYTES + 1))
    assert len(packed.getvalue()) < sheets.MAX_BYTES
    assert "unpacks" in bad_file(a_tournament(), packed.getvalue())


def test_an_archive_that_is_no_workbook_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("readme.txt", "no workbook")
    assert "XLSX" in bad_file(a_tournament(), packed.getvalue())


WORKBOOK = xlsx_of(("username", "club"), ("asha", 3), ("ben", 4.5))


@given(
    at=st.integers(0, len(WORKBOOK) - 1),
    damage=st.binary(min_size=1, max_size=8),
    cut=st.integers(0, 3),
)
def test_no_damaged_file_is_more_than_a_refusal(at: int, damage: bytes, cut: int) -> None:
    """Read as rows, or refused: nothing else comes of whatever somebody uploads."""
    content = WORKBOOK[:at] + damage + WORKBOOK[at + cut :]
    try:
        rows = sheets.read_sheet(content)
    except TournamentRefusal as refusal:
        code = refusal.code
        assert code is TournamentCode.BAD_FILE
        return
    assert all(len(cell) <= sheets.MAX_CELL for _, cells in rows for cell in cells)
