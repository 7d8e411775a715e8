"""Hard checks on meaning: protected atoms change as the edit announces, no more and no less."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from reviser.latex.elements import Citation
from reviser.revise import atoms
from reviser.revise.additions import insertion_fault, may_come, relisted
from reviser.revise.atoms import Atom, text_atoms
from reviser.revise.block_shape import is_block
from reviser.revise.change import ADDING, Change
from reviser.revise.claim_delta import unproven
from reviser.revise.commands import FORMATTING
from reviser.revise.entry_checks import entries_gained
from reviser.revise.text_checks import is_strict
from reviser.revise.words import opposite
from reviser.text.edit import Purpose, Replacement
from reviser.text.source import Span


def makes_every_announced_change(change: Change) -> str | None:
    """What the edit is allowed to change does change."""
    if change.undone:
        missing = change.undone[0]
        what = " to ".join(repr(w) for w in (missing.lost, missing.gained) if w is not None)
        return f"the announced change of {missing.kind} {what} does not happen"
    return None


def keeps_citations(change: Change) -> str | None:
    """Each citation stays, with its command, its notes and its keys in their order."""
    return _kept(change, atoms.CITATION, atoms.CITATION_KEY)


def keeps_labels_and_references(change: Change) -> str | None:
    """Labels and references stay."""
    return _kept(change, atoms.LABEL, atoms.REFERENCE)


def keeps_math(change: Change) -> str | None:
    """Mathematics stays, sign by sign."""
    return _kept(change, atoms.MATH)


def keeps_numbers(change: Change) -> str | None:
    """Numbers stay, in digits or words, with sign and unit, in their order."""
    return _kept(change, atoms.NUMBER)


def keeps_negations(change: Change) -> str | None:
    """No negation comes or goes, as a word or as a prefix."""
    return _kept(change, atoms.NEGATION) or _turned(change)


def keeps_modality(change: Change) -> str | None:
    """What may be stays a may-be, and what is shown stays shown."""
    return _kept(change, atoms.MODALITY)


def keeps_directions(change: Change) -> str | None:
    """More stays more, and increase stays increase."""
    return _kept(change, atoms.DIRECTION)


def keeps_quantifiers(change: Change) -> str | None:
    """All stays all, and some stays some."""
    return _kept(change, atoms.QUANTIFIER)


def keeps_quotations(change: Change) -> str | None:
    """What is quoted stays as it was said, and URLs as they lead."""
    return _kept(change, atoms.QUOTATION, atoms.URL)


def keeps_verbatim_text(change: Change) -> str | None:
    """Code, comments, switched-off text and what follows the document stay."""
    return _kept(change, atoms.VERBATIM, atoms.COMMENT)


def keeps_definitions(change: Change) -> str | None:
    """The paper's macros stay as they are defined."""
    return _kept(change, atoms.DEFINITION)


def keeps_floats_and_footnotes(change: Change) -> str | None:
    """Floats and footnotes stay, and the bodies of floats are not for prose edits."""
    reason = _kept(change, atoms.FLOAT, atoms.FOOTNOTE)
    if reason:
        return reason
    for part in change.edit.replacements:
        span = part.at.span
        if any(a.at.path == part.at.path and span.overlaps(a.at.span) for a in change.edit.allows):
            continue
        for floating in change.before.floats:
            inside = floating.at.path == part.at.path and floating.at.span.overlaps(span)
            if inside and not any(c.span.covers(span) for c in floating.captions):
                return f"the body of the {floating.environment} would change"
    return None


def keeps_commands(change: Change) -> str | None:
    """Commands, environments and special characters stay; prose may change plain formatting."""
    free = frozenset() if is_strict(change) else FORMATTING
    for difference in change.undeclared:
        kind, said = difference.atom.kind, difference.atom.words
        if kind in {atoms.ENVIRONMENT, atoms.SPECIAL}:
            return str(difference)
        # The words that prose may gain are judged by brings_no_unknown_command.
        judged = is_strict(change) or difference.lost or not said[1:2].isalpha()
        if kind == atoms.COMMAND and judged and said.lstrip("\\") not in free:
            return str(difference)
    return None


def keeps_entries(change: Change) -> str | None:
    """Bibliography entries stay, field by field, and all between them."""
    return _kept(change, atoms.ENTRY, atoms.ENTRY_KEY, atoms.ENTRY_TYPE, atoms.FIELD, atoms.BETWEEN)


def keeps_words(change: Change) -> str | None:
    """Rules and citation repairs change no word and no mark of the text that they do not name."""
    if not is_strict(change):
        return None
    return _kept(change, atoms.WORD, atoms.STOP, atoms.PUNCTUATION, atoms.BREAK)


def announces_what_its_purpose_permits(change: Change) -> str | None:
    """A citation repair announces its keys, a rule what it mends, and a written edit no more than
    what comes with whole sentences that it adds; a rewritten claim what its evidence bears out.

    Which source is cited is for the evidence to decide: a rule mends only the spelling of a key,
    or one that has no entry.
    """
    allows, purpose = change.edit.allows, change.edit.purpose
    if purpose is Purpose.RULE_FIX:
        sound = (
            allowed.lost
            for allowed in allows
            if allowed.kind == atoms.CITATION_KEY
            and allowed.lost
            and allowed.lost.lower() in change.before.entry_of
            and allowed.lost.lower() != (allowed.gained or "").lower()
        )
        return next((f"{key!r} has an entry, so no rule may take it away" for key in sound), None)
    if purpose in ADDING:
        return _addition_fault(change)
    if purpose is Purpose.CLAIM_REWRITE:
        return unproven(change)
    if purpose not in {Purpose.PRUNE, Purpose.REPLACE}:
        return f"a {purpose} may announce no change of protected text" if allows else None
    return _repair_fault(change)


def _repair_fault(change: Change) -> str | None:
    """What a citation repair announces beyond keys, or against its purpose."""
    allows, purpose = change.edit.allows, change.edit.purpose
    if not allows:
        return "a citation repair must name the keys it changes"
    pruned = purpose is Purpose.PRUNE
    entered = [a.gained for a in allows if a.kind == atoms.ENTRY and a.lost is None]
    keys = [allowed for allowed in allows if allowed.kind == atoms.CITATION_KEY]
    if len(keys) + len(entered) < len(allows) or (pruned and entered):
        return "a citation repair may change citation keys only"
    if any(allowed.lost is None or pruned != (allowed.gained is None) for allowed in keys):
        return f"this is no {purpose}"
    if not {allowed.gained for allowed in keys}.issuperset(entered):
        return "a new entry may come only with the citation that it stands for"
    return None


def _addition_fault(change: Change) -> str | None:
    """What a written edit announces beyond the gains of whole sentences that it adds, the entries
    of works that these cite, which have checks of their own, and the keys of a list that our own
    code changes in one piece."""
    edit = change.edit
    listed = relisted(edit)
    allows = [a for a in edit.allows if a.kind != atoms.ENTRY and a not in listed]
    for part in edit.replacements:
        if any(part.at.span.covers(a.at.span) and part.at.path == a.at.path for a in listed):
            fault = _key_list_fault(change, part)
            if fault:
                return fault
    if any(allowed.lost is not None for allowed in edit.allows if allowed not in listed):
        return f"a {edit.purpose} may announce no loss"
    coming = {
        (found.at, found.atom.kind, found.atom.words)
        for found in change.differences
        if may_come(change, found)
    }
    for allowed in allows:
        if (allowed.at, allowed.kind, allowed.gained) not in coming:
            return f"no sentence that is added may bring the {allowed.kind} {allowed.gained!r}"
    for at in {allowed.at for allowed in allows}:
        parts = [part for part in edit.replacements if part.at == at]
        faults = [insertion_fault(change, part) for part in parts]
        if not parts or any(faults):
            return next((f for f in faults if f), f"a {edit.purpose} may announce only additions")
    return None


def stays_in_its_key_list(change: Change) -> str | None:
    """Pruning and replacing happen inside the key list of one citation, which keeps a key."""
    if change.edit.purpose not in {Purpose.PRUNE, Purpose.REPLACE}:
        return None
    entered = [part for part, _ in entries_gained(change)]
    parts = (part for part in change.edit.replacements if part not in entered)
    faults = (_key_list_fault(change, part) for part in parts)
    return next((fault for fault in faults if fault is not None), None)


def _key_list_fault(change: Change, part: Replacement) -> str | None:
    """What is wrong with a replacement as a change of one citation's keys."""
    path = part.at.path
    holder = next((c for c in change.before.citations if _holds(c, path, part.at.span)), None)
    if holder is None:
        return f"{part.before!r} does not stand in the key list of a citation"
    if not all(key.editable for key in holder.keys):
        return f"the keys of \\{holder.command} do not stand literally there"
    start = change.shifted(path, holder.at.span.start, holder.at.span.start)
    at = [
        c
        for c in change.after.citations
        if c.at.path == path and start and c.at.span.start == start[0]
    ]
    now = [key.name for citation in at[:1] for key in citation.keys]
    if not now:
        return f"\\{holder.command} would be left without a key"
    had = [key.name for key in holder.keys]
    if any(now.count(name) > max(1, had.count(name)) for name in now):
        return f"\\{holder.command} would name a key twice"
    return None


def keeps_citations_at_their_words(change: Change) -> str | None:
    """A citation does not move over a word that stays, nor into another sentence."""
    for path in change.edit.paths:
        for old, new in change.windows(path):
            added = change.inserted(path)
            reason = _moved(
                text_atoms(change.before, path, old),
                _starts(change.before.citations, path, old),
                [a for a in text_atoms(change.after, path, new) if not _within(a.start, added)],
                [c for c in _starts(change.after.citations, path, new) if not _within(c, added)],
            )
            if reason:
                return reason
    return None


def stays_in_prose(change: Change) -> str | None:
    """Written edits stay in the paper's prose, and a rewritten claim in its sentence."""
    if is_strict(change):
        return None
    rewrites = change.edit.purpose is Purpose.CLAIM_REWRITE
    holders = [
        one.at for one in (change.before.sentences if rewrites else change.before.paragraphs)
    ]
    for part in change.edit.replacements:
        at = part.at
        # Where a block or an entry stands is said by their own checks.
        entry = atoms.is_bibliography(at.path) and not part.before
        if change.edit.purpose in ADDING and (entry or is_block(part)):
            continue
        if not any(h.path == at.path and h.span.covers(at.span) for h in holders):
            whole = "sentence" if rewrites else "paragraph"
            return f"{part.before[:40]!r} does not stand in one {whole}"
    return None


def is_in_a_language_it_can_judge(change: Change) -> str | None:
    """Rewritten words can be compared in English only; other languages are not guessed at."""
    language = change.before.language
    if is_strict(change) or language == "en":
        return None
    if any(d.atom.kind == atoms.WORD for d in change.undeclared):
        name = language or "which cannot be told"
        return f"negations and modality cannot be compared in the paper's language ({name})"
    return None


def _kept(change: Change, *kinds: str) -> str | None:
    return next((str(d) for d in change.undeclared if d.atom.kind in kinds), None)


def _turned(change: Change) -> str | None:
    words = [d for d in change.undeclared if d.atom.kind == atoms.WORD]
    lost = [d.atom.words for d in words if d.lost]
    for gained in (d.atom.words for d in words if not d.lost):
        for word in lost[:_MOST_WORDS]:
            if opposite(word, gained):
                return f"{word!r} would become {gained!r}"
    return None


_MOST_WORDS = 400


def _holds(citation: Citation, path: str, span: Span) -> bool:
    """Whether the span lies within the citation, from its first key to the end of its last."""
    if citation.at.path != path or not citation.keys:
        return False
    first = min(key.at.span.start for key in citation.keys)
    return first <= span.start and span.stop <= citation.at.span.stop - 1


def _starts(citations: tuple[Citation, ...], path: str, window: Span) -> list[int]:
    return sorted(
        c.at.span.start for c in citations if c.at.path == path and window.covers(c.at.span)
    )


def _within(start: int, spans: Sequence[Span]) -> bool:
    return any(span.start <= start < span.stop for span in spans)


def _moved(
    before: Sequence[Atom],
    cited_before: list[int],
    after: Sequence[Atom],
    cited_after: list[int],
) -> str | None:
    old = [a for a in before if a.kind in {atoms.WORD, atoms.STOP}]
    new = [a for a in after if a.kind in {atoms.WORD, atoms.STOP}]
    # Lost and gained citations are another check's business.
    if len(cited_before) != len(cited_after) or not cited_before:
        return None
    same = SequenceMatcher(None, [a.words for a in old], [a.words for a in new], autojunk=False)
    for block in same.get_matching_blocks():
        for step in range(block.size):
            one, other = old[block.a + step], new[block.b + step]
            for here, there in zip(cited_before, cited_after, strict=True):
                if (one.start < here) != (other.start < there):
                    return f"a citation would move over {one.words!r}"
    return None
