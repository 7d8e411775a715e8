"""A paragraph rewritten with the literature at hand (SurveyX 3.2, RAG rewriting): citations that do
not fit go, works that bear a sentence out come, and the rest is polished around them.

Which citations go is no model's word: only keys that verify found off topic or contradicted, and
only where another key stays. Which come is for verify to confirm, key by key, at the gate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict, Field

from reviser.latex.elements import Citation, CitationForm, Key
from reviser.manuscript.model import Manuscript
from reviser.revise import enhancing
from reviser.revise.citing import Habit, writable
from reviser.revise.drafting import NOTHING, Draft
from reviser.revise.enhancing import Added, Anew, NewParagraph
from reviser.revise.evidence import ACCUSED, Known
from reviser.revise.grounds import Found
from reviser.revise.sheet import Sheet
from reviser.revise.tasks import Task
from reviser.text.edit import Allowed, Edit, Replacement
from reviser.text.source import Place, Span

PROMPT = "rewrite-with-evidence"
MOST_JOINED = 4
PASSAGES, PER_WORK = 16, 3


class JoinedSaid(BaseModel):
    """A work for the citation of an old sentence."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = Field(ge=1, le=500)
    key: str = Field(min_length=1, max_length=120)


class Evidenced(BaseModel):
    """A reply: what changes in the paragraph, and works for sentences that stay."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentences: tuple[Anew, ...] = Field(max_length=30)
    new: tuple[Added, ...] = Field(max_length=enhancing.MOST_NEW)
    joined: tuple[JoinedSaid, ...] = Field(max_length=MOST_JOINED)

    @property
    def paragraph(self) -> NewParagraph:
        """The part of it that enriching a paragraph knows."""
        return NewParagraph(sentences=self.sentences, new=self.new)


@dataclass(frozen=True, slots=True)
class _List:
    """The key list of a citation: where it stands, and its keys in their order."""

    at: Place
    keys: tuple[Key, ...]


def misfits(
    manuscript: Manuscript, sheet: Sheet, known: Known | None
) -> tuple[tuple[int, str], ...]:
    """The keys that may go from the paragraph's citations, each with its citation's number: found
    off topic or contradicted, while another key of the same list is not."""
    if known is None:
        return ()
    here = {
        number for line in sheet.lines for number in manuscript.sentences[line.sentence].citations
    }
    accused: set[tuple[int, str]] = set()
    sound: set[tuple[int, str]] = set()
    for support in known.supports:
        for number in known.claims[support.claim].citations:
            one = (number, support.key.lower())
            (accused if support.label in ACCUSED else sound).add(one)
    found: list[tuple[int, str]] = []
    for number in sorted(here):
        citation = manuscript.citations[number]
        if _list(manuscript, citation) is None:
            continue
        wrong = [k.name for k in citation.keys if (number, k.name.lower()) in accused - sound]
        if len(wrong) < len(citation.keys):
            found += [(number, name) for name in wrong]
    return tuple(found)


def read(task: Task, found: Found, reply: Evidenced) -> Draft:
    """The draft of a reply."""
    spelt = {key.lower(): key for key in found.keys}
    joined = tuple(
        dict.fromkeys((one.number, spelt.get(one.key.lower(), one.key)) for one in reply.joined)
    )
    return replace(enhancing.read(task, found, reply.paragraph), joined=joined)


def objection(task: Task, found: Found, reply: Evidenced) -> str:
    """What is wrong with a reply, or ""."""
    draft = read(task, found, reply)
    for number, key in draft.joined:
        line = task.sheet.line(number)
        if line is None:
            return f"there is no sentence {number}"
        if key not in found.keys or not writable(key):
            return f"the key {key!r} is not among those whose sentences were given"
        if _citation_of(task.sheet, number) is None:
            return f"sentence {number} has no citation that a work could be added to"
    wrong = enhancing.objection(task, found, reply.paragraph)
    # Taking out what does not fit, and adding to what is there, is a change as well.
    return "" if wrong == NOTHING and (draft.joined or task.dropped) else wrong


def told(manuscript: Manuscript, task: Task) -> str:
    """The keys that go, for the writer."""
    numbers = {
        citation: line.number
        for line in task.sheet.lines
        for citation in manuscript.sentences[line.sentence].citations
    }
    said = [f"{key} in sentence {numbers[number]}" for number, key in task.dropped]
    return "; ".join(said) or "(none)"


def with_lists(edit: Edit, task: Task, draft: Draft, habit: Habit | None) -> Edit:
    """The edit with the key lists that lose misfits and gain works, and what that may change. A
    list whose place is reworded stays as it is."""
    manuscript = task.sheet.manuscript
    parts, allows = list(edit.replacements), list[Allowed]()
    for number, citation in _touched(task, draft):
        listed = _list(manuscript, manuscript.citations[number])
        if listed is None or any(
            part.at.path == listed.at.path and part.at.span.overlaps(listed.at.span)
            for part in edit.replacements
        ):
            continue
        gone = {key.lower() for one, key in task.dropped if one == number}
        kept = [key for key in listed.keys if key.name.lower() not in gone]
        there = {key.name.lower() for key in kept}
        new = [key for key in citation if key.lower() not in there]
        if not kept or (len(kept) == len(listed.keys) and not new):
            continue
        between = habit.between if habit is not None else ","
        after = between.join([*(manuscript.text(key.at) for key in kept), *new])
        parts.append(Replacement(listed.at, manuscript.text(listed.at), after))
        lost = [key for key in listed.keys if key not in kept]
        allows += [Allowed("citation key", key.at, key.name, None) for key in lost]
        allows += [Allowed("citation key", listed.at, None, key) for key in new]
    ordered = tuple(sorted(parts, key=lambda part: part.at))
    return replace(edit, replacements=ordered, allows=tuple(allows))


def _touched(task: Task, draft: Draft) -> list[tuple[int, tuple[str, ...]]]:
    """The citations whose lists change, with the keys that come."""
    coming: dict[int, list[str]] = {number: [] for number, _ in task.dropped}
    for line, key in draft.joined:
        number = _citation_of(task.sheet, line)
        if number is not None:
            coming.setdefault(number, []).append(key)
    return [(number, tuple(dict.fromkeys(keys))) for number, keys in sorted(coming.items())]


def _citation_of(sheet: Sheet, number: int) -> int | None:
    """The last citation of a sentence that a key can be added to."""
    line = sheet.line(number)
    if line is None:
        return None
    manuscript = sheet.manuscript
    found = [
        one
        for one in manuscript.sentences[line.sentence].citations
        if _list(manuscript, manuscript.citations[one]) is not None
    ]
    return found[-1] if found else None


def _list(manuscript: Manuscript, citation: Citation) -> _List | None:
    """The key list of a parenthetical citation, None where it does not stand there plainly."""
    keys: Sequence[Key] = citation.keys
    plain = citation.form is CitationForm.PARENTHETICAL and citation.via is None
    if not plain or not keys or not all(key.editable for key in keys):
        return None
    at = Place(citation.at.path, Span(keys[0].at.span.start, keys[-1].at.span.stop))
    said = manuscript.text(at).split(",")
    if [one.strip() for one in said] != [key.name for key in keys]:
        return None
    return _List(at, tuple(keys))
