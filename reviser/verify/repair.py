"""From verdicts to findings, and to edits where the remedy is certain: prune and replace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reviser.findings import Evidence, Finding, Severity, fingerprinted
from reviser.latex.elements import Key
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder, Entailment
from reviser.text.edit import Allowed, Edit, Purpose, Replacement
from reviser.text.source import Place, Span
from reviser.verify.candidates import Candidate, Search, Trial
from reviser.verify.evidence import SOURCE_TEXT, Work
from reviser.verify.exempt import field_still_read
from reviser.verify.hearing import READ
from reviser.verify.kept import Kept
from reviser.verify.leads import (
    NameMismatch,
    bibliography_surnames,
    name_mismatch,
)
from reviser.verify.model import Claim, Label, Support
from reviser.verify.thresholds import DEFAULT, Thresholds

Mode = Literal["default", "unsupported", "off"]

OFF_TOPIC = "citation-off-topic"
CONTRADICTED = "citation-contradicted"
SILENT = "citation-silent"
NAME = "citation-name-mismatch"
LEAD = "citation-lead"

RULES: Mapping[str, tuple[Severity, str]] = {
    OFF_TOPIC: (Severity.WARNING, "a cited work on another matter than the claim"),
    CONTRADICTED: (Severity.WARNING, "a cited work that a verifier reads as saying the contrary"),
    SILENT: (Severity.NOTE, "a claim that the cited work's full text does not make"),
    NAME: (Severity.WARNING, "an author named beside a work by somebody else"),
    LEAD: (Severity.NOTE, "a number or negation unlike the cited work's closest sentence"),
}
"""What verify may report: severity and summary by rule id."""

_KEEPS = frozenset({Label.SUPPORTED, Label.ON_TOPIC})
_WRONG = frozenset({Label.OFF_TOPIC, Label.CONTRADICTED})
_OPEN = frozenset({Label.ON_TOPIC, Label.SILENT})
_QUOTED = 240
"""Characters of the source that a finding quotes."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`prune` and `repair`: which keys may be dropped, and what triggers a
    replacement. `candidates` (K) works are tried, `window` (w) at a time."""

    prune: bool = True
    repair: Mode = "default"
    candidates: int = 10
    window: int = 2


@dataclass(frozen=True, slots=True)
class Repairs:
    """Findings with fingerprints, the edits that answer some of them, and the searches made."""

    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    trials: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True)
class _Case:
    """A finding about one key of one claim, with the edit that would settle it."""

    finding: Finding
    edit: Edit | None


def repair(
    manuscript: Manuscript,
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    supports: Sequence[Support],
    *,
    embedder: Embedder,
    entailment: Entailment | None = None,
    settings: Settings = Settings(),
    thresholds: Thresholds = DEFAULT,
    sentences: int = READ,
    kept: Kept | None = None,
) -> Repairs:
    """Findings and edits for the verdicts of `verify`, whose verifier reads so many `sentences`;
    searches that are `kept` are not made again.

    A key that was checked and is off topic (or contradicted) is pruned when another key of its
    claim stays and its command keeps one; replaced from the paper's own bibliography when no key
    of the claim fits, all were checked, and one entry clearly beats it; else it is a finding with
    the nearest entries. Nothing that cannot be edited safely is edited.
    """
    by_claim: dict[int, list[Support]] = {}
    for support in supports:
        by_claim.setdefault(support.claim, []).append(support)
    search = Search(
        claims,
        works,
        embedder=embedder,
        entailment=entailment,
        thresholds=thresholds,
        limits=settings,
        sentences=sentences,
        kept=kept,
    )
    desk = _Desk(manuscript, claims, works, settings, search)
    cases: list[_Case] = []
    for number in sorted(by_claim):
        cases.extend(desk.claim(by_claim[number]))
    cases.extend(desk.names(bibliography_surnames(works)))
    return _signed(cases, tuple(search.trials))


def _signed(cases: Sequence[_Case], trials: tuple[Trial, ...]) -> Repairs:
    """Give the findings their fingerprints, and the edits an id and the finding they answer."""
    signed = fingerprinted(case.finding for case in cases)
    prints = {replace(finding, fingerprint=""): finding.fingerprint for finding in signed}
    edits: list[Edit] = []
    for case in cases:
        if case.edit is None:
            continue
        mark = prints[case.finding]
        verb = "prune" if case.edit.purpose is Purpose.PRUNE else "replace"
        edits.append(replace(case.edit, id=f"{verb}-{mark}", answers=(mark,)))
    return Repairs(signed, tuple(edits), trials)


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where one paper's verdicts are turned into cases."""

    manuscript: Manuscript
    claims: Sequence[Claim]
    works: Mapping[str, Work]
    settings: Settings
    search: Search

    def claim(self, supports: Sequence[Support]) -> list[_Case]:
        """The cases of one claim's verdicts."""
        cases: list[_Case] = []
        wrong = [s for s in supports if s.label in self._triggers()]
        kept = [s for s in supports if s.label in _KEEPS]
        for support in supports:
            if support.label in _WRONG or support in wrong:
                cases.extend(self._wrong(support, supports, kept))
            elif support.label is Label.SILENT and read_in_full(support):
                cases.append(_Case(self._silent(support), None))
            elif support.label in _OPEN and not _other_leads(support, kept):
                cases.extend(self._leads(support))
        return cases

    def _triggers(self) -> frozenset[Label]:
        if self.settings.repair == "unsupported":
            return _WRONG | {Label.SILENT}
        return _WRONG

    def _wrong(
        self, support: Support, supports: Sequence[Support], kept: Sequence[Support]
    ) -> list[_Case]:
        """One case per place where the key stands in the claim."""
        claim = self.claims[support.claim]
        cases: list[_Case] = []
        trial: Trial | None = None
        for citation, key in self._places(claim, support.key):
            keys = self.manuscript.citations[citation].keys
            dropped = {s.key for s in supports if s.label in _WRONG}
            others = [k for k in keys if k.name not in dropped]
            fixed = self._uneditable(citation, key)
            edit: Edit | None = None
            advice = ""
            if kept and support.label in _WRONG:
                if not others:
                    advice = "It is the only key of its command: move or remove the citation."
                elif fixed:
                    advice = f"Remove the key ({fixed}, so no edit is offered)."
                else:
                    advice = "Another key of this citation fits; this one can go."
                    if self.settings.prune:
                        edit = self._prune(support, citation, key, dropped)
            elif field_still_read(claim.exempt):
                advice = "Nothing here says what belongs in its place; check the key."
            elif self.settings.repair != "off":
                if trial is None:
                    trial = self.search.candidates(support)
                advice = trial.advice(fixed)
                if trial.chosen is not None and not fixed and self._all_checked(supports):
                    edit = self._replace(support, key, trial.chosen)
            finding = self._finding(support, key, advice, trial)
            cases.append(_Case(finding, edit))
        return cases

    def _all_checked(self, supports: Sequence[Support]) -> bool:
        unknown = (Label.UNCHECKED, Label.NOT_CHECKABLE)
        return not any(s.label in unknown for s in supports)

    def _places(self, claim: Claim, name: str) -> list[tuple[int, Key]]:
        return [
            (citation, key)
            for citation in claim.citations
            for key in self.manuscript.citations[citation].keys
            if key.name == name
        ]

    def _uneditable(self, citation: int, key: Key) -> str:
        """Why the key must not be edited where it stands, or ""."""
        path = key.at.path
        facts = self.manuscript.facts_of.get(path)
        if facts is not None and facts.untouchable:
            return facts.untouchable
        if not key.editable or self.manuscript.text(key.at) != key.name:
            return "it comes out of a macro"
        command = self.manuscript.citations[citation].at
        if command.path != path or not command.span.covers(key.at.span):
            return "it does not stand in its command"
        return ""

    def _finding(self, support: Support, key: Key, advice: str, trial: Trial | None) -> Finding:
        work = self.works[support.key.lower()]
        if support.label is Label.OFF_TOPIC:
            whole = field_still_read(self.claims[support.claim].exempt)
            than = "this paper" if whole else "this sentence"
            rule, said = OFF_TOPIC, f"seems to be about something else than {than}"
        elif support.label is Label.CONTRADICTED:
            rule, said = CONTRADICTED, "seems to say the contrary of this sentence"
        else:
            rule, said = SILENT, "does not say what this sentence says"
        chosen = trial.chosen if trial is not None else None
        measured = support.why + (f"; '{chosen.key}': {chosen.why}" if chosen else "")
        message = " ".join(filter(None, (f"'{support.key}' ({work.name}) {said}.", advice)))
        evidence = _quoted(support)
        if trial is not None:
            # Once a work is chosen, the also-rans would only blur what speaks for it.
            told = (chosen,) if chosen else trial.shown
            evidence += tuple(Evidence(c.passage.text, c.passage.place) for c in told)
        return Finding(
            rule=rule,
            place=key.at,
            quote=self._quote(support.claim),
            message=message,
            severity=RULES[rule][0],
            evidence=evidence,
            measured=measured,
        )

    def _quote(self, claim: int) -> str:
        return self.manuscript.text(self.claims[claim].at)[:_QUOTED]

    def _silent(self, support: Support) -> Finding:
        claim = self.claims[support.claim]
        places = self._places(claim, support.key)
        trial = self.search.candidates(support) if self.settings.repair != "off" else None
        advice = trial.advice() if trial is not None else ""
        return self._finding(support, places[0][1], advice, trial)

    def _leads(self, support: Support) -> list[_Case]:
        """Notes on leads that set the claim against a sentence of the work on the same matter."""
        claim = self.claims[support.claim]
        strong = [lead for lead in support.leads if is_strong(lead.kind, lead.text)]
        places = self._places(claim, support.key)
        if not strong or not places:
            return []
        said = "; ".join(f"{lead.kind} {lead.text}" for lead in strong)
        work = self.works[support.key.lower()]
        finding = Finding(
            rule=LEAD,
            place=places[0][1].at,
            quote=self._quote(support.claim),
            message=f"Compare with '{support.key}' ({work.name}): {said}. "
            "This is a lead, not a verdict; the source may say it elsewhere.",
            severity=RULES[LEAD][0],
            evidence=_quoted(support),
        )
        return [_Case(finding, None)]

    def names(self, surnames: frozenset[str]) -> list[_Case]:
        """Findings where the author named beside a citation did not write the cited work."""
        cases: list[_Case] = []
        for number, claim in enumerate(self.claims):
            found = name_mismatch(self.manuscript, number, claim, self.works, surnames)
            if found is not None:
                cases.append(_Case(self._misnamed(found), None))
        return cases

    def _misnamed(self, found: NameMismatch) -> Finding:
        citation = self.manuscript.citations[found.citation]
        cited = "; ".join(f"'{key}' is {self.works[key.lower()].name}" for key in found.keys[:2])
        message = f"The sentence names {found.named}, but {cited}."
        evidence: tuple[Evidence, ...] = ()
        rule = LEAD
        if found.candidate:
            rule = NAME
            work = self.works[found.candidate.lower()]
            message += f" Did you mean '{work.key}', {work.name}?"
            evidence = (Evidence(work.name, f"bibliography entry {work.key}"),)
        return Finding(
            rule=rule,
            place=citation.keys[0].at,
            quote=self._quote(found.claim),
            message=message,
            severity=RULES[rule][0],
            evidence=evidence,
        )

    def _prune(self, support: Support, citation: int, key: Key, dropped: set[str]) -> Edit | None:
        keys = self.manuscript.citations[citation].keys
        place = _pruned(self.manuscript, keys, key, dropped)
        if place is None:
            return None
        cut = Replacement(place, self.manuscript.text(place), "")
        return _edit(support, Purpose.PRUNE, key, cut, gained=None)

    def _replace(self, support: Support, key: Key, chosen: Candidate) -> Edit:
        why = f"'{chosen.key}' fits instead of '{support.key}': {chosen.why}"
        change = Replacement(key.at, key.name, chosen.key)
        edit = _edit(support, Purpose.REPLACE, key, change, gained=chosen.key)
        return replace(edit, why=why, evidence=(*edit.evidence, chosen.passage.text))


_RULE_OF = {
    Label.OFF_TOPIC: OFF_TOPIC,
    Label.CONTRADICTED: CONTRADICTED,
    Label.SILENT: SILENT,
}


def _edit(
    support: Support, purpose: Purpose, key: Key, change: Replacement, *, gained: str | None
) -> Edit:
    return Edit(
        id="",
        rule=_RULE_OF[support.label],
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


def read_in_full(support: Support) -> bool:
    """Whether the verdict rests on more than an abstract."""
    return any(passage.where == SOURCE_TEXT for passage in support.passages)


def is_strong(kind: str, text: str) -> bool:
    """Whether a lead sets two things of one kind against each other and is worth a note."""
    return kind == "negation" or "says" in text


def _other_leads(support: Support, kept: Sequence[Support]) -> bool:
    """Whether another key of the claim shows what this one does not: then the claim is fine."""
    for other in kept:
        if (
            other is not support
            and other.passages
            and not any(is_strong(lead.kind, lead.text) for lead in other.leads)
        ):
            return True
    return False


def _quoted(support: Support) -> tuple[Evidence, ...]:
    return tuple(Evidence(p.text, p.place) for p in support.passages[:1])
