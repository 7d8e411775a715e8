"""What a pull request has to do with a finding, and what the finding is about."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reviser.app.pull.sides import Change, Side
from reviser.deliver.advised import POINT_RULES, is_point
from reviser.deliver.plan import Origin
from reviser.findings import Finding
from reviser.latex.elements import BibEntry
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import Checked, known_rules
from reviser.review.baseline import Baseline
from reviser.review.baseline import apply as accept
from reviser.review.related import RULES as RELATED
from reviser.review.rules import RULES, run
from reviser.review.suppress import suppress
from reviser.text.source import Place
from reviser.verify.references import RULES as REFERENCES
from reviser.verify.repair import RULES as VERIFIED

_JUDGED = POINT_RULES | {*VERIFIED, *REFERENCES, *RELATED}
"""What models and services find, and nobody finds again by looking at the merge base."""
_AROUND = 24  # characters, spaces left out, of the text on either side of a finding
_FILE_WIDE = frozenset({"todo-in-prose"})
"""Rules that say once for a file what stands at several of its places."""
_OF_TWO = frozenset({"duplicate-bib-key", "same-work-two-keys"})
"""Rules that speak of the later of two entries: of the other one, once the file is sorted."""


@dataclass(frozen=True, slots=True)
class Stood:
    """What makes a finding of one commit the same as one of another, wherever it stands: its rule
    and its quoted words (none where it speaks of its whole file), the file, and what stands
    around. Spaces are left out, so that neither line ends nor new line breaks make a difference.
    """

    rule: str
    words: str
    path: str
    ahead: str
    behind: str

    def around(self, other: "Stood") -> bool:
        """Whether the same text stands on one side at least."""
        return bool(self.ahead == other.ahead != "" or self.behind == other.behind != "")


def stood(manuscript: Manuscript, finding: Finding) -> Stood:
    """A finding by what outlives a move."""
    at = finding.place
    source = manuscript.sources.get(at.path)
    ahead = behind = ""
    if source is not None:
        # Four times as much text as is kept, for the indentation of lines.
        ahead = _packed(source.text[max(0, at.span.start - 4 * _AROUND) : at.span.start])
        behind = _packed(source.text[at.span.stop : at.span.stop + 4 * _AROUND])
    words = "" if finding.quote == at.path else _packed(finding.quote)
    return Stood(finding.rule, words, at.path, ahead[-_AROUND:], behind[:_AROUND])


def _packed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def ruled(side: Side, accepted: Baseline | None) -> tuple[Finding, ...]:
    """What the rules find at a commit, silenced findings included; no model is asked."""
    paper, settings, known = side.opened.manuscript, side.opened.settings, known_rules()
    ran = frozenset(settings.rules or known) - _JUDGED
    found = run(paper, [rule for rule in RULES if rule.id in ran]).findings
    marked = suppress(paper, found, settings.ignores, known, ran=ran)
    if accepted is not None:
        marked = accept(marked, accepted, main=paper.main, ran=ran)
    return tuple(finding for finding in marked if finding.rule in ran)


@dataclass(frozen=True, slots=True)
class Before:
    """The merge base: the findings of the rules, under their files' names at the head, and the
    text of all files with spaces left out."""

    findings: tuple[Stood, ...]
    text: str


def there(base: Side | None, head: Side, change: Change) -> Before | None:
    """What stood in the merge base; silenced findings too, since what is no longer silenced was
    still there. None without a merge base to read."""
    if base is None:
        return None
    accepted, _ = base.baseline()
    paper = base.opened.manuscript
    found = []
    for finding in ruled(base, accepted):
        top = base.root + finding.place.path
        path = change.now.get(top, top).removeprefix(head.root)
        found.append(replace(stood(paper, finding), path=path))
    return Before(tuple(found), "\0".join(_packed(s.text) for s in paper.sources.values()))


def renewed(base: Side | None, head: Side) -> frozenset[str]:
    """The keys of entries that are new, that nothing cited at the merge base, or whose fields say
    something else than there; none without a merge base to read."""
    if base is None:
        return frozenset()
    old, new = base.opened.manuscript.entry_of, head.opened.manuscript.entry_of
    changed = {k for k, entry in new.items() if k not in old or _says(old[k]) != _says(entry)}
    newly = _cited_in(head.opened.manuscript) - _cited_in(base.opened.manuscript)
    return frozenset(changed | (newly & set(new)))


def _cited_in(manuscript: Manuscript) -> frozenset[str]:
    return frozenset(key.name.lower() for one in manuscript.citations for key in one.keys)


def _says(entry: BibEntry) -> frozenset[tuple[str, str]]:
    return frozenset((field.name, field.text) for field in entry.fields)


@dataclass(frozen=True)
class Origins:
    """Tells the origin of each finding of the head.

    `before` is the merge base (see `there`), None where it could not be read: then nothing is
    blamed on the change from afar. `renewed` are the keys, in lower case, of bibliography entries
    that are new, newly cited, or say something else.
    """

    checked: Checked
    change: Change
    before: Before | None
    renewed: frozenset[str] = frozenset()

    def of(self, findings: Sequence[Finding]) -> tuple[Origin, ...]:
        """The origin of each finding, in order."""
        told = [Origin.HERE if self._here(finding) else Origin.BEFORE for finding in findings]
        if self.before is None:
            return tuple(told)
        paper = self.checked.manuscript
        by_rules = [n for n, finding in enumerate(findings) if finding.rule not in _JUDGED]
        names = {n: stood(paper, findings[n]) for n in by_rules}
        left = list(self.before.findings)
        # Of several alike, as many were there before as the merge base has: first those whose
        # lines nobody touched, then those that were moved or only broken into other lines.
        new = [
            n for n in by_rules if told[n] is Origin.HERE or not _taken(left, names[n], moved=False)
        ]
        for n in new:
            if self._said(names[n], left) or _taken(left, names[n], moved=True):
                told[n] = Origin.BEFORE
            elif told[n] is Origin.BEFORE:
                told[n] = Origin.CAUSED
        return tuple(told)

    def _said(self, name: Stood, left: list[Stood]) -> bool:
        """Whether the merge base has these very words, of a rule that may have told of them at
        another place, and told of something that is `left`; which is taken."""
        if self.before is None or name.rule not in _FILE_WIDE | _OF_TWO:
            return False
        text = self.before.text
        if name.ahead + name.words not in text and name.words + name.behind not in text:
            return False
        other = next((old for old in left if old.rule == name.rule), None)
        if other is not None and name.rule in _OF_TWO:
            left.remove(other)
        return other is not None or name.rule in _FILE_WIDE

    def touches(self, place: Place) -> bool:
        """Whether a line of `place` was changed."""
        return self._shown.shows(place)

    def _here(self, finding: Finding) -> bool:
        if is_point(finding.rule):
            return self.touches(finding.place) and not self._read([finding.place])
        if finding.rule in REFERENCES and self.before is not None:
            entry = self._entry_at(finding.place)
            return entry is not None and entry.key.lower() in self.renewed
        if finding.rule not in VERIFIED:
            return self.touches(finding.place)
        behind = self._cited.get(finding.place, ())
        if any(key.lower() in self.renewed for _, key in behind):
            return True
        places = [finding.place, *(self.checked.claims[claim].at for claim, _ in behind)]
        return any(map(self.touches, places)) and not self._read(places)

    def _entry_at(self, place: Place) -> BibEntry | None:
        for entry in self.checked.manuscript.entries:
            if entry.at.path == place.path and entry.at.span.covers(place.span):
                return entry
        return None

    def _read(self, places: Sequence[Place]) -> bool:
        """Whether the merge base has the words of all these places, wherever it has them."""
        if self.before is None or any(at.path != places[0].path for at in places):
            return False
        start = min(at.span.start for at in places)
        stop = max(at.span.stop for at in places)
        source = self.checked.manuscript.sources[places[0].path]
        # One character more, so that no key is taken for a longer one.
        return _packed(source.text[start : stop + 1]) in self.before.text

    @cached_property
    def _shown(self) -> Checked:
        return replace(self.checked, changed=self.change.touched)

    @cached_property
    def _cited(self) -> Mapping[Place, Sequence[tuple[int, str]]]:
        return cited(self.checked)


def _taken(left: list[Stood], name: Stood, *, moved: bool) -> bool:
    """Take the finding that is this one out of those of the merge base, if it is among them. One
    that was moved stands beside the same words, in whatever file; one that speaks of its whole
    file has no words to stand beside."""
    for n, old in enumerate(left):
        if (old.rule, old.words) == (name.rule, name.words) and (
            old.around(name) if moved and name.words else old.path == name.path
        ):
            del left[n]
            return True
    return False


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
