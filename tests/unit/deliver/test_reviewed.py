"""What the summary, the comments and an explanation tell of a model's review."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from full_story import full_story
from rendered import rendered
from reviewed_story import JUDGE, SAID, SPENT, TEXT, drafted, point, reviewed_story
from small_edits import diff, noted, plan, sources
from small_pulls import pull, thread

from reviser.deliver.decide import MOST_POINTS, decide
from reviser.deliver.ledger import Ledger, Point, Status, digest, point_of
from reviser.deliver.opinions import FROM_TAPE, NONE_CALLED, NONE_WROTE, SENT
from reviser.deliver.plan import Conclusion, Origin, conclude
from reviser.deliver.reconcile import reconcile
from reviser.deliver.report import annotations, explanation, job_summary
from reviser.deliver.story import Wishes
from reviser.deliver.summary import LIMIT, summary
from reviser.findings import Severity
from reviser.revise.verdict import Outcome

GOLDEN = Path(__file__).parent / "golden"
WRITTEN = {
    "reviewed_summary": lambda: summary(reviewed_story()),
    "reviewed_when_asked": lambda: summary(reviewed_story(asked=True, handed=False)),
    "reviewed_explanation": lambda: explained("a" * 12),
}


def explained(name):
    story = reviewed_story()
    return explanation(story.plan, story.sources, name)


@pytest.mark.parametrize("name", WRITTEN)
def test_it_reads_as_it_did(name):
    file = GOLDEN / f"{name}.md"
    text = WRITTEN[name]()
    if not file.exists():
        file.write_text(text, encoding="utf-8")
        pytest.fail(f"{file} was missing and is written: look at it")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WRITTEN)
def test_nothing_a_model_said_is_alive(name):
    document = rendered(WRITTEN[name]())
    assert all(to.startswith("https://github.com/owner/name/") for to in document.links)
    assert not any("@everyone" in text and "code" not in inside for text, inside in document.texts)
    assert "<b>" not in WRITTEN[name]()


def test_it_is_said_that_no_model_was_called_exactly_where_none_was():
    assert NONE_CALLED in summary(full_story())
    called = summary(reviewed_story())
    assert NONE_CALLED not in called
    assert SENT in called
    assert "`gpt-4o @ api.openai.com` as writer (4 requests, 6,120 tokens, price unknown)" in called
    nobody = summary(reviewed_story(spent=tuple(replace(s, requests=0, taped=0) for s in SPENT)))
    assert NONE_CALLED in nobody
    taped = summary(reviewed_story(spent=tuple(replace(s, requests=0, taped=2) for s in SPENT)))
    assert FROM_TAPE.format(answers="4 answers") in taped
    assert SENT not in taped


@pytest.mark.parametrize("story", [full_story(), reviewed_story()])
def test_who_was_asked_about_cited_works_is_told(story):
    asking = replace(story, plan=replace(story.plan, services=("OpenAlex", "Cross*ref*")))
    told = summary(asking)
    assert "looked up in OpenAlex, Cross\\*ref\\*: their titles" in told
    assert NONE_CALLED not in told
    assert (NONE_WROTE in told) is (NONE_CALLED in summary(story))


def test_what_is_known_of_the_judge_is_told():
    told = summary(reviewed_story())
    assert "The judge's own spread is ±0.08; edits were accepted only above it." in told
    unsound = replace(JUDGE, sound=False, why="it did not notice shuffled sentences")
    told = summary(reviewed_story(judge=unsound))
    assert "accepted nothing on its scores alone: it did not notice shuffled sentences." in told
    assert "±" not in told


def test_points_fail_no_check_and_are_no_annotations():
    story = reviewed_story()
    strict = replace(story.plan, fail_on="note")
    assert conclude(strict) is Conclusion.SUCCESS
    assert annotations(story) == ()
    text = summary(story)
    assert text.startswith("### reviser: 2 points of the review\n\n**Success**: nothing stops")
    assert "\n2 points of the review brought by this change: " in text


def test_points_on_other_lines_are_told_where_somebody_asked():
    assert "belongs into the introduction" not in summary(reviewed_story())
    text = summary(reviewed_story(asked=True))
    assert "Points of the review on the rest of the paper (1)" in text
    assert "belongs into the introduction" in text


def test_a_dismissed_point_and_its_rebuttal_are_told_no_more():
    story = reviewed_story()
    gone = Point("b" * 12, "review-critical-analysis", "main.tex", Status.DISMISSED, who="ann")
    ledger = Ledger((story.ledger.points[0], gone, replace(gone, id="d" * 12)))
    text = summary(replace(story, ledger=ledger))
    assert "needs a source" not in text
    assert "earlier work" not in text
    assert "1 point of the review" in text.partition("\n")[0]


@pytest.mark.parametrize("words", [20, 2_000, 15_000])
def test_a_talkative_model_makes_no_comment_too_long(words):
    story = reviewed_story(asked=True)
    opinion = story.plan.advice.opinion
    endless = replace(
        opinion,
        summary="so " * words,
        strengths=("so " * words,) * 40,
        weaknesses=("so " * words,) * 40,
    )
    advice = replace(story.plan.advice, opinion=endless, rebutted=story.plan.advice.rebutted * 200)
    story = replace(story, plan=replace(story.plan, advice=advice))
    assert len(summary(story)) <= LIMIT
    assert "Review by a model: 6 of 10" in summary(story)
    assert len(job_summary(story)) < 1_048_576


def test_an_edit_that_a_later_one_took_up_was_not_refused():
    story = reviewed_story()
    (verdict,) = story.plan.verdicts
    for outcome, told in ((Outcome.SUPERSEDED, 0), (Outcome.REJECTED, 1), (Outcome.UNDECIDED, 1)):
        made = replace(story.plan, verdicts=(replace(verdict, outcome=outcome),))
        assert summary(replace(story, plan=made)).count("Edits that were refused") == told


def test_an_explanation_is_the_certificate_with_its_figures():
    text = explained("a" * 12)
    assert "`invariants` accepted: 42 checks passed" in text
    assert "rubric mean: 3.200 ± 0.080 before, 3.510 ± 0.080 after" in text
    assert "weighed together with 1 other edit" in text
    assert "by the published rule (published): accepted" in text


# ---------------------------------------------------------------- what goes into the diff


def decided(files, *findings, verdicts=(), threads=(), ledger=None, **wishes):
    made = plan(*findings, verdicts=verdicts)
    shown = diff("main.tex", "", files["main.tex"].text)
    return decide(made, files, shown, ledger or Ledger(), pull(*threads), Wishes(**wishes))


def lines(count):
    return sources(main="".join(f"Sentence {n} says something.\n\n" for n in range(1, count + 1)))


def opinions(files, count, *, start=1):
    return [
        point(
            files, f"Sentence {n} ", f"{n:012x}", "coverage", f"Point {n}.",
            severity=Severity.WARNING,
        )
        for n in range(start, start + count)
    ]  # fmt: skip


def test_points_take_no_place_from_anything_else():
    files = lines(9)
    notes = [
        noted(files, "main.tex", f"Sentence {n}", fingerprint=f"f{n:011x}") for n in range(4, 9)
    ]
    done = decided(files, *opinions(files, 3), *notes, inline=5)
    assert [p for c in done.comments for p in c.points if not p.startswith("f")] == []
    more = decided(files, *opinions(files, 3), *notes[:4], inline=5)
    assert sum(not p.startswith("f") for c in more.comments for p in c.points) == 1


def test_few_points_stand_in_the_diff_however_many_there_are():
    files = lines(30)
    done = decided(files, *opinions(files, 20), inline=30)
    assert len(done.comments) == MOST_POINTS
    standing = [
        thread(f"{n:012x}", number=n, rule="review-coverage") for n in range(1, MOST_POINTS)
    ]
    known = [point_of(one, "") for one in opinions(files, MOST_POINTS - 1)]
    later = decided(
        files,
        *opinions(files, 10, start=MOST_POINTS),
        threads=standing,
        ledger=Ledger(tuple(known)),
        inline=30,
    )
    assert len(later.comments) == 1


def test_a_point_on_other_lines_is_no_comment():
    files = lines(3)
    far = [replace(one, origin=Origin.BEFORE) for one in opinions(files, 3)]
    assert decided(files, *far).comments == ()


def test_an_edit_for_a_point_is_a_suggestion_with_its_reason_and_no_score():
    files = sources(main=TEXT)
    words = "It helps a lot, in many ways, and often."
    wordy = point(files, words, "a" * 12, "synthesis", SAID)
    verdict = drafted(
        files, " a lot, in many ways, and often.", " often.", name="a" * 12, rule="synthesis"
    )
    (comment,) = decided(files, wordy, verdicts=[verdict]).comments
    assert "```suggestion\nIt helps often.\n```" in comment.body
    assert "say once how it helps" in comment.body
    assert "from a model's review" in comment.body
    assert not re.search(r"\d\.\d", comment.body.replace(verdict.edit.id, ""))


# ---------------------------------------------------------------- over several runs


def after(text, point, *threads, findings=()):
    files = sources(main=text)
    made = plan(*findings)
    done = reconcile(Ledger((point,)), made, files, pull(*threads), lambda login: login == "ada")
    return done.ledger.points[0], done.retire


SUGGESTED = Point(
    "a" * 12, "review-synthesis", "main.tex", Status.SUGGESTED, inline=True, sketch=()
)


def test_a_point_that_a_later_review_does_not_raise_stays():
    raised = replace(SUGGESTED, status=Status.RAISED)
    stands = thread("a" * 12, rule="review-synthesis")
    assert after(TEXT, raised, stands) == (raised, ())
    told = replace(raised, inline=False)
    assert after(TEXT, told) == (told, ())


def test_a_point_goes_when_its_lines_have_changed():
    raised = replace(SUGGESTED, status=Status.RAISED)
    outdated = thread("a" * 12, rule="review-synthesis", outdated=True)
    point, retired = after(TEXT, raised, outdated)
    assert point.status is Status.STALE
    assert retired == (1,)
    gone, _ = after(TEXT, replace(raised, path="gone.tex"))
    assert gone.status is Status.STALE


def test_a_point_s_suggestion_is_known_as_taken_without_a_review():
    old, new = "It helps a lot.", "It helps."
    suggested = replace(SUGGESTED, old=digest([old]), new=digest([new]), old_lines=1, new_lines=1)
    stands = thread("a" * 12, rule="review-synthesis", new=digest([new]))
    assert after(f"{old}\n", suggested, stands)[0].status is Status.SUGGESTED
    assert after(f"{new}\n", suggested, stands)[0].status is Status.ACCEPTED
    assert after("Other words.\n", suggested, stands)[0].status is Status.STALE


def test_a_person_may_say_no_to_a_point_that_is_not_raised_again():
    raised = replace(SUGGESTED, status=Status.RAISED)
    no = thread("a" * 12, rule="review-synthesis", resolved_by="ada")
    point, _ = after(TEXT, raised, no)
    assert (point.status, point.who) == (Status.DISMISSED, "ada")


def test_a_point_that_the_source_silences_goes():
    raised = replace(SUGGESTED, status=Status.RAISED)
    silent = f"{TEXT}% reviser: ignore[review-synthesis] we like it long\n"
    point, _ = after(silent, raised, thread("a" * 12, rule="review-synthesis"))
    assert (point.status, point.why) == (Status.STALE, "silenced in the source")
