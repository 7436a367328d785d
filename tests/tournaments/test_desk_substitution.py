"""A substitute takes a seat before the first deal: its place, its fee, and none of its secrets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from tables import services as tables
from tables.errors import TableCode, TableRefusal
from tables.models import Connection, Seat
from tables.services import connections
from tables.snapshots import has_seat, viewer_of
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    finish,
    join,
    next_round,
    players,
    run_out,
    secret_for,
    started,
    terms,
    wallet,
)
from tournaments import money, services
from tournaments.draws import check_draws
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import (
    Call,
    Decision,
    Entry,
    EntryState,
    Placing,
    RoundTable,
    Shape,
    Tournament,
)
from tournaments.services.substitution import substitute
from tournaments.structure.conditions import Conditions, EntryRules

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(seconds=5)


def _substitute(entry: Entry, by: User) -> Entry:
    return substitute(
        tournament_id=entry.tournament_id,
        player_id=entry.player_id,
        substitute_id=by.pk,
        actor="arbiter",
        reason="ill",
        now=LATER,
    )


def _first(tournament: Tournament) -> Entry:
    return tournament.entries.select_related("player").get(number=1)


def _refused(entry: Entry, by: User) -> TournamentRefusal:
    with pytest.raises(TournamentRefusal) as refusal:
        _substitute(entry, by)
    entry.refresh_from_db()
    assert entry.state != EntryState.WITHDRAWN
    return refusal.value


def test_before_the_start_the_fee_set_aside_goes_back_and_the_substitutes_is_set_aside() -> None:
    tournament = a_tournament()
    join(tournament, *players(3))
    before = _first(tournament)
    [newcomer] = players(1)
    after = _substitute(before, newcomer)
    before.refresh_from_db()
    assert (after.number, after.state) == (1, EntryState.ENTERED)
    assert (before.state, before.number) == (EntryState.WITHDRAWN, 4)
    assert (wallet(before.player).available, wallet(newcomer).available) == (FEE, 0)
    assert wallet(newcomer).posted == FEE
    assert money.faults(now=LATER) == ()


def test_at_an_open_table_he_gets_seat_call_and_chips_and_pays_the_fee_once() -> None:
    tournament = started(Shape.KNOCKOUT, 7, house_fee=50)
    next_round(tournament)
    before = _first(tournament)
    placing = Placing.objects.get(entry=before)
    [newcomer] = players(1)
    after = _substitute(before, newcomer)
    placing.refresh_from_db()
    assert placing.entry == after
    assert Call.objects.filter(entry=after, table=placing.table).exists()
    seat = Seat.objects.get(match_id=placing.table.match_id, number=placing.seat)
    assert seat.player == newcomer
    stacks = money.stacks_of(tournament=tournament, entry_ids=[before.pk, after.pk])
    assert stacks[before.pk] == 0 < stacks[after.pk]
    assert (wallet(before.player).available, wallet(newcomer).available) == (FEE, 0)
    totals = money.totals_of(tournament)
    assert (totals.received, totals.refunded) == (8 * FEE, FEE)


def test_the_tournament_ends_with_the_substitute_ranked_and_the_books_sound() -> None:
    tournament = started(Shape.KNOCKOUT, 7, house_fee=50)
    next_round(tournament)
    before = _first(tournament)
    after = _substitute(before, players(1)[0])
    for table in RoundTable.objects.filter(round__tournament=tournament):
        finish(table)
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=LATER)
    before.refresh_from_db()
    after.refresh_from_db()
    assert (before.state, after.state) == (EntryState.WITHDRAWN, EntryState.RANKED)
    totals = money.totals_of(tournament)
    assert totals.paid + totals.fee + totals.refunded == totals.received
    assert totals.fee == 7 * 50
    assert money.faults(now=LATER) == ()


@pytest.mark.parametrize("shape", [Shape.KNOCKOUT, Shape.HEADS_UP])
def test_the_draw_still_is_the_one_that_was_committed_to(shape: Shape) -> None:
    format_name = "heads_up" if shape is Shape.HEADS_UP else "points"
    tournament = started(shape, 7, terms=terms(format_name))
    opened = next_round(tournament)
    _substitute(_first(tournament), players(1)[0])
    [check] = check_draws(tournament, [opened])
    assert check.is_good


def test_a_bye_before_the_first_deal_can_still_be_handed_over() -> None:
    tournament = started(Shape.HEADS_UP, 3, terms=terms("heads_up"))
    next_round(tournament)
    has_bye = tournament.entries.get(placings__isnull=True)
    after = _substitute(has_bye, players(1)[0])
    has_bye.refresh_from_db()
    assert (after.seed, has_bye.seed) == (1, None)
    finish(RoundTable.objects.get(round__tournament=tournament))
    run_out(tournament)
    assert after.placings.exists()


def test_after_his_first_deal_a_player_stays() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    entry = _first(tournament)
    table = RoundTable.objects.get(placings__entry=entry)
    tables.deal_next(match_id=table.match_id, secret_for=secret_for, now=NOW)
    with pytest.raises(TableRefusal) as refusal:
        _substitute(entry, players(1)[0])
    assert refusal.value.code is TableCode.DEALS_PLAYED
    assert Placing.objects.filter(table=table, entry=entry).exists()


def test_who_has_played_a_round_stays_even_if_his_next_table_has_not_dealt() -> None:
    tournament = started(Shape.KNOCKOUT, 12, terms=terms("points"))
    for table in next_round(tournament).tables.all():
        finish(table)
    next_round(tournament)
    entry = tournament.entries.filter(state=EntryState.PLAYING).first()
    assert entry is not None
    assert _refused(entry, players(1)[0]).code is TournamentCode.NOT_SUBSTITUTABLE


def test_a_substitute_is_nobody_who_is_in_or_was_put_out() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    one, two = tournament.entries.select_related("player").order_by("number")[:2]
    assert _refused(one, two.player).code is TournamentCode.NOT_SUBSTITUTABLE
    two.state, two.left = EntryState.OUT, "disqualified"
    two.save()
    assert _refused(one, two.player).code is TournamentCode.NOT_SUBSTITUTABLE
    assert _refused(one, one.player).field == "substitute"


def test_a_substitute_who_does_not_meet_the_conditions_is_refused() -> None:
    rules = EntryRules(conditions=Conditions(groups=("juniors",)))
    tournament = a_tournament(terms=terms(entering=EntryRules()))
    join(tournament, *players(3))
    Tournament.objects.filter(pk=tournament.pk).update(
        terms=tournament.terms.replace('"groups":[]', f'"groups":["{rules.conditions.groups[0]}"]')
    )
    assert _refused(_first(tournament), players(1)[0]).code is TournamentCode.NOT_ELIGIBLE


@pytest.mark.parametrize("is_running", [False, True])
def test_a_substitute_who_cannot_pay_is_told_what_is_missing_and_nothing_changes(
    is_running: bool,
) -> None:
    tournament = started(Shape.KNOCKOUT, 7) if is_running else a_tournament()
    if is_running:
        next_round(tournament)
    else:
        join(tournament, *players(3))
    before = _first(tournament)
    with pytest.raises(money.InsufficientFunds) as short:
        _substitute(before, players(1, points=100)[0])
    assert short.value.missing == FEE - 100
    before.refresh_from_db()
    assert (before.number, before.state in (EntryState.ENTERED, EntryState.PLAYING)) == (1, True)
    assert not Decision.objects.exists()


def test_the_old_players_sockets_have_no_seat_any_more_and_cut_nobody_off() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    before = _first(tournament)
    placing = Placing.objects.get(entry=before)
    seat = Seat.objects.get(match_id=placing.table.match_id, number=placing.seat)
    connections.socket_opened(seat_id=seat.pk, channel="old", now=NOW)
    [newcomer] = players(1)
    _substitute(before, newcomer)
    assert not has_seat(seat.pk, before.player_id)
    assert has_seat(seat.pk, newcomer.pk)
    public_id = seat.match.table.public_id
    assert viewer_of(table=public_id, user_id=before.player_id).seat is None
    assert viewer_of(table=public_id, user_id=newcomer.pk).seat == placing.seat
    assert not Connection.objects.filter(seat=seat).exists()
    connections.socket_opened(seat_id=seat.pk, channel="new", now=LATER)
    connections.sockets_closed(channels=["old"], now=LATER)
    seat.refresh_from_db()
    assert seat.online


def test_the_decision_names_both_players_and_the_seat() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    before = _first(tournament)
    [newcomer] = players(1)
    after = _substitute(before, newcomer)
    decision = Decision.objects.get()
    assert (decision.kind, decision.entry, decision.reason) == ("substituted", after, "ill")
    assert decision.before == {"player": before.player_id, "number": 1}
    table = RoundTable.objects.get(placings__entry=after)
    assert decision.after == {"player": newcomer.pk, "number": 1, "tables": [table.number]}


def test_who_was_replaced_may_be_the_substitute_of_somebody_else() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    table = RoundTable.objects.filter(round__tournament=tournament).first()
    seated = Entry.objects.filter(placings__table=table).select_related("player")
    one, two = seated.order_by("number")[:2]
    _substitute(one, players(1)[0])
    back = _substitute(two, one.player)
    assert (back.pk, back.number, back.state) == (one.pk, two.number, EntryState.PLAYING)
    assert money.faults(now=LATER) == ()
