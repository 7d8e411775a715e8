"""The published gate for review points, runnable beside ours (I&E 3.2, equation 4; METHODS 8).

Both whole papers are reviewed for every single edit, and the edit stays when the overall rating
does not fall. There is no judge self-test, no spread, no evidence layer and no check of meaning;
what keeps a run safe stays on: path safety and syntax. It is there to be compared with, and no
delivery uses it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from reviser.asking import Unusable
from reviser.errors import ReviserError, StaleEdit
from reviser.manuscript.model import Manuscript
from reviser.revise import reading_checks, text_checks
from reviser.revise.change import Change
from reviser.revise.checks import Check, refusals
from reviser.revise.gate import Reread
from reviser.revise.loop import rebased
from reviser.revise.verdict import Layer, Outcome, Score, Step, Verdict
from reviser.text.edit import Edit, apply

SYNTAX: tuple[Check, ...] = (
    text_checks.keeps_line_ends,
    text_checks.brings_no_file_access_or_shell,
    text_checks.brings_no_unknown_command,
    text_checks.brings_no_special_character,
    reading_checks.touches_no_unread_text,
    reading_checks.leaves_groups_balanced,
    reading_checks.leaves_nothing_unread,
    reading_checks.leaves_other_files_alike,
    reading_checks.leaves_references_defined,
    reading_checks.leaves_every_key_defined,
    reading_checks.leaves_bibliography_readable,
    reading_checks.is_read_alike_by_texsoup,
)
"""The checks that a published procedure keeps: whether the paper still is one, not what it says."""

RULE = "rating after at least the rating before, whole manuscript, one by one"
RATING = "overall rating"

Rate = Callable[[Manuscript, int], float | Unusable]
"""The overall rating of a whole paper from 1 to 10. Another number asks anew: the published gate
reviews the unchanged paper again for each edit."""


class Published:
    """Certifies edits as published. `ratings` counts the whole papers that were reviewed."""

    def __init__(self, rate: Rate, reread: Reread, *, checks: Sequence[Check] = SYNTAX) -> None:
        self._rate = rate
        self._reread = reread
        self._checks = checks
        self.ratings = 0

    def certify(
        self, before: Manuscript, edits: Sequence[Edit]
    ) -> tuple[tuple[Verdict, ...], Manuscript]:
        """The verdicts in the order of the edits, which all speak of `before` and touch one another
        nowhere, and the paper with those that were accepted."""
        return one_by_one(before, edits, self._one)

    def _one(self, before: Manuscript, edit: Edit) -> tuple[Verdict, Manuscript]:
        verdict, after = syntax_only(before, edit, self._reread, self._checks)
        if verdict.outcome is not Outcome.ACCEPTED:
            return verdict, before
        then, now = self._rated(before), self._rated(after)
        scores = (_score(then),), (_score(now),)
        if isinstance(then, Unusable) or isinstance(now, Unusable):
            why = next(rating.why for rating in (then, now) if isinstance(rating, Unusable))
            said = f"no rating: {why}"
            return _judged(verdict, Outcome.UNDECIDED, said, *scores), before
        outcome = Outcome.ACCEPTED if now >= then else Outcome.REJECTED
        judged = _judged(verdict, outcome, f"rated {then:g}, then {now:g}", *scores)
        return judged, after if outcome is Outcome.ACCEPTED else before

    def _rated(self, manuscript: Manuscript) -> float | Unusable:
        self.ratings += 1
        return self._rate(manuscript, self.ratings)


class Ungated:
    """Accepts whatever leaves a paper that can be read: what revision is without a gate."""

    def __init__(self, reread: Reread, *, checks: Sequence[Check] = SYNTAX) -> None:
        self._reread = reread
        self._checks = checks

    def certify(
        self, before: Manuscript, edits: Sequence[Edit]
    ) -> tuple[tuple[Verdict, ...], Manuscript]:
        """As `Published.certify`."""

        def one(paper: Manuscript, edit: Edit) -> tuple[Verdict, Manuscript]:
            return syntax_only(paper, edit, self._reread, self._checks)

        return one_by_one(before, edits, one)


def syntax_only(
    before: Manuscript, edit: Edit, reread: Reread, checks: Sequence[Check] = SYNTAX
) -> tuple[Verdict, Manuscript]:
    """The verdict of path safety and syntax on one edit, and the paper with it if they accept."""
    try:
        after = reread({**before.sources, **apply(before.sources, [edit])})
    except StaleEdit as error:
        return Verdict(edit, Outcome.REJECTED, Layer.STALE, (str(error),)), before
    except ReviserError as error:
        reason = f"the paper could not be read with the edit: {error}"
        return Verdict(edit, Outcome.UNDECIDED, Layer.INVARIANTS, (reason,)), before
    refused = tuple(str(one) for one in refusals(Change(before, after, edit), checks))
    outcome = Outcome.REJECTED if refused else Outcome.ACCEPTED
    said = refused or ("it is safe and can be read",)
    steps = (Step(Layer.INVARIANTS, outcome, "; ".join(said)),)
    verdict = Verdict(edit, outcome, Layer.INVARIANTS, said, steps=steps)
    return verdict, before if refused else after


def one_by_one(
    before: Manuscript,
    edits: Sequence[Edit],
    certify: Callable[[Manuscript, Edit], tuple[Verdict, Manuscript]],
) -> tuple[tuple[Verdict, ...], Manuscript]:
    """Each edit certified on the paper with those accepted before it; all speak of `before`."""
    paper, accepted, verdicts = before, list[Edit](), list[Verdict]()
    for edit in edits:
        try:
            verdict, paper = certify(paper, rebased(edit, accepted))
        except StaleEdit as error:
            verdict = Verdict(edit, Outcome.REJECTED, Layer.STALE, (str(error),))
        if verdict.outcome is Outcome.ACCEPTED:
            accepted.append(edit)
        verdicts.append(replace(verdict, edit=edit))
    return tuple(verdicts), paper


def _judged(
    verdict: Verdict,
    outcome: Outcome,
    said: str,
    before: tuple[Score, ...],
    after: tuple[Score, ...],
) -> Verdict:
    step = Step(Layer.RUBRIC, outcome, said)
    return Verdict(
        verdict.edit, outcome, Layer.RUBRIC, (said,), before, after, (*verdict.steps, step)
    )


def _score(rating: float | Unusable) -> Score:
    if isinstance(rating, Unusable):
        return Score(RATING, None, None, rating.why)
    return Score(RATING, rating)
