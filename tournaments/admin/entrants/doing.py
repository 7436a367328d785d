"""What the desk does to entries: one service each, with a line for every entry that it touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from staff.services.audit import Doer, Subject, acting, acting_on_many
from tournaments import services
from tournaments.auditing import entry_subject
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, PlayerFacts, Tournament
from wording import moment_text

MOST_AT_ONCE = 500


def remove(doer: Doer, tournament: Tournament, entries: Sequence[Entry], reason: str) -> int:
    """Take players out before the start, all or none; how many."""
    with _on_entries(doer, "tournaments.remove", tournament, entries, reason):
        gone = services.remove_many(
            tournament_id=tournament.pk,
            player_ids=[entry.player_id for entry in entries],
            actor=doer.signature,
            reason=reason,
            now=doer.at,
        )
    return len(gone)


def approve(doer: Doer, tournament: Tournament, entries: Sequence[Entry], reason: str) -> int:
    """Let applicants in, all or none, in the order of applying; how many."""
    with _on_entries(doer, "tournaments.approve", tournament, entries, reason):
        for entry in entries:
            services.approve(
                tournament_id=tournament.pk,
                player_id=entry.player_id,
                actor=doer.signature,
                now=doer.at,
            )
    return len(entries)


def refuse(doer: Doer, tournament: Tournament, entries: Sequence[Entry], reason: str) -> int:
    """Turn applicants away, all or none; how many."""
    with _on_entries(doer, "tournaments.refuse", tournament, entries, reason):
        for entry in entries:
            services.refuse(
                tournament_id=tournament.pk,
                player_id=entry.player_id,
                actor=doer.signature,
                reason=reason,
                now=doer.at,
            )
    return len(entries)


def _on_entries(
    doer: Doer, action: str, tournament: Tournament, entries: Sequence[Entry], reason: str
) -> Any:
    subjects = [entry_subject(entry) for entry in entries]
    return acting_on_many(
        by=doer,
        action=action,
        subjects=subjects,
        reason=reason,
        pictures=lambda: pictures(tournament, [entry.player_id for entry in entries]),
    )


def pictures(tournament: Tournament, player_ids: Iterable[int]) -> dict[str, dict[str, Any]]:
    """How entries stand, by the key of their subject. One query."""
    rows = tournament.entries.filter(player_id__in=list(player_ids)).select_related("player")
    return {
        f"{tournament.public_id}/{entry.player.get_username()}": {
            "state": entry.state,
            "number": entry.number,
            "checked_in": entry.checked_in_at is not None,
        }
        for entry in rows
    }


def add(
    doer: Doer, tournament: Tournament, players: Sequence[User], reason: str, *, force: bool
) -> list[Entry]:
    """Enter players in this order, all or none; the entries of those who were not in it so."""
    subjects = [
        Subject("entry", f"{tournament.public_id}/{name}", name)
        for name in (player.get_username() for player in players)
    ]
    ids = [player.pk for player in players]
    with acting_on_many(
        by=doer,
        action="tournaments.force" if force else "tournaments.add",
        subjects=subjects,
        reason=reason,
        pictures=lambda: pictures(tournament, ids),
    ) as lines:
        entries = services.add_many(
            tournament_id=tournament.pk,
            player_ids=ids,
            actor=doer.signature,
            reason=reason,
            force=force,
            now=doer.at,
        )
    return [entry for entry in entries if not lines[entry_subject(entry).key].is_left_out]


def invite(doer: Doer, tournament: Tournament, players: Sequence[User]) -> int:
    """Put players on the list of who may enter; how many were not on it."""
    return _list_changed(doer, "tournaments.invite", tournament, players, services.invite)


def uninvite(doer: Doer, tournament: Tournament, players: Sequence[User]) -> int:
    """Take players off that list; how many were on it."""
    return _list_changed(doer, "tournaments.uninvite", tournament, players, _uninvite)


def _uninvite(*, tournament_id: int, player_ids: Sequence[int], **_rest: Any) -> int:
    return services.uninvite(tournament_id=tournament_id, player_ids=player_ids)


def _list_changed(
    doer: Doer,
    action: str,
    tournament: Tournament,
    players: Sequence[User],
    service: Callable[..., int],
) -> int:
    names = [player.get_username() for player in players]
    subjects = [Subject("invitation", f"{tournament.public_id}/{name}", name) for name in names]

    def on_list() -> dict[str, dict[str, Any]]:
        rows = tournament.invitations.filter(player__in=players)
        known = set(rows.values_list("player__username", flat=True))
        return {
            subject.key: {"invited": name in known}
            for subject, name in zip(subjects, names, strict=True)
        }

    with acting_on_many(by=doer, action=action, subjects=subjects, pictures=on_list):
        return service(
            tournament_id=tournament.pk,
            player_ids=[player.pk for player in players],
            actor=doer.signature,
            now=doer.at,
        )


def check_in(doer: Doer, tournament: Tournament, entry: Entry) -> Entry:
    """Note that a player is there.

    Raises what the service raises, and `TournamentRefusal(NO_CHECK_IN)` for who is there already.
    """
    if entry.state != EntryState.ENTERED:
        sentence = _("%(name)s has no seat: %(state)s.")
        words = {"name": entry.player.get_username(), "state": entry.get_state_display()}
        raise TournamentRefusal(TournamentCode.NOT_ENTERED, sentence % words, field="player")
    if entry.checked_in_at is not None:
        sentence = _("%(name)s has checked in already, on %(at)s.")
        words = {"name": entry.player.get_username(), "at": moment_text(entry.checked_in_at)}
        raise TournamentRefusal(TournamentCode.NO_CHECK_IN, sentence % words, field="player")
    with acting(
        by=doer,
        action="tournaments.check_in",
        subject=entry_subject(entry),
        picture=lambda: pictures(tournament, [entry.player_id]).get(entry_subject(entry).key, {}),
    ):
        return services.check_in(
            tournament_id=tournament.pk,
            player_id=entry.player_id,
            actor=doer.signature,
            now=doer.at,
        )


def confirm_birth(doer: Doer, player: User, born_on: date) -> PlayerFacts:
    """Write down a date of birth that was proved; the line says that, not the date."""
    name = player.get_username()
    with acting(
        by=doer,
        action="tournaments.confirm_birth",
        subject=Subject("player", name, name),
        picture=lambda: {"confirmed": PlayerFacts.objects.filter(player=player).exists()},
    ):
        return services.confirm_birth(
            player_id=player.pk, born_on=born_on, actor=doer.signature, now=doer.at
        )
