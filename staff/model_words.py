"""What the rows and the apps of the admin are called, in the reader's language.

Models have English names, from which Django makes plurals by an "s" and permissions' names; here
each gets both words of its own, without a migration.
"""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from staff.column_words import COLUMNS

APPS: Final[dict[str, Promise]] = {
    "auth": pgettext_lazy("model", "Users and roles"),
    "account": pgettext_lazy("model", "E-mail addresses"),
    "mfa": pgettext_lazy("model", "Second factors"),
    "usersessions": pgettext_lazy("model", "Log-ins"),
    "ledger": pgettext_lazy("model", "Ledger"),
    "staff": pgettext_lazy("model", "Staff"),
    "tables": pgettext_lazy("model", "Tables"),
    "tournaments": pgettext_lazy("model", "Tournaments"),
}
MODELS: Final[dict[str, tuple[Promise, Promise]]] = {
    "auth.group": (pgettext_lazy("model", "group"), pgettext_lazy("model", "groups")),
    "auth.user": (pgettext_lazy("model", "user"), pgettext_lazy("model", "users")),
    "account.emailaddress": (
        pgettext_lazy("model", "email address"),
        pgettext_lazy("model", "email addresses"),
    ),
    "mfa.authenticator": (
        pgettext_lazy("model", "authenticator"),
        pgettext_lazy("model", "authenticators"),
    ),
    "usersessions.usersession": (
        pgettext_lazy("model", "user session"),
        pgettext_lazy("model", "user sessions"),
    ),
    "ledger.asset": (pgettext_lazy("model", "asset"), pgettext_lazy("model", "assets")),
    "ledger.account": (pgettext_lazy("model", "account"), pgettext_lazy("model", "accounts")),
    "ledger.journal": (pgettext_lazy("model", "journal"), pgettext_lazy("model", "journals")),
    "ledger.entry": (
        pgettext_lazy("model", "ledger entry"),
        pgettext_lazy("model", "ledger entries"),
    ),
    "ledger.checkpoint": (
        pgettext_lazy("model", "checkpoint"),
        pgettext_lazy("model", "checkpoints"),
    ),
    "ledger.accountchange": (
        pgettext_lazy("model", "account change"),
        pgettext_lazy("model", "account changes"),
    ),
    "ledger.cashrequest": (
        pgettext_lazy("model", "cash request"),
        pgettext_lazy("model", "cash requests"),
    ),
    "ledger.cashdecision": (
        pgettext_lazy("model", "cash decision"),
        pgettext_lazy("model", "cash decisions"),
    ),
    "ledger.reversalrequest": (
        pgettext_lazy("model", "reversal request"),
        pgettext_lazy("model", "reversal requests"),
    ),
    "ledger.reversaldecision": (
        pgettext_lazy("model", "reversal decision"),
        pgettext_lazy("model", "reversal decisions"),
    ),
    "ledger.bookscheck": (
        pgettext_lazy("model", "books check"),
        pgettext_lazy("model", "books checks"),
    ),
    "staff.staffaction": (
        pgettext_lazy("model", "staff action"),
        pgettext_lazy("model", "audit log"),
    ),
    "tables.table": (pgettext_lazy("model", "table"), pgettext_lazy("model", "tables")),
    "tables.match": (pgettext_lazy("model", "match"), pgettext_lazy("model", "matches")),
    "tables.seat": (pgettext_lazy("model", "seat"), pgettext_lazy("model", "seats")),
    "tables.matchentry": (
        pgettext_lazy("model", "match entry"),
        pgettext_lazy("model", "match entries"),
    ),
    "tables.sheetline": (
        pgettext_lazy("model", "sheet line"),
        pgettext_lazy("model", "sheet lines"),
    ),
    "tables.deal": (pgettext_lazy("model", "deal"), pgettext_lazy("model", "deals")),
    "tables.dealevent": (
        pgettext_lazy("model", "deal event"),
        pgettext_lazy("model", "deal events"),
    ),
    "tables.chatline": (pgettext_lazy("model", "chat line"), pgettext_lazy("model", "chat lines")),
    "tables.connection": (
        pgettext_lazy("model", "connection"),
        pgettext_lazy("model", "connections"),
    ),
    "tables.clockbeat": (
        pgettext_lazy("model", "clock beat"),
        pgettext_lazy("model", "clock beats"),
    ),
    "tournaments.tournament": (
        pgettext_lazy("model", "tournament"),
        pgettext_lazy("model", "tournaments"),
    ),
    "tournaments.entry": (pgettext_lazy("model", "entry"), pgettext_lazy("model", "entries")),
    "tournaments.logline": (
        pgettext_lazy("model", "log line"),
        pgettext_lazy("model", "log lines"),
    ),
    "tournaments.round": (pgettext_lazy("model", "round"), pgettext_lazy("model", "rounds")),
    "tournaments.roundtable": (
        pgettext_lazy("model", "round table"),
        pgettext_lazy("model", "round tables"),
    ),
    "tournaments.placing": (
        pgettext_lazy("model", "placing"),
        pgettext_lazy("model", "placings"),
    ),
    "tournaments.call": (pgettext_lazy("model", "call"), pgettext_lazy("model", "calls")),
    "tournaments.lot": (pgettext_lazy("model", "lot"), pgettext_lazy("model", "lots")),
    "tournaments.decision": (
        pgettext_lazy("model", "decision"),
        pgettext_lazy("model", "decisions"),
    ),
    "tournaments.invitation": (
        pgettext_lazy("model", "invitation"),
        pgettext_lazy("model", "invitations"),
    ),
    "tournaments.wrongcode": (
        pgettext_lazy("model", "wrong code"),
        pgettext_lazy("model", "wrong codes"),
    ),
    "tournaments.entrynote": (
        pgettext_lazy("model", "entry note"),
        pgettext_lazy("model", "entry notes"),
    ),
    "tournaments.playerfacts": (
        pgettext_lazy("model", "player facts"),
        pgettext_lazy("model", "player facts"),
    ),
    "tournaments.quickkind": (
        pgettext_lazy("model", "quick kind"),
        pgettext_lazy("model", "quick kinds"),
    ),
    "tournaments.quicktable": (
        pgettext_lazy("model", "quick table"),
        pgettext_lazy("model", "quick tables"),
    ),
    "tournaments.rating": (pgettext_lazy("model", "rating"), pgettext_lazy("model", "ratings")),
    "tournaments.ratedmatch": (
        pgettext_lazy("model", "rated match"),
        pgettext_lazy("model", "rated matches"),
    ),
    "tournaments.schedule": (
        pgettext_lazy("model", "schedule"),
        pgettext_lazy("model", "schedules"),
    ),
    "tournaments.payment": (
        pgettext_lazy("model", "payment"),
        pgettext_lazy("model", "payments"),
    ),
    "tournaments.payout": (pgettext_lazy("model", "payout"), pgettext_lazy("model", "payouts")),
    "tournaments.ticket": (pgettext_lazy("model", "ticket"), pgettext_lazy("model", "tickets")),
    "tournaments.tournamentstaff": (
        pgettext_lazy("model", "duty"),
        pgettext_lazy("model", "duties"),
    ),
    "tournaments.template": (
        pgettext_lazy("model", "template"),
        pgettext_lazy("model", "templates"),
    ),
}
"""One, and many, by the model's label."""
FIELDS: Final[dict[str, dict[str, Promise]]] = {
    "tournaments.tournament": {
        "name": pgettext_lazy("field", "name"),
        "state": pgettext_lazy("field", "state"),
        "shape": pgettext_lazy("field", "kind"),
        "in_person": pgettext_lazy("field", "in person"),
        "asset": pgettext_lazy("field", "played for"),
        "starts_at": pgettext_lazy("field", "start"),
        "created_at": pgettext_lazy("field", "made"),
    },
    "tournaments.schedule": {
        "name": pgettext_lazy("field", "name"),
        "template": pgettext_lazy("field", "like"),
        "next_at": pgettext_lazy("field", "next one made"),
        "is_stopped": pgettext_lazy("field", "stopped"),
        "actor": pgettext_lazy("field", "by"),
    },
    "tournaments.template": {
        "name": pgettext_lazy("field", "name"),
        "created_at": pgettext_lazy("field", "made"),
    },
}
"""What columns are called where the word of all models is not the one that organisers use."""


def call_by_their_names() -> None:
    """Give apps, models and columns their words; once, when all apps are ready."""
    for label, name in APPS.items():
        app: Any = apps.get_app_config(label)
        app.verbose_name = name
    for label, (one, many) in MODELS.items():
        meta: Any = apps.get_model(label)._meta
        meta.verbose_name, meta.verbose_name_plural = one, many
    for model in apps.get_models():
        own = FIELDS.get(model._meta.label_lower, {})
        if model._meta.app_label in APPS:
            for field in model._meta.fields:
                _call_column(field, own.get(field.name))


def _call_column(field: Any, own: Promise | None) -> None:
    """By the model's own word; else, where the model says none, by what it is called everywhere."""
    says_none = field._verbose_name is None
    word = own or (COLUMNS.get(field.name) if says_none else None)
    if word is not None:
        field.verbose_name = word
