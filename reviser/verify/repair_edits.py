"""The edits of citation repair: a key taken out of its list, or another put in its place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reviser.findings import Finding, fingerprinted
from reviser.latex.elements import Key
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Allowed, Edit, Purpose, Replacement
from reviser.text.source import Place, Span
from reviser.verify.bringing import Brought
from reviser.verify.model import Support
from reviser.verify.trials import Candidate


@dataclass(frozen=True, slots=True)
class Case:
    """A finding about one key of one claim, the edit that would settle it, and the work that the
    edit brings from outside."""

    finding: Finding
    edit: Edit | None
    brought: Brought | None = None


def signed(cases: Sequence[Case]) -> tuple[tuple[Finding, ...], tuple[Edit, ...]]:
    """The findings with their fingerprints; the edits with id, rule and what they answer."""
    findings = fingerprinted(case.finding for case in cases)
    prints = {replace(finding, fingerprint=""): finding.fingerprint for finding in findings}
    edits: list[Edit] = []
    for case in cases:
        if case.edit is None:
            continue
        mark = prints[case.finding]
        verb = "prune" if case.edit.purpose is Purpose.PRUNE else "replace"
        rule = case.finding.rule
        edits.append(replace(case.edit, id=f"{verb}-{mark}", rule=rule, answers=(mark,)))
    return findings, tuple(edits)


def entered_once(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The same edits, those that would enter the same work made one: its entry comes once, and no
    citation of it is left without it."""
    found: list[Edit] = []
    entering: dict[str, int] = {}
    for edit in edits:
        keys = [a.gained for a in edit.allows if a.kind == "entry" and a.gained is not None]
        if keys and keys[0] in entering:
            number = entering[keys[0]]
            found[number] = _joined(found[number], edit)
            continue
        if keys:
            entering[keys[0]] = len(found)
        found.append(edit)
    return tuple(found)


def _joined(first: Edit, second: Edit) -> Edit:
    """Both edits in one; what both do is done once."""
    return replace(
        first,
        replacements=tuple(dict.fromkeys((*first.replacements, *second.replacements))),
        why="; ".join(dict.fromkeys((first.why, second.why))),
        allows=tuple(dict.fromkeys((*first.allows, *second.allows))),
        evidence=tuple(dict.fromkeys((*first.evidence, *second.evidence))),
        answers=tuple(dict.fromkeys((*first.answers, *second.answers))),
    )


def replacing(support: Support, key: Key, chosen: Candidate) -> Edit:
    """The edit that cites `chosen` where `key` stands, and enters it where it is from outside."""
    edit = _edit(support, Purpose.REPLACE, key, Replacement(key.at, key.name, chosen.key))
    edit = replace(edit, evidence=(*edit.evidence, chosen.passage.text))
    why = f"'{chosen.key}' fits instead of '{support.key}': {chosen.why}"
    if chosen.brought is None:
        return replace(edit, why=why)
    whose = (
        f"a new entry, resolved in {chosen.brought.paper.source}, {chosen.brought.paper.identity}"
    )
    return replace(
        edit,
        why=f"{why} ({whose})",
        replacements=(*edit.replacements, chosen.brought.replacement),
        allows=(*edit.allows, chosen.brought.allowed),
    )


def pruning(
    manuscript: Manuscript, support: Support, keys: Sequence[Key], key: Key, dropped: set[str]
) -> Edit | None:
    """The edit that takes `key` out of its list; None where that takes more than a comma."""
    place = _pruned(manuscript, keys, key, dropped)
    if place is None:
        return None
    return _edit(support, Purpose.PRUNE, key, Replacement(place, manuscript.text(place), ""))


def _edit(support: Support, purpose: Purpose, key: Key, change: Replacement) -> Edit:
    gained = change.after or None
    return Edit(
        id="",
        rule="",
        replacements=(change,),
        purpose=purpose,
        why=f"'{support.key}': {support.why}",
        allows=(Allowed("citation key", key.at, key.name, gained),),
        evidence=tuple(passage.text for passage in support.passages[:1]),
    )


def _pruned(
    manuscript: Manuscript, keys: Sequence[Key], key: Key, dropped: set[str]
) -> Place | None:
    """The smallest stretch whose removal takes `key` out of its list with one comma.

    Backwards to the key before, or forwards from a list's beginning, so that two prunings of one
    list never overlap. None when something else than a comma (a comment, a note) stands there.
    """
    at = keys.index(key)
    opening = all(k.name in dropped for k in keys[: at + 1])
    if opening:
        if at + 1 >= len(keys):
            return None
        span, between = (
            Span(key.at.span.start, keys[at + 1].at.span.start),
            Span(key.at.span.stop, keys[at + 1].at.span.start),
        )
    else:
        span, between = (
            Span(keys[at - 1].at.span.stop, key.at.span.stop),
            Span(keys[at - 1].at.span.stop, key.at.span.start),
        )
    if manuscript.text(Place(key.at.path, between)).strip() != ",":
        return None
    return Place(key.at.path, span)
