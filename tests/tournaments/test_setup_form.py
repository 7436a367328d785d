"""Setting a tournament up in one form: usual values, errors beside their fields, exact amounts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from django.test import Client

from staff.models import StaffAction
from tests.pages import logged_in, page_of, text_of
from tests.tournaments.desk_helpers import (
    LIST,
    change_of,
    new_form,
    organiser,
)
from tests.tournaments.helpers import NOW
from tournaments import play
from tournaments.admin.setup.draft import draft_from, shown_of, usual_draft
from tournaments.admin.setup.form import Choices, Setup
from tournaments.admin.setup.sent import as_sent
from tournaments.models import Shape, StaffRole, Tournament
from tournaments.play import catalogue
from tournaments.services.drafting import Draft, checked
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.prizes import (
    ByEntries,
    EntriesRow,
    FixedAmounts,
    Percentages,
    Surplus,
    WinnerTakesAll,
)
from tournaments.structure.rebuys import Rebuy
from tournaments.structure.rounds import BestOfTable, BestOverall

pytestmark = pytest.mark.django_db

ADD = f"{LIST}add/"


@pytest.fixture
def olga() -> Client:
    """An organiser's browser."""
    return logged_in(organiser())


def drafts() -> list[Draft]:
    """Drafts of every shape with something in every corner."""
    usual = {shape: usual_draft(shape) for shape in Shape}

    def of(shape: Shape, *, term: dict[str, Any] | None = None, **changes: Any) -> Draft:
        made = msgspec.structs.replace(usual[shape], name="Cup", entry_fee=12_345, **changes)
        wanted = msgspec.structs.replace(made.terms, **(term or {}))
        return checked(msgspec.structs.replace(made, terms=wanted))

    levels = catalogue.usual_levels()
    rebuy = Rebuy(chips=900, fee=50, house_fee=5, most=3, until_level=2, seconds=40)
    at = datetime(2026, 6, 1, 18, 30, 15, tzinfo=UTC)
    return [
        of(Shape.KNOCKOUT),
        of(Shape.KNOCKOUT, house_fee=345, term={"advance": BestOverall(40)}),
        of(Shape.KNOCKOUT, term={"advance": BestOfTable(2), "guarantee": 10**9, "hints": True}),
        of(
            Shape.KNOCKOUT,
            in_person=True,
            asset="INR",
            term={"prizes": FixedAmounts((50_050, 20_000, 20_000), True, Surplus.TO_HOUSE)},
        ),
        of(Shape.HEADS_UP, term={"third_place": True, "seeding": play.Seeding.RATED}),
        of(Shape.HEADS_UP, term={"prizes": Percentages((3_333, 3_333, 3_334)[::-1])}),
        of(Shape.SINGLE, term={"prizes": WinnerTakesAll()}),
        of(
            Shape.KNOCKOUT,
            term={
                "prizes": ByEntries(
                    (EntriesRow(10, (10_000,)), EntriesRow(None, (6_000, 2_000, 1_000, 1_000)))
                )
            },
        ),
        of(Shape.LEVELS, term={"levels": msgspec.structs.replace(levels, rebuy=rebuy)}),
        of(
            Shape.KNOCKOUT,
            min_entries=12,
            times=Times(kind=StartKind.FIXED_TIME, starts_at=at, opens_at=NOW),
            term={
                "entering": EntryRules(
                    conditions=Conditions(
                        code="open sesame",
                        invited_only=True,
                        groups=("club",),
                        rating_from=0,
                        rating_to=2_000,
                        min_age=18,
                        winners_of=("abc",),
                    ),
                    needs_approval=True,
                    no_show_keeps_fee=True,
                    waitlist_moves_up=False,
                    late_until_round=2,
                    reentries=3,
                )
            },
        ),
    ]


@pytest.mark.parametrize("number", range(10))
def test_a_form_that_nobody_touched_says_what_it_was_opened_with(number: int) -> None:
    """Whatever the draft holds, to the second and to the smallest unit."""
    draft = drafts()[number]
    shown = shown_of(draft, zone="Asia/Kolkata")
    for base in (draft, None):
        setup = Setup(
            shown=shown,
            choices=Choices(),
            data=as_sent(shown),
            times=None if base is None else base.times,
        )
        assert setup.is_valid(), (setup.form.errors, setup.prizes.errors, setup.levels.errors)
        read = draft_from(setup, base)
        if base is None:
            times = msgspec.structs.replace(
                draft.times,
                **{
                    field: moment.replace(second=0)
                    for field in draft.times.__struct_fields__
                    if isinstance(moment := getattr(draft.times, field), datetime)
                },
            )
            draft = msgspec.structs.replace(draft, times=times)
        assert checked(read) == draft


def test_five_fields_are_enough_for_a_knock_out_of_36(olga: Client) -> None:
    """Name, kind, seats, fee and house part; all else is as usual."""
    data = new_form(name="Club evening", capacity="36", entry_fee="1,00,000", house_fee="500")
    answer = olga.post(ADD, data)
    made = Tournament.objects.get()
    assert answer["Location"] == change_of(made)
    assert (made.entry_fee, made.house_fee, made.capacity) == (100_000, 500, 36)
    assert made.shape == Shape.KNOCKOUT
    assert made.state == "draft"
    assert made.staff.get().role == StaffRole.ORGANISER
    line = StaffAction.objects.get(action="tournaments.create")
    assert (line.subject, line.actor_name) == (made.public_id, "olga")
    assert line.after["entry_fee"] == 100_000


@pytest.mark.parametrize("shape", Shape)
def test_every_kind_comes_with_values_that_can_be_played(olga: Client, shape: Shape) -> None:
    """Name and fee alone are to be filled in."""
    page_of(olga, f"{ADD}?shape={shape}")
    assert olga.post(ADD, new_form(shape, name="Cup", entry_fee="100")).status_code == 302
    assert Tournament.objects.get().shape == shape


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"entry_fee": "1,5"}, "entry_fee", "Write an amount like 1,00,000"),
        ({"entry_fee": "10.5"}, "entry_fee", "nothing smaller"),
        ({"house_fee": "600"}, "house_fee", "cannot keep more"),
        ({"capacity": "1"}, "capacity", "greater than or equal to 2"),
        ({"min_entries": "99"}, "min_entries", "Not more than there are seats."),
        ({"start_kind": "fixed_time"}, "starts_at", "Say when it starts."),
        (
            {"start_kind": "fixed_time", "starts_at": "2026-03-29T02:30", "zone": "Europe/Berlin"},
            "starts_at",
            "There is no 02:30",
        ),
        (
            {"start_kind": "fixed_time", "starts_at": "2026-10-25T02:30", "zone": "Europe/Berlin"},
            "starts_at",
            "comes twice",
        ),
        ({"profile-long_run": "50"}, "profile-long_run", "long_run"),
        ({"format-wrong_declaration": "900"}, "format-wrong_declaration", "0 to 200"),
        ({"rating_from": "50", "rating_to": "40"}, "rating_to", "must not lie below"),
        ({"advance": "5", "seats": "3"}, "advance", "at most 2"),
        ({"reentries": "2"}, "late_until_round", "until which round"),
        ({"asset": "INR"}, "asset", "not played for INR"),
        ({"stake": "promotional"}, "entry_fee", "takes no entry fee"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_saved(
    olga: Client, typed: dict[str, Any], field: str, words: str
) -> None:
    """Whether the form, the structure, the rules or the service refuses it."""
    data = new_form(**({"name": "Cup", "entry_fee": "500"} | typed))
    html = olga.post(ADD, data).content.decode()
    wrong = html.partition(f'id="id_{field}_error">')[2].partition("</p>")[0]
    assert words in wrong
    assert "Nothing was saved." in html
    assert not Tournament.objects.exists()
    assert not StaffAction.objects.filter(action="tournaments.create").exists()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({"prizes-0-share": "40"}, "add up to 90 %"),
        ({"prizes-1-share": "60", "prizes-0-share": "20"}, "better rank"),
        ({"prizes-1-rank_from": "1"}, "Rank 1 stands there twice."),
        ({"prizes-0-rank_from": "9", "prizes-0-rank_to": "9"}, "Give rank 1 a share."),
        ({"prize_kind": "fixed"}, "Give rank 1 an amount."),
    ],
)
def test_prizes_that_do_not_add_up_are_refused_at_their_table(
    olga: Client, rows: dict[str, Any], words: str
) -> None:
    """The sentence says what is missing."""
    html = olga.post(ADD, new_form(name="Cup", entry_fee="500", **rows)).content.decode()
    assert words in html.partition('id="prize-rows"')[2].partition('class="prize-more"')[0]
    assert not Tournament.objects.exists()


def test_an_hour_that_comes_twice_is_the_one_that_was_said(olga: Client) -> None:
    """The second half past two of the night in which clocks go back."""
    data = new_form(
        name="Night",
        entry_fee="500",
        start_kind="fixed_time",
        starts_at="2026-10-25T02:30",
        zone="Europe/Berlin",
        fold="1",
    )
    assert olga.post(ADD, data).status_code == 302
    assert Tournament.objects.get().starts_at == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_the_preview_adds_up_for_any_number_of_entries(olga: Client) -> None:
    """Fees less the house part are the pool, and the prizes are the pool."""
    data = new_form(name="", entry_fee="100", house_fee="1", preview_entries="7")
    html = olga.post(f"{LIST}new/preview/", data).content.decode()
    text = text_of(f"<main>{html}</main>")
    assert "7 entries of 100 play points 700 play points" in text
    assert "for the house, 7 times 1 play points − 7 play points" in text
    assert "prize pool 693 play points" in text
    assert "1 346 play points 49.93 % 2 208 play points +1 30.01 %" in text
    assert "in all 693 play points" in text
    assert "Here 2 prizes are one unit larger" in text
    assert "36 3,564 play points 1,782 play points" in text
    assert not Tournament.objects.exists()


def test_the_preview_says_at_once_what_is_wrong_with_the_prizes(olga: Client) -> None:
    """Before anything is saved."""
    data = new_form(entry_fee="100") | {"prizes-0-share": "40"}
    assert "add up to 90 %" in olga.post(f"{LIST}new/preview/", data).content.decode()


def test_the_rules_are_shown_in_words_while_they_are_chosen(olga: Client) -> None:
    """As players will read them."""
    data = new_form(name="Cup", entry_fee="100") | {"profile-cap": "60"}
    html = olga.post(f"{LIST}new/preview/", data).content.decode()
    assert "A hand counts at most 60" in html


def test_another_kind_brings_its_usual_rules_along_and_keeps_what_was_typed(olga: Client) -> None:
    """Name, fee and times stay; format, house rules and prizes change."""
    data = new_form(name="Evening", entry_fee="250", shape="single", changed="shape")
    answer = olga.post(f"{LIST}new/redraw/", data)
    html = answer.content.decode()
    assert 'value="Evening"' in html
    assert 'value="250"' in html
    assert '<option value="pool101" selected>' in html
    assert '<option value="g24_pool" selected>' in html


def test_another_format_brings_its_figures_and_house_rules(olga: Client) -> None:
    """Pool 201 drops cost 25 and 50."""
    data = new_form(name="Evening", entry_fee="250", format="pool201", changed="format")
    answer = olga.post(f"{LIST}new/redraw/", data)
    html = answer.content.decode()
    assert 'name="format-first_drop" value="25"' in html
    assert '<option value="g24_pool" selected>' in html


def test_a_row_for_more_prizes_is_added_without_losing_what_was_typed(olga: Client) -> None:
    """Two empty rows are always there."""
    data = new_form(name="Evening") | {"prizes-0-share": "77.5"}
    html = olga.post(f"{LIST}new/redraw/", data).content.decode()
    assert 'value="77.5"' in html
    assert 'name="prizes-4-share"' in html


def test_a_kind_that_was_changed_without_scripts_is_shown_before_it_is_saved(olga: Client) -> None:
    """So nobody saves fields that he has not seen."""
    data = new_form(name="Evening", entry_fee="250", shape="levels", drawn="knockout:deals")
    html = olga.post(ADD, data).content.decode()
    assert "Other fields came with your choice" in html
    assert 'name="starting_chips" value="2000"' in html
    assert not Tournament.objects.exists()
