"""From sentences with citations to claims: what each citation group stands for, if anything."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from reviser.latex.elements import Citation, CitationForm
from reviser.manuscript.model import Manuscript, OffsetMap, Sentence
from reviser.text.source import Place, Span
from reviser.verify.exempt import Setting, exemption
from reviser.verify.model import Claim

Per = Literal["group", "sentence"]

FEW_WORDS = 4
"""A clause with fewer words before its citation has the cited author as subject or is an item of
a list; a gap with fewer words between two citations separates items, not clauses."""

_MARKER = re.compile(r"\[\d[\d,;–\- ]{0,40}\]")
_WORD = re.compile(r"[^\W_][\w'’\-]*")
_JOINED = re.compile(
    r"[\s,;~()]*(?:(?:and|or|see|also|e\.g\.|as well as)[\s,;~]*){0,3}$", re.IGNORECASE
)
_STRONG = re.compile(
    r";|:(?=\s)|,?\s(?:while|whereas|although|though)\s"
    r"|,\s(?:and|but|or|yet|so|where|which|followed|with)\s"
)
_WEAK = re.compile(r",\s|\s(?:and|but|or)\s")
_IN_GRAMMAR = frozenset({CitationForm.TEXTUAL, CitationForm.AUTHOR, CitationForm.TITLE})
_LIST_GLUE = re.compile(r"\s*(?:,(?:\s(?:and|or))?|and|or)\s")
_LIST_HEAD = re.compile(r"(?:such as|including|includes?|like|e\.g\.,?|namely|:)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Group:
    """Citations that stand together; `start` and `stop` are offsets in the sentence's plain.

    `textual` when it ends in a name that is part of the sentence's grammar.
    """

    citations: tuple[int, ...]
    start: int
    stop: int
    textual: bool = False


@dataclass(frozen=True, slots=True)
class _Clause:
    """A stretch of plain text with the groups in it."""

    start: int
    stop: int
    groups: tuple[_Group, ...]


def claims(manuscript: Manuscript, per: Per = "group") -> tuple[Claim, ...]:
    """One claim per citation group (or per cited sentence), in reading order.

    A group is a run of citation commands with nothing but punctuation or "and" between them. Its
    claim is the clause it stands for: sentences are cut between groups where a clause ends; groups
    in an enumeration share its head and tail. Citation marks are not part of the text.
    """
    found: list[Claim] = []
    for index, sentence in enumerate(manuscript.sentences):
        shown = [
            c
            for c in sentence.citations
            if manuscript.citations[c].form is not CitationForm.UNSEEN
            and manuscript.citations[c].keys
        ]
        if not shown:
            continue
        groups = _groups(manuscript, sentence, shown)
        if per == "sentence":
            together = tuple(c for group in groups for c in group.citations)
            groups = [_Group(together, groups[0].start, groups[-1].stop)]
        found.extend(_claim(manuscript, index, part) for part in _parts(sentence, groups))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Part:
    """A group with the text it stands for, and the stretch of plain text that text is from."""

    group: _Group
    text: str
    start: int
    stop: int


def _claim(manuscript: Manuscript, index: int, part: _Part) -> Claim:
    sentence = manuscript.sentences[index]
    keys = dict.fromkeys(
        key.name for c in part.group.citations for key in manuscript.citations[c].keys
    )
    citations = [manuscript.citations[c] for c in part.group.citations]
    reason = exemption(
        Setting(
            text=part.text,
            kind=sentence.kind,
            before=without_marks(sentence.plain[part.start : part.group.start]),
            after=without_marks(sentence.plain[part.group.stop : part.stop]),
            notes=tuple(note for citation in citations for note in citation.notes),
            forms=tuple(citation.form for citation in citations),
            keys=len(keys),
        )
    )
    return Claim(
        at=_place(sentence, part, citations),
        text=part.text,
        sentence=index,
        citations=part.group.citations,
        keys=tuple(keys),
        exempt=reason,
    )


def _place(sentence: Sentence, part: _Part, citations: Sequence[Citation]) -> Place:
    """From the part's first character to the end of the part or of its last citation."""
    start = sentence.offsets.source(part.start)
    stop = sentence.offsets.source(max(part.stop - 1, part.start)) + 1
    spans = [c.at.span for c in citations if c.at.path == sentence.at.path]
    start = min([start, *(span.start for span in spans)])
    stop = max([stop, *(span.stop for span in spans)])
    within = sentence.at.span
    start, stop = max(start, within.start), min(stop, within.stop)
    return Place(sentence.at.path, Span(min(start, stop), stop))


def plain_offset(offsets: OffsetMap, source: int) -> int:
    """The first plain offset that stands at or after the source offset `source`."""
    runs = offsets.runs
    after = bisect_right(runs, source, key=lambda run: run[1]) - 1
    if after < 0:
        return runs[0][0] if runs else 0
    first_plain, first_source = runs[after]
    length = runs[after + 1][0] - first_plain if after + 1 < len(runs) else None
    reach = source - first_source
    return first_plain + (reach if length is None else min(reach, length))


def without_marks(plain: str) -> str:
    """`plain` with its bracketed citation marks gone and the spaces they leave folded."""
    text = re.sub(r"\s+", " ", _MARKER.sub(" ", plain))
    text = re.sub(r" ?\( ?[,;]? ?\)", "", text)
    return re.sub(r"\s+([,.;:!?)])", r"\1", text).strip()


def _groups(manuscript: Manuscript, sentence: Sentence, shown: Sequence[int]) -> list[_Group]:
    size = len(sentence.plain)
    marks: list[tuple[int, int, int]] = []
    for c in shown:
        at = manuscript.citations[c].at.span
        start = min(plain_offset(sentence.offsets, at.start), size)
        stop = min(max(plain_offset(sentence.offsets, at.stop), start), size)
        marks.append((start, max(stop, _mark_end(sentence.plain, start)), c))
    marks.sort()
    groups: list[_Group] = []
    for start, stop, c in marks:
        last = groups[-1] if groups else None
        if last and _joined(manuscript, sentence.plain[last.stop : start], last, c):
            joined = (*last.citations, c)
            groups[-1] = _Group(joined, last.start, max(last.stop, stop), last.textual)
        else:
            textual = manuscript.citations[c].form in _IN_GRAMMAR
            groups.append(_Group((c,), start, stop, textual))
    return groups


def _mark_end(plain: str, start: int) -> int:
    mark = _MARKER.match(plain, start)
    return mark.end() if mark else start


def _joined(manuscript: Manuscript, gap: str, last: _Group, c: int) -> bool:
    """Whether the citation `c` belongs to the group before it."""
    if _JOINED.match(gap):
        return True
    before = {key.name for i in last.citations for key in manuscript.citations[i].keys}
    own = {key.name for key in manuscript.citations[c].keys}
    # \citeauthor{x} ... \citeyear{x}: two marks of one citation.
    return own <= before and len(_WORD.findall(gap)) < FEW_WORDS


def _parts(sentence: Sentence, groups: Sequence[_Group]) -> list[_Part]:
    parts: list[_Part] = []
    for clause in _clauses(sentence.plain, groups):
        parts.extend(_enumerated(sentence.plain, clause))
    return parts


def _clauses(plain: str, groups: Sequence[_Group]) -> list[_Clause]:
    """Cut the sentence between groups, where a clause ends."""
    clauses: list[_Clause] = []
    start = 0
    held: list[_Group] = []
    for here, following in zip(groups, [*groups[1:], None], strict=True):
        held.append(here)
        if following is None:
            break
        cut = _cut(plain, start, here, following)
        if cut is not None:
            clauses.append(_Clause(start, cut, tuple(held)))
            start, held = cut, []
    clauses.append(_Clause(start, len(plain), tuple(held)))
    return clauses


def _cut(plain: str, start: int, here: _Group, following: _Group) -> int | None:
    """Where between two groups one clause ends and the next begins; None for an enumeration.

    A parenthetical citation closes its clause. One that leads (few words stand before it) or that
    is part of the grammar does not: its clause goes on to the next mark of a clause's end.
    """
    gap = plain[here.stop : following.start]
    if len(_WORD.findall(gap)) < FEW_WORDS and not gap.lstrip().startswith(";"):
        return None
    if _names_an_item(gap):
        return None
    leads = _count(plain[start : here.start]) < FEW_WORDS
    strong, weak = list(_STRONG.finditer(gap)), list(_WEAK.finditer(gap))
    if strong:
        mark = strong[-1] if leads else strong[0]
    elif leads and weak:
        mark = weak[-1]
    elif here.textual and (commas := [mark for mark in weak if mark.group()[0] == ","]):
        mark = commas[0]
    else:
        return None if leads or here.textual else here.stop
    cut = here.stop + mark.start() + (mark.group()[0] in ";:,")
    # What is left must be able to say something; else the two are items of one statement.
    return None if leads and _count(plain[start:cut]) < FEW_WORDS + 1 else cut


def _count(plain: str) -> int:
    return len(_WORD.findall(_MARKER.sub(" ", plain)))


def _names_an_item(gap: str) -> bool:
    """Whether the gap is the next item of a list: after a comma or "and", a long proper name."""
    item = _LIST_GLUE.match(gap)
    if item is None:
        return False
    words = _WORD.findall(gap[item.end() :])
    return len(words) < 2 * FEW_WORDS + 2 and 2 * sum(w[0].isupper() for w in words) > len(words)


def _enumerated(plain: str, clause: _Clause) -> list[_Part]:
    """The groups of one clause, each with the head and tail they share and its own item."""
    groups = clause.groups
    if len(groups) == 1:
        (group,) = groups
        pieces = (plain[clause.start : group.start], _shown(plain, group))
        text = without_marks(f"{pieces[0]}{pieces[1]}{plain[group.stop : clause.stop]}")
        return [_Part(group, _trimmed(text), clause.start, clause.stop)]
    gaps = [plain[a.stop : b.start] for a, b in pairwise(groups)]
    if any(_count(gap) >= FEW_WORDS and not _names_an_item(gap) for gap in gaps):
        # Not a list, but citations in the grammar of one statement: it is everybody's.
        whole = _trimmed(without_marks(plain[clause.start : clause.stop]))
        return [_Part(group, whole, clause.start, clause.stop) for group in groups]
    head = plain[clause.start : groups[0].start]
    opener = list(_LIST_HEAD.finditer(head))
    shared = head[: opener[-1].end()] if opener else head
    tail = plain[groups[-1].stop : clause.stop]
    parts: list[_Part] = []
    begin = clause.start
    for number, group in enumerate(groups):
        item = plain[begin : group.start]
        named = _shown(plain, group)
        item = f"{_item(item)} {named}" if number else f"{item} {named}"
        text = f"{shared} {item} {tail}" if number else f"{item} {tail}"
        stop = clause.stop if number == len(groups) - 1 else group.stop
        parts.append(_Part(group, _trimmed(without_marks(text)), begin, stop))
        begin = group.stop
    return parts


def _shown(plain: str, group: _Group) -> str:
    """What a group itself says: the names of a textual one, nothing for marks and joiners."""
    inside = _MARKER.sub(" ", plain[group.start : group.stop])
    return "" if _JOINED.match(inside) else inside


def _item(text: str) -> str:
    return re.sub(r"^[\s,;)]*(?:(?:and|or|as well as)\s+)?", "", text)


def _trimmed(text: str) -> str:
    text = re.sub(r"^[\s,;:)\]]+", "", text)
    text = re.sub(r"^(?:and|but|or|while|whereas|although|though)\s+", "", text)
    return re.sub(r"[\s,;:(\[]+$", "", text)
