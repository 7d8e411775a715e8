"""What a draft of a paragraph is, what makes one wrong, and the edit that it amounts to."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from reviser.draft.hub import rouge1
from reviser.latex.orders import gives_orders
from reviser.revise.citing import Habit
from reviser.revise.grounds import Found
from reviser.revise.placeholders import MARK, escaped
from reviser.revise.sheet import Addition, Rewording, Sheet
from reviser.revise.tasks import Task
from reviser.revise.wording import MOST_COMPARED, foreign, shifts, size, told, unfit, unstated
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.visible import visible
from reviser.verify.claim import without_marks

NOTHING = "it changes nothing"
MOST_WORDS = 60
"""Of a new sentence."""
FEWEST_WORDS = 5
REPEATS = 0.8
"""ROUGE-1 from which a new sentence repeats an old one."""
SLACK = 6
"""Words that a text may always grow by."""

_ENDS = re.compile(r"[.!?]$")
_STOPS_INSIDE = re.compile(r"[.!?]\s+[A-Z]")
_UNWRITABLE = re.compile(r"[\\{}$#_^~\"“”„«»]|``|''")


@dataclass(frozen=True, slots=True)
class Written:
    """A new sentence behind the sentence `after`, in plain words, and the keys it cites."""

    after: int
    text: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """Sentences written anew and new sentences of one paragraph, and all that it then has; `joined`
    are keys that come to the citations of sentences, by the sentences' numbers."""

    rewordings: tuple[Rewording, ...]
    new: tuple[Written, ...]
    sentences: tuple[str, ...]
    joined: tuple[tuple[int, str], ...] = ()

    @property
    def text(self) -> str:
        """The whole paragraph, with its marks."""
        return " ".join(self.sentences)


def drafted(sheet: Sheet, rewordings: Sequence[Rewording], new: Sequence[Written] = ()) -> Draft:
    """The draft of these parts."""
    said: list[str] = []
    ends = {part.last: part for part in rewordings}
    inside = {n for part in rewordings for n in range(part.first, part.last + 1)}
    for line in sheet.lines:
        if line.number in ends:
            said += ends[line.number].texts
        elif line.number not in inside:
            said.append(line.text)
        said += [one.text for one in new if one.after == line.number]
    return Draft(tuple(rewordings), tuple(new), tuple(said))


def wrong_rewording(sheet: Sheet, part: Rewording, growth: float) -> str:
    """What is wrong with a rewording that may make its text longer by the share `growth`."""
    old, new = sheet.old(part), " ".join(part.texts)
    return misfit(sheet, part, growth) or told(shifts(old, new))


def misfit(sheet: Sheet, part: Rewording, growth: float) -> str:
    """What makes a rewording unfit to take its place, whatever it says."""
    old, new = sheet.old(part), " ".join(part.texts)
    if not all(MARK.sub(" ", text).strip() for text in part.texts):
        return "a sentence is empty"
    mismatch = sheet.mismatch(part)
    if mismatch is not None:
        return f"the marks do not match: {mismatch}"
    if part.first < part.last and sheet.torn(part):
        return f"something stands between sentences {part.first} and {part.last}; leave them apart"
    if _words(new) > (1 + growth) * _words(old) + SLACK:
        return f"it is too long: {_words(new)} words instead of {_words(old)}"
    if gives_orders(new) and not gives_orders(old):
        return "it addresses whoever reads the paper"
    return unfit(old, new)


def wrong_addition(sheet: Sheet, one: Written, found: Found) -> str:
    """What is wrong with a new sentence that may cite what was found."""
    line = sheet.line(one.after)
    if line is None:
        return f"there is no sentence {one.after}"
    if line.closed:
        return f"no sentence can be put behind sentence {one.after}; choose another place"
    unknown = [key for key in one.keys if key not in found.keys]
    if unknown:
        return f"the key {unknown[0]!r} is not among those whose sentences were given"
    return (
        shapeless(one.text)
        or _unsaid(sheet, one, found)
        or foreign(one.text)
        or _repeated(sheet, one.text)
    )


def shapeless(text: str) -> str:
    """Why a text is no new sentence of a paper."""
    words = _words(text)
    for wrong, why in (
        (MARK.search(text), "a new sentence has no marks"),
        (
            not FEWEST_WORDS <= words <= MOST_WORDS,
            f"a new sentence has {FEWEST_WORDS} to {MOST_WORDS} words, not {words}",
        ),
        (
            not _ENDS.search(text) or _STOPS_INSIDE.search(text) or text[:1].islower(),
            "each new text is one sentence, from a capital to a full stop",
        ),
        (
            _UNWRITABLE.search(text),
            "a new sentence is plain words, without LaTeX, quotation marks and special signs",
        ),
        (gives_orders(text), "it addresses whoever reads the paper"),
    ):
        if wrong:
            return why
    return ""


def _unsaid(sheet: Sheet, one: Written, found: Found) -> str:
    """A number that neither the cited works nor, without any, the paper's section gives."""
    if one.keys:
        given = found.words(one.keys)
    else:
        section = sheet.manuscript.paragraphs[sheet.paragraph].section
        own = (s.plain for s in sheet.manuscript.sentences if s.section == section)
        given = without_marks(" ".join(own))
    absent = unstated(one.text, given)
    return f"the number {absent[0]} stands in none of them" if absent else ""


def _repeated(sheet: Sheet, text: str) -> str:
    for line in sheet.lines:
        if rouge1(MARK.sub(" ", line.text), text) >= REPEATS:
            return f"a new sentence repeats sentence {line.number}"
    return ""


def _words(text: str) -> int:
    return len(MARK.sub(" ", text).split())


def replacements(sheet: Sheet, draft: Draft, habit: Habit | None) -> tuple[Replacement, ...]:
    """What a checked draft replaces and inserts, in reading order; empty when nothing."""
    found = [sheet.reworded(part) for part in draft.rewordings]
    additions = [_addition(one, habit) for one in draft.new]
    parts = [part for part in found if part is not None]
    return tuple(sorted((*parts, *sheet.added(additions)), key=lambda part: part.at.span))


def _addition(one: Written, habit: Habit | None) -> Addition:
    latex = escaped(visible(one.text))
    return Addition(one.after, latex if habit is None else habit.cited(latex, one.keys))


def wrong_whole(sheet: Sheet, draft: Draft, growth: float) -> str:
    """What is wrong with a draft as a whole, whose parts are right."""
    if not any(sheet.reworded(part) is not None for part in draft.rewordings) and not draft.new:
        return NOTHING
    old = " ".join(line.text for line in sheet.lines)
    if _words(draft.text) > (1 + growth) * _words(old) + SLACK:
        return f"the paragraph grows too much: {_words(draft.text)} words instead of {_words(old)}"
    changed = [part for part in map(sheet.reworded, draft.rewordings) if part is not None]
    if sum(size(part.before, part.after) for part in changed) > MOST_COMPARED:
        return "too much changes at once; change fewer sentences"
    return ""


def edit_of(task: Task, draft: Draft, found: Found, habit: Habit | None) -> Edit:
    """The edit of a checked draft. It announces nothing: whoever checks it says what it gains."""
    parts = replacements(task.sheet, draft, habit)
    point = task.decision.point
    cited = {key for one in draft.new for key in one.keys}
    rests = tuple(p.text for p in found.passages if p.key in cited)
    return Edit(
        id=named("write", point.id, parts),
        rule=point.rule,
        replacements=parts,
        purpose=Purpose.POINT,
        why=point.message,
        evidence=rests,
        answers=(point.id,),
    )


def named(verb: str, point: str, parts: Sequence[Replacement]) -> str:
    """An id that another attempt at the same point does not share."""
    words = "\0".join(f"{part.at.span.start}\0{part.after}" for part in parts)
    digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{verb}-{point}-{digest}"
