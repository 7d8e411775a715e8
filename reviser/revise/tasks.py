"""From a decision to a task for the writer: its paragraph, or why nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.review import withheld
from reviser.review.model import BLOCKS, Action
from reviser.revise.sheet import Line, Sheet, sheet_of
from reviser.revise.treatment import Decision
from reviser.revise.wording import carried
from reviser.text.source import Place
from reviser.text.visible import visible

NOT_PROSE = "it does not stand in a paragraph of prose that can be rewritten"
NOT_ENGLISH = "rewritten words can be compared in English only"
ADDRESSED = "its paragraph gives orders to whoever reads it, so no model was shown it"
UNSEEN = "words that readers do not see stand in its paragraph, so no model was shown it"
UNREAD = "its paragraph could not be read in full"
TAKEN = "another edit of this batch is in the same paragraph"
NOT_DECIDED = "the decision is not to revise it"
NOT_OFFERED = "a block stands in no paragraph"

_PROSE = frozenset({"body", "abstract", "item"})
_SENTENCES = _PROSE | {"caption", "footnote"}
_OF_A_SENTENCE = frozenset({Action.REWRITE_SENTENCE, Action.REWRITE_CLAIM})
_GROUNDED = frozenset({Action.ENHANCE_PARAGRAPH, Action.REWRITE_WITH_EVIDENCE})
_AROUND = 400
"""Characters of a neighbouring sentence that are shown."""


@dataclass(frozen=True, slots=True)
class Task:
    """A decision with its paragraph, and the sentence it is about (its first, where all of the
    paragraph is). `keys` are works whose passages may be shown; `dropped` are keys that its
    citations lose, each with its citation's number."""

    decision: Decision
    action: Action
    sheet: Sheet
    line: Line
    keys: tuple[str, ...] = ()
    dropped: tuple[tuple[int, str], ...] = ()

    @property
    def grounded(self) -> bool:
        """Whether it runs through the hub cycle, with evidence located against each draft."""
        return self.action in _GROUNDED or bool(self.decision.point.needs)

    @property
    def asked(self) -> str:
        """What the editor asks, in words."""
        return self.decision.asked


def task_of(manuscript: Manuscript, decision: Decision) -> Task | str:
    """The task of a decision, or why there is none."""
    action = decision.action or decision.point.action
    if not decision.revise or action is None:
        return NOT_DECIDED
    if action in BLOCKS:
        return NOT_OFFERED
    if manuscript.language != "en":
        return NOT_ENGLISH
    kinds = _SENTENCES if action in _OF_A_SENTENCE else _PROSE
    paragraph = _paragraph(manuscript, decision.point.place, kinds)
    if paragraph is None:
        return NOT_PROSE
    wrong = _unsafe(manuscript, manuscript.paragraphs[paragraph].at)
    sheet = sheet_of(manuscript, paragraph)
    shown = " ".join([line.text for line in sheet.lines] + [what for _, what in sheet.legend])
    if wrong or not sheet.lines or gives_orders(shown):
        return wrong or (ADDRESSED if sheet.lines else NOT_PROSE)
    line = max(sheet.lines, key=lambda line: _shared(line.at, decision.point.place))
    return Task(decision, action, sheet, line)


def _paragraph(manuscript: Manuscript, place: Place, kinds: frozenset[str]) -> int | None:
    """The innermost paragraph of these kinds in which the place begins, else the first it meets."""
    found = [
        (n, p.at.span)
        for n, p in enumerate(manuscript.paragraphs)
        if p.kind in kinds and p.at.path == place.path
    ]
    start = place.span.start
    inside = [(len(span), n) for n, span in found if span.start <= start < span.stop]
    if inside:
        return min(inside)[1]
    meets = (n for n, span in found if span.overlaps(place.span))
    return next(meets, None)


def _unsafe(manuscript: Manuscript, at: Place) -> str:
    """Why nothing of a paragraph may be shown or edited, or ""."""
    facts = manuscript.facts_of.get(at.path)
    if facts is None or facts.untouchable or facts.role not in {"main", "input"}:
        return facts.untouchable if facts and facts.untouchable else NOT_PROSE
    if any(u.at.path == at.path and u.at.span.overlaps(at.span) for u in manuscript.unparsed):
        return UNREAD
    left_out = {cut.why for cut in withheld.cuts(manuscript, at.path, at.span)}
    if withheld.ORDERS in left_out:
        return ADDRESSED
    return UNSEEN if left_out & {withheld.HIDDEN, withheld.UNSEEN} else ""


def _shared(one: Place, other: Place) -> int:
    """How many characters two places of one file share."""
    stop = min(one.span.stop, other.span.stop)
    return stop - max(one.span.start, other.span.start)


def apart(tasks: Sequence[Task | str]) -> list[Task | str]:
    """The tasks, but for those in a paragraph that an earlier one has, or around or within it."""
    taken: list[Place] = []
    result: list[Task | str] = []
    for task in tasks:
        if isinstance(task, Task):
            at = task.sheet.at
            if any(t.path == at.path and t.span.overlaps(at.span) for t in taken):
                task = TAKEN  # noqa: PLW2901 - the task gives way to the reason
            else:
                taken.append(at)
        result.append(task)
    return result


def heading_of(task: Task) -> str:
    """The titles of the section and of those it lies in, outermost first."""
    manuscript = task.sheet.manuscript
    number: int | None = manuscript.paragraphs[task.sheet.paragraph].section
    titles: list[str] = []
    while number is not None:
        section = manuscript.sections[number]
        titles.insert(0, section.title)
        number = section.parent
    said = " > ".join(title for title in titles if title.strip())
    return "" if gives_orders(said) else said


def around(task: Task, line: Line | None = None) -> str:
    """The sentences before and behind the paragraph, or a sentence of it, in plain words; none that
    is hidden or gives orders."""
    manuscript = task.sheet.manuscript
    first = line or task.sheet.lines[0]
    last = line or task.sheet.lines[-1]
    section = manuscript.paragraphs[task.sheet.paragraph].section
    said = []
    for word, number in (("Before", first.sentence - 1), ("Behind", last.sentence + 1)):
        if 0 <= number < len(manuscript.sentences):
            sentence = manuscript.sentences[number]
            plain = visible(sentence.plain)[:_AROUND]
            near = sentence.section == section and sentence.kind in _PROSE
            if near and not gives_orders(plain) and not withheld.marked(manuscript, sentence.at):
                said.append(f"{word}: {plain}")
    return " ".join(said) or "(nothing)"


def legend(lines: Sequence[Line], names: Mapping[str, str]) -> str:
    """What the marks of these lines stand for; `names` are those of citations, by mark."""
    told = [
        f"{piece.shown} {names.get(piece.shown) or piece.what}"
        for line in lines
        for piece in line.pieces
        if piece.what
    ]
    return "; ".join(told) or "(no marks)"


def numbered(lines: Sequence[Line]) -> str:
    """The sentences, each with its number."""
    return "\n".join(f"({line.number}) {line.text}" for line in lines)


def kept(lines: Sequence[Line]) -> str:
    """The words of each sentence that must stay, in their order."""
    said = [f"({line.number}) {', '.join(carried(line.text)) or 'none'}" for line in lines]
    return "\n".join(said)
