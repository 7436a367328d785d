"""The code by which a player checks in at the desk: short enough to be typed, too long to guess.

It says which entry it is for and proves that the site made it, so the desk needs no list. Joining
again gives another code. Letters that are mistaken for digits are read as these.
"""

from __future__ import annotations

import hmac
from typing import Final

from django.utils.crypto import salted_hmac

from tournaments.models import Entry

_SIGNS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS: Final = str.maketrans("OIL", "011", " -–")
_PROOF: Final = 5
"""Signs that prove it: one guess in 33 million is right."""
_MOST: Final = 20


def code_of(entry: Entry) -> str:
    """The code of an entry, such as `4F-K7Q2X`."""
    return f"{_in_signs(entry.pk)}-{_proof_of(entry.pk, entry.attempt)}"


def entry_of_code(code: str) -> Entry | None:
    """The entry that a code is for, whatever became of it; None for a code that nobody got."""
    plain = code.strip().upper().translate(_READ_AS)
    named, proof = plain[:-_PROOF], plain[-_PROOF:]
    if not named or len(plain) > _MOST or not set(plain) <= set(_SIGNS):
        return None
    number = 0
    for sign in named:
        number = number * len(_SIGNS) + _SIGNS.index(sign)
    if number >= 2**63:
        return None
    entry = Entry.objects.select_related("player", "tournament").filter(pk=number).first()
    if entry is None or not hmac.compare_digest(proof, _proof_of(entry.pk, entry.attempt)):
        return None
    return entry


def _in_signs(number: int) -> str:
    signs = ""
    while number:
        number, at = divmod(number, len(_SIGNS))
        signs = _SIGNS[at] + signs
    return signs.rjust(2, "0")


def _proof_of(pk: int, attempt: int) -> str:
    digest = salted_hmac("tournaments.entry_codes", f"{pk}:{attempt}", algorithm="sha256").digest()
    return "".join(_SIGNS[byte % len(_SIGNS)] for byte in digest[:_PROOF])
