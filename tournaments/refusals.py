"""What an edge tells of an exception: the sentence of a refusal, whoever gave it."""

from __future__ import annotations

from wording import told


def sentence_of(error: Exception) -> str:
    """What to tell the reader. An exception without a sentence is a fault, and goes on."""
    sentence = getattr(error, "sentence", None)
    if not isinstance(sentence, str):
        raise error
    return told(sentence)
