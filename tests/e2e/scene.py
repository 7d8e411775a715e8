"""A paper's repository on a GitHub of its own, and a runner for its workflows."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.e2e.act import Job, Runner
from tests.e2e.papers import mended
from tests.fakes.github.model import IssueComment, Pull, ReviewComment, Run
from tests.fakes.github.repository import Repository
from tests.fakes.github.server import FakeGitHub

WORKFLOWS = Path(__file__).resolve().parents[2] / "templates" / "workflows"
FULL_NAME = "lab/survey"
FAULTY = (
    "wrong-work-dense-retrieval",
    "extra-key-index",
    "wrong-work-peer-reviews",
)


@dataclass
class Scene:
    """The repository, its GitHub and the runner."""

    github: FakeGitHub
    paper: Repository
    runner: Runner

    def open_pull(self, *faults: str, fork: str = "", author: str = "author") -> Pull:
        """A pull request whose change brings these faults into the clean survey."""
        where = self.paper
        if fork:
            where = self.paper.fork(fork)
        where.branch("draft")
        where.commit("draft", mended(*(faults or FAULTY)), "A new draft", author=author)
        return self.paper.open_pull("draft", author=author, from_fork=fork)

    def review(
        self,
        pull: Pull,
        action: str = "opened",
        *,
        inputs: dict[str, str] | None = None,
        read_only: bool = False,
        python: bool = True,
        environment: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
    ) -> Job:
        """What GitHub does when a pull request is opened or pushed to. `environment` stands for
        the workflow's `env`, `secrets` for the repository's."""
        token = self.github.token(FULL_NAME, read_only=read_only)
        payload = self.github.events.pull_request(pull, action)
        workflow = self.workflow("pull-request", inputs or {}, python=python)
        return self.runner.run(
            workflow, "pull_request", payload, token=token, environment=environment,
            secrets=secrets,
        )  # fmt: skip

    def planned_and_delivered(
        self, pull: Pull, action: str = "opened", *, base_url: str, key: str
    ) -> tuple[Job, Job]:
        """Both jobs of the workflow with a model, each with what its own lines give it."""
        payload = self.github.events.pull_request(pull, action)
        run = self.paper.run(pull)
        workflow = self.workflow("pull-request-model", {"context": "32000"})
        for default, given in (
            ("https://api.openai.com/v1", base_url),
            ('"gpt-4o-mini"', "canned"),
            ('review: "false"', 'review: "true"'),
            # Each is run by itself, by a runner of its own.
            ("    needs: plan\n", ""),
        ):
            assert default in workflow
            workflow = workflow.replace(default, given)
        done = []
        for job in ("plan", "deliver"):
            token, secrets = self._token_of(workflow, job), {"REVISER_API_KEY": key}
            ran = self.runner.run(
                workflow, "pull_request", payload, job=job, run_id=run.id, token=token,
                secrets=secrets,
            )  # fmt: skip
            done.append(ran)
            if job == "plan" and done[0].code == 0:
                self.paper.artifact(run, "reviser-plan", self.artifact())
        return done[0], done[1]

    def _token_of(self, workflow: str, job: str) -> str:
        """The token that GitHub would give a job: what its permissions do not name is none."""
        given = yaml.safe_load(workflow)["jobs"][job]["permissions"]
        scopes = {
            name.replace("-", "_"): given.get(name, "none")
            for name in ("actions", "checks", "contents", "pull-requests")
        }
        return self.github.token(FULL_NAME, **scopes)

    def command(self, pull: Pull, text: str, by: str) -> Job:
        """Somebody writes a comment."""
        payload = self.paper.comment(pull.number, text, by=by)
        token = self.github.token(FULL_NAME, contents="write")
        return self.runner.run(
            self.workflow("commands"), "issue_comment", payload, token=token, actor=by
        )

    def pushed(self, branch: str = "main") -> Job:
        """What GitHub does after a push to a synced branch."""
        token = self.github.token(FULL_NAME, contents="write")
        payload = self.github.events.push(self.paper, branch)
        return self.runner.run(self.workflow("overleaf"), "push", payload, token=token)

    def delivered(self, run: Run) -> Job:
        """The second stage, after a fork's run has ended."""
        token = self.github.token(FULL_NAME)
        payload = self.github.events.workflow_run(self.paper, run)
        return self.runner.run(
            self.workflow("fork-delivery"), "workflow_run", payload, token=token, run_id=run.id
        )

    def workflow(
        self, name: str, inputs: dict[str, str] | None = None, *, python: bool = True
    ) -> str:
        """A template, told to use this Python so that not every test installs one."""
        text = (WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8")
        given = {**({"python": self.runner.python} if python else {}), **(inputs or {})}
        lines = "".join(f'\n          {key}: "{value}"' for key, value in given.items())
        assert text.count('path: "."') == 1 + name.endswith("-model")
        return text.replace('path: "."', f'path: "."{lines}')

    def artifact(self, name: str = "reviser-plan") -> bytes:
        """What the last job uploaded, zipped as GitHub hands it out."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            folder = self.runner.artifacts / name
            for path in sorted(p for p in folder.rglob("*") if p.is_file()):
                archive.write(path, path.relative_to(folder).as_posix())
        return packed.getvalue()


def ours(pull: Pull) -> list[ReviewComment]:
    """The comments that the bot put into the diff."""
    return [c for c in pull.comments if c.user.login == "github-actions[bot]"]


def summaries(pull: Pull) -> list[IssueComment]:
    """What the bot wrote into the conversation."""
    return [c for c in pull.remarks if c.user.login == "github-actions[bot]"]
