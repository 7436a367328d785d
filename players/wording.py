"""The sentences of notices, in the language that is active when they are read or sent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from players.models.inbox import NoticeKind
from wording import moment_text, named, part, told


def sentence_of(kind: str, facts: Mapping[str, Any]) -> str:
    """What a notice says; `facts` names the tournament and what else its kind needs."""
    words = {
        "name": "",
        "round": "",
        "table": "",
        "rank": "",
        "amount": "",
        "reason": "",
        "sentence": "",
        **facts,
    }
    words |= {name: told(str(words[name])) for name in ("sentence", "reason")}
    words["name"] = named(str(words["name"]))
    words["amount"] = part(str(words["amount"]))
    words["starts"] = moment(facts.get("starts"))
    return (_patterns()[NoticeKind(kind)] % words).strip()


def moment(text: object) -> str:
    """A stored moment in the reader's zone, which is named."""
    if not isinstance(text, str) or not text:
        return ""
    return moment_text(datetime.fromisoformat(text))


def _patterns() -> dict[NoticeKind, str]:
    return {
        NoticeKind.REGISTERED: _("You are in: %(name)s."),
        NoticeKind.WAITLISTED: _("You are on the waitlist of %(name)s."),
        NoticeKind.PROMOTED: _("A seat is yours: you have moved up in %(name)s."),
        NoticeKind.REMINDER: _("%(name)s starts at %(starts)s."),
        NoticeKind.CALLED: _("Take your seat: %(name)s, round %(round)s, table %(table)s."),
        NoticeKind.RESULT: _("You came in at rank %(rank)s in %(name)s."),
        NoticeKind.PRIZE: _("Your prize from %(name)s has been paid: %(amount)s."),
        NoticeKind.REFUND: _("You have been given back %(amount)s from %(name)s."),
        NoticeKind.CANCELLED: _("%(name)s was called off. %(reason)s"),
        NoticeKind.TOLD: _("%(name)s: %(sentence)s"),
    }
