"""Whose text a file is: found by the title, the author and the DOI at its head."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviser.literature.identifiers import doi
from reviser.literature.names import folded
from reviser.literature.sources import Wanted
from reviser.literature.titles import Title, folded_title, joined

HEAD = 4_000
"""Characters of a text in which its authors and its DOI are looked for."""
TITLE_HEAD = 900
"""Letters within which the title must begin: one that is cited stands further behind."""
FEWEST_LETTERS = 16
"""Of a title; shorter ones ("Deep learning") stand in many texts."""
_FIGURES = re.compile(r"[\d¹²³⁰-⁹]+")
_ABOUT_IT = re.compile(
    r"(?:comment(?:s|ary)?on|replyto|reply|erratum(?:to)?|errata|corrigendum(?:to)?|correction(?:to)?"
    r"|retraction(?:of)?|responseto|reviewof|discussionof|supplement(?:ary)?(?:material|information)?"
    r"(?:for|to|of)?|appendixto)(?:the|article|paper){0,2}$"
)
_ANOTHER = re.compile(
    r"supplement|supporting|appendix|reply|comment|erratum|correction|(?:part|volume)?[2-9](?!\d)"
)


def owners(texts: Mapping[str, str], wanted: Sequence[Wanted]) -> Mapping[str, str]:
    """Which of the texts, given by file name with their beginning, is that of a wanted work: file
    names by citation key.

    A text is a work's when the title stands at its head together with the first author's surname,
    or with the work's DOI as the first one in it. Of works that fit, the one with the longest title
    is meant; a work that two files fit gets the first by name.
    """
    found: dict[str, str] = {}
    heads = [(one, folded_title(one.title)) for one in wanted]
    heads.sort(key=lambda pair: -len(pair[1].joined))
    for name in sorted(texts):
        beginning = _Beginning.of(texts[name])
        fits = next((one for one, title in heads if beginning.is_of(one, title)), None)
        if fits is not None:
            found.setdefault(fits.key, name)
    return found


@dataclass(frozen=True, slots=True)
class _Beginning:
    """The head of a text: its letters, its authors' names among its words, its first DOI."""

    letters: str
    names: str
    doi: str

    @classmethod
    def of(cls, text: str) -> "_Beginning":
        head = text[:HEAD]
        # A name is often followed by the figure of a footnote.
        bare = _FIGURES.sub(" ", head)
        return cls(joined(head), f" {folded(bare)} ", doi(head))

    def is_of(self, wanted: Wanted, title: Title) -> bool:
        """Whether it is the head of this work's text."""
        letters = title.joined
        if len(letters) < FEWEST_LETTERS:
            return False
        at = self.letters.find(letters)
        if not 0 <= at <= TITLE_HEAD or _ABOUT_IT.search(self.letters[max(0, at - 60) : at]):
            return False
        if _ANOTHER.match(self.letters, at + len(letters)):
            return False
        if wanted.doi and self.doi:
            return wanted.doi == self.doi or self._names(wanted)
        return self._names(wanted)

    def _names(self, wanted: Wanted) -> bool:
        return bool(wanted.authors) and f" {folded(wanted.authors[0])} " in self.names
