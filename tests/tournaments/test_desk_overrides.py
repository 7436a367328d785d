"""Rulings about tables: told before they are confirmed, carried out whole, refused too late."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tables import services as tables
from tables.models import Match, MatchStatus
from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    run_out,
    secret_for,
    started,
    terms,
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
from tournaments.services import desk, overrides, replays
from tournaments.structure.errors import StructureError
from tournaments.structure.overrides import Consequences, SeatRuling

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(seconds=5)


def _rulings(*places: int, scores: tuple[int, ...] = ()) -> list[SeatRuling]:
    scores = scores or tuple(80 * (place - 1) for place in places)
    return [SeatRuling(seat, place, scores[seat]) for seat, place in enumerate(places)]


def _preview(table: RoundTable, *places: int) -> Consequences:
    return overrides.preview_override(
        tournament_id=table.round.tournament_id,
        table_id=table.pk,
        rulings=_rulings(*places),
        actor="arbiter",
        now=LATER,
    )


def _override(table: RoundTable, *places: int, **changes: Any) -> Decision:
    wanted: dict[str, Any] = {"confirmed": None, "reason": "the video shows it"} | changes
    if wanted["confirmed"] is None:
        wanted["confirmed"] = _preview(table, *places).token
    return overrides.override(
        tournament_id=table.round.tournament_id,
        table_id=table.pk,
        rulings=_rulings(*places),
        actor="arbiter",
        now=LATER,
        **wanted,
    )


def _redo(table: RoundTable, **changes: Any) -> Decision:
    where = {"tournament_id": table.round.tournament_id, "table_id": table.pk}
    found = replays.preview_redo(actor="arbiter", now=LATER, **where)
    return replays.redo(
        confirmed=found.token,
        force=changes.get("force", False),
        actor="arbiter",
        reason="wrong cards",
        now=LATER,
        **where,
    )


def _code(act: Any) -> TournamentCode:
    with pytest.raises(TournamentRefusal) as refusal:
        act()
    return refusal.value.code


def _names(table: RoundTable) -> list[str]:
    return list(table.placings.order_by("seat").values_list("entry__player__username", flat=True))


def _playing(tournament: Tournament) -> set[str]:
    inside = tournament.entries.filter(state=EntryState.PLAYING)
    return set(inside.values_list("player__username", flat=True))


def _everything(tournament: Tournament) -> list[Any]:
    return [
        list(Placing.objects.order_by("pk").values()),
        list(RoundTable.objects.order_by("pk").values()),
        list(tournament.rounds.values()),
        list(Entry.objects.order_by("pk").values()),
        list(Match.objects.order_by("pk").values()),
        money.totals_of(tournament),
        money.trial_balance(),
        Decision.objects.count(),
    ]


def _two_tables() -> tuple[Tournament, RoundTable, RoundTable]:
    tournament = started(Shape.KNOCKOUT, 7)
    one, two = next_round(tournament).tables.select_related("round").all()
    return tournament, one, two


def test_another_winner_goes_on_and_the_first_one_is_out() -> None:
    tournament, one, _ = _two_tables()
    finish(one)
    first, second, *_ = _names(one)
    said = _preview(one, 2, 1, 3, 4).sentences
    assert f"{second} goes on instead of {first}." in said
    decision = _override(one, 2, 1, 3, 4)
    assert second in _playing(tournament)
    assert first not in _playing(tournament)
    assert list(decision.after["told"]) == list(said)
    assert decision.before["table"][0]["placings"][0]["place"] == 1
    assert decision.after["table"][0]["placings"][0]["place"] == 2


def test_a_preview_changes_nothing_at_all() -> None:
    tournament, one, two = _two_tables()
    finish(one)
    finish(two)
    next_round(tournament)
    before = _everything(tournament)
    assert _preview(one, 2, 1, 3, 4).needs_force
    assert _everything(tournament) == before


def test_a_table_that_is_being_played_ends_with_the_ruling_and_its_deal_is_void() -> None:
    tournament, one, _ = _two_tables()
    deal = tables.deal_next(match_id=one.match_id, secret_for=secret_for, now=NOW).deal
    _override(one, 1, 2, 3, 4)
    deal.refresh_from_db()
    assert (deal.over_at, deal.result) == (LATER, "")
    assert Match.objects.get(pk=one.match_id).status == MatchStatus.VOID
    assert RoundTable.objects.get(pk=one.pk).is_over
    assert _names(one)[0] in _playing(tournament)


def test_a_ruling_about_equal_places_leads_to_a_tie_break() -> None:
    tournament, one, _ = _two_tables()
    finish(one)
    first, second, *_ = _names(one)
    said = _preview(one, 1, 1, 3, 4).sentences
    assert any(text.endswith("a tie-break follows.") for text in said)
    _override(one, 1, 1, 3, 4)
    next_round(tournament)
    extra = RoundTable.objects.get(round__tournament=tournament, kind="tie_break")
    assert set(_names(extra)) == {first, second}


def test_later_rounds_that_have_started_are_named_and_need_force() -> None:
    tournament, one, two = _two_tables()
    finish(one)
    finish(two)
    final = next_round(tournament).tables.get()
    assert _code(lambda: _override(one, 2, 1, 3, 4)) is TournamentCode.LATER_TABLES
    found = _preview(one, 2, 1, 3, 4)
    assert [lost.name for lost in found.discards] == ["round 2, table 1"]
    assert set(found.discards[0].players) == set(_names(final))


def test_by_force_later_rounds_are_discarded_and_drawn_anew_with_the_right_players() -> None:
    tournament, one, two = _two_tables()
    finish(one)
    finish(two)
    old = next_round(tournament).tables.get()
    tables.deal_next(match_id=old.match_id, secret_for=secret_for, now=NOW)
    decision = _override(one, 2, 1, 3, 4, force=True)
    assert Match.objects.get(pk=old.match_id).status == MatchStatus.VOID
    assert not RoundTable.objects.filter(pk=old.pk).exists()
    assert not Call.objects.filter(table_id=old.pk).exists()
    assert decision.before["discarded"][0]["match"] == old.match_id
    opened = next_round(tournament)
    assert opened.number == 2
    assert set(_names(opened.tables.get())) == {_names(one)[1], _names(two)[0]}
    assert all(check.is_good for check in check_draws(tournament, list(tournament.rounds.all())))
    finish(opened.tables.get(), 160, 160)
    assert money.faults(now=LATER) == ()


def test_chips_are_as_many_as_belong_in_play_after_a_forced_ruling() -> None:
    tournament, one, two = _two_tables()
    finish(one)
    finish(two)
    next_round(tournament)
    _override(one, 2, 1, 3, 4, force=True)

    def in_play() -> int:
        issuer = money.chips_issuer(tournament)
        return -money.balances([issuer])[issuer].posted

    assert in_play() == 0
    table = next_round(tournament).tables.get()
    assert in_play() == 2 * 160
    finish(table)
    assert in_play() == 0


def test_in_a_bracket_only_the_way_of_these_two_players_is_discarded() -> None:
    tournament = started(Shape.HEADS_UP, 8, terms=terms("heads_up"))
    for table in next_round(tournament).tables.all():
        finish(table)
    one, two = next_round(tournament).tables.order_by("number")
    finish(one)
    finish(two)
    final = next_round(tournament).tables.get()
    first = RoundTable.objects.get(round__number=1, round__tournament=tournament, number=1)
    found = _preview(first, 2, 1)
    assert {lost.name for lost in found.discards} == {"round 2, table 1", "round 3, table 1"}
    _override(first, 2, 1, force=True)
    assert RoundTable.objects.filter(pk=two.pk, is_over=True).exists()
    assert not RoundTable.objects.filter(pk__in=[one.pk, final.pk]).exists()
    run_out_from(tournament)
    assert {t.round.number for t in RoundTable.objects.filter(round__tournament=tournament)} == {
        1,
        2,
        3,
    }
    again = RoundTable.objects.get(round__number=2, round__tournament=tournament, number=1)
    assert _names(first)[1] in _names(again)


def run_out_from(tournament: Tournament) -> None:
    """Play whatever is open and what follows."""
    next_round(tournament)
    while tables_ := open_tables(tournament):
        for table in tables_:
            finish(table)
        next_round(tournament)


def test_a_table_played_again_has_a_new_match_with_the_same_people_and_whole_stacks() -> None:
    tournament, one, two = _two_tables()
    finish(one)
    before = one.match_id
    _redo(one)
    one.refresh_from_db()
    assert one.match_id != before
    assert not one.is_over
    match = Match.objects.get(pk=one.match_id)
    assert (match.status, match.number) == (MatchStatus.DEALING, 2)
    assert Match.objects.get(pk=before).status == MatchStatus.VOID
    assert set(_names(one)) <= _playing(tournament)
    stacks = money.stacks_of(
        tournament=tournament, entry_ids=list(one.placings.values_list("entry", flat=True))
    )
    assert set(stacks.values()) == {160}
    deal = tables.deal_next(match_id=one.match_id, secret_for=secret_for, now=LATER).deal
    assert deal.label.endswith("/match-2/deal-1")
    finish(one)
    finish(two)
    assert tournament.rounds.get().closed_at is not None
    assert money.faults(now=LATER) == ()


def test_a_table_played_again_in_the_middle_calls_its_deal_off() -> None:
    _, one, _ = _two_tables()
    deal = tables.deal_next(match_id=one.match_id, secret_for=secret_for, now=NOW).deal
    _redo(one)
    deal.refresh_from_db()
    assert (deal.over_at, deal.result) == (LATER, "")


def test_who_has_left_the_tournament_forfeits_when_his_table_is_played_again() -> None:
    _, one, _ = _two_tables()
    gone = one.placings.get(seat=0).entry
    desk.disqualify(
        tournament_id=gone.tournament_id,
        player_id=gone.player_id,
        actor="arbiter",
        reason="x",
        now=LATER,
    )
    _redo(one)
    one.refresh_from_db()
    gone.refresh_from_db()
    assert gone.state == EntryState.OUT
    assert Match.objects.get(pk=one.match_id).seats.get(number=0).left


def test_a_ruling_about_a_final_tells_whose_prize_changes() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("points"))
    table = next_round(tournament).tables.get()
    finish(table)
    first, second, _ = _names(table)
    said = _preview(table, 2, 1, 3).sentences
    prizes = [text for text in said if "would get" in text]
    assert {text.split(" would get ")[0] for text in prizes} == {first, second}
    shares = {text.split(" would get ")[1].rstrip(".") for text in prizes}
    [one, two] = [share.split(" instead of ") for share in shares]
    assert one == two[::-1]


def test_after_the_prizes_are_settled_no_ruling_changes_a_result() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("points"))
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=LATER)
    table = RoundTable.objects.get(round__tournament=tournament)
    with pytest.raises(TournamentRefusal) as refusal:
        _preview(table, 2, 1, 3)
    assert refusal.value.code is TournamentCode.PRIZES_SETTLED
    assert "so its results stand" in refusal.value.sentence


def test_a_ruling_is_refused_when_something_changed_since_the_preview() -> None:
    tournament, one, two = _two_tables()
    finish(one)
    token = _preview(one, 2, 1, 3, 4).token
    finish(two)
    next_round(tournament)
    before = _everything(tournament)
    late = lambda: _override(one, 2, 1, 3, 4, confirmed=token, force=True)  # noqa: E731
    assert _code(late) is TournamentCode.CHANGED_MEANWHILE
    assert _everything(tournament) == before


def test_a_token_of_another_ruling_confirms_nothing() -> None:
    _, one, _ = _two_tables()
    finish(one)
    token = _preview(one, 2, 1, 3, 4).token
    other = lambda: _override(one, 3, 1, 2, 4, confirmed=token)  # noqa: E731
    assert _code(other) is TournamentCode.CHANGED_MEANWHILE


def test_a_ruling_needs_a_reason_a_table_and_a_result_for_each_seat() -> None:
    tournament, one, _ = _two_tables()
    finish(one)
    assert _code(lambda: _override(one, 2, 1, 3, 4, reason=" ")) is TournamentCode.BAD_REASON
    with pytest.raises(StructureError):
        _preview(one, 1, 2, 3)
    other = next_round(started(Shape.KNOCKOUT, 7)).tables.first()
    stranger = lambda: overrides.preview_override(  # noqa: E731
        tournament_id=tournament.pk,
        table_id=other.pk,
        rulings=_rulings(1, 2, 3, 4),
        actor="arbiter",
        now=LATER,
    )
    assert _code(stranger) is TournamentCode.UNKNOWN_TABLE


def test_a_table_with_a_rejoin_is_not_played_again() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("pool101"))
    table = next_round(tournament).tables.get()
    table.placings.first().entry.__class__.objects.filter(placings__table=table).update(rejoins=1)
    assert _code(lambda: _redo(table)) is TournamentCode.BAD_RULING


def test_a_tournament_goes_on_to_its_prizes_after_a_ruling() -> None:
    tournament, one, two = _two_tables()
    finish(one)
    _override(one, 2, 1, 3, 4)
    finish(two)
    run_out_from(tournament)
    services.complete(tournament_id=tournament.pk, now=LATER)
    assert set(tournament.entries.values_list("state", flat=True)) == {EntryState.RANKED}
    totals = money.totals_of(tournament)
    assert totals.paid + totals.fee + totals.refunded == totals.received + totals.overlay
    assert money.faults(now=LATER) == ()
