"""What the files themselves say of a finding that a plan tells: its words are rebuilt from them."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import get_args

from reviser.deliver.advised import is_point
from reviser.findings import Evidence, Finding, Severity
from reviser.latex.elements import Key
from reviser.literature.sources import Text
from reviser.manuscript.model import Manuscript
from reviser.review.baseline import META_RULES as BASELINE_RULES
from reviser.review.related import RULES as RELATED_RULES
from reviser.review.rules import RULES, RuleReport, run
from reviser.review.suppress import META_RULES as SUPPRESS_RULES
from reviser.review.suppress import suppress
from reviser.text.edit import Edit
from reviser.text.source import Place
from reviser.verify.claim import Per, claims
from reviser.verify.evidence import Work, works
from reviser.verify.references import RULES as REFERENCE_RULES
from reviser.verify.repair import RULES as VERIFY_RULES

_META: Mapping[str, tuple[Severity, str]] = {
    rule: (severity, summary) for rule, severity, summary in (*SUPPRESS_RULES, *BASELINE_RULES)
}
LOOKED_UP: Mapping[str, tuple[Severity, str]] = {**REFERENCE_RULES, **RELATED_RULES}
"""Rules that rest on the word of literature services, which nobody can look up here."""
_BY_ID = {rule.id: rule for rule in RULES}
_QUOTED = 240  # characters of a claim that verify quotes
_SAID = 1_500  # characters of what a point says
_PASSAGE, _WHERE = 400, 200  # characters of a passage that was looked up, and of where it stands
_MOST_EVIDENCE = 5
_MOST_ALIKE = 50  # findings with the same words in one file
_ENTRY = re.compile(r"bibliography entry (.{1,200})")


class Unproven(Exception):  # noqa: N818 - it names an outcome
    """The files do not bear out what a plan tells; the message, a clause of ours, says why."""


class Witness:
    """Answers from the manuscript at head; `sources` are texts of cited works by key in
    lower case. `ours`: the plan was made by a job of ours, which may quote texts of cited works
    that it looked up. Nobody asks for them again here: that is its word, cut short, on one line."""

    def __init__(
        self, manuscript: Manuscript, sources: Mapping[str, Text], *, ours: bool = False
    ) -> None:
        self._ours = ours
        self._paper = manuscript
        self._sources = sources
        self._reports: dict[str, RuleReport] = {}

    def finding(self, told: Finding) -> Finding:
        """The finding as the files bear it out: message and severity are ours, and of its evidence
        what can be read in the files. Raises Unproven."""
        if told.rule in _BY_ID:
            return self._found(told)
        if told.rule in VERIFY_RULES:
            return self._verified(told)
        if told.rule in _META:
            return self._meta(told)
        if is_point(told.rule):
            return self._point(told)
        if told.rule in LOOKED_UP:
            return self._looked_up(told)
        raise Unproven("there is no such rule")

    def offered(self, rule: str, fingerprint: str) -> Edit:
        """The edit that a rule offers for a finding. Raises Unproven."""
        if rule in _BY_ID:
            for edit in self._report(rule).edits:
                if fingerprint in edit.answers:
                    return edit
        raise Unproven("its rule offers no such edit")

    def key(self, place: Place) -> Key:
        """The citation key that stands at `place`. Raises Unproven."""
        found = self._keys.get(place)
        if found is None:
            raise Unproven("no citation stands at its place")
        return found

    def evidence(self, told: Evidence) -> Evidence | None:
        """The evidence if it can be read in the files, else None."""
        folded = " ".join(told.text.split())
        entry = _ENTRY.fullmatch(told.where)
        if entry is not None:
            work = self.works.get(entry[1].lower())
            if work is not None and folded == " ".join(work.name.split()):
                return Evidence(work.name, f"bibliography entry {work.key}")
        work = self.works.get(told.key.lower())
        for passage in () if work is None else work.passages:
            if passage.place.lower() == told.where.lower() and passage.text == folded:
                return Evidence(passage.text, passage.place)
        if self._ours and work is not None and told.origin:
            return Evidence(_line(told.text, _PASSAGE), _line(told.where, _WHERE))
        return None

    def reads(self, text: str) -> bool:
        """Whether a sentence stands in the texts of any work of the bibliography."""
        return " ".join(text.split()) in self._sentences

    def _report(self, rule: str) -> RuleReport:
        # Each rule by itself: which edits are offered depends on no other rule then.
        if rule not in self._reports:
            self._reports[rule] = run(self._paper, [_BY_ID[rule]])
        return self._reports[rule]

    def _found(self, told: Finding) -> Finding:
        for finding in self._report(told.rule).findings:
            if finding.fingerprint == told.fingerprint:
                return finding
        raise Unproven("its rule does not find it here")

    def _verified(self, told: Finding) -> Finding:
        key = self.key(told.place)
        work = self.works.get(key.name.lower())
        if work is None:
            raise Unproven("the bibliography has no entry for what it speaks of")
        if told.quote not in self._quotes.get(told.place, frozenset()):
            raise Unproven("the sentence that it quotes does not stand there")
        if told.fingerprint not in _fingerprints(told):
            raise Unproven("its fingerprint is not that of its words")
        severity, summary = VERIFY_RULES[told.rule]
        evidence = (self.evidence(one) for one in told.evidence[:_MOST_EVIDENCE])
        return Finding(
            rule=told.rule,
            place=told.place,
            quote=told.quote,
            message=f"'{key.name}' ({work.name}): {summary}.",
            severity=severity,
            evidence=tuple(one for one in evidence if one is not None),
            fingerprint=told.fingerprint,
        )

    def _meta(self, told: Finding) -> Finding:
        for finding in self._odd:
            if finding.fingerprint == told.fingerprint and finding.rule == told.rule:
                return replace(finding, suppressed=None)
        source = self._paper.sources.get(told.place.path)
        if source is None or source[told.place.span].strip() != told.quote.strip():
            raise Unproven("the words that it quotes do not stand there")
        if told.fingerprint not in _fingerprints(told):
            raise Unproven("its fingerprint is not that of its words")
        severity, summary = _META[told.rule]
        message = f"{summary[:1].upper()}{summary[1:]}."
        return replace(
            told, message=message, severity=severity, evidence=(), suppressed=None, measured=""
        )

    def _point(self, told: Finding) -> Finding:
        """A point of a review. What it says is a model's; that it quotes the paper is looked up."""
        source = self._paper.sources.get(told.place.path)
        span = told.place.span
        stands = source is not None and span.stop <= len(source.text) and bool(told.quote.strip())
        if source is None or not stands or source[span] != told.quote:
            raise Unproven("the words that it quotes do not stand there")
        if told.fingerprint not in _fingerprints(told):
            raise Unproven("its fingerprint is not that of its words")
        if told.severity is Severity.ERROR:
            raise Unproven("a point of a review is no error")
        return Finding(
            rule=told.rule,
            place=told.place,
            quote=told.quote,
            message=_line(told.message),
            severity=told.severity,
            fingerprint=told.fingerprint,
        )

    def _looked_up(self, told: Finding) -> Finding:
        """What a literature service said of a work, which is for a job of ours to tell: that its
        place stands is looked up, and it is no more severe than its rule."""
        source = self._paper.sources.get(told.place.path)
        span = told.place.span
        if source is None or span.stop > len(source.text) or source[span] != told.quote:
            raise Unproven("the words that it quotes do not stand there")
        return Finding(
            rule=told.rule,
            place=told.place,
            quote=told.quote,
            message=_line(told.message),
            severity=max(told.severity, LOOKED_UP[told.rule][0], key=lambda s: s.rank),
            evidence=tuple(
                Evidence(_line(one.text), _line(one.where))
                for one in told.evidence[:_MOST_EVIDENCE]
            ),
            fingerprint=told.fingerprint,
        )

    @cached_property
    def works(self) -> Mapping[str, Work]:
        """The works of the bibliography, by key in lower case."""
        return works(self._paper, self._sources)

    @cached_property
    def _sentences(self) -> frozenset[str]:
        return frozenset(p.text for work in self.works.values() for p in work.passages)

    @cached_property
    def _keys(self) -> Mapping[Place, Key]:
        return {key.at: key for citation in self._paper.citations for key in citation.keys}

    @cached_property
    def _quotes(self) -> Mapping[Place, frozenset[str]]:
        """For each place of a key what verify may quote of the claims that rest on it."""
        found: dict[Place, set[str]] = {}
        per: Per
        for per in get_args(Per):
            for claim in claims(self._paper, per):
                quote = self._paper.text(claim.at)[:_QUOTED]
                for citation in claim.citations:
                    for key in self._paper.citations[citation].keys:
                        found.setdefault(key.at, set()).add(quote)
        return {place: frozenset(quotes) for place, quotes in found.items()}

    @cached_property
    def _odd(self) -> tuple[Finding, ...]:
        """What is odd about the suppressions in the files; of rules that ask models nothing is
        known here, so none of theirs is called idle."""
        found = [f for rule in RULES for f in self._report(rule.id).findings]
        known = {*_BY_ID, *VERIFY_RULES, *_META}
        marked = suppress(self._paper, found, (), known, ran=frozenset(_BY_ID))
        return tuple(finding for finding in marked if finding.rule in _META)


def _line(text: str, longest: int = _SAID) -> str:
    """What somebody says as one line of printable characters."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:longest]


def _fingerprints(finding: Finding) -> Iterator[str]:
    """What `findings.fingerprinted` gives the first, second ... finding with these words."""
    words = re.sub(r"\s+", " ", finding.quote).strip()
    for number in range(1, _MOST_ALIKE + 1):
        text = "\0".join([finding.rule, finding.place.path, words, str(number)])
        yield hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
