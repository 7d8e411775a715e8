"""A small language for papers in these tests: sentences as an author types them, and entries."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reviser.latex.elements import BibEntry, Citation, CitationForm, Field, Key
from reviser.manuscript.model import FileFacts, Manuscript, OffsetMap, Paragraph, Section, Sentence
from reviser.text.source import Place, Source, Span
from reviser.verify.words import content_words

_CITE = re.compile(r"\\(cite[a-z]*|nocite)((?:\[[^\]]*\])*)\{([^{}]*)\}")
_COMMENT = re.compile(r"%[^\n]*\n")
_FORMS = {
    "citet": CitationForm.TEXTUAL,
    "citeauthor": CitationForm.AUTHOR,
    "citeyear": CitationForm.YEAR,
    "nocite": CitationForm.UNSEEN,
}
_SHOWN = {CitationForm.TEXTUAL: "Authors", CitationForm.AUTHOR: "Authors"}
MAIN, BIB = "main.tex", "refs.bib"
_NOWHERE = Place(BIB, Span(0, 0))


def paper(
    *sentences: str | tuple[str, str],
    entries: Mapping[str, Mapping[str, str]] | None = None,
    language: str = "en",
    untouchable: str = "",
    editable: bool = True,
) -> Manuscript:
    """A manuscript of one file; a sentence may come with its kind."""
    text = ""
    citations: list[Citation] = []
    made: list[Sentence] = []
    paragraphs: list[Paragraph] = []
    for number, given in enumerate(sentences):
        written, kind = given if isinstance(given, tuple) else (given, "body")
        at = Place(MAIN, Span(len(text), len(text) + len(written)))
        held, plain, runs = _plain(written, len(text))
        own = tuple(range(len(citations), len(citations) + len(held)))
        made.append(Sentence(at, plain, OffsetMap(runs), number, 0, kind, own))
        citations += held if editable else [_from_macro(citation) for citation in held]
        paragraphs.append(Paragraph(at, 0, kind))
        text += written + "\n"
    return Manuscript(
        main=MAIN,
        sources={MAIN: Source(MAIN, text), BIB: Source(BIB, "")},
        files=(FileFacts(MAIN, "utf-8", "lf", "main", untouchable),),
        sections=(Section("", 0, Place(MAIN, Span(0, len(text))), None, None),),
        paragraphs=tuple(paragraphs),
        sentences=tuple(made),
        citations=tuple(citations),
        labels=(),
        references=(),
        floats=(),
        footnotes=(),
        math=(),
        comments=(),
        skipped=(),
        macros=(),
        bibliography=(BIB,),
        entries=tuple(entry(key, **fields) for key, fields in (entries or {}).items()),
        unparsed=(),
        language=language,
    )


def entry(key: str, kind: str = "article", **fields: str) -> BibEntry:
    made = tuple(Field(name, f"{{{value}}}", value, _NOWHERE) for name, value in fields.items())
    return BibEntry(key, kind, made, _NOWHERE, _NOWHERE)


def _plain(written: str, start: int) -> tuple[list[Citation], str, tuple[tuple[int, int], ...]]:
    held: list[Citation] = []
    plain = ""
    runs: dict[int, int] = {}
    cursor = 0
    for match in _CITE.finditer(written):
        runs[len(plain)] = start + cursor
        plain += written[cursor : match.start()].replace("~", " ")
        form = _FORMS.get(match[1], CitationForm.PARENTHETICAL)
        runs[len(plain)] = start + match.start()
        plain += _SHOWN.get(form, "[1]")
        cursor = match.end()
        at = Place(MAIN, Span(start + match.start(), start + match.end()))
        notes = tuple(re.findall(r"\[([^\]]*)\]", match[2]))
        held.append(Citation(at, match[1], form, _keys(match[3], start + match.start(3)), notes))
    runs[len(plain)] = start + cursor
    plain += written[cursor:].replace("~", " ")
    return held, plain, tuple(sorted(runs.items()))


def _keys(written: str, start: int) -> tuple[Key, ...]:
    found: list[Key] = []
    offset = start
    for part in written.split(","):
        if name := _COMMENT.sub("", part).strip():
            at = offset + part.index(name)
            found.append(Key(name, Place(MAIN, Span(at, at + len(name)))))
        offset += len(part) + 1
    return tuple(found)


def _from_macro(citation: Citation) -> Citation:
    keys = tuple(Key(key.name, citation.at, editable=False) for key in citation.keys)
    return replace(citation, keys=keys)


class WordEmbedder:
    """Compares texts by the words they share: cosine of the sets of their stems."""

    name = "shared words"

    def similarities(
        self, rows: Sequence[str], columns: Sequence[str]
    ) -> Sequence[Sequence[float]]:
        sets = [set(content_words(text)) for text in columns]
        return [[_cosine(set(content_words(row)), other) for other in sets] for row in rows]


def _cosine(left: set[str], right: set[str]) -> float:
    if not left or not right:
        return 0.0
    return float(len(left & right) / (len(left) * len(right)) ** 0.5)
