"""The one map from refusals of our apps to what a client is told.

Every app refuses with an exception of its own that carries a stable `code`, a plain `sentence` and,
where one input is at fault, a `field`. They are recognised by these attributes, so this module
imports no app. Nothing here decides; it translates, also what REST framework and its views refuse,
into the language that is active: the sentence is for people, the code is the same in every one.

Over HTTP:      {"code": …, "detail": sentence, "field": … or null} with a status of the table below
Over a socket:  {"type": "refused", "code": …, "sentence": …, "field": … or null}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeGuard

from rest_framework.response import Response
from rest_framework.views import exception_handler as rest_exception_handler
from rest_framework.views import set_rollback

from wording import told

BAD_REQUEST: Final = 400
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
CONFLICT: Final = 409
GONE: Final = 410
UNAVAILABLE: Final = 503

# Codes whose status is not the default: 400 where a field is at fault, else 409.
STATUS_BY_CODE: Final[Mapping[str, int]] = {
    # You are not the one who may do this, or not alone.
    "not_seated": FORBIDDEN,
    "out_of_deal": FORBIDDEN,
    "not_in_match": FORBIDDEN,
    "money_play_off": FORBIDDEN,
    "muted": FORBIDDEN,
    "not_a_player": FORBIDDEN,
    "no_hints": FORBIDDEN,
    "not_a_scorer": FORBIDDEN,
    "needs_approval": FORBIDDEN,
    "not_eligible": FORBIDDEN,
    "excluded": FORBIDDEN,
    "timed_out": FORBIDDEN,
    "entries_used": FORBIDDEN,
    "points_used": FORBIDDEN,
    "bad_login": FORBIDDEN,
    "needs_page": FORBIDDEN,
    "not_verified": FORBIDDEN,
    "wrong_password": FORBIDDEN,
    # There is no such thing, whatever field named it.
    "unknown_deal": NOT_FOUND,
    "unknown_match": NOT_FOUND,
    "no_such_match": NOT_FOUND,
    "unknown_tournament": NOT_FOUND,
    "unknown_schedule": NOT_FOUND,
    "unknown_template": NOT_FOUND,
    "unknown_entry": NOT_FOUND,
    "unknown_ticket": NOT_FOUND,
    "unknown_account": NOT_FOUND,
    "unknown_table": NOT_FOUND,
    "unknown_request": NOT_FOUND,
    "unknown_asset": NOT_FOUND,
    "unknown_journal": NOT_FOUND,
    "unknown_hold": NOT_FOUND,
    "unknown_key": NOT_FOUND,
    # What was sent is well-formed, and now is not the moment.
    "not_your_turn": CONFLICT,
    "already_drawn": CONFLICT,
    "draw_first": CONFLICT,
    "open_deck_empty": CONFLICT,
    "insufficient_funds": CONFLICT,
    "key_reused": CONFLICT,
    "account_closed": CONFLICT,
    "hold_resolved": CONFLICT,
    "already_reversed": CONFLICT,
    "already_decided": CONFLICT,
    "not_open": CONFLICT,
    "locked": CONFLICT,
    "changed_meanwhile": CONFLICT,
    "later_tables": CONFLICT,
    "not_out": CONFLICT,
    "not_running": CONFLICT,
    # It is over for good.
    "deal_over": GONE,
    "match_over": GONE,
    "match_void": GONE,
    "hold_expired": GONE,
    # Try again in a moment.
    "busy": UNAVAILABLE,
    "storage_failed": UNAVAILABLE,
}


class Refusal(Protocol):
    """What the exceptions of the apps have in common."""

    @property
    def code(self) -> str:
        """Stable, for programs."""

    @property
    def sentence(self) -> str:
        """Plain, for people: what to do instead."""

    @property
    def field(self) -> str | None:
        """The input at fault, where it is one."""


def is_refusal(error: object) -> TypeGuard[Refusal]:
    """Whether an exception is one of our typed refusals and not a fault of the program."""
    return (
        isinstance(error, Exception)
        and isinstance(getattr(error, "code", None), str)
        and isinstance(getattr(error, "sentence", None), str)
        and isinstance(getattr(error, "field", ""), str | None)
    )


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal."""
    known = STATUS_BY_CODE.get(refusal.code)
    if known is not None:
        return known
    return BAD_REQUEST if refusal.field else CONFLICT


def body_of(refusal: Refusal) -> dict[str, str | None]:
    """The JSON body of a refusal over HTTP."""
    return {"code": str(refusal.code), "detail": told(refusal.sentence), "field": refusal.field}


def frame_of(refusal: Refusal) -> dict[str, str | None]:
    """The frame that tells a socket of a refusal."""
    return {
        "type": "refused",
        "code": str(refusal.code),
        "sentence": told(refusal.sentence),
        "field": refusal.field,
    }


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """REST framework's hook: our refusals by the table, its own as ever, the rest is a fault."""
    if is_refusal(error):
        set_rollback()
        return Response(body_of(error), status=status_of(error))
    answer = rest_exception_handler(error, dict(context))
    if answer is not None:
        answer.data = _own_body(answer.data, answer.status_code)
    return answer


_CODES: Final[Mapping[int, str]] = {
    400: "invalid",
    401: "not_authenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    415: "unsupported_media_type",
    429: "too_many_requests",
}


def _own_body(data: Any, status: int) -> dict[str, str | None]:
    """REST framework's bodies in the one form that ours have; the first fault is told."""
    field = None
    while isinstance(data, Mapping | list) and data:
        if isinstance(data, list):
            data = data[0]
            continue
        name, data = next(iter(data.items()))
        if field is None and name not in ("detail", "non_field_errors"):
            field = str(name)
    code = _CODES.get(status, "refused")
    said = getattr(data, "code", "")
    if status == FORBIDDEN and said in ("not_authenticated", "out_of_scope"):
        code = said
    return {"code": code, "detail": told(str(data)), "field": field}
