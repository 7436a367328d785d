"""Rule 1 and the shuffle: which cards there are; their order is fair and can be checked."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from tables.rules import shoe
from tables.rules.cards import PACK, PRINTED_JOKER, is_joker, wild_rank_of
from tables.rules.deal import shoe_order
from tables.rules.errors import Code, RuleViolation
from tables.rules.profiles import PROFILES, profile_named
from tests.rules.deal.table import SECRET, opened, terms


@pytest.mark.parametrize(
    ("profile", "players", "packs", "printed_jokers"),
    [
        ("g24_knockout", 2, 1, 0),
        *((name, players, 2, 2) for name in ("g24_points", "g24_pool") for players in (2, 6)),
        *((name, players, 2, 2) for name in ("rummycircle", "rummycentral") for players in (2, 6)),
        *(("classic_rummy", players, 2, 2) for players in (2, 3, 4, 5, 6)),
        ("octro", 2, 2, 4),
        ("octro", 3, 2, 4),
        ("octro", 4, 3, 6),
        ("octro", 6, 3, 6),
    ],
)
def test_shoe_has_the_packs_and_printed_jokers_of_profile_and_number_of_players(
    profile: str, players: int, packs: int, printed_jokers: int
) -> None:
    counts = opened(players, deal_terms=terms(profile)).state.cards()
    assert counts == Counter(
        {**dict.fromkeys(PACK, packs), PRINTED_JOKER: printed_jokers}
    ) - Counter({PRINTED_JOKER: 0})


@pytest.mark.parametrize(("profile", "players"), [("g24_knockout", 3), ("octro", 7), ("octro", 1)])
def test_numbers_of_players_that_a_profile_cannot_deal_to_are_refused(
    profile: str, players: int
) -> None:
    with pytest.raises(RuleViolation) as refused:
        profile_named(profile).shoe_for(players)
    assert (refused.value.code, refused.value.field) == (Code.BAD_SEATS, "players")


def test_rank_of_the_card_turned_up_is_wild_in_every_suit() -> None:
    assert wild_rank_of("QH") == "Q"
    assert [is_joker(card, "Q") for card in ("QH", "QS", PRINTED_JOKER, "KH")] == [
        *(True, True, True),
        False,
    ]


def test_printed_joker_turned_up_makes_aces_wild_and_leaves_nine_jokers_of_two_packs() -> None:
    two_packs = shoe.new_shoe(PROFILES["g24_points"].shoe_for(6))
    in_play = Counter(two_packs) - Counter([PRINTED_JOKER])
    wild = wild_rank_of(PRINTED_JOKER)
    assert wild == "A"
    assert sum(count for card, count in in_play.items() if is_joker(card, wild)) == 9


def test_commitment_is_the_sha_256_of_the_secret() -> None:
    assert shoe.commitment_of(SECRET) == hashlib.sha256(SECRET).hexdigest()


@pytest.mark.parametrize("secret", [b"", SECRET[:31], SECRET + b"\0"])
def test_secret_of_another_length_is_refused_everywhere(secret: bytes) -> None:
    for use in (
        lambda: shoe.commitment_of(secret),
        lambda: shoe.shuffled(PACK, secret, "d"),
        lambda: shoe.draw_lot([1, 2], secret, "d"),
        lambda: shoe.toss([1, 2], 2, secret, "d"),
        lambda: opened(secret=secret),
    ):
        with pytest.raises(RuleViolation) as refused:
            use()
        assert (refused.value.code, refused.value.field) == (Code.BAD_SECRET, "secret")


@pytest.mark.parametrize(
    ("profile", "players", "digest"),
    [
        ("rummycircle", 4, "40189fb5a91c9ce9741eb138c402787048832ece0d095d376078264573b4868b"),
        ("g24_knockout", 2, "88adc70632dbf9719d1fc4951d3f3fa1c623447d221caa0168436585a9d6150d"),
        ("octro", 6, "a0c4e7bd79ddfeebe6daa90a82da81eacd2fbdbd9295888322d072759656c235"),
    ],
)
def test_one_secret_gives_the_same_order_on_every_machine(
    profile: str, players: int, digest: str
) -> None:
    order = shoe_order(terms(profile), players, SECRET, "d", ())
    assert hashlib.sha256(" ".join(order).encode()).hexdigest() == digest


def test_order_depends_on_secret_deal_and_every_nonce_and_on_where_one_nonce_ends() -> None:
    orders = {
        shoe_order(terms(), 2, secret, deal, nonces)
        for secret in (SECRET, SECRET[::-1])
        for deal in ("d", "e")
        for nonces in ((), ("",), ("ab", "c"), ("a", "bc"), ("abc",), ("c", "ab"))
    }
    assert len(orders) == 2 * 2 * 6


@pytest.mark.parametrize("items", [(), ("7H",), PACK, ("JK", "JK", "AS")])
def test_shuffling_keeps_every_item_and_its_copies(items: tuple[str, ...]) -> None:
    assert Counter(shoe.shuffled(items, SECRET, "d")) == Counter(items)


def test_every_item_is_equally_likely_in_every_place() -> None:
    """Chi-square over 20,000 shuffles; 144 degrees of freedom, so 99.9 % of fair ones lie in it."""
    size, shuffles = 13, 20_000
    counts = Counter(
        pair
        for number in range(shuffles)
        for pair in enumerate(shoe.shuffled(range(size), SECRET, "chi", str(number)))
    )
    expected = shuffles / size
    statistic = sum(
        (counts[p, i] - expected) ** 2 / expected for p in range(size) for i in range(size)
    )
    assert 95 < statistic < 202


def test_all_orders_of_four_items_are_equally_likely() -> None:
    """Places alone may look fair while orders are not; 23 degrees of freedom."""
    shuffles = 12_000
    counts = Counter(shoe.shuffled("abcd", SECRET, str(number)) for number in range(shuffles))
    expected = shuffles / 24
    assert len(counts) == 24
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 50


def test_number_that_would_favour_some_places_is_thrown_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """2³² is 1 more than a multiple of 3: only the highest word is one too many for three items."""

    def words(first: int) -> Iterator[int]:
        return itertools.chain([first], itertools.repeat(1))

    def order_after(first: int) -> tuple[str, ...]:
        monkeypatch.setattr(shoe, "_words", lambda secret, context: words(first))
        return shoe.shuffled("abc", SECRET)

    highest = (1 << 32) - 1
    assert highest % 3 == 0
    assert order_after(highest) == order_after(1) != order_after(highest - 3)


@pytest.mark.parametrize("players", [1, 2, 3, 7])
def test_lot_falls_on_each_equally_often(players: int) -> None:
    draws = 3_000
    counts = Counter(shoe.draw_lot(range(players), SECRET, str(n)) for n in range(draws))
    assert all(
        abs(counts[p] - draws / players) < 5 * (draws / players) ** 0.5 for p in range(players)
    )


def test_lots_of_the_same_deal_are_not_tied_to_its_shuffle() -> None:
    same = sum(
        shoe.draw_lot(PACK, SECRET, str(n)) == shoe.shuffled(PACK, SECRET, str(n))[0]
        for n in range(520)
    )
    assert same < 30


def test_toss_puts_the_highest_card_first_with_the_ace_high() -> None:
    for number in range(60):
        ranking = shoe.toss((1, 2, 3, 4, 5, 6), 1, SECRET, str(number))
        heights = [
            ("23456789TJQKA".index(card[0]), "CDHS".index(card[1])) for _, (card,) in ranking
        ]
        assert heights == sorted(heights, reverse=True)
        assert sorted(seat for seat, _ in ranking) == [1, 2, 3, 4, 5, 6]


def _toss_of(monkeypatch: pytest.MonkeyPatch, seats: int, pile: str) -> shoe.Toss:
    monkeypatch.setattr(shoe, "shuffled", lambda *_: tuple(pile.split()))
    return shoe.toss(range(1, seats + 1), 2, SECRET)


@pytest.mark.parametrize(
    ("pile", "ranking"),
    [
        # Equal rank: spades, hearts, diamonds, clubs.
        ("7C 7H 7S 7D", [(3, "7S"), (2, "7H"), (4, "7D"), (1, "7C")]),
        # The same card twice: those two draw again, and stay between the others.
        ("7C KH KH 2D 3S AS", [(3, "KH AS"), (2, "KH 3S"), (1, "7C"), (4, "2D")]),
        # A second card, even an ace, does not lift anybody over a higher first card.
        ("AC 5H 5H QD 2S AS", [(1, "AC"), (4, "QD"), (3, "5H AS"), (2, "5H 2S")]),
        # Two pairs draw again, each between themselves; and again if that is equal too.
        (
            "KH 5H 5H KH 2S 3C 3C 4S JD 9D",
            [(4, "KH 4S"), (1, "KH 2S"), (2, "5H 3C JD"), (3, "5H 3C 9D")],
        ),
    ],
)
def test_equal_cards_of_a_toss_go_by_suit_and_the_same_card_draws_again(
    monkeypatch: pytest.MonkeyPatch, pile: str, ranking: list[tuple[int, str]]
) -> None:
    assert _toss_of(monkeypatch, 4, pile) == tuple((s, tuple(c.split())) for s, c in ranking)
