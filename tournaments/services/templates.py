"""Set-ups that are kept under a name: keeping one, starting tournaments from it, dropping it.

A template stands by itself: the tournament that it was kept from can be changed or called off.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments import play
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Template, Tournament
from tournaments.services.drafting import MAX_NAME, Draft, draft_of, make
from tournaments.services.editing import shifted
from tournaments.services.lifecycle import lock

_decoder: Final[msgspec.json.Decoder[Draft]] = msgspec.json.Decoder(Draft)


def keep(*, tournament_id: int, name: str, owner_id: int | None, now: datetime) -> Template:
    """Keep the set-up of a tournament of any state as a template of a user, or of the site.

    Its entry code is left out. One for all organisers promises no tickets and asks for no winners
    of tournaments that are not theirs. Raises `TournamentRefusal` (BAD_NAME, BAD_TERMS).
    """
    if not 0 < len(name.strip()) <= MAX_NAME:
        raise _bad_name(f"Give it a name of 1 to {MAX_NAME} characters.")
    with transaction.atomic():
        draft = _without_code(draft_of(lock(tournament_id)))
        if owner_id is None:
            _refuse_what_is_ones_own(draft)
        kept = Template(
            name=name.strip(),
            owner_id=owner_id,
            setup=msgspec.json.encode(draft).decode(),
            created_at=now,
        )
        try:
            with transaction.atomic():
                kept.save()
        except IntegrityError as taken:
            raise _bad_name(_("There is a template of this name; choose another.")) from taken
    return kept


def setup_of(template: Template) -> Draft:
    """What is kept. Raises `TournamentRefusal(BAD_TERMS)` where today's rules do not know it."""
    try:
        return _decoder.decode(template.setup)
    except play.UNREADABLE as fault:
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS, _("This template cannot be read any more; drop it.")
        ) from fault


def start_from(
    *,
    template_id: int,
    name: str,
    starts_at: datetime | None = None,
    organiser_id: int | None = None,
    now: datetime,
) -> Tournament:
    """A new draft of a template, which `organiser_id` runs; its times move along as in a copy.

    Raises what `create` raises, and `TournamentRefusal(UNKNOWN_TEMPLATE)`.
    """
    with transaction.atomic():
        draft = setup_of(_locked(template_id))
        times = shifted(draft.times, starts_at)
        draft = msgspec.structs.replace(draft, name=name, times=times)
        return make(draft, organiser_id=organiser_id, now=now)


def drop(*, template_id: int) -> None:
    """Keep a template no longer; tournaments made from it stay. Raises UNKNOWN_TEMPLATE."""
    with transaction.atomic():
        _locked(template_id).delete()


def _without_code(draft: Draft) -> Draft:
    entering = draft.terms.entering
    conditions = msgspec.structs.replace(entering.conditions, code="")
    entering = msgspec.structs.replace(entering, conditions=conditions)
    terms = msgspec.structs.replace(draft.terms, entering=entering)
    return msgspec.structs.replace(draft, terms=terms)


def _refuse_what_is_ones_own(draft: Draft) -> None:
    if draft.terms.tickets or draft.terms.entering.conditions.winners_of:
        raise TournamentRefusal(
            TournamentCode.BAD_TERMS,
            _("It gives tickets, or asks for winners, of your own tournaments; keep it for you."),
            field="is_for_all",
        )


def _bad_name(sentence: str) -> TournamentRefusal:
    return TournamentRefusal(TournamentCode.BAD_NAME, sentence, field="name")


def _locked(template_id: int) -> Template:
    found = Template.objects.select_for_update().filter(pk=template_id).first()
    if found is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TEMPLATE, _("There is no such template."), field="template"
        )
    return found
