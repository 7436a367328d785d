"""Words for readers: sentences of refusals, numbers and moments, in the active language and zone.

The pure cores and the services refuse with a plain English sentence, figures and names already in
it. `told` finds the text it was made from in the catalogue, `%(card)s is not in your hand.`, and
fills the reader's own words with the same figures and names. Nothing here knows any app, and who
asks in English pays nothing for it. See docs/languages.md.
"""

from __future__ import annotations

from wording.moments import moment_text
from wording.numbers import count_text, locale_name, number_text
from wording.retelling import named, part, told

__all__ = ["count_text", "locale_name", "moment_text", "named", "number_text", "part", "told"]
