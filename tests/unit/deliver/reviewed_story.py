"""A story whose plan holds a review: points near and far, a rebuttal, edits by a model."""

from dataclasses import replace

from full_story import RUN
from small_edits import noted, plan, replacement, sources

from reviser.deliver.advised import Advised, Opinion, Rebutted, Spending
from reviser.deliver.ledger import Ledger, Point, Status
from reviser.deliver.plan import Origin
from reviser.deliver.story import Story, Wishes
from reviser.findings import Severity
from reviser.revise.treatment import JudgeReport
from reviser.revise.verdict import Layer, Outcome, Score, Shadow, Step, Verdict
from reviser.text.edit import Edit, Purpose

TEXT = (
    "Retrieval helps \\cite{lewis2020}.\n"
    "It helps a lot, in many ways, and often.\n"
    "Nobody has compared the two.\n"
    "An old paragraph that nobody touched.\n"
)
OPINION = Opinion(
    summary="A readable survey of retrieval; <b>what</b> it compares stays open.",
    strengths=("Clear about its scope.",),
    weaknesses=("Says often what it says once.", "No comparison | of the two families."),
    questions=("Which corpora were read, @everyone?",),
    rating=6.0,
    confidence=3.0,
    model="gpt-4o-mini @ api.openai.com",
    criteria=4,
    left_out=("section 7: it is longer than the model's context",),
)
SPENT = (
    Spending("helper", "gpt-4o-mini @ api.openai.com", 21, 3, 48_210, 0.0123),
    Spending("writer", "gpt-4o @ api.openai.com", 4, 0, 6_120, None),
)
JUDGE = JudgeReport(
    "gpt-4o-mini @ api.openai.com", 0.08, 3, (("sentences shuffled", True),), sound=True
)
SAID = "The sentence repeats itself; say once how it helps."


def point(files, words, name, rule, message, **more):
    """A point of a review."""
    told = {"severity": Severity.NOTE, **more}
    return noted(
        files, "main.tex", words, rule=f"review-{rule}", fingerprint=name, message=message, **told
    )


def drafted(files, words, after, *, name, rule, outcome=Outcome.ACCEPTED):
    """The gate's word on a model's edit."""
    edit = Edit(
        f"point-{name}",
        f"review-{rule}",
        (replacement(files, "main.tex", words, after),),
        Purpose.POINT,
        SAID,
        answers=(name,),
    )
    return Verdict(
        edit,
        outcome,
        Layer.RUBRIC,
        ("the mean rises by 0.31, more than 0.08",),
        before=(Score("rubric mean", 3.2, 0.08),),
        after=(Score("rubric mean", 3.51, 0.08),),
        steps=(
            Step(Layer.INVARIANTS, Outcome.ACCEPTED, "42 checks passed"),
            Step(Layer.RUBRIC, outcome, "the mean rises by 0.31, more than 0.08"),
        ),
        shadow=Shadow("published", Outcome.ACCEPTED, "the mean is not lower"),
        together=("point-dddddddddddd",),
    )


def reviewed_story(*, handed=True, asked=False, **changes):
    """The story; `changes` overrule parts of its advice."""
    files = sources(main=TEXT)
    wordy = point(files, "It helps a lot, in many ways, and often.", "a" * 12, "synthesis", SAID)
    bare = point(
        files, "Nobody has compared the two.", "b" * 12, "critical-analysis",
        "The claim that nobody has compared them needs a source.", severity=Severity.WARNING,
    )  # fmt: skip
    far = point(
        files, "An old paragraph that nobody touched.", "c" * 12, "structure",
        "The paragraph belongs into the introduction.", origin=Origin.BEFORE,
    )  # fmt: skip
    advice = Advised(
        replace(OPINION, asked=asked),
        (
            Rebutted(
                "d" * 12, "review-coverage", "Compare them.", "that is another paper",
                "We compare them in our earlier work.",
            ),
        ),
        ("the rubric of one excerpt: the reply was cut off",),
        SPENT,
        JUDGE,
    )  # fmt: skip
    made = plan(
        bare, wordy, far,
        verdicts=(
            drafted(
                files, " a lot, in many ways, and often.", " often.", name="a" * 12,
                rule="synthesis",
            ),
        ),
        advice=replace(advice, **changes),
        handed=handed,
    )  # fmt: skip
    ledger = Ledger((
        Point("a" * 12, "review-synthesis", "main.tex", Status.SUGGESTED, inline=True),
        Point("b" * 12, "review-critical-analysis", "main.tex", Status.RAISED, inline=True),
    ))  # fmt: skip
    return Story(made, files, ledger, Wishes(), "https://github.com", run_url=RUN)
