"""Users, groups and what belongs to a log-in, in the admin; every change has its audit line.

Accounts are closed, never deleted: what others did with them stays. Who is staff, and what staff
may do, is for superusers alone to say, so nobody gives himself more than he has.
"""

from __future__ import annotations

from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from staff.admin_base import ReadOnlyAdmin
from staff.audited_admin import AuditedAdmin
from staff.receivers import user_subject
from staff.selectors.doers import has_acted
from staff.services.audit import Picture, Subject, new_batch

_FOR_SUPERUSERS: Final = ("is_staff", "is_superuser", "groups", "user_permissions")
MEMBERS_TOLD: Final = 500
"""Names of a group's members in a line of the log, at most."""

for _model in (User, Group, EmailAddress, Authenticator, UserSession):
    admin.site.unregister(_model)


@admin.register(User)
class UserAdmin(DjangoUserAdmin, AuditedAdmin):
    """Accounts: of players, and of staff."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    secret_fields = ("password",)

    def subject_of(self, row: Any) -> Subject:
        """A user, named as the log-in names him."""
        return user_subject(row)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Duties and rights are given by superusers; a name that was signed with stays.

        What waits for a second person knows who asked by his name: under a new one he could
        approve it himself.
        """
        fixed = tuple(super().get_readonly_fields(request, obj))
        user: Any = request.user
        if obj is not None and (obj.is_staff or has_acted(obj)):
            fixed += ("username",)
        return fixed if user.is_superuser else (*fixed, *_FOR_SUPERUSERS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody but a superuser changes the account of staff."""
        user: Any = request.user
        is_of_staff = obj is not None and (obj.is_staff or obj.is_superuser)
        return super().has_change_permission(request, obj) and (
            user.is_superuser or not is_of_staff
        )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: take away "active" instead."""
        return False

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - Django's name for it
        form_url: str = "",
    ) -> HttpResponse:
        """Set somebody's password; the line says that it was set, not to what."""
        with transaction.atomic():
            before = User.objects.filter(pk=id).first() if id.isdecimal() else None
            answer: HttpResponse = super().user_change_password(request, id, form_url)
            after = None if before is None else User.objects.get(pk=before.pk)
            if before is not None and after is not None and before.password != after.password:
                self.note(request, "set_password_of", after, _usable(before), _usable(after))
        return answer


def _usable(user: User) -> Picture:
    return {"has_password": user.has_usable_password()}


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, AuditedAdmin):
    """Roles: what those may do who belong to them."""

    def picture_of(self, row: models.Model) -> dict[str, Any]:
        """With its members, who lose what it gives when it goes."""
        members = User.objects.filter(groups=row.pk).order_by("username")
        names = list(members.values_list("username", flat=True)[:MEMBERS_TOLD])
        return {**super().picture_of(row), "members": names}


class _OfLogIn(AuditedAdmin, ReadOnlyAdmin):
    """What belongs to somebody's log-in: looked at, and by superusers taken away."""

    list_select_related = ("user",)
    search_fields: tuple[str, ...] = ("user__username",)
    ordering = ("-id",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers: whoever takes these away lets somebody else log in, or out."""
        user: Any = request.user
        return bool(user.is_superuser)

    def subject_of(self, row: Any) -> Subject:
        """Whose it is."""
        return user_subject(row.user)


@admin.register(Authenticator)
class AuthenticatorAdmin(_OfLogIn):
    """Second factors; taken away for somebody who has lost his telephone."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    secret_words = secret_fields = ("data",)


@admin.register(UserSession)
class UserSessionAdmin(_OfLogIn):
    """Where people are logged in; to take a row away ends the session."""

    list_display = ("user", "created_at", "last_seen_at", "ip", "user_agent")
    search_fields = ("user__username", "=ip")
    secret_words = secret_fields = ("session_key", "data")

    def end(self, rows: list[Any], queryset: QuerySet[Any]) -> None:
        """Log out."""
        for row in rows:
            row.end()


@admin.register(EmailAddress)
class EmailAddressAdmin(_OfLogIn):
    """Addresses, and whether they are confirmed."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    search_fields = ("user__username", "email")
    actions = ("make_verified",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: everybody keeps his own."""
        return False

    def has_verify_permission(self, request: HttpRequest) -> bool:
        """Superusers: an address can set a new password."""
        user: Any = request.user
        return bool(user.is_superuser)

    @admin.action(description=_("Mark as confirmed"), permissions=["verify"])
    def make_verified(self, request: HttpRequest, queryset: QuerySet[EmailAddress]) -> None:
        """Confirm addresses for those who cannot; one that somebody else has stays as it is."""
        with transaction.atomic():
            batch = new_batch()
            for row in queryset.filter(verified=False).select_related("user"):
                before = self.picture_of(row)
                if row.set_verified():
                    after = self.picture_of(row)
                    self.note(request, "confirm", row, before, after, batch=batch)
