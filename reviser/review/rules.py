"""The rules: which there are, and how they are run over a manuscript.

To add one: write a function from a manuscript to what it raises in a module of this room, add
its line to RULES, and put a case file beside the others (tests/cases/rules/README.md).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from reviser.findings import Finding, Severity, fingerprinted
from reviser.manuscript.model import Manuscript
from reviser.review import bibliography_rules as bib
from reviser.review import chatbot_rules as chatbot
from reviser.review import entry_rules as entries
from reviser.review import hidden_rules as hidden
from reviser.review import injection_rules as injection
from reviser.review import label_rules as labels
from reviser.review import placeholder_rules as open_
from reviser.review import prose_rules as prose
from reviser.review import reference_rules as ref
from reviser.review import same_work as works
from reviser.review.raised import Raised
from reviser.text.edit import Edit

Check = Callable[[Manuscript], Iterable[Raised]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its id, the worst severity it raises, what it finds in one line, and its check."""

    id: str
    severity: Severity
    summary: str
    check: Check


@dataclass(frozen=True, slots=True)
class RuleReport:
    """What the rules say: fingerprinted findings in order of place, and the edits on offer."""

    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]


_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

RULES: tuple[Rule, ...] = (
    Rule("unreadable", _WARNING, "a part of the paper that could not be read", ref.unreadable),
    Rule("missing-bibliography", _ERROR, "citations, but no bibliography", ref.no_bibliography),
    Rule("undefined-citation", _ERROR, "a cited key without an entry", ref.undefined_citation),
    Rule(
        "undefined-reference", _ERROR, "a reference without its label", labels.undefined_reference
    ),
    Rule("duplicate-label", _WARNING, "a label that is set twice", labels.duplicate_label),
    Rule("duplicate-bib-key", _ERROR, "two entries with one key", bib.duplicate_bib_key),
    Rule("same-work-two-keys", _WARNING, "one work under two keys", works.same_work_two_keys),
    Rule("bib-missing-comma", _ERROR, "no comma between two fields", bib.missing_comma),
    Rule("bib-syntax", _ERROR, "other faults at which BibTeX drops fields", bib.bib_syntax),
    Rule("bib-duplicate-field", _WARNING, "a field that is ignored", bib.duplicate_field),
    Rule("bib-unknown-string", _WARNING, "a bare word as value", bib.unknown_string),
    Rule("bib-special-character", _ERROR, "a bare & % # _ in a field", entries.special_character),
    Rule("bib-names", _WARNING, "names BibTeX takes apart wrongly", entries.names),
    Rule("bib-year", _WARNING, "a year that is none", entries.year),
    Rule("entry-missing-field", _WARNING, "a field its kind requires", entries.missing_field),
    Rule("unused-entry", _NOTE, "entries that nothing cites", bib.unused_entry),
    Rule("placeholder-citation", _ERROR, "a citation left open", open_.placeholder_citation),
    Rule("todo-in-prose", _WARNING, "a reminder that is printed", prose.todo_in_prose),
    Rule("chatbot-leftover", _WARNING, "a chatbot's words, pasted", chatbot.chatbot_leftover),
    Rule("hidden-text", _WARNING, "text that readers cannot see", hidden.hidden_text),
    Rule("injected-instruction", _ERROR, "orders to a reviewer", injection.injected_instruction),
)


def run(manuscript: Manuscript, rules: Sequence[Rule] = RULES) -> RuleReport:
    """Every finding of `rules`, and the edits that settle some of them.

    The same manuscript always gives the same report: ids come from fingerprints, and of two
    edits that touch each other only the first is offered.
    """
    found: list[Raised] = []
    for rule in rules:
        found += [
            replace(one, finding=replace(one.finding, rule=rule.id))
            for one in rule.check(manuscript)
        ]
    # The order in which `fingerprinted` numbers equal findings, so that the two lists agree.
    found.sort(key=lambda r: (r.finding.place, r.finding.rule, r.finding.message))
    findings = fingerprinted(one.finding for one in found)
    edits = [
        replace(
            one.edit,
            id=f"{finding.rule}-{finding.fingerprint}",
            rule=finding.rule,
            answers=(finding.fingerprint,),
        )
        for one, finding in zip(found, findings, strict=True)
        if one.edit is not None
    ]
    return RuleReport(findings, _disjoint(edits))


def _disjoint(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    kept: list[Edit] = []
    taken: dict[str, list[tuple[int, int]]] = {}
    for edit in edits:
        spans = [
            (part.at.path, part.at.span.start, part.at.span.stop) for part in edit.replacements
        ]
        if any(
            start <= last and first <= stop
            for path, start, stop in spans
            for first, last in taken.get(path, ())
        ):
            continue
        for path, start, stop in spans:
            taken.setdefault(path, []).append((start, stop))
        kept.append(edit)
    return tuple(kept)
