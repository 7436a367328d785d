"""Templates at the organisers' desk: keeping a set-up, starting from it, dropping it, for whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from rummy_site.roles import ARBITERS, OPERATORS, SUPPORT
from staff.models import StaffAction
from tests.pages import logged_in, page_of, queries_of
from tests.staff.helpers import member
from tests.tournaments.desk_helpers import LIST, change_of, in_charge, lines, organiser, page, read
from tests.tournaments.helpers import NOW, a_tournament, terms
from tournaments.admin.setup.draft import usual_draft
from tournaments.models import Shape, StaffRole, Template, Tournament
from tournaments.services.drafting import draft_of
from tournaments.services.templates import setup_of
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.due import StartKind, Times

pytestmark = pytest.mark.django_db

TEMPLATES = "/admin/tournaments/template/"
AT = datetime(2026, 6, 5, 14, 30, tzinfo=UTC)
TIMES = Times(
    kind=StartKind.FIXED_TIME,
    starts_at=AT,
    opens_at=AT - timedelta(days=1),
    closes_at=AT - timedelta(minutes=30),
)


def evening(**changes: Any) -> Tournament:
    """A draft at a fixed hour, for members who know a code."""
    asked = Conditions(code="open sesame", groups=("club",))
    wanted = {"terms": terms(entering=EntryRules(conditions=asked)), "times": TIMES}
    return a_tournament(opened=False, name="Friday evening", house_fee=50, **(wanted | changes))


def chief() -> Client:
    """The browser of who may run every tournament."""
    user = organiser("chief")
    user.user_permissions.add(Permission.objects.get(codename="run_every_tournament"))
    return logged_in(User.objects.get(pk=user.pk))


def kept(client: Client, made: Tournament, **typed: Any) -> Template:
    """Keep a tournament's set-up; the template of it."""
    client.post(page(made, "keep/"), {"name": "Fridays", **typed})
    return Template.objects.latest("pk")


def address(template: Template) -> str:
    """The page of a template."""
    return reverse("admin:tournaments_template", args=[template.pk])


def start(client: Client, template: Template, **typed: Any) -> Any:
    """Make a tournament from it, by hand unless an hour is typed."""
    sent = {"name": "Friday, 12 June", "starts_at": "", "zone": "Asia/Kolkata", **typed}
    return client.post(address(template), {"_start": "", **sent})


@pytest.fixture
def made() -> Tournament:
    """The tournament that is kept."""
    return evening()


@pytest.fixture
def olga(made: Tournament) -> Client:
    """The browser of who organises it."""
    return in_charge(organiser(), made)


# What is kept, and what comes of it


def test_everything_set_is_kept_but_the_entry_code(olga: Client, made: Tournament) -> None:
    template = kept(olga, made)
    before, draft = draft_of(made), setup_of(template)
    assert draft.terms.entering.conditions == Conditions(groups=("club",))
    assert (draft.entry_fee, draft.house_fee, draft.capacity) == (500, 50, 6)
    assert draft.terms.prizes == before.terms.prizes
    assert draft.times == TIMES
    assert "open sesame" not in template.setup
    [line] = lines("keep_template")
    assert (line.subject_kind, line.subject, line.subject_name) == (
        "template",
        template.public_id,
        "Fridays",
    )
    assert line.after["for"] == "olga"
    assert line.after["kept_of"] == made.public_id
    assert "open sesame" not in str(line.after)


def test_a_new_tournament_is_like_it_with_its_times_moved_to_the_new_start(
    olga: Client, made: Tournament
) -> None:
    template = kept(olga, made)
    answer = start(olga, template, starts_at="2026-06-12T20:00")
    new = Tournament.objects.latest("pk")
    assert answer["Location"] == change_of(new)
    assert (new.name, new.state, new.entry_fee, new.house_fee) == (
        "Friday, 12 June",
        "draft",
        500,
        50,
    )
    assert new.starts_at == AT + timedelta(days=7)
    assert new.opens_at == AT + timedelta(days=6)
    assert new.closes_at == AT + timedelta(days=7, minutes=-30)
    assert new.staff.get().user.username == "olga"
    [line] = lines("start_from_template")
    assert (line.subject, line.after["template"]) == (new.public_id, template.public_id)


def test_without_a_start_it_starts_by_hand_and_nothing_happens_by_itself(
    olga: Client, made: Tournament
) -> None:
    start(olga, kept(olga, made))
    new = Tournament.objects.latest("pk")
    assert (new.start_kind, new.starts_at, new.opens_at) == (StartKind.BY_HAND, None, None)


def test_what_happens_to_the_tournament_later_does_not_change_the_template(
    olga: Client, made: Tournament
) -> None:
    template = kept(olga, made)
    Tournament.objects.filter(pk=made.pk).update(entry_fee=9, house_fee=0)
    assert setup_of(template).entry_fee == 500
    olga.post(address(template), {"_drop": ""})
    assert not Template.objects.exists()
    assert Tournament.objects.filter(pk=made.pk).exists()


@pytest.mark.parametrize("shape", Shape)
def test_every_kind_of_tournament_can_be_kept_and_started_again(shape: Shape) -> None:
    usual = usual_draft(shape)
    made = a_tournament(
        shape, capacity=usual.capacity, terms=usual.terms, opened=False, name=f"Cup {shape}"
    )
    client = in_charge(organiser(), made)
    start(client, kept(client, made))
    new = Tournament.objects.latest("pk")
    assert new.pk != made.pk
    assert draft_of(new).terms == draft_of(made).terms


# What the pages show


def test_the_way_is_on_every_page_of_a_tournament_on_the_form_and_in_the_list(
    olga: Client, made: Tournament
) -> None:
    assert page(made, "keep/") in page_of(olga, change_of(made))
    assert "Start from a template" not in page_of(olga, f"{LIST}add/")
    assert "Keep as a template" in page_of(olga, TEMPLATES)
    template = kept(olga, made)
    for one in (f"{LIST}add/", TEMPLATES):
        assert "Fridays" in page_of(olga, one)
    assert address(template) in page_of(olga, f"{LIST}add/")
    row = f"{TEMPLATES}{template.pk}/change/"
    assert row in page_of(olga, TEMPLATES)
    assert olga.get(row)["Location"] == address(template)


@time_machine.travel(NOW, tick=False)
def test_its_page_tells_kind_price_and_rules_and_proposes_the_start(
    olga: Client, made: Tournament
) -> None:
    html = page_of(olga, address(kept(olga, made)))
    text = read(html)
    assert "Knock-out with several tables" in text
    assert "Entry fee 500 play points" in text
    assert "Of it for the house 50 play points" in text
    assert "A template of olga." in text
    assert 'value="2026-06-05T14:30"' in html


@time_machine.travel(AT + timedelta(days=1), tick=False)
def test_a_start_that_has_passed_is_not_proposed(olga: Client, made: Tournament) -> None:
    assert "2026-06-05" not in page_of(olga, address(kept(olga, made)))


def test_the_list_and_the_form_take_as_many_queries_for_many_templates(
    olga: Client, made: Tournament
) -> None:
    setup = kept(olga, made).setup
    counts = []
    for number in (9, 90):
        Template.objects.bulk_create(
            Template(
                name=f"T {number}-{n}",
                owner=User.objects.get(username="olga"),
                setup=setup,
                created_at=NOW,
            )
            for n in range(number)
        )
        counts.append([len(queries_of(olga, one)) for one in (TEMPLATES, f"{LIST}add/")])
    assert counts[0] == counts[1]


# What is refused


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 121}, "at most 120 characters"),
        ({"name": "Fridays"}, "There is a template of this name"),
    ],
)
def test_a_name_that_is_no_name_or_is_taken_is_refused_beside_its_field(
    olga: Client, made: Tournament, typed: dict[str, str], words: str
) -> None:
    kept(olga, made)
    html = olga.post(page(made, "keep/"), typed).content.decode()
    assert words in html.partition('id="id_name_error">')[2].partition("</p>")[0]
    assert Template.objects.count() == 1
    assert len(lines("keep_template")) == 1


def test_two_organisers_may_each_have_one_of_a_name_and_the_site_one(
    olga: Client, made: Tournament
) -> None:
    first = kept(olga, made)
    second = kept(in_charge(organiser("omar"), made), made)
    third = kept(chief(), made, is_for_all="on")
    assert len({first.pk, second.pk, third.pk}) == 3
    assert kept(chief_again(), made, is_for_all="on") == third


def chief_again() -> Client:
    """The same person's browser."""
    return logged_in(User.objects.get(username="chief"))


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"name": ""}, "name", "This field is required."),
        (
            {"starts_at": "2026-03-29T02:30", "zone": "Europe/Berlin"},
            "starts_at",
            "There is no 02:30",
        ),
        ({"starts_at": "soon"}, "starts_at", ""),
    ],
)
def test_a_start_that_cannot_be_is_refused_and_nothing_is_made(
    olga: Client, made: Tournament, typed: dict[str, str], field: str, words: str
) -> None:
    template = kept(olga, made)
    html = start(olga, template, **typed).content.decode()
    assert f'id="id_{field}_error">' in html
    assert words in html.partition(f'id="id_{field}_error">')[2].partition("</p>")[0]
    assert Tournament.objects.count() == 1
    assert lines("start_from_template") == []


def test_one_that_todays_rules_do_not_know_says_so_and_can_be_dropped(
    olga: Client, made: Tournament
) -> None:
    template = kept(olga, made)
    Template.objects.update(setup='{"name": "x"}')
    assert "cannot be read any more" in page_of(olga, address(template))
    assert "cannot be read any more" in start(olga, template).content.decode()
    assert Tournament.objects.count() == 1
    olga.post(address(template), {"_drop": ""})
    assert not Template.objects.exists()
    [line] = lines("drop_template")
    assert "cannot be read" in line.before["setup"]


# Whom it is for


def test_a_template_of_ones_own_is_nobody_elses(olga: Client, made: Tournament) -> None:
    template = kept(olga, made)
    omar = logged_in(organiser("omar"))
    assert omar.get(address(template)).status_code == 404
    assert start(omar, template).status_code == 404
    assert omar.post(address(template), {"_drop": ""}).status_code == 404
    assert "Fridays" not in page_of(omar, TEMPLATES)
    assert "Fridays" not in page_of(omar, f"{LIST}add/")
    assert Template.objects.count() == 1


def test_one_of_the_site_is_kept_and_dropped_by_the_chief_and_started_from_by_all(
    made: Tournament,
) -> None:
    template = kept(chief(), made, is_for_all="on")
    assert template.owner is None
    omar = logged_in(organiser("omar"))
    html = page_of(omar, address(template))
    assert "A template for all organisers." in html
    assert 'name="_drop"' not in html
    assert omar.post(address(template), {"_drop": ""}).status_code == 403
    assert start(omar, template).status_code == 302
    assert Tournament.objects.latest("pk").staff.get().user.username == "omar"
    chief_again().post(address(template), {"_drop": ""})
    assert not Template.objects.exists()
    assert [line.before["for"] for line in lines("drop_template")] == ["all organisers"]


def test_who_may_not_keep_for_all_keeps_for_himself_whatever_he_sends(
    olga: Client, made: Tournament
) -> None:
    assert "is_for_all" not in page_of(olga, page(made, "keep/"))
    template = kept(olga, made, is_for_all="on")
    assert template.owner is not None
    assert template.owner.username == "olga"


def test_what_names_ones_own_tournaments_is_not_kept_for_all() -> None:
    asked = EntryRules(conditions=Conditions(winners_of=("abc",)))
    made = evening(terms=terms(entering=asked))
    html = chief().post(page(made, "keep/"), {"name": "x", "is_for_all": "on"}).content.decode()
    wrong = html.partition('id="id_is_for_all_error">')[2].partition("</p>")[0]
    assert "keep it for you" in wrong
    assert not Template.objects.exists()
    assert kept(chief_again(), made).owner is not None


def test_nobody_keeps_what_he_does_not_organise(olga: Client, made: Tournament) -> None:
    omar = logged_in(organiser("omar"))
    for client, status in ((omar, 404), (logged_in(member("anna", ARBITERS)), 403)):
        assert client.get(page(made, "keep/")).status_code == status
        assert client.post(page(made, "keep/"), {"name": "x"}).status_code == status
    assert not Template.objects.exists()


@pytest.mark.parametrize("group", [ARBITERS, OPERATORS, SUPPORT])
def test_others_of_the_staff_start_and_drop_nothing(
    olga: Client, made: Tournament, group: str
) -> None:
    template = kept(olga, made)
    other = logged_in(member("nina", group))
    assert other.get(address(template)).status_code == 403
    assert start(other, template).status_code == 403
    assert other.post(address(template), {"_drop": ""}).status_code == 403
    assert (Template.objects.count(), Tournament.objects.count()) == (1, 1)


def test_operators_look_at_the_row_and_arbiters_see_none(olga: Client, made: Tournament) -> None:
    """Who may read what all of the staff did may look at what it was done to."""
    template = kept(olga, made)
    row = f"{TEMPLATES}{template.pk}/change/"
    assert "Fridays" in page_of(logged_in(member("ota", OPERATORS)), row)
    arbiter = logged_in(member("anna", ARBITERS))
    assert "Fridays" not in page_of(arbiter, TEMPLATES)
    assert arbiter.get(row).status_code == 302
    assert StaffAction.objects.filter(action="tournaments.keep_template").count() == 1
    assert made.staff.filter(role=StaffRole.ORGANISER).exists()
