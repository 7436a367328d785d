"""Which tournaments somebody of the staff may act on: his own, unless he may run every one.

Every edge of staff work asks here. A permission alone opens nothing: an organiser runs what he made
or was put in charge of, an arbiter writes at the tables he was called to. Nobody who is not staff,
or whose account is closed, may do anything, whatever permissions he holds.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Exists, OuterRef, Q

from tournaments import play
from tournaments.models import StaffRole, Template, Tournament, TournamentStaff

RUN: Final = "tournaments.run_tournament"
RUN_EVERY: Final = "tournaments.run_every_tournament"
ARBITRATE: Final = "tournaments.arbitrate"
MUTE: Final = "tournaments.mute"
SEES_ALL: Final = "staff.view_staffaction"
"""Who may read what all of the staff did, may look at what it was done to."""
SEES_MONEY: Final = "ledger.view_money"
"""Who may look at everybody's money."""


def may_organise(user: Any, tournament: Tournament) -> bool:
    """Whether a user may set up, run and settle this tournament. At most one query of its own."""
    return _holds(user, RUN) and _is_on(user, tournament.pk, StaffRole.ORGANISER)


def may_arbitrate(user: Any, tournament: Tournament) -> bool:
    """Whether a user may override results here: its arbiters and organisers."""
    return _holds(user, ARBITRATE) and _is_on(user, tournament.pk)


def may_mute(user: Any, tournament: Tournament) -> bool:
    """Whether a user may let somebody chat no more at a table of this tournament."""
    return _holds(user, MUTE) and _is_on(user, tournament.pk)


def may_serve_owner(user: Any, owner: str) -> bool:
    """Whether a user has a duty at the tables of an owner such as `tournament:17`.

    Tables ask this of a scorer, whose permission they know themselves (RUMMY_TABLE_STAFF).
    """
    pk = play.tournament_id_of(owner)
    return pk is not None and _is_staff(user) and _is_on(user, pk)


def organised_by(user: Any) -> Q:
    """The filter of tournaments that a user may organise; that of none, where he may none."""
    return _own(user, RUN, StaffRole.ORGANISER)


def arbitrated_by(user: Any) -> Q:
    """The filter of tournaments in which a user may act as arbiter."""
    return _own(user, ARBITRATE)


def served_by(user: Any) -> Q:
    """The filter of tournaments whose control room is open to a user."""
    return organised_by(user) | arbitrated_by(user)


def audited_by(user: Any) -> Q:
    """The filter of tournaments whose payouts a user may look at: his own, or those of all."""
    return Q() if _holds(user, SEES_MONEY) else organised_by(user)


def templates_of(user: Any) -> Q:
    """The filter of templates that a user may start from: his own and the site's, or all."""
    if not _holds(user, RUN):
        return Q(pk__in=())
    return Q() if user.has_perm(RUN_EVERY) else Q(owner=user.pk) | Q(owner=None)


def may_keep_for_all(user: Any) -> bool:
    """Whether a user may keep templates for all organisers, and drop them."""
    return _holds(user, RUN) and bool(user.has_perm(RUN_EVERY))


def may_drop(user: Any, template: Template) -> bool:
    """Whether a user may drop a template: his own, or any where he may keep those of the site."""
    return may_keep_for_all(user) or (_holds(user, RUN) and template.owner_id == user.pk)


def seen_by(user: Any) -> Q:
    """The filter of tournaments whose rows a user may look at in the admin.

    Who runs or arbitrates sees those of his own duties; who only looks, or may read the audit log,
    sees all.
    """
    if user.has_perm(RUN_EVERY) or user.has_perm(SEES_ALL):
        return Q()
    if not (user.has_perm(RUN) or user.has_perm(ARBITRATE)):
        return Q()
    return Q(Exists(TournamentStaff.objects.filter(tournament=OuterRef("pk"), user=user.pk)))


def _own(user: Any, permission: str, *roles: StaffRole) -> Q:
    if not _holds(user, permission):
        return Q(pk__in=())
    if user.has_perm(RUN_EVERY):
        return Q()
    duties = TournamentStaff.objects.filter(tournament=OuterRef("pk"), user=user.pk)
    return Q(Exists(duties.filter(role__in=roles) if roles else duties))


def _is_on(user: Any, tournament_id: int, *roles: StaffRole) -> bool:
    if user.has_perm(RUN_EVERY):
        return True
    duties = TournamentStaff.objects.filter(tournament=tournament_id, user=user.pk)
    return bool((duties.filter(role__in=roles) if roles else duties).exists())


def _is_staff(user: Any) -> bool:
    return bool(user.is_active and user.is_staff)


def _holds(user: Any, permission: str) -> bool:
    return _is_staff(user) and bool(user.has_perm(permission))
