"""Reads the exhibits of the museum: edits of a small paper, each in a file of its own.

An exhibit begins with header lines `name: value`, of which `purpose` and `why` are required:

- `purpose`: one of `reviser.text.edit.Purpose`
- `refused by`: the check that must refuse it (in `refused/` only)
- `allow`: `kind | lost | gained`, what the edit announces, quoted where blanks count; may
  stand several times
- `why`: what is wrong with the edit, or what makes it worth keeping
- `file`: the file that is edited, `main.tex` unless named; `refs.bib` and `part.tex` exist too
- `newline: crlf`, `encoding: latin-1`, `language: ru`: what is special about the file or paper
- `bare: yes`: the new text keeps its bare line feeds in a CRLF file
- `evidence`: a passage that a rewritten claim rests on
- `ground`: `words | key | quote`, what a cell of a table rests on; may stand several times
- `alone: yes`: no other check refuses it
- `announce: yes`: what the edit gains is announced for it, as for an edit that a model wrote
- `marked: yes`: the passage after shows the edit itself, in `{+text put in+}` and `{-old|new-}`
- `trim: end`: what the two passages share is cut off at the end first, then at the start
- `entry at: start`: a new entry is put at the start of refs.bib, else at its end

Then follow `--- before`, the passage; `--- after`, the same passage as the edit would leave it;
`--- file NAME`, the content of another file, where it matters; `--- entry`, what the edit puts
into refs.bib beside; and `--- end`. The edit is the
smallest single stretch in which the two differ. In main.tex the passage stands in the middle of
PAPER; in the other files it is the whole content.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.revise.additions import announced
from reviser.revise.evidence import Evidence, Known
from reviser.revise.gate import Reread
from reviser.text.edit import Allowed, Edit, Ground, Purpose, Replacement, apply
from reviser.text.source import Place, Source, Span
from reviser.verify.model import Claim, Label, Support

HERE = Path(__file__).parent

PAPER = r"""\documentclass{article}
\newcommand{\alphasys}{\textsc{Alpha}}
\newcommand{\seealso}[1]{\cite{#1}}
\newcommand{\loadpart}[1]{\input{#1}}
\newcommand{\loadtwice}[1]{\loadpart{#1}\loadpart{#1}}
\begin{document}
\section{Introduction}\label{sec:intro}
We study how words are counted. All of it follows earlier work~\cite{adler}.

@PASSAGE@

As Section~\ref{sec:intro} says, much remains to be done; see also \citet{baker} and
Section~\ref{sec:end}.
\input{part}
\section{Conclusion}\label{sec:end}
Words were counted, and the counts were few.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
PART = "The second part is short. It has two sentences.\n"
REFS = """@article{adler, author = {Adler, Ada}, title = {Words}, journal = {Counts}, year = {2014}}
@article{baker, author = {Baker, Ben}, title = {Models}, journal = {Counts}, year = {2016}}
@article{cohen, author = {Cohen, Cy}, title = {Tools}, journal = {Counts}, year = {2017}}
@article{diaz, author = {Diaz, Dan}, title = {Labels}, journal = {Counts}, year = {2018}}
@article{eng_2020, author = {Eng, Eva}, title = {Noise}, journal = {Counts}, year = {2020}}
"""


@dataclass(frozen=True)
class Exhibit:
    """One exhibit: the paper before, the edit, and what must become of it."""

    name: str
    manuscript: Manuscript
    edit: Edit
    reread: Reread
    refused_by: str
    alone: bool


def names(room: str) -> list[str]:
    """The exhibits in a room of the museum ("refused" or "passed")."""
    return sorted(path.stem for path in (HERE / room).glob("*.txt"))


def read(room: str, name: str) -> Exhibit:
    """The exhibit of that name; a file that does not keep to the format fails here."""
    text = (HERE / room / f"{name}.txt").read_bytes().decode()
    head, _, rest = text.partition("--- before\n")
    before, _, rest = rest.partition("\n--- after\n")
    rest, ending, nothing = rest.partition("\n--- end\n")
    assert ending
    assert not nothing
    rest, entering, entered = rest.partition("\n--- entry\n")
    after, *others = rest.split("\n--- file ")
    more = dict(other.split("\n", 1) for other in others)
    header: dict[str, str] = {}
    allows: list[str] = []
    grounds: list[str] = []
    for line in head.splitlines():
        key, _, value = line.partition(": ")
        if key == "allow":
            allows.append(value)
        elif key == "ground":
            grounds.append(value)
        else:
            assert key not in header, f"{name}: {key} stands twice"
            header[key] = value
    assert header.keys() <= _KNOWN, f"{name}: {header.keys() - _KNOWN}"
    assert header["why"]
    assert (room == "refused") == ("refused by" in header)
    if entering:
        header["entered"] = entered
    exhibit = _exhibit(name, header, allows, before, after, more)
    return replace(exhibit, edit=_told(exhibit, header, grounds))


def _told(exhibit: Exhibit, header: dict[str, str], grounds: list[str]) -> Edit:
    """The edit with what its cells rest on, and with what it gains where that is announced."""
    said = [[piece.strip() for piece in line.split(" | ", 2)] for line in grounds]
    parts = tuple(Ground(words, key, "abstract", quote) for words, key, quote in said)
    edit = replace(exhibit.edit, grounds=parts)
    if "announce" not in header:
        return edit
    before = exhibit.manuscript
    changed = exhibit.reread({**before.sources, **apply(before.sources, [edit])})
    return announced(edit, before, changed)


_KNOWN = {
    *("purpose", "refused by", "why", "file", "newline", "encoding", "language"),
    *("bare", "alone", "trim", "announce", "marked", "evidence", "entry at"),
}


def _exhibit(
    name: str,
    header: dict[str, str],
    allows: list[str],
    before: str,
    after: str,
    more: dict[str, str],
) -> Exhibit:
    path = header.get("file", "main.tex")
    crlf = header.get("newline") == "crlf"
    files = {"main.tex": PAPER, "part.tex": PART, "refs.bib": REFS} | more
    lead = ""
    if path == "main.tex":
        lead, _, tail = PAPER.partition("@PASSAGE@")
        files[path] = lead + before + tail
    else:
        files[path] = before + "\n"
        files["main.tex"] = PAPER.replace("@PASSAGE@", "Nothing is said here.")
    encoding = header.get("encoding", "utf-8")
    data = {
        file: _ended(text, crlf).encode(encoding if file == path else "utf-8")
        for file, text in files.items()
    }
    reading = Reading(Memory(data))

    def paper(manuscript: Manuscript) -> Manuscript:
        language = header.get("language", "en")
        return replace(manuscript, language="" if language == "unknown" else language)

    def reread(changed: dict[str, Source]) -> Manuscript:
        return paper(reading.reread(changed))

    manuscript = paper(reading.manuscript)
    first = len(_ended(lead, crlf))
    if "marked" in header:
        parts = tuple(_marked(path, first, before, after))
    else:
        parts = (_smallest(path, lead, before, after, header),)
    if "entered" in header:
        bib = manuscript.sources["refs.bib"].text
        spot = 0 if header.get("entry at") == "start" else len(bib)
        place = Place("refs.bib", Span(spot, spot))
        parts = (*parts, Replacement(place, "", header["entered"] + "\n"))
    edit = Edit(name, "museum", parts, Purpose(header["purpose"]), header["why"])
    if "evidence" in header:
        edit = replace(edit, evidence=(header["evidence"],))
    if allows:
        edit = replace(edit, allows=tuple(_allowed(manuscript, parts, a) for a in allows))
    return Exhibit(name, manuscript, edit, reread, header.get("refused by", ""), "alone" in header)


def _marked(path: str, first: int, before: str, after: str) -> Iterator[Replacement]:
    """The edit that the marks in the passage show."""
    shown, cursor = "", 0
    for match in _MARKS.finditer(after):
        shown += after[cursor : match.start()]
        old, new = match["old"] or "", match["new"] or match["put"] or ""
        spot = first + len(shown)
        yield Replacement(Place(path, Span(spot, spot + len(old))), old, new)
        shown += old
        cursor = match.end()
    assert shown + after[cursor:] == before


_MARKS = re.compile(r"\{\+(?P<put>.*?)\+\}|\{-(?P<old>.*?)\|(?P<new>.*?)-\}", re.DOTALL)


def _smallest(path: str, lead: str, before: str, after: str, header: dict[str, str]) -> Replacement:
    crlf = header.get("newline") == "crlf"
    turned = "trim" in header
    start, end = _shared(before[::-1], after[::-1])[::-1] if turned else _shared(before, after)
    old = _ended(before[start : len(before) - end], crlf)
    new = _ended(after[start : len(after) - end], crlf and "bare" not in header)
    first = len(_ended(lead + before[:start], crlf))
    return Replacement(Place(path, Span(first, first + len(old))), old, new)


def _ended(text: str, crlf: bool) -> str:
    return text.replace("\n", "\r\n") if crlf else text


def _shared(before: str, after: str) -> tuple[int, int]:
    """How many characters the two share at the start and, beyond these, at the end."""
    start = 0
    shortest = min(len(before), len(after))
    while start < shortest and before[start] == after[start]:
        start += 1
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, end


def _allowed(manuscript: Manuscript, parts: Sequence[Replacement], line: str) -> Allowed:
    kind, lost, gained = (piece.strip().strip('"') for piece in line.split(" | ", 2))
    part = parts[-1] if kind == "entry" else parts[0]
    at = next((p for p in _candidates(manuscript, part, kind, lost) if _near(p, part.at)), part.at)
    return Allowed(kind, at, lost or None, gained or None)


def _candidates(manuscript: Manuscript, part: Replacement, kind: str, lost: str) -> Iterator[Place]:
    """The places where what is lost stands, as rules and verify would name them."""
    if kind == "citation key":
        yield from (k.at for c in manuscript.citations for k in c.keys if k.name == lost)
    if kind == "entry":
        found = [e.at for e in manuscript.entries if e.key == lost]
        yield from (place for place in found if part.at.span.overlaps(place.span))
    if kind == "field":
        for entry in manuscript.entries:
            yield from (f.at for f in entry.fields if f"{f.name} = {f.raw}" == lost)
    if kind in {"words", "number"}:
        text = manuscript.sources[part.at.path].text
        start = text.find(lost, max(0, part.at.span.start - len(lost)))
        yield Place(part.at.path, Span(start, start + len(lost)))


def _near(one: Place, other: Place) -> bool:
    return (
        one.path == other.path
        and one.span.start <= other.span.stop
        and other.span.start <= one.span.stop
    )


def perfect(edit: Edit) -> Evidence:
    """Evidence that is all in favour of the edit: what it takes is wrong, all else is right."""
    wrong = {allowed.lost for allowed in edit.allows if allowed.kind == "citation key"}

    def known(manuscript: Manuscript) -> Known:
        claims: list[Claim] = []
        supports: list[Support] = []
        for number, citation in enumerate(manuscript.citations):
            keys = tuple(key.name for key in citation.keys)
            for key in keys:
                label = Label.OFF_TOPIC if key in wrong else Label.SUPPORTED
                score = 0.0 if key in wrong else 1.0
                supports.append(Support(len(claims), key, label, score, "stub", "perfect"))
            claims.append(Claim(citation.at, "a claim", 0, (number,), keys))
        return Known(tuple(claims), tuple(supports))

    return known
