"""How a paper writes its citations, so that our code can write one more in the same way."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reviser.latex.elements import Citation, CitationForm
from reviser.manuscript.model import Manuscript

_STOP = re.compile(r"[.!?]+$")
_PLAIN_KEY = re.compile(r"[\w:.+/@&;'()*-]{1,100}")
"""Keys that stand in a command as they are; in others a sign might mean something to TeX."""


@dataclass(frozen=True, slots=True)
class Habit:
    """`command` without its backslash, what stands before it and between keys, and whether the
    sentence's full stop comes first."""

    command: str
    before: str = "~"
    between: str = ","
    after_stop: bool = False

    def cited(self, sentence: str, keys: Sequence[str]) -> str:
        """A sentence in LaTeX with a citation of `keys` at its end; as it is without keys."""
        if not keys:
            return sentence
        mark = f"{self.before}\\{self.command}{{{self.between.join(keys)}}}"
        if self.after_stop:
            return sentence + mark
        stop = _STOP.search(sentence)
        at = stop.start() if stop else len(sentence)
        return sentence[:at] + mark + sentence[at:]


def habit_of(manuscript: Manuscript) -> Habit | None:
    """The way most parenthetical citations of the paper are written; None where there is none to
    follow, so that none can be added."""
    plain = [
        c
        for c in manuscript.citations
        if c.form is CitationForm.PARENTHETICAL
        and c.via is None
        and not c.notes
        and c.keys
        and all(key.editable for key in c.keys)
    ]
    if not plain:
        return None
    command = Counter(c.command for c in plain).most_common(1)[0][0]
    used = [c for c in plain if c.command == command]
    before = Counter(_before(manuscript, c) for c in used).most_common(1)[0][0]
    many = Counter(_between(manuscript, c) for c in used if len(c.keys) > 1).most_common(1)
    ends = Counter(_ends(manuscript, c) for c in used)
    return Habit(command, before, many[0][0] if many else ",", ends["after"] > ends["before"])


def writable(key: str) -> bool:
    """Whether a key can be written into a citation as it is."""
    return _PLAIN_KEY.fullmatch(key) is not None


def _before(manuscript: Manuscript, citation: Citation) -> str:
    text = manuscript.sources[citation.at.path].text
    last = text[max(0, citation.at.span.start - 1) : citation.at.span.start]
    return "~" if last == "~" else " " if last.isspace() else ""


def _between(manuscript: Manuscript, citation: Citation) -> str:
    first, second = citation.keys[0].at.span, citation.keys[1].at.span
    gap = manuscript.sources[citation.at.path].text[first.stop : max(first.stop, second.start)]
    return ", " if gap == ", " else ","


def _ends(manuscript: Manuscript, citation: Citation) -> str:
    """On which side of a full stop the citation stands."""
    text = manuscript.sources[citation.at.path].text
    start, stop = citation.at.span.start, citation.at.span.stop
    if text[stop : stop + 1] == ".":
        return "before"
    return "after" if text[max(0, start - 9) : start].rstrip("~ ")[-1:] == "." else "neither"
