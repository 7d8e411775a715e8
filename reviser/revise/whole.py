"""Whether some words are a whole sentence of running text."""

import re

from reviser.manuscript.model import Sentence

_WHOLE = re.compile(r"[.?!][\"'’”)\]]*(?:\s*\[\d[\d,;–\- ]*\])*$")
_WORD = re.compile(r"[^\W_]+")
_FEWEST = 3
"""Words of a sentence."""


def is_whole(sentence: Sentence) -> bool:
    """Whether it begins as a sentence does, has a few words, and ends with its full stop."""
    plain = sentence.plain.strip()
    words = _WORD.findall(re.sub(r"\[\d[\d,;–\- ]*\]", " ", plain))
    return len(words) >= _FEWEST and not words[0][0].islower() and bool(_WHOLE.search(plain))
