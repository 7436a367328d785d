"""What a deed would change, in sentences, and a token that stands for all of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import EntryState
from tournaments.selectors.lists import words_of_state
from tournaments.services.foretelling import Change, ChangeKind
from tournaments.structure.lifecycle import State
from tournaments.structure.overrides import Consequences, token_of
from wording import told

SHOWN_AT_MOST: Final = 40


class Told(NamedTuple):
    """The consequences of a deed. `discards` are later tables that it does away with."""

    sentences: tuple[str, ...]
    token: str
    discards: tuple[str, ...] = ()

    @property
    def needs_force(self) -> bool:
        """Whether something later is thrown away."""
        return bool(self.discards)


def told_by(found: Consequences) -> Told:
    """What a service foretold itself, in the reader's language."""
    discards = tuple(
        ngettext(
            "%(name)s with %(players)s: %(n)s deal dealt",
            "%(name)s with %(players)s: %(n)s deals dealt",
            table.deals,
        )
        % {"name": told(table.name), "players": ", ".join(table.players), "n": table.deals}
        for table in found.discards
    )
    return Told(tuple(told(one) for one in found.sentences), found.token, discards)


def told_in(sentences: Iterable[str]) -> Told:
    """Sentences of our own; the token changes with each word of them."""
    said = tuple(sentences)
    return Told(said, token_of(said))


def told_changes(changes: Sequence[Change], *first: str) -> Told:
    """What was tried, in sentences; `first` are said before them."""
    said = [_sentence(change) for change in changes]
    shown = said[:SHOWN_AT_MOST]
    if len(said) > len(shown):
        shown.append(_("… and %(n)s more things.") % {"n": len(said) - len(shown)})
    token = told_in([*first, *said]).token
    return Told((*first, *shown), token)


def _sentence(change: Change) -> str:
    at = {"round": change.round_number, "table": change.table_number, "name": change.name}
    match change.kind:
        case ChangeKind.TOURNAMENT:
            return _("The tournament: %(after)s.") % {"after": words_of_state(State(change.after))}
        case ChangeKind.PLAYER:
            return _("%(name)s: %(before)s → %(after)s.") % {
                "name": change.name,
                "before": _entry_state(change.before),
                "after": _entry_state(change.after),
            }
        case ChangeKind.GOES_ON:
            return _("%(name)s goes on from round %(round)s, table %(table)s.") % at
        case ChangeKind.TABLE_OVER:
            return _("Round %(round)s, table %(table)s is over.") % at
        case ChangeKind.SEATED:
            return _("%(name)s sits at round %(round)s, table %(table)s.") % at


def _entry_state(value: str) -> str:
    return str(EntryState(value).label) if value else _("not in it")
