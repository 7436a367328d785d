"""A spreadsheet as the answer to a request: to be saved, not shown."""

from __future__ import annotations

from django.http import HttpResponse

from staff.sheets import MEDIA, Sheet, written


def to_be_saved(sheet: Sheet, name: str, form: str) -> HttpResponse:
    """The sheet in one of the forms of `MEDIA`, under a name without its ending."""
    return HttpResponse(
        written(sheet, form),
        content_type=MEDIA[form],
        headers={"Content-Disposition": f'attachment; filename="{name}.{form}"'},
    )
