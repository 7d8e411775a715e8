"""The command `action` on the fake GitHub: each event, as the runner hands it over."""

import io
import json
import os
import subprocess
import sys
import zipfile

import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from reviser.app.pull import bench
from tests.contract.papers import BIB, MAIN

NAME = "ada/survey"


@pytest.fixture
def survey(github):
    """A repository whose main branch holds a paper."""
    repository = github.repository(NAME)
    repository.commit("main", {"paper.tex": MAIN.encode(), "refs.bib": BIB.encode()})
    return repository


@pytest.fixture
def run(github, tmp_path, monkeypatch):
    """Runs `reviser action` as a step of a workflow; tells its exit code, words and outputs."""
    monkeypatch.setattr(bench, "PACE", 0.0)

    def act(event, payload, *, token=None, ref="refs/heads/main", sha="", **more):
        room = tmp_path / f"step{len(list(tmp_path.glob('step*')))}"
        room.mkdir()
        (room / "event.json").write_text(json.dumps(payload))
        environment = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": github.api_url,
            "GITHUB_SERVER_URL": github.server_url,
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(room / "event.json"),
            "GITHUB_OUTPUT": str(room / "output"),
            "GITHUB_STEP_SUMMARY": str(room / "summary.md"),
            "GITHUB_RUN_ID": "7",
            "GITHUB_REF": ref,
            "GITHUB_SHA": sha,
            "RUNNER_TEMP": str(room),
            "REVISER_TOKEN": token or github.token(NAME, contents="write"),
            "REVISER_VERIFY": "false",
            "REVISER_OUT": str(room / "plan.json"),
            "REVISER_PATCH": str(room / "edits.patch"),
            "REVISER_REPORT": str(room / "report.md"),
            **more,
        }
        done = CliRunner(env=environment).invoke(cli, ["action"])
        return Done(room, done, environment["REVISER_TOKEN"])

    return act


class Done:
    """What a step left behind."""

    def __init__(self, room, done, token):
        self.room, self.code, self.said = room, done.exit_code, done.output
        self.outputs = self._outputs()
        masked = f"::add-mask::{token}\n"
        everything = "".join(p.read_text() for p in room.iterdir() if p.name != "event.json")
        assert self.said.count(token) == self.said.count(masked) == 1, self.said
        assert self.said.startswith(masked)
        assert token not in everything

    def _outputs(self):
        lines = iter((self.room / "output").read_text().splitlines()) if (
            self.room / "output").exists() else iter(())  # fmt: skip
        found = {}
        for line in lines:
            name, _, end = line.partition("<<")
            found[name] = "\n".join(iter(lambda e=end: (v := next(lines)) == e or v, True))
        return found

    @property
    def summary(self):
        return (self.room / "summary.md").read_text()

    @property
    def plan(self):
        return (self.room / "plan.json").read_bytes()


WORSE = {"paper.tex": MAIN.replace("Cats", "Lions~\\cite{nobody2020}").encode(),
         "refs.bib": BIB.replace("of cats", "of cats & dogs").encode()}  # fmt: skip


@pytest.fixture
def pull(survey):
    """A pull request that brings an undefined key and a bare ampersand."""
    survey.branch("topic")
    survey.commit("topic", WORSE, author="eve")
    return survey.open_pull("topic", author="eve")


def zipped(plan, name="plan.json"):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, plan)
    return data.getvalue()


def test_a_pull_request_is_reviewed_once(github, pull, run):
    done = run("pull_request", github.events.pull_request(pull))
    assert done.code == 1, done.said
    assert done.outputs["conclusion"] == "failure"
    assert done.outputs["findings"] == "2"
    assert done.outputs["accepted"] == "1"
    assert done.outputs["suggested"] == "1"
    for name in ("plan", "report", "patch"):
        assert (done.room / done.outputs[name]).stat().st_size
    assert "nobody2020" in done.summary
    assert len(pull.threads) == 2
    assert len(pull.remarks) == 1
    github.log.clear()
    again = run("pull_request", github.events.pull_request(pull, "synchronize"))
    assert again.code == 1
    assert again.outputs["suggested"] == "0"
    assert not github.log.writes, str(github.log)
    assert github.log.count() <= 10


def test_a_rebased_branch_is_told_nothing_again(github, survey, pull, run):
    run("pull_request", github.events.pull_request(pull))
    told = [comment.id for comment in pull.comments]
    onto = survey.commit("main", {"notes.txt": b"Elsewhere.\n"})
    survey.commit("rebased", WORSE, author="eve", parent=onto)
    survey.force_push("topic", survey.tip("rebased"), by="eve")
    again = run("pull_request", github.events.pull_request(pull, "synchronize"))
    assert again.code == 1, again.said
    assert again.outputs["suggested"] == "0"
    assert [comment.id for comment in pull.comments] == told
    assert len(pull.remarks) == 1


def test_a_head_that_has_moved_is_left_to_its_own_run(github, survey, pull, run):
    event = github.events.pull_request(pull)
    survey.commit("topic", {"paper.tex": MAIN.encode()}, author="eve")
    done = run("pull_request", event)
    assert done.code == 0
    assert "another commit by now" in done.said
    assert not pull.threads
    assert not pull.remarks


def test_drafts_labels_and_paths_decide_what_is_looked_at(github, pull, run):
    pull.draft = True
    event = github.events.pull_request(pull)
    assert "is a draft" in run("pull_request", event).said
    pull.draft = False
    event = github.events.pull_request(pull)
    assert "labels" in run("pull_request", event, REVISER_LABELS="please review").said
    skipped = run("pull_request", event, REVISER_PATHS="notes/*\n!*.tex")
    assert "changes no file that is looked at" in skipped.said
    assert not pull.threads
    assert run("pull_request", event, REVISER_DRAFTS="true", REVISER_PATHS="*.bib").code == 1
    assert pull.threads


def test_a_token_that_reads_only_leaves_annotations_and_the_exit_code(github, pull, run):
    token = github.token(NAME, read_only=True)
    done = run("pull_request", github.events.pull_request(pull), token=token)
    assert done.code == 1
    assert "::error file=paper.tex,line=3" in done.said
    assert done.outputs["suggested"] == "0"
    assert "nobody2020" in done.summary
    assert not pull.remarks


@pytest.fixture
def forked(survey):
    """The same from a fork."""
    theirs = survey.fork("eve/survey")
    theirs.branch("topic")
    theirs.commit("topic", WORSE, author="eve")
    return survey.open_pull("topic", author="eve", from_fork="eve/survey")


def test_a_fork_s_pull_request_is_planned_first_and_delivered_by_another_run(
    github, survey, forked, run
):
    token = github.token(NAME, read_only=True)
    first = run("pull_request", github.events.pull_request(forked), token=token)
    assert first.code == 1, first.said
    assert "::error file=paper.tex,line=3" in first.said
    assert not forked.remarks
    assert not [seen for seen in github.log.writes if "graphql" not in seen.path]
    worked = survey.run(forked)
    survey.artifact(worked, "reviser-plan", zipped(first.plan))
    event = github.events.workflow_run(survey, worked)
    second = run("workflow_run", event, token=github.token(NAME))
    assert second.code in {0, 1}, second.said
    assert len(forked.threads) == 2, second.said
    assert len(forked.remarks) == 1
    assert second.outputs["suggested"] == "1"


def test_two_papers_of_a_fork_keep_a_plan_each(github, survey, run):
    for paper in ("a", "b/c"):
        files = {"paper.tex": MAIN.encode(), "refs.bib": BIB.encode()}
        survey.commit("main", {f"{paper}/{name}": data for name, data in files.items()})
    theirs = survey.fork("eve/survey")
    theirs.branch("topic")
    both = {f"{paper}/{name}": data for paper in ("a", "b/c") for name, data in WORSE.items()}
    theirs.commit("topic", both, author="eve")
    pull = survey.open_pull("topic", author="eve", from_fork="eve/survey")
    worked = survey.run(pull)
    for paper, name in (("a", "reviser-plan--a"), ("b/c", "reviser-plan--b-c")):
        event = github.events.pull_request(pull)
        first = run(
            "pull_request", event, token=github.token(NAME, read_only=True), REVISER_PATH=paper
        )
        assert first.outputs["artifact"] == name
        survey.artifact(worked, name, zipped(first.plan))
    event = github.events.workflow_run(survey, worked)
    for number, paper in enumerate(("a", "b/c"), 1):
        second = run("workflow_run", event, token=github.token(NAME), REVISER_PATH=paper)
        assert second.outputs["suggested"] == "1", second.said
        assert len(pull.remarks) == number
        assert f"reviser `{paper}`" in pull.remarks[-1].body
    assert "left no plan" in run("workflow_run", event, token=github.token(NAME)).said


def test_a_forged_plan_brings_nothing_of_its_own(github, survey, forked, run):
    token = github.token(NAME, read_only=True)
    first = run("pull_request", github.events.pull_request(forked), token=token)
    plan = json.loads(first.plan)
    inner = plan["plan"]
    inner["target"]["number"] = 99
    inner["fail_on"] = "never"
    for noted in inner["findings"]:
        noted["origin"] = "not from this change"
        noted["finding"]["message"] = "@everyone buy now"
    worked = survey.run(forked)
    survey.artifact(worked, "reviser-plan", zipped(json.dumps(plan)))
    done = run("workflow_run", github.events.workflow_run(survey, worked), token=github.token(NAME))
    said = "".join([remark.body for remark in forked.remarks] + [c.body for c in forked.comments])
    assert len(forked.threads) == 2, done.said
    assert "buy now" not in said
    assert done.outputs["conclusion"] == "failure"


def test_a_plan_for_another_commit_is_refused(github, survey, forked, run):
    token = github.token(NAME, read_only=True)
    first = run("pull_request", github.events.pull_request(forked), token=token)
    plan = json.loads(first.plan)
    plan["plan"]["target"]["head"] = "1" * 40
    worked = survey.run(forked)
    survey.artifact(worked, "reviser-plan", zipped(json.dumps(plan)))
    done = run("workflow_run", github.events.workflow_run(survey, worked), token=github.token(NAME))
    assert done.code == 2
    assert "no conclusion" in done.summary
    assert not forked.remarks


def test_no_plan_and_no_pull_request_are_no_faults(github, survey, forked, run):
    worked = survey.run(forked)
    event = github.events.workflow_run(survey, worked)
    assert "left no plan behind" in run("workflow_run", event).said
    survey.close(forked.number)
    assert "No open pull request" in run("workflow_run", event).said


@pytest.fixture
def ask(github, survey, run):
    """Writes a comment and runs the workflow that answers it."""

    def asked(number, words, by="ada"):
        return run("issue_comment", survey.comment(number, words, by=by))

    return asked


def test_strangers_are_not_obeyed(survey, pull, ask):
    survey.allow("mallory", "read")
    done = ask(pull.number, "/reviser check", by="mallory")
    assert done.code == 0
    assert len(pull.remarks) == 1
    assert not pull.remarks[0].reactions


def test_check_apply_and_the_review_of_what_was_committed(survey, pull, ask):
    assert ask(pull.number, "/reviser check").code == 0
    assert len(pull.threads) == 2
    before = pull.head
    done = ask(pull.number, "/reviser apply all")
    assert done.code == 1, done.said
    assert pull.head != before
    assert b"cats \\& dogs" in survey.read("topic", "refs.bib")
    asked = [remark for remark in pull.remarks if remark.body.startswith("/reviser")]
    assert [{r.content for r in one.reactions} for one in asked] == [{"eyes", "+1"}] * 2


def test_ignored_points_fail_no_check_any_more(github, pull, run, ask):
    event = github.events.pull_request(pull)
    first = run("pull_request", event)
    for noted in json.loads(first.plan)["plan"]["findings"]:
        print_ = noted["finding"]["fingerprint"]
        assert ask(pull.number, f"/reviser ignore {print_[:8]} it is meant so").code == 0
    done = run("pull_request", event)
    assert done.code == 0, done.said
    assert done.outputs["findings"] == "0"


def test_explain_help_and_what_is_not_understood(github, pull, run, ask):
    plan = json.loads(run("pull_request", github.events.pull_request(pull)).plan)["plan"]
    point = plan["findings"][0]["finding"]["fingerprint"]
    for words in (f"/reviser explain {point[:6]}", "/reviser help", "/reviser dance", "thanks!"):
        assert ask(pull.number, words).code == 0
    answers = [r.body for r in pull.remarks if r.user.login.endswith("[bot]")][1:]
    assert len(answers) == 3
    assert point[:8] in answers[0]
    assert "/reviser apply" in answers[1]
    assert "/reviser apply" in answers[2]


def test_a_push_opens_one_pull_request_and_brings_it_up_to_date(github, survey, run):
    survey.commit("main", WORSE)
    token = github.token(NAME, contents="write")
    survey.can_approve = True
    sha = survey.tip("main")
    done = run("push", github.events.push(survey), token=token, sha=sha)
    assert done.code == 1, done.said
    (pull,) = survey.pulls.values()
    assert pull.head_branch == "reviser/main"
    assert b"cats \\& dogs" in survey.read("reviser/main", "refs.bib")
    github.log.clear()
    run("schedule", github.events.schedule(survey), token=token, sha=sha)
    assert not github.log.writes, str(github.log)


def test_a_bot_without_permission_to_push_says_so(github, survey, run):
    survey.commit("main", WORSE)
    done = run("push", github.events.push(survey), token=github.token(NAME, read_only=True))
    assert done.code == 1
    assert "contents: write" in done.summary
    assert not survey.pulls


def test_what_the_paper_says_is_no_command_to_the_runner(github, survey, run):
    survey.branch("topic")
    bad = MAIN.replace("Cats", "TODO ::add-mask::day ##[add-path]x\n::error::Cats")
    survey.commit("topic", {"paper.tex": bad.encode(), "%0A::x::.tex": b"x"}, author="eve")
    pull = survey.open_pull("topic", author="eve")
    token = github.token(NAME, read_only=True)
    done = run("pull_request", github.events.pull_request(pull), token=token)
    lines = [line.strip() for line in done.said.splitlines()]
    commands = [line for line in lines if line.startswith("::")]
    assert not any(line.startswith(("::add-mask::day", "::error::Cats")) for line in commands)
    assert sum(line.startswith("::add-mask::") for line in commands) == 1


def test_a_branch_without_a_paper_is_told_in_the_job_summary(github, survey, run):
    survey.branch("topic")
    survey.commit("topic", {"paper.tex": None, "notes.md": b"x"}, author="eve")
    pull = survey.open_pull("topic", author="eve")
    done = run("pull_request", github.events.pull_request(pull))
    assert done.code == 3
    assert "no conclusion" in done.summary


def test_deliver_posts_a_plan_from_a_file_and_loads_no_model(github, survey, pull, run, tmp_path):
    read_only = github.token(NAME, read_only=True)
    plan = run("pull_request", github.events.pull_request(pull), token=read_only).plan
    (tmp_path / "plan.json").write_bytes(plan)
    program = (
        "import sys\n"
        "from reviser.app.cli import cli\n"
        "from reviser.app.pull import bench\n"
        "bench.PACE = 0.0\n"
        "try:\n    cli.main(sys.argv[1:])\n"
        "except SystemExit as end:\n    print('exit', end.code)\n"
        "print(*sys.modules)\n"
    )
    urls = ["--server-url", github.server_url, "--api-url", github.api_url]
    done = subprocess.run(
        [sys.executable, "-c", program, "deliver", "plan.json", "--repository", NAME, *urls],
        cwd=tmp_path,
        env={**os.environ, "GITHUB_TOKEN": github.token(NAME)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "exit 1\n" in done.stdout, done.stderr
    assert len(pull.threads) == 2
    models = {"numpy", "onnxruntime", "tokenizers", "torch", "sentence_transformers", "openai"}
    assert not models & set(done.stdout.splitlines()[-1].split())
