"""An edit that was judged, as the record of a run keeps it."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from reviser.revise.verdict import Score, Verdict

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"


def edit_data(verdict: Verdict) -> dict[str, Json]:
    """The edit and the word on it."""
    edit = verdict.edit
    return {
        "id": edit.id,
        "rule": edit.rule,
        "purpose": edit.purpose.value,
        "why": edit.why,
        "answers": edit.answers,
        "evidence": edit.evidence,
        "grounds": [
            {"said": g.said, "key": g.key, "where": g.where, "quote": g.quote} for g in edit.grounds
        ],
        "replacements": [
            {
                "path": r.at.path,
                "start": r.at.span.start,
                "stop": r.at.span.stop,
                "before": r.before,
                "after": r.after,
            }
            for r in edit.replacements
        ],
        "allows": [
            {
                "kind": a.kind,
                "path": a.at.path,
                "start": a.at.span.start,
                "stop": a.at.span.stop,
                "lost": a.lost,
                "gained": a.gained,
            }
            for a in edit.allows
        ],
        "outcome": verdict.outcome.value,
        "layer": verdict.layer.value,
        "reasons": verdict.reasons,
        "scores before": [_score(score) for score in verdict.before],
        "scores after": [_score(score) for score in verdict.after],
        "steps": [
            {"layer": s.layer.value, "outcome": s.outcome.value, "said": s.said}
            for s in verdict.steps
        ],
        "shadow": None
        if verdict.shadow is None
        else {
            "rule": verdict.shadow.rule,
            "outcome": verdict.shadow.outcome.value,
            "why": verdict.shadow.why,
        },
        "together": verdict.together,
        "holds": verdict.holds,
    }


def _score(score: Score) -> dict[str, Json]:
    return {"name": score.name, "value": score.value, "spread": score.spread, "why": score.why}
