"""Words for readers: sentences of refusals and numbers, in the language that is active.

The pure cores and the services refuse with a plain English sentence, figures and names already in
it. `told` finds the text it was made from in the catalogue, `%(card)s is not in your hand.`, and
fills the reader's own words with the same figures and names. Nothing here knows any app, and an
app that is asked in English pays nothing for it. See docs/languages.md.
"""

from __future__ import annotations

from wording.numbers import count_text, locale_name, number_text
from wording.retelling import told

__all__ = ["count_text", "locale_name", "number_text", "told"]
