"""Whole sentences that a written edit adds, and what they bring: citations, numbers, negations …

A model announces nothing. What its insertions gain is read off the paper, before and after, and
announced for it; where its text was changed, nothing may come or go. Whether what came is true is
for the evidence to say.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from reviser.latex.elements import CitationForm
from reviser.manuscript.model import Manuscript, Sentence
from reviser.revise import atoms
from reviser.revise.atoms import Atom, is_bibliography
from reviser.revise.block_checks import block_fault, block_may_come
from reviser.revise.block_shape import is_block
from reviser.revise.change import ADDING, Change, Difference
from reviser.revise.whole import is_whole
from reviser.text.edit import Allowed, Edit, Replacement
from reviser.text.source import Place, Span

#: What new sentences may bring, and the evidence then judges.
MAY_COME = frozenset({
    atoms.CITATION, atoms.CITATION_KEY, atoms.REFERENCE, atoms.NUMBER, atoms.NEGATION,
    atoms.MODALITY, atoms.DIRECTION, atoms.QUANTIFIER, atoms.COMMAND,
})  # fmt: skip
#: Kinds of text that may grow by sentences.
RUNNING = frozenset({"body", "abstract", "item"})

_ESCAPES = frozenset({"\\%", "\\&", "\\#", "\\$", "\\_", "\\ ", "\\,", "\\-", "\\/"})
_FULL_STOP = re.compile(r"\w[^\w\s]*[.?!]|[.?!]\s")
_BREAK = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)")


def announced(edit: Edit, before: Manuscript, after: Manuscript) -> Edit:
    """The edit with all that its new sentences gain as its allowances, whatever it said itself but
    for the key lists that our own code changes (see `relisted`).

    `after` is `before` with the edit. Edits that may add nothing come back as they are. What is
    gained elsewhere, or must not be gained at all, is not announced: the gate refuses it.
    """
    if edit.purpose not in ADDING:
        return edit
    change = Change(before, after, replace(edit, allows=()))
    sound = [part.at for part in edit.replacements if insertion_fault(change, part) is None]
    allows = (
        Allowed(found.atom.kind, found.at, None, found.atom.words)
        for found in change.differences
        if found.at in sound and may_come(change, found)
    )
    return replace(edit, allows=(*relisted(edit), *_entered(change), *allows))


def _entered(change: Change) -> list[Allowed]:
    """The entries that are put into the bibliography; `entry_checks` look at each."""
    at = [p.at for p in change.edit.replacements if not p.before and is_bibliography(p.at.path)]
    return [
        Allowed(atoms.ENTRY, found.at, None, found.atom.words)
        for found in change.differences
        if found.atom.kind == atoms.ENTRY and not found.lost and found.at in at
    ]


def relisted(edit: Edit) -> tuple[Allowed, ...]:
    """The keys that an edit says itself to take out of key lists, or to put into them: our own code
    says so where it makes such an edit, and no model can."""
    replaced = [part.at for part in edit.replacements if part.before]
    return tuple(
        allowed
        for allowed in edit.allows
        if allowed.kind == atoms.CITATION_KEY
        and any(at.path == allowed.at.path and at.span.covers(allowed.at.span) for at in replaced)
    )


def added_sentences(change: Change, part: Replacement) -> tuple[int, ...]:
    """The sentences of the paper afterwards that lie in what `part` brings, by their numbers."""
    landed = change.landed(part)
    return tuple(
        number
        for number, sentence in enumerate(change.after.sentences)
        if sentence.at.path == part.at.path and landed.covers(sentence.at.span)
    )


def may_come(change: Change, found: Difference) -> bool:
    """Whether a new sentence may bring this: nothing that is not in the open.

    Citations and references are made by commands that the paper uses for them, without notes.
    """
    if _in_a_block(change, found) and block_may_come(found):
        return True
    return not found.lost and found.atom.kind in MAY_COME and _sentence_may_bring(change, found)


def _sentence_may_bring(change: Change, found: Difference) -> bool:
    atom, before, after = found.atom, change.before, change.after
    if atom.kind == atoms.CITATION:
        known = {c.command for c in before.citations if c.form is not CitationForm.UNSEEN}
        return atom.words in known
    if atom.kind == atoms.CITATION_KEY:
        keys = [key for citation in after.citations for key in citation.keys]
        here = [key for key in keys if key.at == _place(found, atom)]
        return atom.words != "*" and bool(here) and all(key.editable for key in here)
    if atom.kind == atoms.REFERENCE:
        return atom.words.partition(" ")[0] in {r.command for r in before.references}
    if atom.kind == atoms.COMMAND:
        return atom.words in _ESCAPES
    return True


def adds_whole_sentences_only(change: Change) -> str | None:
    """What a written edit puts in is words of a sentence there is, or whole sentences after it."""
    if change.edit.purpose not in ADDING:
        return None
    parts = (p for p in change.edit.replacements if not p.before and _FULL_STOP.search(p.after))
    # What is wrong with a block is said by the checks on blocks.
    faults = (insertion_fault(change, part) for part in parts if not is_block(part))
    return next((fault for fault in faults if fault is not None), None)


def insertion_fault(change: Change, part: Replacement) -> str | None:
    """What is wrong with `part` as an insertion of whole sentences, or of a block of them; None
    when it is one."""
    if is_block(part):
        return block_fault(change, part)
    old = _sentence_ending_at(change.before, part.at)
    if part.before:
        return f"{part.before[:40]!r} is replaced, which may announce nothing"
    if old is None:
        return "what is added does not stand at the end of a sentence of running text"
    return (
        _place_fault(change, part)
        or _text_fault(change, part, old)
        or _misread(change, part.at.path)
    )


def _place_fault(change: Change, part: Replacement) -> str | None:
    text, spot = change.before.sources[part.at.path].text, part.at.span.start
    if text[spot : spot + 1] == "}":
        return "what is added would stand inside a group"
    if _inside(change.before, part.at):
        return "what is added would stand in a float, a footnote, mathematics or unread text"
    if sum(other.at == part.at for other in change.edit.replacements) > 1:
        return "two texts are added at one place"
    return None


def _text_fault(change: Change, part: Replacement, old: Sentence) -> str | None:
    """What is wrong with the new text; `old` is the sentence that it follows on."""
    if not part.after[:1].isspace() or _BREAK.search(part.after):
        return "what is added does not follow on the sentence before it"
    added = [change.after.sentences[number] for number in added_sentences(change, part)]
    if _left_over(change, part, added):
        return "what is added is not made of whole sentences"
    for sentence in added:
        if not is_whole(sentence) or (sentence.kind, sentence.section) != (old.kind, old.section):
            return f"{sentence.plain[:40]!r} is no whole sentence of the same text"
    return None


def _sentence_ending_at(manuscript: Manuscript, at: Place) -> Sentence | None:
    return next(
        (
            sentence
            for sentence in manuscript.sentences
            if sentence.at.path == at.path
            and sentence.at.span.stop == at.span.start
            and sentence.kind in RUNNING
        ),
        None,
    )


def _inside(manuscript: Manuscript, at: Place) -> bool:
    spot = at.span.start
    for elements in (
        manuscript.floats,
        manuscript.footnotes,
        manuscript.math,
        manuscript.comments,
        manuscript.skipped,
        manuscript.macros,
    ):
        for element in elements:
            span = element.at.span
            if element.at.path == at.path and span.start < spot < span.stop:
                return True
    return False


def _left_over(change: Change, part: Replacement, added: Sequence[Sentence]) -> bool:
    """Whether something of the new text is in no sentence."""
    landed, cursor = change.landed(part), change.landed(part).start
    text = change.after.sources[part.at.path].text
    for span in sorted(sentence.at.span for sentence in added):
        if text[cursor : max(cursor, span.start)].strip():
            return True
        cursor = max(cursor, span.stop)
    return not added or bool(text[cursor : landed.stop].strip())


def _misread(change: Change, path: str) -> str | None:
    """The sentence that is untouched and yet read in another way afterwards, if any.

    So no citation changes its sentence, and no sentence runs on into what is added.
    """
    replaced = [part.at.span for part in change.parts(path) if part.before]
    now = {s.at.span: s.plain for s in change.after.sentences if s.at.path == path}
    for sentence in change.before.sentences:
        span = sentence.at.span
        if sentence.at.path != path or any(span.overlaps(other) for other in replaced):
            continue
        moved = change.shifted(path, span.start, span.stop)
        if moved is None or now.get(Span(*moved)) != sentence.plain:
            return f"{sentence.plain[:40]!r} would be read in another way"
    return None


def _in_a_block(change: Change, found: Difference) -> bool:
    return any(part.at == found.at and is_block(part) for part in change.edit.replacements)


def _place(found: Difference, atom: Atom) -> Place:
    return Place(found.at.path, Span(atom.start, atom.stop))
