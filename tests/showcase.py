"""A site with something of everything, its people by role, and the addresses of all its pages.

Shared by what goes through every page: permissions, accessibility, screenshots. `address_of` fills
in the parts of an address from `VALUES`, so that a new page needs a line only if its address has a
part of a new kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import Group, User
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from ledger.models import Account, Entry
from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT
from tables import services as tables
from tables.models import Deal
from tables.rules.bots import Chance, Strength
from tests.tables.helpers import ticking
from tests.tournaments.helpers import (
    a_tournament,
    close_and_start,
    join,
    next_round,
    open_tables,
    players,
    run_out,
    secret_for,
    started,
    terms,
)
from tournaments import services
from tournaments.models import Shape, StaffRole, Tournament, TournamentStaff
from tournaments.services import pausing
from tournaments.services.quick import QuickFormat, Wish

VISITOR: Final = "visitor"
ROLES: Final = (VISITOR, "player", "other", "organiser", "operator", "superuser")
"""`player` sits at the table that is being played, `other` at none, the organiser runs them all."""
MORE_STAFF: Final = {"arbiter": ARBITERS, "support": SUPPORT}
"""Roles of staff that see no page but what `other` sees, and few more: arbiters of all, support."""


_OF_ACCOUNTS: Final = (
    *(f"ledger-account-{part}" for part in ("detail", "statement", "transfers")),
    *(f"books:{part}" for part in ("account", "adjust", "freeze")),
)
"""Addresses with the number of an account."""

STRANGERS_PAGES: Final = {
    "login": "login",
    "sign-up": "account_signup",
    "sign-up-sent": "account_email_verification_sent",
    "confirm-email": "account_confirm_email",
    "password-reset": "account_reset_password",
    "password-reset-sent": "account_reset_password_done",
    "password-reset-link": "account_reset_password_from_key",
    "password-reset-done": "account_reset_password_from_key_done",
    "inactive": "account_inactive",
}
"""Pages of who has not logged in: a name for a picture, and the name of the address."""


@dataclass(frozen=True)
class Showcase:
    """What a tour of the site goes to."""

    people: dict[str, User]
    tournaments: dict[str, Tournament]
    """By what is the matter with it: `played`, `running`, `open`, `full`, `paused`."""
    table: str
    live_deal: str
    played_deal: str
    waiting: str
    """A quick table at which the player waits for others."""

    @property
    def values(self) -> dict[str, Any]:
        """What stands for each part of an address, if nothing else is said (see `address_of`)."""
        return {"number": 1, "form": "json", "username": self.people["player"].username}

    def address_of(self, name: str, *parts: str) -> str:
        """The address of a page by its URL name; `parts` are those its pattern asks for."""
        values: dict[str, Any] = self.values | {
            "public_id": self._public_id(name),
            "wanted": "join",
            "owner": f"tournament:{self.tournaments['running'].pk}",
            "token": "no-such-token",
            "notice_id": 0,
            "key_id": 0,
            "key": "no-such-key",
            "uidb36": "0",
            "figure": "pool",
            "code": "PLAY",
            "pk": Account.objects.earliest("pk").pk if name in _OF_ACCOUNTS else 0,
        }
        return reverse(name, kwargs={part: values[part] for part in parts if part in values})

    def _public_id(self, name: str) -> str:
        if name in ("desk:deal", "tables:deal", "tables:result", "tables:replay", "tables:verify"):
            return self.played_deal
        if name == "tables:history":
            return self.played_deal
        if name.startswith("tables:"):
            return self.table
        if name in ("tournaments:result", "tournaments:history", "tournaments:verify-draw"):
            return self.tournaments["played"].public_id
        if name == "tournaments:do":
            return self.tournaments["open"].public_id
        return self.tournaments["running"].public_id

    @property
    def pages(self) -> dict[str, str]:
        """What people look at, by a name for a picture."""
        by_state = {
            f"tournament-{state}": f"/tournaments/{one.public_id}/"
            for state, one in self.tournaments.items()
        }
        running = by_state["tournament-running"]
        return {
            "lobby": "/",
            "lobby-list": "/?view=list&sort=starts",
            "lobby-none": "/?q=zebra",
            "quick": "/quick/",
            "quick-waiting": f"/quick/{self.waiting}/",
            "mine": "/my/",
            "result": f"/my/{self.tournaments['played'].public_id}/",
            "leaderboards": "/leaderboards/",
            "player": f"/players/{self.people['player'].username}/",
            "wallet": "/wallet/",
            "inbox": "/inbox/",
            "settings": "/account/settings/",
            "limits": "/account/limits/",
            "tokens": "/account/tokens/",
            "data": "/account/data/",
            **self._of_strangers(),
            "log-out": reverse("account_logout"),
            "addresses": reverse("account_email"),
            "password": reverse("account_change_password"),
            "two-factor": reverse("mfa_index"),
            "sessions": reverse("usersessions_list"),
            **by_state,
            "entrants": f"{running}entrants/",
            "prizes": f"{running}prizes/",
            "log": f"{running}log/",
            "rounds": f"{running}rounds/",
            "round": f"{running}rounds/1/",
            "standings": f"{by_state['tournament-played']}entrants/",
            "bracket": f"{by_state['tournament-played']}rounds/",
            "screen": f"{running}screen/",
            "seating": f"{running}seating/",
            "draw": f"{by_state['tournament-played']}draws/1/verify/",
            "table": f"/tables/{self.table}/",
            "sheet": f"/tables/{self.table}/sheet/",
            "deal": f"/deals/{self.played_deal}/",
            "replay": f"/deals/{self.played_deal}/replay/",
            "verify": f"/deals/{self.played_deal}/verify/",
            "missing": "/there-is-no-such-page/",
        }

    @staticmethod
    def _of_strangers() -> dict[str, str]:
        """What people look at who have not logged in; links from e-mails lead to nothing more."""
        parts = {"key": "no-such-key", "uidb36": "0"}
        known = url_names()
        return {
            name: reverse(url, kwargs={part: parts[part] for part in known[url]})
            for name, url in STRANGERS_PAGES.items()
        }

    @property
    def desk_pages(self) -> dict[str, str]:
        """What staff look at, by a name for a picture."""
        played = self.tournaments["played"].public_id
        account = Account.objects.filter(purpose="wallet").earliest("pk").pk
        entry = Entry.objects.filter(kind="payout").earliest("pk")
        transfer = entry.transfers.earliest("pk").pk
        match = Deal.objects.get(public_id=self.played_deal).match_id
        at_running = f"/admin/tournaments/tournament/{self.tournaments['running'].pk}/"
        return {
            "desk": "/admin/",
            "desk-approvals": "/admin/approvals/",
            "desk-payouts": "/admin/payouts/",
            "desk-audit": f"/admin/payouts/{played}/",
            "desk-audit-running": f"/admin/payouts/{self.tournaments['running'].public_id}/",
            "desk-behind": f"/admin/payouts/{played}/behind/entries/",
            "desk-books": "/admin/books/",
            "desk-asset": "/admin/books/assets/PLAY/",
            "desk-days": "/admin/books/assets/PLAY/days/",
            "desk-accounts": "/admin/books/accounts/",
            "desk-statement": f"/admin/books/accounts/{account}/",
            "desk-adjust": f"/admin/books/accounts/{account}/adjust/",
            "desk-freeze": f"/admin/books/accounts/{account}/freeze/",
            "desk-entry": f"/admin/books/entries/{entry.pk}/",
            "desk-reverse": f"/admin/books/entries/{entry.pk}/reverse/",
            "desk-proof": f"/admin/books/transfers/{transfer}/",
            "desk-people": "/admin/desk/people/",
            "desk-person": f"/admin/desk/people/{self.people['player'].username}/",
            "desk-deals": "/admin/desk/deals/",
            "desk-deal": f"/admin/desk/deals/{self.played_deal}/",
            "desk-deal-live": f"/admin/desk/deals/{self.live_deal}/",
            "desk-match": f"/admin/desk/matches/{match}/",
            "desk-audit-log": "/admin/staff/staffaction/",
            "desk-control": f"{at_running}control/",
            "desk-pause": f"{at_running}control/pause/",
            "desk-staff": f"{at_running}staff/",
        }


def url_names() -> dict[str, tuple[str, ...]]:
    """Every address of the site: its name, or its pattern if it has none, and the parts it has."""
    found: dict[str, tuple[str, ...]] = {}

    def walk(patterns: list[Any], before: str, space: str) -> None:
        for one in patterns:
            if isinstance(one, URLResolver):
                inner = f"{space}{one.namespace}:" if one.namespace else space
                walk(one.url_patterns, before + str(one.pattern), inner)
            elif isinstance(one, URLPattern):
                name = f"{space}{one.name}" if one.name else before + str(one.pattern)
                found[name] = tuple(one.pattern.converters) or tuple(one.pattern.regex.groupindex)

    walk(get_resolver().url_patterns, "", "")
    return found


def make_showcase(now: datetime | None = None) -> Showcase:
    """Everything, made anew."""
    people = _people()
    playing = people["player"]
    others = players(6, points=5_000)
    played = _played(playing, *others[:3])
    running = _running(playing, *others[:2])
    live, finished = _deals(running, now or datetime.now(UTC))
    opened = a_tournament(capacity=6, name="Open cup", house_fee=50)
    join(opened, *others[:2])
    full = a_tournament(capacity=2, name="Full cup")
    join(full, *others[:3], playing)
    paused = started(Shape.KNOCKOUT, 7, name="Paused cup")
    next_round(paused)
    pausing.pause(
        tournament_id=paused.pk, actor="organiser", reason="Fire alarm", now=datetime.now(UTC)
    )
    _call(people["organiser"], StaffRole.ORGANISER)
    _call(people["arbiter"], StaffRole.ARBITER)
    return Showcase(
        people=people,
        tournaments={
            "played": played,
            "running": running,
            "open": opened,
            "full": full,
            "paused": paused,
        },
        table=live.match.table.public_id,
        live_deal=live.public_id,
        played_deal=finished.public_id,
        waiting=_waiting(playing),
    )


def _people() -> dict[str, User]:
    """One person of each role that logs in, the players with points."""
    found = dict(zip(("player", "other"), players(2, points=5_000), strict=True))
    staff = {"organiser": ORGANISERS, "operator": OPERATORS, **MORE_STAFF}
    for role, group in staff.items():
        found[role] = User.objects.create_user(role, is_staff=True)
        found[role].groups.add(Group.objects.get(name=group))
    found["superuser"] = User.objects.create_superuser("superuser")
    return found


def _call(user: User, role: StaffRole) -> None:
    """Give somebody of the staff his duty in every tournament."""
    TournamentStaff.objects.bulk_create(
        TournamentStaff(tournament=one, user=user, role=role) for one in Tournament.objects.all()
    )


def _played(*people: User) -> Tournament:
    """A knock-out that is over and paid out."""
    tournament = a_tournament(Shape.HEADS_UP, capacity=4, name="Played cup", house_fee=100)
    join(tournament, *people)
    close_and_start(tournament)
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=datetime.now(UTC))
    return Tournament.objects.get(pk=tournament.pk)


def _running(*people: User) -> Tournament:
    """A pool at one table, its round open."""
    tournament = a_tournament(
        Shape.SINGLE, capacity=3, name="Running cup", terms=terms("pool101", prizes="100")
    )
    join(tournament, *people)
    close_and_start(tournament)
    next_round(tournament)
    return tournament


def _waiting(player: User) -> str:
    """The quick table at which somebody waits for two more."""
    wish = Wish(format=QuickFormat.POINTS, seats=3)
    return services.sit_down(player_id=player.pk, wish=wish, now=datetime.now(UTC)).public_id


def _deals(tournament: Tournament, now: datetime) -> tuple[Deal, Deal]:
    """The deal that is under way at the table, and the one before it."""
    [table] = open_tables(tournament)
    begun = now - timedelta(hours=1)
    deal, state = tables.deal_next(match_id=table.match_id, secret_for=secret_for, now=begun)
    seats = deal.match.seats
    seats.update(bot=Strength.STEADY)
    tables.play_deal_with_bots(
        deal=deal, state=state, chance=Chance(bytes(32)), moments=ticking(begun)
    )
    seats.update(bot="")
    live = tables.deal_next(match_id=table.match_id, secret_for=secret_for, now=now).deal
    return live, Deal.objects.get(pk=deal.pk)
