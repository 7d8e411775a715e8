from dataclasses import replace
from pathlib import Path

import pytest
from full_story import LINK, PROSE, RUN, full_story
from rendered import rendered
from small_edits import noted, plan, replacement, sources, verdict

from reviser.deliver.ledger import Ledger, Point, Status
from reviser.deliver.marker import read_marks
from reviser.deliver.plan import Conclusion, conclude
from reviser.deliver.report import (
    ANSWER,
    MOST_BYTES,
    PULL_BODY,
    annotations,
    explanation,
    help_text,
    job_summary,
    pull_body,
)
from reviser.deliver.state import decode
from reviser.deliver.story import Story, Wishes
from reviser.deliver.suggestion import NOT_SHOWN, Elsewhere
from reviser.deliver.summary import LIMIT, summary
from reviser.findings import Severity
from reviser.revise.verdict import Score
from reviser.verify.coverage import Coverage

GOLDEN = Path(__file__).parent / "golden"
WRITTEN = {
    "summary": summary,
    "job_summary": job_summary,
    "pull_body": pull_body,
    "explanation": lambda story: explanation(story.plan, story.sources, "3" * 12),
    "help": lambda story: help_text(),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_one_full_story(name):
    """A golden file that is missing is written, for somebody to look at."""
    text = WRITTEN[name](full_story())
    file = GOLDEN / f"{name}.md"
    if not file.exists():
        file.write_text(text, encoding="utf-8")
        pytest.fail(f"{file} was missing and is written: look at it")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WRITTEN)
def test_it_is_whole_and_nothing_in_it_is_alive(name):
    document = rendered(WRITTEN[name](full_story()))
    assert all(to.startswith("https://github.com/owner/name/") for to in document.links)
    assert not any("@everyone" in text and "code" not in inside for text, inside in document.texts)


def test_the_summary_is_a_title_what_was_checked_and_folded_parts():
    story = full_story()
    text = summary(story)
    document = rendered(text)
    titles = [data for data, inside in document.texts if "summary" in inside]
    assert titles == [
        "Findings brought by this change (3)",
        "Accepted edits that are not suggestions (2)",
        "Edits that were refused (2)",
        "Citation figures of the whole paper",
        "Findings that were there before (1)",
        "Dismissed (1)",
        "Accepted (1)",
        "Author-supplied in this pull request (1)",
        "How to talk to reviser",
    ]
    assert text.startswith(
        "### reviser: 1 error, 2 warnings\n\n**Failure**: 1 error stands in the way. "
    )
    assert document.tags.count("table") == 3
    assert {len(document.cells)} == {5 * 4 + 5 * 3 + 5 * 2}
    (mark,) = read_marks(text)
    assert (mark.kind, dict(mark.data)) == ("summary", {"paper": ""})
    assert decode(text) == story.ledger


@pytest.mark.parametrize(
    ("findings", "open_questions", "said"),
    [
        ((), 0, "### reviser: nothing to do\n\n**Success**: nothing stops this change.\n"),
        (
            (),
            3,
            "### reviser: nothing found, but 3 citations could not be checked\n\n**Neutral**: noth",
        ),
        (
            (noted(sources(main=PROSE), "main.tex", "smith2020"),),
            0,
            "### reviser: 1 warning\n\n**Success**: nothing stops this change; smaller ",
        ),
        (
            (noted(sources(main=PROSE), "main.tex", "smith2020", severity=Severity.ERROR),),
            3,
            "### reviser: 1 error\n\n**Failure**: 1 error stands in the way. Take ",
        ),
    ],
)
def test_the_conclusion_comes_first(findings, open_questions, said):
    made = plan(*findings, open_questions=open_questions)
    text = summary(Story(made, sources(main=PROSE), Ledger(), Wishes(), "https://github.com"))
    assert text.startswith(said)
    assert f"**{conclude(made).value.title()}**: " in text


def test_verdicts_from_another_run_are_told_at_the_top():
    made = replace(plan(), secondhand=True)
    text = summary(Story(made, sources(main=PROSE), Ledger(), Wishes(), "https://github.com"))
    assert text.startswith("### reviser: nothing found, but the citations were not checked here\n")
    assert "**Neutral**: nothing stops this change, but its citations were checked by" in text


def test_the_figures_behind_a_finding_are_told_to_those_who_ask():
    story = full_story()
    measured = "topic 0.12 | below <0.30>"
    findings = tuple(
        replace(n, finding=replace(n.finding, measured=measured)) for n in story.plan.findings
    )
    story = replace(story, plan=replace(story.plan, findings=findings))
    assert "Measured" not in summary(story)
    assert job_summary(story).count("<br><sub>Measured: ") == 4
    rendered(job_summary(story))
    assert "<sub>Measured: " in explanation(story.plan, story.sources, "1" * 12)
    assert f"Measured: {measured}.\nID 22222222" in annotations(story)[0].message


def test_a_dismissed_finding_no_longer_fails():
    story = full_story()
    gone = Point("2" * 12, "reference-undefined", "main.tex", Status.DISMISSED, who="bob")
    story = replace(story, ledger=Ledger((gone,)))
    assert summary(story).startswith("### reviser: 3 warnings\n\n**Neutral**: ")
    assert conclude(story.plan, story.ledger.dismissed) is Conclusion.NEUTRAL
    assert "`22222222` `reference-undefined` in `main.tex` dismissed by bob" in summary(story)


def test_what_was_checked_and_by_whom():
    made = plan(coverage=Coverage(2, 2, nli="nli-model"), whole=Coverage(9, 9, nli="nli-model"))
    text = summary(Story(made, {}, Ledger(), Wishes(), "https://github.com"))
    assert (
        "- On the lines this pull request touches: checked 2 of 2 citations. What each source "
        "says was judged by `nli-model`." in text
    )
    assert "Only the topic" in summary(full_story())


def test_other_ways_of_delivery_are_named():
    text = summary(full_story(follow_up=LINK, commit="c" * 40))
    assert f"[A pull request](<{LINK}>) onto this branch carries them." in text
    assert "They are committed as [`cccccccc`](<https://github.com/owner/name/commit/ccc" in text
    assert f"[this workflow run](<{RUN}>)" in text
    assert "workflow run" not in summary(full_story(run_url=""))


def big(count, message):
    files = sources(main=PROSE)
    findings = [
        noted(files, "main.tex", "smith2020", message=message, fingerprint=f"{n:012x}",
              evidence=((message, "abstract of x"),))
        for n in range(count)
    ]  # fmt: skip
    edits = [
        verdict(replacement(files, "main.tex", "smith2020", "x"), name=str(n),
                answers=(f"{n:012x}",))
        for n in range(count)
    ]  # fmt: skip
    made = plan(*findings, verdicts=edits, notes=(message,) * count, open_questions=1)
    points = [
        Point(f"{n:012x}", "r" * 20, "main.tex", Status.DISMISSED, who="ann", why=f"{n} because")
        for n in range(count, 2 * count)
    ]
    return Story(
        made, files, Ledger(tuple(points)), Wishes(), "https://github.com", RUN,
        tuple(Elsewhere(edit, NOT_SHOWN) for edit in edits), undelivered=(message,) * count,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (20, "A plain sentence of some length. " * 5),
        (1500, "A plain sentence of some length. " * 5),
        (20, "$@|" * 400),
        (120, "$@|" * 400),
    ],
)
def test_nothing_is_ever_too_long(count, message):
    story = big(count, message)
    text = summary(story)
    assert len(text) <= LIMIT
    assert "**Neutral**: " in text[:200]
    assert len(read_marks(text)) == 1
    assert len(decode(text).points) > 0
    assert f"{count:,}".replace(",", "") in text
    assert len(job_summary(story).encode()) <= MOST_BYTES
    assert len(pull_body(story)) <= PULL_BODY
    assert len(explanation(story.plan, story.sources, f"{3:012x}")) <= ANSWER
    rendered(text)
    if len(summary(story, most=40_000)) > 40_000:
        pytest.fail("a shorter summary was asked for")


def test_what_the_summary_leaves_out_the_job_summary_tells():
    story = big(200, "A plain sentence of some length. " * 5)
    assert "more in the job summary." in summary(story)
    whole = job_summary(story)
    assert all(f"| `{n:012x}"[:11] in whole for n in range(200))
    assert "more in plan.json" not in whole
    assert "reviser:summary" not in whole


def test_annotations_are_plain_and_worst_first():
    first, second, third = annotations(full_story())
    assert (first.path, first.first, first.last, first.level) == ("main.tex", 3, 3, "failure")
    assert first.title == "reviser: reference-undefined"
    assert first.message == "Nothing has the label 'fig:none'.\nID 22222222"
    assert second.message.endswith(
        "“We grow | `tomatoes`.” (abstract of lee2021) · "
        "author-supplied in this pull request\nID 11111111"
    )
    assert third.level == "warning"


def test_an_explanation_tells_scores_and_reasons():
    story = full_story()
    told = explanation(story.plan, story.sources, "4" * 12)
    assert "refused by the check `invariants`: the citation 'jones2019' would be lost" in told
    (accepted, *others) = story.plan.verdicts
    scored = replace(
        accepted,
        before=(Score("support", 0.25, 0.01), Score("rubric", None, why="not asked")),
        after=(Score("support", 0.75, 0.01), Score("other", 1.0)),
    )
    made = replace(story.plan, verdicts=(scored, *others))
    told = explanation(made, story.sources, "3" * 12)
    assert "- support: 0.250 ± 0.010 before, 0.750 ± 0.010 after" in told
    assert "- rubric: — (not asked) before, — after" in told
    assert "- other: — before, 1.000 after" in told
    assert "has no finding" in explanation(made, story.sources, "0" * 12)
    assert "No edit was proposed" in explanation(made, story.sources, "2" * 12)


def test_a_whole_paper_has_no_pull_request_to_speak_of():
    story = full_story()
    target = replace(story.plan.target, number=None, base="")
    text = job_summary(replace(story, plan=replace(story.plan, target=target)))
    assert "pull request changes" not in text
    assert "/reviser" not in text
    assert "Findings in the paper (3)" in text


def test_a_long_difference_is_cut():
    files = sources(main="".join(f"line {n}\n" for n in range(200)))
    edit = verdict(replacement(files, "main.tex", files["main.tex"].text, "x\n"))
    made = plan(verdicts=(edit,))
    story = Story(made, files, Ledger(), Wishes(), "", elsewhere=(Elsewhere(edit, NOT_SHOWN),))
    text = pull_body(story)
    assert "-line 59\n… 141 more lines\n```" in text
    assert "line 60" not in text
