"""What a deed asks for, beside the table and player it is about: its form, and its wish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.setup.fields import UserField
from tournaments.models import Entry, RoundTable, Tournament
from tournaments.selectors.control import TableLine
from tournaments.services.desk import MAX_REASON
from tournaments.structure.overrides import SeatRuling

MAX_SECONDS: Final = 3600
MAX_SCORE: Final = 10**9


@dataclass(frozen=True)
class Wish:
    """What somebody wants done: where, to whom, with what, why."""

    tournament: Tournament
    table: TableLine | None
    entry: Entry | None
    data: Mapping[str, Any]
    actor: str
    reason: str
    now: datetime

    @property
    def at(self) -> TableLine:
        """The table of a deed that is about one. Raises `Http404`."""
        if self.table is None:
            raise Http404
        return self.table

    @property
    def who(self) -> Entry:
        """The player of a deed that is about one. Raises `Http404`."""
        if self.entry is None:
            raise Http404
        return self.entry


class Ask(forms.Form):
    """A reason, which every deed has; deeds add what else they need."""

    needs_reason: ClassVar[bool] = True
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        help_text=gettext_lazy("Stands in the audit log and, where a player is told, with him."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, *args: Any, tournament: Tournament, table: TableLine | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.tournament, self.table = tournament, table
        self.fields["reason"].required = self.needs_reason
        self.made()
        self.order_fields([name for name in self.fields if name != "reason"])

    def made(self) -> None:
        """Fields that depend on the table."""


class AskNoReason(Ask):
    """A deed that may be done without a word."""

    needs_reason = False


class AskSeconds(Ask):
    """More time."""

    needs_reason = False
    seconds = forms.IntegerField(
        label=gettext_lazy("Seconds"), min_value=1, max_value=MAX_SECONDS, initial=60
    )


class AskAbort(Ask):
    """How the pool is given back."""

    by_standing = forms.TypedChoiceField(
        label=gettext_lazy("What becomes of the money"),
        choices=[
            ("", gettext_lazy("Everybody has back what he paid")),
            ("1", gettext_lazy("The prize pool is divided by the standing so far")),
        ],
        coerce=bool,
        empty_value="",
        required=False,
        widget=forms.RadioSelect,
    )


class AskTable(Ask):
    """Another table of the same round."""

    def made(self) -> None:
        """The other tables that are played in this round."""
        here = self.table
        rows = RoundTable.objects.filter(round__tournament=self.tournament, is_over=False)
        if here is not None:
            rows = rows.filter(round__tables=here.pk).exclude(pk=here.pk)
        self.fields["to"] = forms.TypedChoiceField(
            label=_("To table"),
            coerce=int,
            choices=[
                (pk, _("Table %(number)s") % {"number": number})
                for pk, number in rows.order_by("number").values_list("pk", "number")
            ],
        )


class AskSubstitute(Ask):
    """Who takes the seat."""

    username = UserField(
        label=gettext_lazy("Who takes the seat"),
        help_text=gettext_lazy("The name the player logs in with. He must not be in it yet."),
        missing=gettext_lazy("There is no player of that name; look how it is spelt."),
    )


class AskResult(Ask):
    """Place and chips or points of every seat."""

    def made(self) -> None:
        """Two fields a seat, filled in as things stand."""
        for seat in () if self.table is None else self.table.seats:
            who = {"name": seat.name}
            self.fields[f"place_{seat.seat}"] = forms.IntegerField(
                label=_("Place of %(name)s") % who,
                min_value=1,
                max_value=len(self.table.seats) if self.table else 1,
                initial=seat.place,
            )
            self.fields[f"score_{seat.seat}"] = forms.IntegerField(
                label=_("Chips or points of %(name)s") % who,
                min_value=0,
                max_value=MAX_SCORE,
                initial=seat.score,
            )

    @property
    def rulings(self) -> list[SeatRuling]:
        """What was written, by seat."""
        seats = () if self.table is None else self.table.seats
        data = self.cleaned_data
        return [
            SeatRuling(one.seat, data[f"place_{one.seat}"], data[f"score_{one.seat}"])
            for one in seats
        ]

    def clean(self) -> dict[str, Any]:
        """With the rulings put together, where every field is right."""
        data = super().clean() or {}
        if not self.errors:
            data["rulings"] = self.rulings
        return data
