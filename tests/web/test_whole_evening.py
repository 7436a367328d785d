"""One evening of four people in four browsers: they join, play a pool, split it, and are paid.

Asha and Chitra are new: they sign up, follow the link in the e-mail, confirm that they are of age,
and take the points that welcome them. Asha has keys only, Bela a phone, Chitra a mouse, and Dev's
connection goes twice. What is asked of each, and so every point and every amount, is fixed
beforehand; only the cards are not.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from ledger.models import Transfer
from ledger.terms import Mode
from players.models import Profile
from tables.rules.formats.pool_table import PoolFormat
from tables.rules.terms import ClockTerms
from tests.tournaments.helpers import a_tournament, terms
from tests.web.conftest import PHONE, Person
from tests.web.guard import Guard
from tests.web.waiting import Lines
from tournaments import money
from tournaments.models import Shape, Tournament
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.due import StartKind, Times

GIVEN: Final = 2_000
FEE: Final = 300
HOUSE_FEE: Final = 30
SOON: Final = 60_000
"""Milliseconds within which what the clock does has happened, on a busy machine."""

NEW: Final = ("asha", "chitra")
PASSWORD: Final = "open-deck-7"

WRONG, DROP, STAY = "wrong", "drop", "stay"
PLANS: Final = {"asha": WRONG, "bela": DROP, "chitra": WRONG, "dev": STAY}
"""What each does in both deals. 80, 20, 80 and 0 points; then 160, 40, 160 and 0."""

PRIZES: Final = {"asha": 90, "bela": 360, "chitra": 0, "dev": 900}
"""Of five buy-ins at 270. With 41, 40 and 0 points they have 2, 3 and 5 drops left: the two with
more get 270 for each drop they are ahead, and the 270 that is left is shared by the three."""
PAID: Final = {"asha": 2 * FEE, "bela": FEE, "chitra": FEE, "dev": FEE}


class Guest:
    """Somebody at his browser, with the hands that he has for it."""

    def __init__(self, name: str, page: Page) -> None:
        self.page = page
        self.name = name
        self.lines = Lines(page)

    def part(self, name: str) -> Locator:
        """A named part of the table page."""
        return self.page.locator(f'[data-part="{name}"]')

    def button(self, name: str) -> Locator:
        """A button, or a link that looks like one."""
        return self.page.get_by_role("button", name=name)

    @property
    def cards(self) -> Locator:
        """His hand."""
        return self.page.locator(".rack [data-id]")

    @property
    def dialog(self) -> Locator:
        """What he is asked."""
        return self.page.get_by_role("dialog")

    def press(self, what: Locator) -> None:
        """Push a button or follow a link."""
        what.click()

    def write(self, label: str, text: str) -> None:
        """Fill in a field."""
        self.page.get_by_label(label, exact=True).fill(text)

    def draw(self) -> None:
        """From the closed deck."""
        self.press(self.part("closed"))
        expect(self.cards).to_have_count(14)

    def choose_last(self) -> None:
        """The card that lies free."""
        self.press(self.cards.last)

    def do(self, name: str) -> None:
        """One of the moves."""
        self.press(self.button(name))

    def answer(self, name: str) -> None:
        """A button of the dialog."""
        self.press(self.dialog.get_by_role("button", name=name))


class ByKeys(Guest):
    """Never touches anything: Tab goes from one thing to the next."""

    KEYS: Final = {"Discard": "d", "Finish": "f", "Declare": "x"}

    def press(self, what: Locator) -> None:
        """Tab to it, and Enter; a box to tick takes Space."""
        self._go_to(what)
        ticks = what.get_attribute("type") == "checkbox"
        self.page.keyboard.press("Space" if ticks else "Enter")

    def write(self, label: str, text: str) -> None:
        """Tab to it, and type."""
        self._go_to(self.page.get_by_label(label, exact=True))
        self.page.keyboard.type(text)

    def _go_to(self, what: Locator) -> None:
        expect(what).to_be_enabled()
        for _ in range(80):
            if what.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"No Tab leads to {what}")

    def draw(self) -> None:
        """C."""
        self.page.keyboard.press("c")
        expect(self.cards).to_have_count(14)

    def choose_last(self) -> None:
        """The card is chosen by being looked at."""
        self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("End")
        expect(self.cards.last).to_be_focused()

    def do(self, name: str) -> None:
        """By its letter."""
        self.page.keyboard.press(self.KEYS[name])


class ByTouch(Guest):
    """Taps."""

    def press(self, what: Locator) -> None:
        """One finger, once."""
        what.tap()


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    """Four seats at a 101 pool, which starts by itself when they are taken."""
    return a_tournament(
        Shape.SINGLE,
        capacity=4,
        name="Evening cup",
        entry_fee=FEE,
        house_fee=HOUSE_FEE,
        times=Times(kind=StartKind.FIXED_PLAYERS),
        terms=terms(
            "pool101",
            prizes="100",
            format=PoolFormat(answer_seconds=90),
            clock=ClockTerms(turn_seconds=90, declare_seconds=90, next_deal_seconds=20),
            entering=EntryRules(conditions=Conditions(min_age=18)),
        ),
    )


@pytest.fixture
def guests(
    tournament: Tournament, live_site: str, person: Person, mailoutbox: list[Any], settings: Any
) -> dict[str, Guest]:
    """The four, each of age and with the same points; two of them are new here."""
    settings.RUMMY_WELCOME_POINTS = GIVEN
    hands: dict[str, tuple[type[Guest], dict[str, Any]]] = {
        "asha": (ByKeys, {}),
        "bela": (ByTouch, PHONE),
        "chitra": (Guest, {}),
        "dev": (Guest, {}),
    }
    found = {}
    for name, (kind, screen) in hands.items():
        if name in NEW:
            found[name] = kind(name, person(None, **screen))
            sign_up(found[name], mailoutbox)
            continue
        user = User.objects.create_user(name)
        Profile.objects.create(user=user, of_age_since=tournament.created_at.date())
        money.grant(
            asset=money.PLAY_POINTS,
            player_ids=[user.pk],
            amount=GIVEN,
            key=f"gift:{name}",
            actor="organiser",
            now=tournament.created_at,
        )
        found[name] = kind(name, person(user, **screen))
    return found


def sign_up(guest: Guest, mailoutbox: list[Any]) -> None:
    """By the site's own pages and the link in its e-mail, to the points in the wallet."""
    page, address = guest.page, f"{guest.name}@club.example"
    page.goto("/account/signup/")
    guest.write("Username", guest.name)
    guest.write("Email", address)
    guest.write("Password", PASSWORD)
    guest.press(page.get_by_role("main").get_by_role("button", name="Sign up"))
    expect(page.get_by_role("banner")).to_contain_text(guest.name)
    page.goto(link_to(address, mailoutbox))
    guest.press(page.get_by_role("main").get_by_role("button", name="Confirm"))
    expect(page).not_to_have_url(re.compile("/confirm-email/"))
    page.goto("/account/settings/")
    guest.press(page.get_by_label("I am 18 or older"))
    guest.press(page.get_by_role("button", name="Save"))
    expect(page.get_by_role("main")).to_contain_text("You confirmed your age on")
    page.goto("/wallet/")
    guest.press(page.get_by_role("button", name="Take 2,000 play points"))
    expect(page.locator(".balances .available")).to_have_text("2,000 play points")


def link_to(address: str, mailoutbox: list[Any]) -> str:
    """The path of the link in the e-mail that came to an address."""
    give_up = time.monotonic() + SOON / 1000
    while True:
        for mail in list(mailoutbox):
            links = re.findall(r"https?://\S+/confirm-email/\S+", mail.body)
            if mail.to == [address] and links:
                return urlsplit(links[0]).path
        if time.monotonic() > give_up:
            pytest.fail(f"No e-mail came to {address}")
        time.sleep(0.2)


def finish_wrongly(guest: Guest) -> None:
    """Draw, finish with the last card and declare what is no hand."""
    guest.draw()
    guest.choose_last()
    guest.do("Finish")
    expect(guest.dialog).to_contain_text("A wrong declaration costs 80 points.")
    guest.answer("Finish")
    expect(guest.part("ask")).to_have_text("You have finished: arrange, then declare")
    guest.do("Declare")
    guest.answer("Declare")


def drop_out(guest: Guest) -> None:
    """Before the first card."""
    guest.do("Drop")
    expect(guest.dialog).to_contain_text("It costs you 20 points.")
    guest.answer("Drop")


def draw_and_discard(guest: Guest) -> None:
    """Stay in."""
    guest.draw()
    guest.choose_last()
    guest.do("Discard")


MOVES: Final[dict[str, Callable[[Guest], None]]] = {
    WRONG: finish_wrongly,
    DROP: drop_out,
    STAY: draw_and_discard,
}


def play_a_deal(guests: dict[str, Guest]) -> None:
    """Each does what he has planned when it is his turn, until only Dev is left."""
    ask = guests["dev"].part("ask")
    still_in = set(guests)
    while len(still_in) > 1:
        expect(ask).to_have_text(re.compile("to draw$|^Your turn: draw"), timeout=SOON)
        asked = ask.inner_text()
        mover = guests[asked.split()[0].lower() if asked.endswith("to draw") else "dev"]
        expect(mover.part("ask")).to_have_text("Your turn: draw a card")
        plan = PLANS[mover.name]
        MOVES[plan](mover)
        expect(ask).not_to_have_text(asked)
        if plan != STAY:
            still_in.remove(mover.name)


def lose_the_connection(guest: Guest) -> None:
    """His line goes, the page says so, and takes up where it was."""
    held = guest.cards.count()
    # Without a network nothing new is reached; a line that is open, Chromium leaves alone.
    guest.page.context.set_offline(True)
    guest.lines.cut()
    expect(guest.part("banner")).to_contain_text("The connection is lost")
    guest.page.context.set_offline(False)
    expect(guest.part("sign")).to_have_text("Connected")
    expect(guest.part("banner")).to_be_empty()
    expect(guest.cards).to_have_count(held)


def take_seats(guests: dict[str, Guest], tournament: Tournament) -> None:
    """Join by the button, and go to the table when it is there."""
    for guest in guests.values():
        guest.page.goto(f"/tournaments/{tournament.public_id}/")
        guest.press(guest.button(f"Join for {FEE} play points"))
        expect(guest.page.locator("#you")).to_contain_text("You are in.")
    for guest in guests.values():
        seat = guest.page.locator("#you").get_by_role("link", name="Take your seat")
        expect(seat).to_be_visible(timeout=SOON)
        guest.press(seat)
        expect(guest.part("sign")).to_have_text("Connected")


def buy_in_again_or_not(guests: dict[str, Guest]) -> None:
    """Both who are out are asked; one comes back with a point more than the worst of the rest."""
    for name in ("asha", "chitra"):
        expect(guests[name].dialog).to_contain_text("You are out with 160 points.", timeout=SOON)
        expect(guests[name].dialog).to_contain_text("You would come back with 41 points.")
    guests["chitra"].answer("Stay out")
    guests["asha"].answer("Buy in again")


def split_the_prize(guests: dict[str, Guest]) -> None:
    """Dev offers, the two others accept; who is out is not asked."""
    dev = guests["dev"]
    expect(dev.part("ask")).to_have_text("The next deal begins")
    dev.press(dev.button("Offer to split the prize"))
    for name in ("asha", "bela"):
        expect(guests[name].dialog).to_contain_text("dev offers to share the prize pool")
        guests[name].answer("Accept")
    for guest in guests.values():
        expect(guest.part("ask")).to_have_text("The match is over.")


def amounts(name: str) -> list[str]:
    """What moved in somebody's wallet, by the transfers themselves, the latest first."""
    account = money.wallet_of(money.PLAY_POINTS, User.objects.get(username=name).pk)
    moved = Transfer.objects.filter(mode__in=(Mode.POST, Mode.CAPTURE)).order_by("-pk")
    found = []
    for transfer in moved:
        if account in (transfer.debit_id, transfer.credit_id):
            sign = "+" if transfer.credit_id == account else "−"
            found.append(f"{sign}{transfer.amount:,} play points")
    return found


def look_at_the_money(guest: Guest, tournament: Tournament) -> None:
    """The standings, the wallet and the ledger say one thing."""
    name, prize = guest.name, PRIZES[guest.name]
    guest.page.goto(f"/tournaments/{tournament.public_id}/entrants/")
    row = guest.page.locator(".standings tr").filter(has_text=name)
    expect(row.locator(".prize")).to_contain_text(f"{prize} play points" if prize else "–")
    guest.page.goto("/wallet/")
    left = GIVEN - PAID[name] + prize
    expect(guest.page.locator(".balances .available")).to_have_text(f"{left:,} play points")
    told = guest.page.locator("td.amount").filter(has_text=re.compile(r"^\s*[+−]"))
    says = [text.split("set aside")[0].strip() for text in told.all_inner_texts()]
    assert [text.splitlines()[0] for text in says] == amounts(name)
    kinds = guest.page.get_by_role("rowheader").all_inner_texts()
    assert any("Entry fee" in kind for kind in kinds)
    assert any("Prize" in kind for kind in kinds) is bool(prize)
    assert any("Buying in again" in kind for kind in kinds) is (name == "asha")


def test_four_people_play_a_pool_to_the_payout(
    guests: dict[str, Guest],
    tournament: Tournament,
    guard: Guard,
) -> None:
    guard.allow("ERR_INTERNET_DISCONNECTED")
    take_seats(guests, tournament)
    dev = guests["dev"]
    expect(dev.cards).to_have_count(13, timeout=SOON)
    lose_the_connection(dev)
    play_a_deal(guests)
    expect(dev.dialog).to_contain_text("80 points")
    dev.answer("Go on")
    expect(dev.cards).to_have_count(13, timeout=SOON)
    lose_the_connection(dev)
    play_a_deal(guests)
    expect(dev.dialog).to_contain_text("80 points")
    dev.answer("Go on")
    buy_in_again_or_not(guests)
    split_the_prize(guests)
    dev.page.goto(f"/tournaments/{tournament.public_id}/")
    told = dev.page.locator("#you .told")
    expect(told).to_have_text("You finished on rank 1 and won 900 play points.", timeout=SOON)
    for guest in guests.values():
        look_at_the_money(guest, tournament)
