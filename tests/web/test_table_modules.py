"""What the table page's scripts compute is what the rules do: groups, points, each event."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from tables.models import Deal
from tables.rules.bots import Strength
from tables.rules.cards import PACK, PRINTED_JOKER, RANKS, Card
from tables.rules.evolve import evolve, opened
from tables.rules.hands import best_grouping, judge
from tables.rules.profiles import PROFILES
from tables.rules.visibility import redact, view_of
from tables.store import events_of
from tests.tables.helpers import a_match, play_out
from tests.web.conftest import Person

pytestmark = pytest.mark.django_db(transaction=True)

JUDGE = """async (cases) => {
  const { judge } = await import("/static/rummy_site/table/hand.js");
  return cases.map(({ groups, loose, wild, profile }) => judge(groups, loose, wild, profile));
}"""
REPLAY = """async ({ first, events }) => {
  const { evolve } = await import("/static/rummy_site/table/state.js");
  const states = [];
  let state = first;
  for (const event of events) states.push(state = evolve(state, event));
  return states;
}"""


@pytest.fixture
def scripts(person: Person) -> Page:
    """A page of the site, from which its scripts can be asked."""
    page = person()
    page.goto("/login/")
    return page


def a_case(chance: random.Random, name: str) -> dict[str, Any]:
    """A hand in groups: drawn at random, or its best grouping with a card or two gone astray."""
    profile = PROFILES[name]
    shoe = [*PACK, *PACK, PRINTED_JOKER, PRINTED_JOKER, PRINTED_JOKER]
    hand, wild = chance.sample(shoe, 13), chance.choice(RANKS)
    if chance.random() < 0.5:
        hand = _lucky(chance, hand)
    groups: list[list[Card]]
    if chance.random() < 0.8:
        found = best_grouping(hand, wild, profile)
        groups = [list(group.cards) for group in found.groups]
        loose = list(found.ungrouped)
        for _ in range(chance.randrange(3)):
            if groups and loose:
                chance.choice(groups).append(loose.pop())
            if len(groups) > 1 and chance.random() < 0.4:
                groups[0].append(groups[-1].pop())
                groups = [group for group in groups if group]
    else:
        cuts = sorted(chance.sample(range(1, 13), 3))
        parts = [hand[a:b] for a, b in zip([0, *cuts], [*cuts, 13], strict=True)]
        groups, loose = parts[:3], parts[3]
    return {"groups": groups, "loose": loose, "wild": wild, "profile": name}


def _lucky(chance: random.Random, hand: Sequence[Card]) -> list[Card]:
    """A hand with runs in it, so that sequences and complete hands come up often."""
    lucky: list[Card] = []
    for size in (4, 3, 3, 3):
        suit, low = chance.choice("SHDC"), chance.randrange(0, 14 - size)
        lucky += [(RANKS + "A")[low + place] + suit for place in range(size)]
    return [
        chance.choice([card, PRINTED_JOKER, hand[i]]) if chance.random() < 0.15 else card
        for i, card in enumerate(lucky)
    ]


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_labels_and_points_are_those_of_the_rules(scripts: Page, name: str) -> None:
    chance = random.Random(name)
    cases = [a_case(chance, name) for _ in range(600)]
    profile = msgspec.to_builtins(PROFILES[name])
    found = scripts.evaluate(JUDGE, [case | {"profile": profile} for case in cases])
    completes = 0
    for case, answer in zip(cases, found, strict=True):
        said = judge(case["groups"], case["loose"], case["wild"], PROFILES[name])
        completes += said.complete
        assert answer == {
            "points": said.points,
            "complete": said.complete,
            "kinds": [kind and str(kind) for kind in said.kinds],
            "left": said.ungrouped_points,
        }, case
    assert completes


def plain(thing: Any) -> Any:
    """As a socket sends it."""
    return json.loads(msgspec.json.encode(thing))


def _a_log(people: int, profile: str, format_name: str) -> list[Any]:
    match = a_match(people, profile=profile, format_name=format_name, bot=Strength.STEADY)
    play_out(match)
    return events_of(Deal.objects.get(match=match))


@pytest.mark.parametrize(
    ("people", "profile", "format_name"),
    [(2, "g24_points", "points"), (4, "classic_rummy", "pool101"), (6, "rummycircle", "points")],
)
def test_a_viewers_copy_follows_each_event_as_the_servers_does(
    scripts: Page, people: int, profile: str, format_name: str
) -> None:
    log = _a_log(people, profile, format_name)
    for seat in (*range(people), None):
        state = opened(log[0])
        first = plain(view_of(state, seat))
        shown = [plain(redact(event, seat)) for event in log[1:]]
        copies = scripts.evaluate(REPLAY, {"first": first, "events": shown})
        for event, copy in zip(log[1:], copies, strict=True):
            state = evolve(state, event)
            assert copy == plain(view_of(state, seat)), event
