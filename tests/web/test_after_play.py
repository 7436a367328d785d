"""After play in a real browser: shuffles and draws computed again, replays, wallet and lists."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from tables.models import Deal
from tables.rules.bots import Strength
from tables.rules.profiles import PROFILES
from tables.rules.shoe import commitment_of, new_shoe, shuffled, toss
from tests.tables.helpers import a_match, play_out, tampering
from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    close_and_start,
    join,
    next_round,
    players,
    run_out,
    started,
    terms,
)
from tests.web.axe import grave_faults
from tests.web.conftest import DARK, DESKTOP, PHONE, Person
from tests.web.waiting import until
from tournaments import play, services
from tournaments.models import Placing, Round, Shape, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

MODULE = "/static/rummy_site/shoe.js"


def finished_deal(profile: str = "rummycircle", people: int = 2) -> Deal:
    """A deal that bots have played to its end."""
    match = a_match(people, profile=profile, bot=Strength.STEADY)
    play_out(match)
    return match.deals.get()


def verdict(page: Page) -> Any:
    return page.locator("[data-verdict]")


def outcomes(page: Page) -> list[str]:
    return [text.partition(":")[0] for text in page.locator("[data-outcome]").all_inner_texts()]


# The shuffle


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_the_browser_shuffles_as_the_rules_do(page: Page, profile: str) -> None:
    page.goto("/leaderboards/")
    cases: list[dict[str, Any]] = []
    expected: list[Any] = []
    for number in range(12):
        secret = hashlib.sha256(f"{profile}-{number}".encode()).digest()
        players_here = 2 + number % (PROFILES[profile].max_players - 1)
        shoe = PROFILES[profile].shoe_for(players_here)
        context = [f"cup/{number}", *["é", "", "नमस्ते"][: number % 4]]
        seats = list(range(players_here))
        cases.append(
            {
                "secret": secret.hex(),
                "shoe": {"packs": shoe.packs, "printed_jokers": shoe.printed_jokers},
                "context": context,
                "seats": seats,
            }
        )
        order = shuffled(new_shoe(shoe), secret, "shoe", *context)
        tossed = toss(seats, shoe.packs, secret, *context)
        expected.append([commitment_of(secret), order, tossed])
    found = page.evaluate(
        """async ([address, cases]) => {
          const shoe = await import(address);
          return Promise.all(cases.map(async (c) => [
            await shoe.commitmentOf(c.secret),
            await shoe.shuffled(shoe.newShoe(c.shoe), c.secret, ["shoe", ...c.context]),
            await shoe.toss(c.seats, c.shoe.packs, c.secret, ["toss", ...c.context]),
          ]));
        }""",
        [MODULE, cases],
    )
    assert found == json.loads(json.dumps(expected))


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_a_deal_of_every_profile_is_found_right(page: Page, profile: str) -> None:
    deal = finished_deal(profile)
    page.goto(f"/deals/{deal.public_id}/verify/")
    expect(verdict(page)).to_have_text(
        "Right: the shuffle was fixed before the deal, and these are its cards."
    )
    assert set(outcomes(page)) == {"Right"}


def tamper(deal: Deal, kind: str, change: Any) -> None:
    """Change an event behind the log's back."""
    event = deal.events.filter(kind=kind).first()
    assert event is not None
    payload = json.loads(event.payload)
    change(payload)
    with tampering() as cursor:
        cursor.execute(
            "UPDATE tables_dealevent SET payload = %s WHERE id = %s",
            [json.dumps(payload), event.pk],
        )


def swap_cards(payload: dict[str, Any]) -> None:
    closed = payload["closed"]
    other = next(at for at, card in enumerate(closed) if card != closed[0])
    closed[0], closed[other] = closed[other], closed[0]


def other_secret(payload: dict[str, Any]) -> None:
    payload["secret"] = hashlib.sha256(b"another").hexdigest()


def no_secret(payload: dict[str, Any]) -> None:
    payload["secret"] = ""


def swap_toss(payload: dict[str, Any]) -> None:
    (one, first), (other, second) = payload["toss"][:2]
    payload["toss"][:2] = [[one, second], [other, first]]


@pytest.mark.parametrize(
    ("kind", "change", "wrong"),
    [
        ("cards_dealt", swap_cards, ["shoe"]),
        ("deal_ended", other_secret, ["commitment", "shoe", "toss"]),
        ("deal_ended", no_secret, ["commitment", "shoe", "toss"]),
        ("toss_made", swap_toss, ["toss"]),
    ],
)
def test_a_deal_that_was_tampered_with_is_found_wrong_at_its_step(
    page: Page, kind: str, change: Any, wrong: list[str]
) -> None:
    deal = finished_deal()
    tamper(deal, kind, change)
    page.goto(f"/deals/{deal.public_id}/verify/")
    expect(verdict(page)).to_have_text("Wrong: something does not fit. See which step.")
    bad = page.locator("[data-check]:has([data-outcome].bad)")
    assert sorted(one.get_attribute("data-check") or "" for one in bad.all()) == wrong


def test_a_commitment_that_was_changed_is_found_wrong(page: Page) -> None:
    deal = finished_deal()
    Deal.objects.filter(pk=deal.pk).update(commitment="0" * 64)
    page.goto(f"/deals/{deal.public_id}/verify/")
    expect(verdict(page)).to_contain_text("Wrong")
    expect(page.locator("[data-check=commitment] [data-outcome]")).to_contain_text("Wrong")
    expect(page.locator("[data-check=shoe] [data-outcome]")).to_contain_text("Right")


def test_the_first_difference_is_named_and_a_noted_commitment_compared(page: Page) -> None:
    deal = finished_deal()
    tamper(deal, "cards_dealt", swap_cards)
    page.goto(f"/deals/{deal.public_id}/verify/")
    place = 13 * 2 + 2 + 1
    expect(page.locator("[data-check=shoe] [data-difference]")).to_contain_text(
        f"First difference at place {place}: "
    )
    noted, said = page.locator("[data-published]"), page.locator("[data-noted]")
    noted.fill(deal.commitment)
    expect(said).to_have_text("It is the one that you noted.")
    noted.fill("0" * 64)
    expect(said).to_have_text("It is not what you noted.")


# Draws


@pytest.mark.parametrize("seeding", list(play.Seeding))
@pytest.mark.parametrize("shape", [Shape.HEADS_UP, Shape.KNOCKOUT])
def test_a_draw_is_found_right(page: Page, shape: Shape, seeding: Any) -> None:
    tournament = started(shape, 7, terms=terms("points", seeding=seeding, prizes="winner"))
    next_round(tournament)
    page.goto(f"/tournaments/{tournament.public_id}/draws/1/verify/")
    expect(verdict(page)).to_contain_text("Right: the draw was fixed")
    assert outcomes(page) == ["Right", "Right"]


def _other_seats(tournament: Tournament) -> None:
    one, *_, other = Placing.objects.filter(table__round__tournament=tournament).order_by("pk")
    entry = one.entry_id
    Placing.objects.filter(pk=one.pk).update(table=one.table_id, seat=8)
    Placing.objects.filter(pk=other.pk).delete()
    Placing.objects.filter(pk=one.pk).update(entry=other.entry_id, seat=one.seat)
    Placing.objects.create(table_id=other.table_id, seat=other.seat, entry_id=entry)


def _other_commitment(tournament: Tournament) -> None:
    Round.objects.filter(tournament=tournament).update(draw_commitment="0" * 64)


@pytest.mark.parametrize(
    ("change", "expected"),
    [(_other_seats, ["Right", "Wrong"]), (_other_commitment, ["Wrong", "Right"])],
)
def test_a_draw_that_was_tampered_with_is_found_wrong(
    page: Page, change: Any, expected: list[str]
) -> None:
    tournament = started(Shape.KNOCKOUT, 7, terms=terms("points", prizes="winner"))
    next_round(tournament)
    change(tournament)
    page.goto(f"/tournaments/{tournament.public_id}/draws/1/verify/")
    expect(verdict(page)).to_have_text("Wrong: something does not fit. See which step.")
    assert outcomes(page) == expected


# The replay


def step_shown(page: Page) -> Any:
    return page.locator(".replay-said small")


def test_a_replay_is_stepped_through_by_keys_links_and_slider(page: Page) -> None:
    deal = finished_deal()
    page.goto(f"/deals/{deal.public_id}/replay/?step=3")
    last = page.locator("input[type=range]").get_attribute("max")
    expect(step_shown(page)).to_have_text(f"Step 3 of {last}")
    page.keyboard.press("ArrowRight")
    expect(step_shown(page)).to_have_text(f"Step 4 of {last}")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(step_shown(page)).to_have_text(f"Step 2 of {last}")
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name="Every hand and its points")).to_be_visible()
    expect(page.get_by_label("Step on")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    expect(step_shown(page)).to_have_text(f"Step 1 of {last}")
    page.get_by_label("Step on").click()
    expect(step_shown(page)).to_have_text(f"Step 2 of {last}")
    page.locator("input[type=range]").fill("5")
    expect(step_shown(page)).to_have_text(f"Step 5 of {last}")
    expect(page.locator("#replay-said")).not_to_be_empty()
    expect(page).to_have_url(re.compile(r"step=5"))
    page.reload()
    expect(step_shown(page)).to_have_text(f"Step 5 of {last}")


def test_a_replay_plays_by_itself_until_it_is_stopped(page: Page) -> None:
    deal = finished_deal()
    page.goto(f"/deals/{deal.public_id}/replay/?step=1")
    button = page.get_by_role("button", name="Play by itself")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(step_shown(page)).to_have_text(re.compile(r"Step ([3-9]|\d\d+) of"))
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_replay_that_plays_by_itself_waits_for_steps_that_come_slowly(page: Page) -> None:
    """The next one is asked for when one is shown, however long it takes to come."""
    deal = finished_deal()
    page.goto(f"/deals/{deal.public_id}/replay/?step=1")
    page.clock.install()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/replay/?step=*", hold)
    page.get_by_role("button", name="Play by itself").click()
    until(page, lambda: held, "the next step is asked for")
    page.clock.run_for(10_000)
    assert len(held) == 1
    held[0].continue_()
    expect(step_shown(page)).to_contain_text("Step 2 of")


def test_a_replay_works_without_script(person: Person) -> None:
    deal, plain = finished_deal(), person(**PHONE, java_script_enabled=False)
    plain.goto(f"/deals/{deal.public_id}/replay/?step=3")
    plain.get_by_label("Step on").click()
    expect(step_shown(plain)).to_contain_text("Step 4 of")
    plain.get_by_label("Last step").click()
    expect(plain.get_by_role("heading", name="Every hand and its points")).to_be_visible()
    plain.goto(f"/deals/{deal.public_id}/verify/")
    expect(plain.get_by_text("The server's own check found nothing wrong.")).to_be_visible()


# Every page: readable by all, on a phone too


def everything_over() -> tuple[User, list[str]]:
    """Somebody who has played, and for whom others wait; the addresses of all pages."""
    people = players(3, points=100_000)
    over = a_tournament(Shape.SINGLE, capacity=3)
    join(over, *people)
    close_and_start(over)
    run_out(over)
    services.complete(tournament_id=over.pk, now=NOW)
    running = a_tournament(Shape.SINGLE, capacity=3, terms=terms("points"))
    join(running, *people)
    close_and_start(running)
    next_round(running)
    coming = a_tournament(capacity=6)
    join(coming, people[0])
    deal = finished_deal(people=4)
    base = f"/deals/{deal.public_id}"
    return people[0], [
        "/my/",
        f"/my/{over.public_id}/",
        "/wallet/",
        "/leaderboards/?month=2026-03",
        f"/players/{people[0].username}/",
        f"{base}/replay/",
        f"{base}/replay/?step=9999",
        f"{base}/verify/",
        f"/tournaments/{over.public_id}/draws/1/verify/",
    ]


@pytest.mark.parametrize("options", [PHONE, PHONE | DARK, DESKTOP])
def test_every_page_can_be_read_by_all_and_is_no_wider_than_its_screen(
    person: Person, options: dict[str, Any]
) -> None:
    somebody, addresses = everything_over()
    page = person(somebody, **options)
    for address in addresses:
        page.goto(address)
        assert grave_faults(page, address) == []
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= options["viewport"]["width"], address
