"""What the published procedures would have decided of an edit, on the scores at hand (METHODS 8).

It is told beside every verdict and decides nothing.
"""

from collections.abc import Sequence

from reviser.revise.verdict import MEAN, Outcome, Score, Shadow
from reviser.text.edit import Edit, Purpose
from reviser.verify.model import Label

_CITATIONS = "citations: yes or no, does a source support the core of the claim (FIKSurvey C.3)"
_RULES = {
    Purpose.PRUNE: _CITATIONS,
    Purpose.REPLACE: _CITATIONS,
    Purpose.CLAIM_REWRITE: _CITATIONS,
    Purpose.POINT: "review points: the score does not fall (Imitate-and-Evolve, equation 4)",
    Purpose.HUMAN: "human items: reverted only where the mean falls (FIKSurvey C.4)",
    Purpose.OUTLINE: "outline: the mean rises (FIKSurvey C.1)",
}
_JUDGED = frozenset({Label.SUPPORTED, Label.CONTRADICTED, Label.SILENT})


def shadow(edit: Edit, before: Sequence[Score], after: Sequence[Score]) -> Shadow | None:
    """The published decision; undecided where it rests on a score that was not asked for. None
    for a rule's edit, of which the papers know nothing."""
    rule = _RULES.get(edit.purpose)
    if rule is None:
        return None
    if rule is _CITATIONS:
        return Shadow(rule, *_by_support(before, after))
    then, now = _mean(before), _mean(after)
    if then is None or now is None:
        return Shadow(rule, Outcome.UNDECIDED, "the text was not scored")
    strictly = edit.purpose is Purpose.OUTLINE
    kept = now > then if strictly else now >= then
    said = f"{then:.2f} before, {now:.2f} after"
    if edit.purpose is Purpose.POINT:
        # A round of content feedback is held to more than a review point.
        word = "accept" if now > then else "reject"
        said += f"; as a content action (FIKSurvey 4.1, the mean rises): {word}"
    return Shadow(rule, Outcome.ACCEPTED if kept else Outcome.REJECTED, said)


def _mean(scores: Sequence[Score]) -> float | None:
    return next((score.value for score in scores if score.name == MEAN), None)


def _by_support(before: Sequence[Score], after: Sequence[Score]) -> tuple[Outcome, str]:
    if any(score.why == Label.SUPPORTED for score in before):
        return Outcome.REJECTED, "what is cited supports the claim already"
    named = [score for score in after if score.why in _JUDGED]
    good = next((score.name for score in named if score.why == Label.SUPPORTED), None)
    if good is not None:
        return Outcome.ACCEPTED, f"{good}: yes"
    if named:
        return Outcome.REJECTED, f"{named[0].name}: no"
    return Outcome.UNDECIDED, "no verifier was asked about what would be cited"
