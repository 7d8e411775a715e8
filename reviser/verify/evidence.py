"""What is at hand of each work in the bibliography: who wrote it, and the sentences to check."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from reviser.latex.elements import BibEntry
from reviser.latex.language import detect
from reviser.latex.sentences import split
from reviser.literature.cleaning import abstract_of
from reviser.literature.sources import Text
from reviser.manuscript.model import Manuscript
from reviser.verify.model import Passage
from reviser.verify.words import content_words, folded, word_set

ABSTRACT = "abstract"
ANNOTE = "annote"
NOTE = "note"
SOURCE_TEXT = "source text"

FEWEST_WORDS = 12
"""Shorter texts (a subtitle, "see also part II") say too little of a work to check against."""
LONG_NOTE = 40
"""Words from which a note is prose about the work and not a remark on its publication."""
MOST_SENTENCES = 600
"""Of one source text; what lies behind is not read."""
NO_TEXT = "no abstract in the bibliography and no source file"

_NO_EVIDENCE = re.compile(
    r"^[\W\d]*(?:references?|bibliography|literature cited|works cited|acknowledge?ments?|"
    r"funding|author contributions?|competing interests|conflicts? of interest)\W*$",
    re.IGNORECASE,
)
"""Headings of what a paper does not say itself."""
_NAME_SPLIT = re.compile(r"\s+and\s+", re.IGNORECASE)
_SUFFIX = re.compile(r"jr|sr|i{2,3}|iv", re.IGNORECASE)
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_INHERITED = ("abstract", "annote", "title", "author", "editor", "year", "date", "keywords")
_PARTICLES = word_set("de da di del della der den des dos du la le van von vom zu zur ten ter")


@dataclass(frozen=True, slots=True)
class Work:
    """One bibliography entry as evidence. `passages` are sentences in reading order, empty when
    there is no source text, and `why_none` then says so. `authors` are folded surnames; `year`
    has four digits or is empty; `language` is an ISO 639-1 code or "" when unsure; `full` tells
    that more than an abstract was read."""

    key: str
    entry: BibEntry
    title: str
    authors: tuple[str, ...]
    year: str
    keywords: str
    passages: tuple[Passage, ...]
    language: str = ""
    why_none: str = ""
    full: bool = False

    @property
    def name(self) -> str:
        """How a reader knows it: `Smith et al. (2020), "Title"`."""
        first = self.entry_author
        who = f"{first} et al." if len(self.authors) > 1 else first
        if not self.title:
            return f"{who} ({self.year})".replace(" ()", "") if who else f"entry {self.key}"
        return f'{who}{f" ({self.year})" if self.year else ""}, "{self.title}"'.lstrip(", ")

    @property
    def entry_author(self) -> str:
        """The first author's surname as written, or an empty string."""
        names = surnames(self.entry.get("author") or self.entry.get("editor"))
        return names[0] if names else ""


def works(manuscript: Manuscript, texts: Mapping[str, Text]) -> Mapping[str, Work]:
    """Every entry of the bibliography, by its key in lower case, as are `texts`.

    The abstract is the bibliography's, or where that has none the text's. A title alone is not
    evidence. A `crossref` or `xdata` parent lends the fields a child lacks.
    """
    return {
        key: _work(manuscript, entry, texts.get(key, Text()))
        for key, entry in manuscript.entry_of.items()
    }


def lengthened(work: Work, at_hand: Text) -> Work:
    """The work with the sentences of a full text that came to hand since."""
    long = _long(work.key, at_hand)
    return replace(work, passages=(*work.passages, *long), full=work.full or bool(long))


def spoken(passages: Sequence[Passage]) -> str:
    """The language that a text is in, as ISO 639-1 code, "" when unsure."""
    return detect(" ".join(p.text for p in passages[:40])) if passages else ""


def _work(manuscript: Manuscript, entry: BibEntry, at_hand: Text) -> Work:
    fields = {name: inherited(manuscript, entry, name) for name in _INHERITED}
    passages = (*_brief(entry, fields, at_hand), *_long(entry.key, at_hand))
    title = re.sub(r"\s+", " ", fields["title"]).strip()
    if not title and at_hand.paper is not None:
        title = at_hand.paper.title
    author = fields["author"] or fields["editor"]
    year = _YEAR.search(fields["year"] or fields["date"])
    return Work(
        key=entry.key,
        entry=entry,
        title=title,
        authors=tuple(folded(name) for name in surnames(author)),
        year=year.group() if year else "",
        keywords=fields["keywords"],
        passages=passages,
        language=spoken(passages),
        why_none="" if passages else _why_none(fields["abstract"], at_hand),
        full=any(p.where == SOURCE_TEXT for p in passages),
    )


def _brief(entry: BibEntry, fields: Mapping[str, str], at_hand: Text) -> list[Passage]:
    """The sentences of its abstract, of whoever has one, and of what the bibliography notes."""
    abstract, origin = abstract_of(fields["abstract"]), ""
    if len(abstract.split()) < FEWEST_WORDS:
        abstract, origin = abstract_of(at_hand.abstract), at_hand.abstract_from
    parts = [
        (ABSTRACT, abstract, origin),
        (ANNOTE, abstract_of(fields["annote"] or entry.get("annotation")), ""),
    ]
    note = abstract_of(entry.get("note"))
    if entry.kind != "bibitem" and len(note.split()) >= LONG_NOTE:
        parts.append((NOTE, note, ""))
    return [
        Passage(entry.key, said, where, start, stop, origin=whose)
        for where, text, whose in parts
        if len(text.split()) >= FEWEST_WORDS
        for said, start, stop in _sentences(text)
    ]


def _long(key: str, at_hand: Text) -> list[Passage]:
    """The sentences of its full text, section by section."""
    found = (
        Passage(
            key,
            said,
            SOURCE_TEXT,
            begin + start,
            begin + stop,
            section=re.sub(r"\s+", " ", section.title).strip(),
            origin=at_hand.full_from,
        )
        for begin, section in at_hand.parts
        if not _NO_EVIDENCE.match(section.title)
        for said, start, stop in _sentences(section.text)
    )
    return list(islice(found, MOST_SENTENCES))


def _why_none(abstract: str, at_hand: Text) -> str:
    if at_hand.whole.strip():
        return "the source file holds no sentence"
    if abstract.strip() or at_hand.abstract.strip():
        return "its abstract is too short to check against"
    return at_hand.why_none or NO_TEXT


def inherited(manuscript: Manuscript, entry: BibEntry, name: str) -> str:
    """The field's text, from the nearest ancestor that has it; a loop of parents ends."""
    seen: set[str] = set()
    waiting = [entry]
    while waiting:
        here = waiting.pop(0)
        if here.key.lower() in seen:
            continue
        seen.add(here.key.lower())
        # A proceedings' title is not its papers' title.
        if (text := here.get(name)) and (name != "title" or here is entry):
            return text
        parents = ",".join(here.get(link) for link in ("crossref", "xdata"))
        for parent in parents.split(","):
            found = manuscript.entry_of.get(parent.strip().lower())
            if found is not None:
                waiting.append(found)
    return ""


@lru_cache(maxsize=5_000)
def _sentences(text: str) -> tuple[tuple[str, int, int], ...]:
    """The sentences with two content words and more, with where they stand in the text."""
    found: list[tuple[str, int, int]] = []
    for span in split(text)[:MOST_SENTENCES]:
        raw = text[span.start : span.stop]
        sentence = re.sub(r"\s+", " ", raw).strip()
        if len(content_words(sentence)) < 2:
            continue
        found.append((sentence, span.start, span.stop))
    return tuple(found)


def surnames(field: str) -> tuple[str, ...]:
    """The surnames in a BibTeX name list, as written and with their particles; "others" dropped."""
    found: list[str] = []
    for name in _NAME_SPLIT.split(re.sub(r"\s+", " ", field).strip()):
        bare = name.strip(" ,.{}")
        if not bare or bare.lower() in ("others", "et al", "et al."):
            continue
        if "," in bare:
            found.append(bare.split(",")[0].strip())
            continue
        words = bare.split()
        if len(words) > 1 and _SUFFIX.fullmatch(words[-1]):
            words.pop()
        start = len(words) - 1
        while start > 1 and words[start - 1].lower() in _PARTICLES:
            start -= 1
        found.append(" ".join(words[start:]).rstrip("."))
    return tuple(name for name in found if name)
