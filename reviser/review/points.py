"""The points of a paper: from findings to points and back, and the door to what else is done
with them before anything is decided (`decompose`, `merged`, `ranked`).

A point of a review is a finding of one of the rules `review-*`, so that suppressions, baseline and
comments know it; a finding that stands in the prose is a point under its own fingerprint.
"""

from collections.abc import Iterable, Mapping, Sequence

from reviser.findings import Finding
from reviser.manuscript.model import Manuscript
from reviser.review import related
from reviser.review.decompose import Decomposed, decompose
from reviser.review.merging import merged, ranked
from reviser.review.model import Action, Dimension, Point, Remedy
from reviser.review.point_rules import RULES, is_reviewed
from reviser.review.treatable import section_at, untreatable
from reviser.text.source import Place

__all__ = [
    "CLAIMS",
    "RULES",
    "Decomposed",
    "decompose",
    "findings_of",
    "merged",
    "points_of",
    "ranked",
]


CLAIMS = frozenset({"citation-contradicted", "citation-off-topic", "citation-silent"})
"""Findings on a claim that no cited work bears out: a writer can restate what is claimed, and the
gate asks the verifier whether the works say that (METHODS 3, step 7)."""

# The findings that stand in the prose. All but CLAIMS ask for a fact that only the authors have (a
# key, a label, an open task, what they meant where a chatbot spoke), so an edit would be a guess.
# What hides text or gives orders is left out: it is no matter of wording, and shown to no model.
_DIMENSIONS: Mapping[str, Dimension] = {
    "chatbot-leftover": Dimension.RELEVANCE,
    "citation-contradicted": Dimension.CRITICAL_ANALYSIS,
    "citation-lead": Dimension.CRITICAL_ANALYSIS,
    "citation-name-mismatch": Dimension.RELEVANCE,
    "citation-off-topic": Dimension.RELEVANCE,
    "citation-silent": Dimension.CRITICAL_ANALYSIS,
    "duplicate-label": Dimension.STRUCTURE,
    "missing-related-work": Dimension.COVERAGE,
    "placeholder-citation": Dimension.COVERAGE,
    "todo-in-prose": Dimension.COVERAGE,
    "undefined-citation": Dimension.COVERAGE,
    "undefined-reference": Dimension.STRUCTURE,
}


def points_of(manuscript: Manuscript, findings: Iterable[Finding]) -> tuple[Point, ...]:
    """The findings that stand in the paper's prose as points, silenced ones left out.

    Those that a writer's edit could mend (see `CLAIMS`) have the remedy `TOOL`, where they stand
    in running prose that may be edited, and the place of their sentence; so has a work that the
    paper may lack, at the paragraph that cites most of those that cite it. All others are the
    author's. Findings on the bibliography and on suppressions are no points.
    """
    return tuple(
        _point(manuscript, finding)
        for finding in findings
        if finding.rule in _DIMENSIONS
        and finding.suppressed is None
        and finding.place.path in manuscript.sources
        and finding.place.path not in manuscript.bibliography
    )


def _point(manuscript: Manuscript, finding: Finding) -> Point:
    place, action, needs = finding.place, None, ""
    if finding.rule in CLAIMS:
        sentence = _sentence_at(manuscript, finding.place)
        if sentence is not None and not untreatable(manuscript, sentence):
            place, action = sentence, Action.REWRITE_CLAIM
    elif finding.rule == related.RULE:
        beside = related.paragraph_for(manuscript, finding)
        if beside is not None:
            place, action = beside, Action.REWRITE_WITH_EVIDENCE
            needs = related.offered(finding)
    return Point(
        id=finding.fingerprint,
        rule=finding.rule,
        message=finding.message,
        quote=manuscript.text(place),
        place=place,
        section=section_at(manuscript, place),
        lines=manuscript.lines(place),
        dimension=_DIMENSIONS[finding.rule],
        severity=finding.severity,
        remedy=Remedy.AUTHOR if action is None else Remedy.TOOL,
        action=action,
        needs=needs,
    )


def _sentence_at(manuscript: Manuscript, place: Place) -> Place | None:
    """The smallest sentence that covers `place`."""
    found = [
        (len(sentence.at.span), sentence.at)
        for sentence in manuscript.sentences
        if sentence.at.path == place.path and sentence.at.span.covers(place.span)
    ]
    return min(found)[1] if found else None


def findings_of(points: Sequence[Point]) -> tuple[Finding, ...]:
    """The points of a review as findings, in order of place; the id is the fingerprint. Points
    that are findings already are left out."""
    found = [
        Finding(
            rule=point.rule,
            place=point.place,
            quote=point.quote,
            message=point.message,
            severity=point.severity,
            fingerprint=point.id,
        )
        for point in points
        if is_reviewed(point)
    ]
    return tuple(sorted(found, key=lambda f: (f.place, f.rule, f.fingerprint)))
