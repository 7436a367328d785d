"""The ledger's kinds and purposes in the reader's language."""

from __future__ import annotations

from django import template

from ledger import wallet

register = template.Library()
register.filter("kind_words", wallet.kind_words)
register.filter("purpose_words", wallet.purpose_words)
