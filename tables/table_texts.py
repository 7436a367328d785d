"""Every sentence that the scripts of the table page say, in the reader's language.

The scripts name a text and fill its places (`{name}`); which of a pair `_one` and `_other` is said
depends on the number `{n}`. A text with `_me` is said to the player whom it is about.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Final

from babel import Locale
from django.utils.functional import Promise
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

_Texts = dict[str, str | Promise]

_CARDS: Final[_Texts] = {
    "card": _("{rank} of {suit}"),
    "as_joker": _("{card}, joker"),
    "printed_joker": _("printed joker"),
    "joker": _("joker"),
    "suit_S": _("spades"),
    "suit_H": _("hearts"),
    "suit_D": _("diamonds"),
    "suit_C": _("clubs"),
    "rank_A": _("ace"),
    "rank_J": _("jack"),
    "rank_Q": _("queen"),
    "rank_K": _("king"),
    "rank_T": "10",
    **{f"rank_{number}": str(number) for number in range(2, 10)},
}

_HAND: Final[_Texts] = {
    "kind_pure_sequence": _("✓ Pure sequence"),
    "kind_impure_sequence": _("✓ Sequence"),
    "kind_set": _("✓ Set"),
    "points_one": _("{n} point"),
    "points_other": _("{n} points"),
    "not_valid": _("Not valid yet · {points}"),
    "loose": _("Loose · {points}"),
    "loose_empty": _("Loose cards"),
    "group_number": _("group {number}"),
    "group_spoken": _("Group {number}: {label}"),
    "moved_to": _("{card}: {row}, place {place}"),
    "complete": _("This is a complete hand."),
    "incomplete": _("This is not a complete hand."),
    "would_count_one": _("It would count {n} point."),
    "would_count_other": _("It would count {n} points."),
    "just_taken": _("You took {card} from the open deck just now. Discard another card."),
    "choose_one": _("Choose one card first."),
    "no_hand": _("You hold no cards now."),
    "looking_on": _("You look on. The hands are shown when the deal is over."),
    "hinted": _("Your cards lie in their best groups now."),
}

_SEATS: Final[_Texts] = {
    "seat": _("Seat {seat}"),
    "you": _("you"),
    "your_turn": _("Your turn"),
    "score": _("Total {score}"),
    "to_move": _("▶ to move"),
    "declares": _("▶ declares"),
    "away": _("⚠ away"),
    "away_acts": _("▶ to move, ⚠ away"),
    "bot": _("bot"),
    "dealer": _("Deals this hand"),
    "dealer_short": _("D"),
    "auto_drop_on": _("auto drop"),
    "is_out": _("out"),
    "out_with": _("{how} · {points}"),
    "outcome_first_drop": _("dropped"),
    "outcome_middle_drop": _("middle drop"),
    "outcome_wrong_declaration": _("wrong declaration"),
    "outcome_full_count": _("full count"),
    "outcome_left": _("left"),
    "outcome_lost": _("lost"),
    "outcome_won": _("won"),
    "extra": _("extra"),
    "closed_spoken": _("Closed deck, {count} cards: draw (C)"),
    "open_spoken": _("Open deck, {card} on top: take (O)"),
    "open_none": _("Open deck, empty"),
    "wild_rank": _("Every {rank} is a joker"),
    "wild_aces": _("Every ace is a joker"),
    "time_of": _("{name}: {seconds} seconds."),
    "in_seconds": _("in {seconds} s"),
}

_AWAITED: Final[_Texts] = {
    "ask_paused": _("Play is paused; all clocks stand still."),
    "ask_match_over": _("The match is over."),
    "ask_void": _("The match was called off."),
    "ask_draw_me": _("Your turn: draw a card"),
    "ask_draw": _("{name} is to draw"),
    "ask_discard_me": _("Discard a card, or finish"),
    "ask_discard": _("{name} is to discard"),
    "ask_declare_finish": _("You have finished: arrange, then declare"),
    "ask_finisher": _("{name} has finished and declares"),
    "ask_declare": _("Declare your groups"),
    "ask_others_declare": _("Waiting for the others to declare"),
    "ask_dealing": _("The cards are dealt"),
    "ask_rejoin": _("Waiting for answers: who buys in again?"),
    "ask_rebuy": _("Waiting for answers: who buys chips?"),
    "ask_split": _("Waiting for answers: is the prize split?"),
    "ask_next_deal": _("The next deal begins"),
    "ask_first_deal": _("The first deal begins"),
    "ask_looking_on": _("A deal is being played"),
}

_EVENTS: Final[_Texts] = {
    "ev_toss": _("{name} deals by the toss."),
    "ev_dealt": _("The cards are dealt. The wild card is {wild}."),
    "ev_reshuffled": _("The open deck was shuffled into a new closed deck."),
    "ev_drew": _("{name} drew from the closed deck."),
    "ev_drew_me": _("You drew {card}."),
    "ev_took": _("{name} took {card} from the open deck."),
    "ev_took_me": _("You took {card} from the open deck."),
    "ev_discarded": _("{name} discarded {card}."),
    "ev_discarded_me": _("You discarded {card}."),
    "ev_forced": _("The clock discarded {card} for {name}."),
    "ev_forced_me": _("The clock discarded {card} for you."),
    "ev_missed": _("{name} missed the turn."),
    "ev_missed_me": _("You missed your turn."),
    "ev_out_first_drop": _("{name} dropped: {points} points."),
    "ev_out_first_drop_me": _("You dropped: {points} points."),
    "ev_out_middle_drop": _("{name} is out by a middle drop: {points} points."),
    "ev_out_middle_drop_me": _("You are out by a middle drop: {points} points."),
    "ev_out_wrong_declaration": _("{name} made a wrong declaration: {points} points."),
    "ev_out_wrong_declaration_me": _("Your declaration was wrong: {points} points."),
    "ev_out_full_count": _("{name} is out with a full count: {points} points."),
    "ev_out_full_count_me": _("You are out with a full count: {points} points."),
    "ev_out_left": _("{name} left the table: {points} points."),
    "ev_out_left_me": _("You left the table: {points} points."),
    "ev_finished": _("{name} finished with {card}."),
    "ev_finished_me": _("You finished with {card}. Arrange and declare."),
    "ev_declared": _("{name} has declared."),
    "ev_declared_me": _("You have declared."),
    "ev_limit_moves": _("The limit of moves is reached: everybody declares."),
    "ev_limit_time": _("The time of the deal is up: everybody declares."),
    "ev_limit_no_cards": _("No cards are left: everybody declares."),
    "ev_offline": _("{name} is away."),
    "ev_back": _("{name} is back."),
    "ev_back_me": _("You are back."),
    "ev_ended": _("{name} won the deal."),
    "ev_ended_me": _("You won the deal!"),
    "ev_voided": _("The deal was called off; it counts for nothing."),
    "said": _("{name} says: {text}"),
}

_ASKED: Final[_Texts] = {
    "finish_title": _("Finish the deal?"),
    "finish_with": _("You finish with"),
    "finish": _("Finish"),
    "not_yet": _("Not yet"),
    "wrong_costs_one": _("A wrong declaration costs {n} point."),
    "wrong_costs_other": _("A wrong declaration costs {n} points."),
    "wrong_costs_hand": _("A wrong declaration counts all your cards."),
    "declare_title": _("Declare these groups?"),
    "declare": _("Declare"),
    "arrange_more": _("Arrange more"),
    "drop_title": _("Drop out of this deal?"),
    "drop_costs_one": _("It costs you {n} point."),
    "drop_costs_other": _("It costs you {n} points."),
    "drop": _("Drop"),
    "play_on": _("Play on"),
    "leave_title": _("Leave the table for good?"),
    "leave_costs": _("You cannot come back to this match, and lose the deals that remain."),
    "leave": _("Leave"),
    "stay": _("Stay"),
    "rejoin_title": _("Buy in again?"),
    "rejoin_out_one": _("You are out with {n} point."),
    "rejoin_out_other": _("You are out with {n} points."),
    "rejoin_back_one": _("You would come back with {n} point."),
    "rejoin_back_other": _("You would come back with {n} points."),
    "rejoin_fee": _("The entry fee is due once more."),
    "rejoin_costs": _("It costs {amount} once more."),
    "rejoin_yes": _("Buy in again"),
    "rejoin_no": _("Stay out"),
    "rebuy_title": _("Buy more chips?"),
    "rebuy_chips_one": _("You would get {n} chip."),
    "rebuy_chips_other": _("You would get {n} chips."),
    "rebuy_yes": _("Buy chips"),
    "rebuy_no": _("No more chips"),
    "split_title": _("Split the prize?"),
    "split_by": _("{name} offers to share the prize pool like this:"),
    "split_all": _("It is shared only if everybody accepts; otherwise play goes on."),
    "split_open": _("The last players may share the prize: offer it for the end of a deal."),
    "split_offer": _("Offer to split the prize"),
    "split_later": _("Offer a split after this deal"),
    "split_comes": _("✓ A split is offered after this deal"),
    "split_yes": _("Accept"),
    "split_no": _("Play on"),
    "share": _("{percent} % ({weight} of {whole})"),
    "seconds_left_one": _("{n} second to answer"),
    "seconds_left_other": _("{n} seconds to answer"),
    "result_title": _("The result of this deal"),
    "result_missing": _("The result cannot be shown now; the scores tell it."),
    "loading": _("One moment…"),
    "go_on": _("Go on"),
    "close": _("Close"),
}

_HELP: Final[_Texts] = {
    "help_title": _("How to play here"),
    "help_pointer": _(
        "Touch a card to choose it, drag it to another group, or onto the open deck to discard it. "
        "Touch the closed or the open deck to draw. With keys:"
    ),
    "key_look": _("go from card to card"),
    "key_groups": _("go from group to group"),
    "key_choose": _("choose or let go of a card"),
    "key_move": _("move the card"),
    "key_closed": _("draw from the closed deck"),
    "key_open": _("take from the open deck"),
    "key_discard": _("discard the card"),
    "key_finish": _("finish with the card"),
    "key_declare": _("declare"),
    "key_group": _("group the chosen cards"),
    "key_ungroup": _("take the group apart"),
    "key_sort": _("sort by suit"),
    "key_time": _("hear whose turn it is and the time left"),
    "key_hint": _("best groups, where the table allows it"),
    "key_escape": _("let go of all cards"),
    "key_help": _("this page"),
    "set_four": _("Four colours: diamonds blue, clubs green"),
    "set_sounds": _("Sounds: my turn, a question to me, a result"),
    "set_letters": _("Letters act as keys"),
}

_BESIDE: Final[_Texts] = {
    "place": _("Place"),
    "player": _("Player"),
    "score_head": _("Total"),
    "standings": _("Standings"),
    "last_deals": _("Points of the last deals"),
    "no_deals": _("No deal is finished yet."),
    "no_discards": _("Nobody has discarded yet."),
    "no_talk": _("Nobody has said anything yet. Say hello!"),
    "drops_head": _("Drops left"),
    "lost": _("The connection is lost. Trying again… Your cards and your place are kept."),
    "gone": _("This table is not there any more. Load the page again."),
    "logged_out": _("You were logged out. Log in again to play on."),
    "connected": _("Connected"),
    "not_connected": _("No connection"),
    "connected_again": _("Connected again."),
}

TEXTS: Final[_Texts] = {
    **_CARDS,
    **_HAND,
    **_SEATS,
    **_AWAITED,
    **_EVENTS,
    **_ASKED,
    **_HELP,
    **_BESIDE,
}


def table_texts() -> dict[str, str]:
    """All of them in the language of this request."""
    return {name: str(text) for name, text in TEXTS.items()}


@cache
def texts_as_json(language: str) -> str:
    """All of them in a language, as the page carries them; made once for each language."""
    with override(language):
        return json.dumps(table_texts(), ensure_ascii=False)


def counted_text(name: str, n: int) -> str:
    """A text that depends on a number, as the scripts choose it: by the language's own rule."""
    rule = Locale.parse(get_language() or "en", sep="-").plural_form
    return str(TEXTS[f"{name}_one" if rule(n) == "one" else f"{name}_other"]).format(n=n)
