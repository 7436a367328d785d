"""An admin that writes an audit line of every row it adds, changes or deletes.

For the few rows that staff change by a plain form: users, groups. Django's admin opens a
transaction around a form; where it opens none, as around bulk deletion, one is opened here.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from staff.admin_base import FittingLookups
from staff.services.audit import NOTHING, Picture, Subject, doer_of, new_batch, note

HIDDEN: Final = "(hidden)"


class AuditedAdmin(FittingLookups):
    """Writes lines; of `secret_fields` they never say what they hold."""

    secret_fields: ClassVar[tuple[str, ...]] = ()

    def subject_of(self, row: models.Model) -> Subject:
        """The row as something that is acted on."""
        return Subject(str(self.opts.model_name), str(row.pk), str(row))

    def picture_of(self, row: models.Model) -> dict[str, Any]:
        """Every field of a row as the database has it, and what it is connected with."""
        fresh = self.model._base_manager.get(pk=row.pk)
        picture: dict[str, Any] = {
            field.name: HIDDEN
            if field.name in self.secret_fields
            else field.value_from_object(fresh)
            for field in self.opts.concrete_fields
        }
        for relation in self.opts.many_to_many:
            others = getattr(fresh, relation.name).select_related()
            picture[relation.name] = sorted(map(str, others))
        return picture

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Look at the row as it is, then save it, unless nothing was changed."""
        form.picture_before = self.picture_of(obj) if change else NOTHING
        if not change or self._differs(obj):
            super().save_model(request, obj, form, change)

    def _differs(self, row: models.Model) -> bool:
        """Whether a row is another now than the one in the database."""
        kept = self.model._base_manager.get(pk=row.pk)
        return any(
            field.value_from_object(row) != field.value_from_object(kept)
            for field in self.opts.concrete_fields
        )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save what belongs to the row; then all is in the database, and the line is written."""
        super().save_related(request, form, formsets, change)
        before, after = form.picture_before, self.picture_of(form.instance)
        if before != after:
            self.note(request, "change" if change else "add", form.instance, before, after)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete one row."""
        self.delete_queryset(request, self.model._base_manager.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete rows, all or none; a line for each, of one batch where they are many."""
        with transaction.atomic():
            rows = list(queryset)
            batch = new_batch() if len(rows) > 1 else ""
            for row in rows:
                self.note(request, "delete", row, self.picture_of(row), NOTHING, batch=batch)
            self.end(rows, queryset)

    def end(self, rows: list[Any], queryset: QuerySet[Any]) -> None:
        """What deleting means."""
        queryset.delete()

    def note(
        self,
        request: HttpRequest,
        verb: str,
        row: models.Model,
        before: Picture,
        after: Picture,
        *,
        batch: str = "",
    ) -> None:
        """Write the line of one row."""
        note(
            by=doer_of(request),
            action=f"{self.opts.app_label}.{verb}_{self.opts.model_name}",
            subject=self.subject_of(row),
            before=before,
            after=after,
            batch=batch,
        )
