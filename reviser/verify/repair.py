"""From verdicts to findings, and to edits where the remedy is certain: prune and replace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reviser.findings import Evidence, Finding, Severity
from reviser.latex.elements import Key
from reviser.literature.sources import Searchable
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder, Entailment
from reviser.text.edit import Edit
from reviser.verify.beyond import Beyond
from reviser.verify.bringing import Brought
from reviser.verify.candidates import Search
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
from reviser.verify.repair_edits import Case, pruning, replacing, signed
from reviser.verify.thresholds import DEFAULT, Thresholds
from reviser.verify.trials import Trial

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
    """Findings with fingerprints, the edits that answer some of them, the searches made, and the
    works from outside that the edits would bring into the bibliography."""

    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    trials: tuple[Trial, ...] = ()
    brought: tuple[Brought, ...] = ()


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
    beyond: Sequence[Searchable] = (),
) -> Repairs:
    """Findings and edits for the verdicts of `verify`, whose verifier reads so many `sentences`;
    searches that are `kept` are not made again.

    A key that was checked and is off topic (or contradicted) is pruned when another key of its
    claim stays and its command keeps one; replaced from the paper's own bibliography when no key
    of the claim fits, all were checked, and one entry clearly beats it. Where none does, the places
    `beyond` are searched in their order; a work that a verifier finds there to entail the claim is
    cited and entered in the .bib by one edit. Else it is a finding with the nearest works. Nothing
    that cannot be edited safely is edited.
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
        beyond=Beyond(manuscript, works, beyond),
    )
    desk = _Desk(manuscript, claims, works, settings, search)
    cases: list[Case] = []
    for number in sorted(by_claim):
        cases.extend(desk.claim(by_claim[number]))
    cases.extend(desk.names(bibliography_surnames(works)))
    findings, edits = signed(cases)
    taken = {case.brought.paper.identity: case.brought for case in cases if case.brought}
    return Repairs(findings, edits, tuple(search.trials), tuple(taken.values()))


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where one paper's verdicts are turned into cases."""

    manuscript: Manuscript
    claims: Sequence[Claim]
    works: Mapping[str, Work]
    settings: Settings
    search: Search

    def claim(self, supports: Sequence[Support]) -> list[Case]:
        """The cases of one claim's verdicts."""
        cases: list[Case] = []
        wrong = [s for s in supports if s.label in self._triggers()]
        kept = [s for s in supports if s.label in _KEEPS]
        for support in supports:
            if support.label in _WRONG or support in wrong:
                cases.extend(self._wrong(support, supports, kept))
            elif support.label is Label.SILENT and read_in_full(support):
                cases.append(Case(self._silent(support), None))
            elif support.label in _OPEN and not _other_leads(support, kept):
                cases.extend(self._leads(support))
        return cases

    def _triggers(self) -> frozenset[Label]:
        if self.settings.repair == "unsupported":
            return _WRONG | {Label.SILENT}
        return _WRONG

    def _wrong(
        self, support: Support, supports: Sequence[Support], kept: Sequence[Support]
    ) -> list[Case]:
        """One case per place where the key stands in the claim."""
        claim = self.claims[support.claim]
        cases: list[Case] = []
        trial: Trial | None = None
        for citation, key in self._places(claim, support.key):
            keys = self.manuscript.citations[citation].keys
            dropped = {s.key for s in supports if s.label in _WRONG}
            others = [k for k in keys if k.name not in dropped]
            fixed = self._uneditable(citation, key)
            edit: Edit | None = None
            brought: Brought | None = None
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
                    edit = replacing(support, key, trial.chosen)
                    brought = trial.chosen.brought
            finding = self._finding(support, key, advice, trial)
            cases.append(Case(finding, edit, brought))
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

    def _leads(self, support: Support) -> list[Case]:
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
        return [Case(finding, None)]

    def names(self, surnames: frozenset[str]) -> list[Case]:
        """Findings where the author named beside a citation did not write the cited work."""
        cases: list[Case] = []
        for number, claim in enumerate(self.claims):
            found = name_mismatch(self.manuscript, number, claim, self.works, surnames)
            if found is not None:
                cases.append(Case(self._misnamed(found), None))
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
        return pruning(self.manuscript, support, keys, key, dropped)


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
