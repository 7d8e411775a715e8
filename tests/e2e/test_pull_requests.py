"""Whole runs of the workflows that users install, on a GitHub that is as strict as the real one."""

import json

from tests.e2e.papers import mended
from tests.e2e.scene import FAULTY, Scene, ours, summaries


def test_opening_brings_suggestions_and_a_push_brings_no_repeats(scene: Scene) -> None:
    pull = scene.open_pull()
    first = scene.review(pull)
    assert first.code == 0, first.log
    comments = ours(pull)
    assert [c.body.count("```suggestion") for c in comments] == [1] * len(FAULTY)
    [summary] = summaries(pull)
    assert "hecked" in summary.body
    assert first.outputs["suggested"] == str(len(FAULTY))
    assert first.summary
    assert scene.github.log.count() <= 25

    scene.paper.apply_suggestion(comments[0], by="author")
    scene.github.log.clear()
    second = scene.review(pull, "synchronize")
    assert second.code == 0, second.log
    assert [c.id for c in ours(pull)] == [c.id for c in comments]
    assert [s.id for s in summaries(pull)] == [summary.id]
    assert second.outputs["suggested"] == "0"
    assert pull.head[:7] in summary.body

    scene.github.log.clear()
    third = scene.review(pull, "synchronize")
    assert third.code == 0, third.log
    assert not scene.github.log.writes
    assert scene.github.log.count() <= 10


def test_all_suggestions_committed_give_the_clean_paper(scene: Scene) -> None:
    pull = scene.open_pull()
    scene.review(pull)
    scene.paper.apply_suggestions(ours(pull), by="author")
    wanted = mended()
    for path in ("sections/retrieval.tex", "sections/practice.tex"):
        assert scene.paper.read("draft", path) == wanted[path]


def test_a_fork_is_reviewed_in_two_stages(scene: Scene) -> None:
    pull = scene.open_pull(fork="stranger/survey", author="stranger")
    first = scene.review(pull, read_only=True)
    assert first.code == 0, first.log
    assert not pull.comments
    assert not pull.remarks
    assert first.summary.count("citation-off-topic") >= len(FAULTY)
    run = scene.paper.run(pull)
    scene.paper.artifact(run, "reviser-plan", scene.artifact())
    second = scene.delivered(run)
    assert second.code == 0, second.log
    assert len(ours(pull)) == len(FAULTY)
    assert len(summaries(pull)) == 1


def test_a_command_commits_what_passed_the_gate(scene: Scene) -> None:
    pull = scene.open_pull()
    scene.review(pull)
    before = pull.head
    refused = scene.command(pull, "/reviser apply all", by="passer-by")
    assert refused.code == 0, refused.log
    assert pull.head == before
    done = scene.command(pull, "/reviser apply all", by="author")
    assert done.code == 0, done.log
    assert pull.head != before
    wanted = mended()
    for path in ("sections/retrieval.tex", "sections/practice.tex"):
        assert scene.paper.read("draft", path) == wanted[path]


def test_what_a_person_ignores_stays_away(scene: Scene) -> None:
    pull = scene.open_pull()
    scene.review(pull)
    told = {c.id for c in ours(pull)}
    [summary] = summaries(pull)
    identity = ours(pull)[0].body.split("/reviser ignore ", 1)[1][:8]
    done = scene.command(pull, f"/reviser ignore {identity} we mean exactly this", by="author")
    assert done.code == 0, done.log
    scene.paper.commit("draft", {"sections/notes.tex": b"% nothing\n"}, "More", author="author")
    again = scene.review(pull, "synchronize")
    assert again.code == 0, again.log
    assert {c.id for c in ours(pull)} <= told
    assert "we mean exactly this" in summary.body


def test_a_push_from_overleaf_opens_one_pull_request_and_updates_it(scene: Scene) -> None:
    scene.paper.can_approve = True
    scene.paper.commit("main", mended(FAULTY[0]), "From Overleaf", author="boss")
    first = scene.pushed()
    assert first.code == 0, first.log
    [pull] = scene.paper.pulls.values()
    assert pull.base_branch == "main"
    path = "sections/retrieval.tex"
    assert scene.paper.read(pull.head_branch, path) == mended()[path]
    scene.paper.commit("main", mended(*FAULTY), "From Overleaf", author="boss")
    second = scene.pushed()
    assert second.code == 0, second.log
    assert list(scene.paper.pulls) == [pull.number]
    wanted = mended()
    for path in ("sections/retrieval.tex", "sections/practice.tex"):
        assert scene.paper.read(pull.head_branch, path) == wanted[path]


def test_the_plan_says_what_was_decided(scene: Scene) -> None:
    pull = scene.open_pull()
    job = scene.review(pull)
    files = {path.name: path for path in (scene.runner.artifacts / "reviser-plan").iterdir()}
    plan = json.loads(files["plan.json"].read_text(encoding="utf-8"))
    assert plan["plan"]["target"]["head"] == pull.head
    assert job.outputs["findings"] == str(len(FAULTY))
    token = next(iter(scene.github.tokens))
    told = "".join(p.read_text(encoding="utf-8") for p in files.values())
    assert token not in told + job.log + job.summary
