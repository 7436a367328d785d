"""The hands of a score sheet, counted by the code that `score_hand` uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tables.rules.cards import HAND_SIZE, PRINTED_JOKER, SUITS, Card, parse_wild
from tables.rules.errors import Code, RuleViolation
from tables.rules.hands import full_count
from tables.rules.profiles import MIN_SEATS, RuleProfile, Shoe
from tables.rules.scoring_lines import score_cards

MAX_TEXT: Final = 200


class CountedHand(NamedTuple):
    """A hand of 13: what it counts for who lost, all its cards, and whether it is complete."""

    cards: tuple[Card, ...]
    as_loser: int
    whole: int
    is_complete: bool


def count_hands(
    texts: Mapping[int, str],
    wild: str,
    profile: RuleProfile,
    *,
    players: int,
    errors: list[RuleViolation],
) -> dict[int, CountedHand]:
    """The hands by their row's place, those that can be read; the faults are added to `errors`.

    A text is 13 cards, the groups that were declared set apart by `|`. Without any `|` the hand is
    grouped the best way. All hands together have to fit the shoe for so many players.
    """
    if not texts and not wild:
        return {}
    wild = wild.upper()
    try:
        wild_rank = parse_wild(wild)
    except RuleViolation as fault:
        sentence = f"Say which rank was turned up as the wild joker. {fault.sentence}"
        errors.append(RuleViolation(fault.code, sentence, field="wild"))
        return {}
    shoe = profile.shoe_for(max(players, MIN_SEATS))
    hands: dict[int, CountedHand] = {}
    for place, text in texts.items():
        field = f"rows[{place}].cards"
        if len(text) > MAX_TEXT:
            said = f"Write the cards in at most {MAX_TEXT} characters."
            errors.append(RuleViolation(Code.BAD_RECORD, said, field=field))
            continue
        stated = _stated(text) | {
            "wild": wild,
            "packs": shoe.packs,
            "printed_jokers": shoe.printed_jokers,
        }
        answer = score_cards(stated, profile)
        errors += [RuleViolation(Code(e.code), e.sentence, field=field) for e in answer.errors]
        if answer.points is None:
            continue
        cards = (*(card for group in answer.groups for card in group.cards), *answer.ungrouped)
        if len(cards) != HAND_SIZE:
            said = f"A hand has {HAND_SIZE} cards; here are {len(cards)}."
            errors.append(RuleViolation(Code.WRONG_CARD_COUNT, said, field=field))
            continue
        loses = profile.complete_loser_points if answer.complete else answer.points
        whole = full_count(cards, wild_rank, profile)
        hands[place] = CountedHand(cards, loses, whole, answer.complete)
    _check_together(hands, wild, shoe, errors)
    return hands


def _stated(text: str) -> dict[str, Any]:
    groups = [group.upper().split() for group in text.split("|")]
    if len(groups) == 1:
        return {"hand": groups[0]}
    return {"groups": [group for group in groups if group], "loose": []}


def _check_together(
    hands: Mapping[int, CountedHand], wild: str, shoe: Shoe, errors: list[RuleViolation]
) -> None:
    """No card is held more often than the shoe has it, by all players together.

    The card turned up is out of play, whichever of its rank it was.
    """
    held = Counter(card for hand in hands.values() for card in hand.cards)
    for card, copies in held.items():
        most = shoe.packs
        if card == PRINTED_JOKER:
            most = shoe.printed_jokers - (wild == PRINTED_JOKER)
        if copies > most:
            _too_many(hands, card, f"{copies} × {card}", most, errors)
    of_wild = [card for card in held if card[0] == wild and card != PRINTED_JOKER]
    copies, most = sum(held[card] for card in of_wild), len(SUITS) * shoe.packs - 1
    if of_wild and copies > most:
        _too_many(hands, of_wild[0], f"{copies} cards of the wild rank", most, errors)


def _too_many(
    hands: Mapping[int, CountedHand],
    card: Card,
    found: str,
    most: int,
    errors: list[RuleViolation],
) -> None:
    """Said of the last row that holds it, where the scorer has just written."""
    place = max(place for place, hand in hands.items() if card in hand.cards)
    said = f"All hands together have {found}; at most {most} can be dealt."
    errors.append(RuleViolation(Code.TOO_MANY_COPIES, said, field=f"rows[{place}].cards"))
