"""What operators type: amounts in their own way of writing, always with a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from ledger.models import Account
from ledger.terms import AssetKind, CashKind
from wording.typed import read_typed

LONGEST = 350


class ReasonForm(forms.Form):
    """A reason, and a key by which the same form sent twice acts once."""

    reason = forms.CharField(label=_("Reason"), max_length=LONGEST)
    key = forms.CharField(widget=forms.HiddenInput, max_length=40)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("key", get_random_string(20))


class FreezeForm(ReasonForm):
    """A reason, and what was wanted when the form was shown: somebody else may have been first."""

    wanted = forms.ChoiceField(choices=[("freeze", ""), ("open", "")], widget=forms.HiddenInput)


class CashForm(ReasonForm):
    """An amount into an account or out of it."""

    kind = forms.ChoiceField(label=_("What"))
    amount = forms.CharField(label=_("Amount"), max_length=40)
    attachment = forms.CharField(
        label=_("Paper behind it"), max_length=200, required=False, help_text=_("Number or address")
    )
    field_order = ("kind", "amount", "reason", "attachment")

    def __init__(self, account: Account, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.account = account
        choices: list[tuple[str, Any]] = []
        if account.asset.kind == AssetKind.CURRENCY:
            choices += [
                (f"{CashKind.DEPOSIT}", _("Deposit")),
                (f"{CashKind.WITHDRAWAL}", _("Withdrawal")),
            ]
        choices += [
            (f"{CashKind.ADJUSTMENT}-in", _("Correction: put in")),
            (f"{CashKind.ADJUSTMENT}-out", _("Correction: take out")),
        ]
        self.fields["kind"].choices = choices  # type: ignore[attr-defined]

    def clean_amount(self) -> int:
        """In the smallest unit."""
        try:
            return read_typed(self.cleaned_data["amount"], self.account.asset.scale)
        except ValueError as fault:
            raise forms.ValidationError(str(fault)) from fault

    @property
    def said(self) -> dict[str, Any]:
        """As `request_cash` takes it; the form is valid."""
        found = self.cleaned_data
        kind, _dash, way = found["kind"].partition("-")
        return {
            "kind": CashKind(kind),
            "outwards": way == "out",
            "amount": found["amount"],
            "reason": found["reason"],
            "attachment": found["attachment"],
            "key": f"desk:{found['key']}",
        }
