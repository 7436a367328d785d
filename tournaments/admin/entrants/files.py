"""Entrants from a file, previewed before anything is written, and entrants to a file.

Files are read by `tournaments.sheets` and written by the ledger's sheets: a cell is never computed
on the way in, and never taken for a formula on the way out.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminFileFieldWidget

from staff.desk import say_done, show
from staff.services.audit import Doer, acting, doer_of
from tournaments import money
from tournaments.admin.entrants.listing import wanted_of
from tournaments.admin.setup.fields import switch
from tournaments.auditing import picture_of, subject_of
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Tournament
from tournaments.money.sheets import Sheet, amount_cell, to_csv, to_xlsx
from tournaments.refusals import sentence_of
from tournaments.selectors.desk import Wanted, listed
from tournaments.services import importing
from tournaments.sheets import MAX_BYTES

ROWS_SHOWN: Final = 200
COLUMNS: Final = (
    "number",
    "username",
    "first_name",
    "last_name",
    "state",
    "waitlist",
    "joined_at",
    "checked_in_at",
    "seed",
    "rank",
    "prize",
    "net",
)
TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class FileForm(forms.Form):
    """A file, and whether names that nobody has become players."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy(
            "CSV or XLSX. The first row has headings, one of them username; first_name, last_name "
            "and email are read, too."
        ),
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.xlsx"}),
    )
    create_players = switch(
        gettext_lazy("Make new players of names that nobody has"),
        meaning=gettext_lazy("They cannot log in before they are given a password."),
    )


def import_file(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """A file in two steps: look at every row, then enter all of them or none."""
    sent = request.POST if request.method == "POST" else None
    form = FileForm(sent, request.FILES or None, use_required_attribute=False)
    found, kept = None, ""
    if request.method == "POST" and form.is_valid():
        makes = form.cleaned_data["create_players"]
        try:
            content = _content(request, form)
            if "_enter" in request.POST:
                done = _enter(doer_of(request), tournament, content, create_players=makes)
                said = _("%(n)d rows entered.") % {"n": len(done.rows)}
                say_done(request, said, is_done=_has_entered(done))
                return redirect("admin:tournaments_entrants", tournament.pk)
            doer = doer_of(request)
            found = importing.preview(
                tournament_id=tournament.pk,
                content=content,
                create_players=makes,
                actor=doer.signature,
                now=doer.at,
            )
            kept = base64.b64encode(content).decode()
        except Exception as refusal:
            form.add_error("file", sentence_of(refusal))
    context = {
        "tournament": tournament,
        "here": "entrants",
        "form": form,
        "found": found,
        "kept": kept,
        **_counted(found),
    }
    title = _("%(name)s: entrants from a file") % {"name": tournament.name}
    return show(request, "admin/tournaments/import.html", title, context)


def _counted(found: importing.Preview | None) -> dict[str, Any]:
    """Rows with errors first, so that none is overlooked; how many of each fate there are."""
    if found is None:
        return {}
    rows = sorted(found.rows, key=lambda row: (not row.errors, row.row))
    fates: dict[str, int] = {}
    for row in found.rows:
        fate = "wrong" if row.errors else row.becomes
        fates[fate] = fates.get(fate, 0) + 1
    return {
        "rows": rows[:ROWS_SHOWN],
        "more": max(0, len(rows) - ROWS_SHOWN),
        "wrong": fates.get("wrong", 0),
        "entered": fates.get("entered", 0),
        "waiting": fates.get("waiting", 0),
        "already": fates.get(importing.ALREADY_IN, 0),
        "fresh": sum(row.is_new_player for row in found.rows),
    }


def _content(request: HttpRequest, form: FileForm) -> bytes:
    """The file that was chosen now, or the one that was looked at before."""
    chosen = form.cleaned_data.get("file")
    if chosen is not None:
        if chosen.size > MAX_BYTES:
            sentence = _("The file is too large; split it.")
            raise TournamentRefusal(TournamentCode.BAD_FILE, sentence, field="file")
        return bytes(chosen.read())
    try:
        return base64.b64decode(request.POST.get("kept", ""), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _enter(
    doer: Doer, tournament: Tournament, content: bytes, *, create_players: bool
) -> importing.Preview:
    with acting(
        by=doer,
        action="tournaments.import_entrants",
        subject=subject_of(tournament),
        picture=lambda: picture_of(tournament.pk),
    ) as line:
        done = importing.import_entrants(
            tournament_id=tournament.pk,
            content=content,
            create_players=create_players,
            actor=doer.signature,
            now=doer.at,
        )
        rows = [[row.username, row.becomes, row.is_new_player] for row in done.rows]
        line.before = {**line.before, "rows": rows}
        if not _has_entered(done):
            line.leave_out()
    return done


def _has_entered(done: importing.Preview) -> bool:
    """Whether somebody of the file was not in already."""
    return any(row.becomes != importing.ALREADY_IN for row in done.rows)


def export(request: HttpRequest, tournament: Tournament, form: str) -> HttpResponseBase:
    """The entrants as they are listed, all pages, as a file; what was taken out is noted."""
    if form not in TYPES:
        raise Http404
    wanted = wanted_of(request)
    doer = doer_of(request)
    with acting(
        by=doer, action="tournaments.export_entrants", subject=subject_of(tournament)
    ) as line:
        sheet = sheet_of(tournament, wanted)
        line.after = {"rows": len(sheet.rows), "show": wanted.group, "form": form}
    content = to_csv(sheet) if form == "csv" else to_xlsx(sheet)
    answer = HttpResponse(content, content_type=TYPES[form])
    answer["Content-Disposition"] = f'attachment; filename="entrants-{tournament.public_id}.{form}"'
    return answer


def sheet_of(tournament: Tournament, wanted: Wanted) -> Sheet:
    """The entrants as a table; amounts are numbers of the asset's unit. Three queries."""
    nets = money.gains([tournament], tournament.asset)
    rows = [_row(entry, nets) for entry in listed(tournament, wanted)]
    return Sheet(title="Entrants", facts={}, columns=COLUMNS, rows=rows)


def _row(entry: Any, nets: dict[int, int]) -> tuple[Any, ...]:
    asset = entry.tournament.asset
    player = entry.player
    return (
        entry.number,
        player.get_username(),
        player.first_name,
        player.last_name,
        str(entry.state),
        entry.place,
        entry.joined_at,
        entry.checked_in_at,
        entry.seed,
        entry.rank,
        amount_cell(entry.prize, asset),
        amount_cell(nets.get(entry.player_id, 0), asset),
    )
