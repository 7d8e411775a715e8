"""What a pull request has to do with a finding, and what the finding is about."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reviser.app.pull.sides import Change, Side
from reviser.deliver.plan import Origin
from reviser.findings import Finding
from reviser.latex.elements import BibEntry
from reviser.manuscript.model import Manuscript
from reviser.pipeline import Checked, known_rules
from reviser.review.baseline import Baseline
from reviser.review.baseline import apply as accept
from reviser.review.rules import RULES, run
from reviser.review.suppress import suppress
from reviser.text.source import Place
from reviser.verify.repair import RULES as VERIFIED

Identity = tuple[str, str, str]
"""Rule, path and quoted words: what a fingerprint is made of, its running number left out."""


def identity(finding: Finding) -> Identity:
    """What makes two findings of two commits the same, wherever they stand in the file."""
    return finding.rule, finding.place.path, re.sub(r"\s+", " ", finding.quote).strip()


def ruled(side: Side, accepted: Baseline | None) -> tuple[Finding, ...]:
    """What the rules find at a commit, silenced findings included; no model is asked."""
    paper, settings, known = side.opened.manuscript, side.opened.settings, known_rules()
    ran = frozenset(settings.rules or known) - frozenset(VERIFIED)
    found = run(paper, [rule for rule in RULES if rule.id in ran]).findings
    marked = suppress(paper, found, settings.ignores, known, ran=ran)
    if accepted is not None:
        marked = accept(marked, accepted, main=paper.main, ran=ran)
    return tuple(finding for finding in marked if finding.rule in ran)


def there(base: Side | None, head: Side, change: Change) -> Counter[Identity] | None:
    """How often each finding of the rules stands in the merge base, under its file's name at the
    head; silenced ones too, since what is no longer silenced was still there. None without a
    merge base to read."""
    if base is None:
        return None
    accepted, _ = base.baseline()
    counted: Counter[Identity] = Counter()
    for finding in ruled(base, accepted):
        top = base.root + finding.place.path
        path = change.now.get(top, top).removeprefix(head.root)
        counted[identity(replace(finding, place=Place(path, finding.place.span)))] += 1
    return counted


def renewed(base: Side | None, head: Side) -> frozenset[str]:
    """The keys of entries that are new or whose fields say something else than at the merge base;
    none without a merge base to read."""
    if base is None:
        return frozenset()
    old, new = base.opened.manuscript.entry_of, head.opened.manuscript.entry_of
    return frozenset(k for k, entry in new.items() if k not in old or _says(old[k]) != _says(entry))


def _says(entry: BibEntry) -> frozenset[tuple[str, str]]:
    return frozenset((field.name, field.text) for field in entry.fields)


@dataclass(frozen=True)
class Origins:
    """Tells the origin of each finding of the head.

    `before` counts those of the merge base (see `there`), None where it could not be read: then
    nothing is blamed on the change from afar. `renewed` are the keys, in lower case, of
    bibliography entries that are new or say something else.
    """

    checked: Checked
    change: Change
    before: Counter[Identity] | None
    renewed: frozenset[str] = frozenset()

    def of(self, findings: Sequence[Finding]) -> tuple[Origin, ...]:
        """The origin of each finding, in order."""
        left = None if self.before is None else Counter(self.before)
        told: list[Origin] = []
        for finding in findings:
            if self._here(finding):
                told.append(Origin.HERE)
            elif left is None or finding.rule in VERIFIED:
                told.append(Origin.BEFORE)
            else:
                # Of several alike, as many were there before as the merge base has.
                left[identity(finding)] -= 1
                told.append(Origin.CAUSED if left[identity(finding)] < 0 else Origin.BEFORE)
        return tuple(told)

    def touches(self, place: Place) -> bool:
        """Whether a line of `place` was changed."""
        return self._shown.shows(place)

    def _here(self, finding: Finding) -> bool:
        if self.touches(finding.place):
            return True
        if finding.rule not in VERIFIED:
            return False
        return any(
            key.lower() in self.renewed or self.touches(self.checked.claims[claim].at)
            for claim, key in self._cited.get(finding.place, ())
        )

    @cached_property
    def _shown(self) -> Checked:
        return replace(self.checked, changed=self.change.touched)

    @cached_property
    def _cited(self) -> Mapping[Place, Sequence[tuple[int, str]]]:
        return cited(self.checked)


def cited(checked: Checked) -> Mapping[Place, Sequence[tuple[int, str]]]:
    """The claims (as indices) and the key that stand behind each place of a cited key."""
    found: dict[Place, list[tuple[int, str]]] = {}
    for number, claim in enumerate(checked.claims):
        for citation in claim.citations:
            for key in checked.manuscript.citations[citation].keys:
                found.setdefault(key.at, []).append((number, key.name))
    return found


@dataclass(frozen=True)
class Subjects:
    """Tells what a finding is about: a cited key, a label, an entry's key."""

    manuscript: Manuscript

    def of(self, finding: Finding) -> str:
        """The name of the smallest thing around the finding's place, else of the only thing
        inside it, else ""."""
        place = finding.place
        things = self._things.get(place.path, ())
        around = [(len(at.span), name) for at, name in things if at.span.covers(place.span)]
        if around:
            return min(around)[1]
        inside = {name for at, name in things if place.span.covers(at.span)}
        return inside.pop() if len(inside) == 1 else ""

    @cached_property
    def _things(self) -> Mapping[str, Sequence[tuple[Place, str]]]:
        paper = self.manuscript
        found: dict[str, list[tuple[Place, str]]] = {}
        named = [
            *((key.at, key.name) for citation in paper.citations for key in citation.keys),
            *((key.at, key.name) for reference in paper.references for key in reference.names),
            *((label.name.at, label.name.name) for label in paper.labels),
            *((label.at, label.name.name) for label in paper.labels),
            *((entry.at, entry.key) for entry in paper.entries),
        ]
        for at, name in named:
            found.setdefault(at.path, []).append((at, name))
        return found
