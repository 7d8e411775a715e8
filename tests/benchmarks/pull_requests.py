"""How long the action takes from its start to its last write, and how often it asks GitHub.

The workflow template is run by `act` on a paper of 30 files and 300 citations whose pull request
changes 40 lines, against a GitHub on loopback. Cold: nothing is installed and nothing was ever
checked. Warm: environment and results come from the cache, for another pull request of that change.
"""

import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.bars import Bar, at_most
from tests.e2e.act import Runner, program
from tests.e2e.papers import CITATIONS, FILES, LINES_CHANGED, large
from tests.e2e.scene import FULL_NAME, Scene, ours
from tests.fakes.github.model import Pull
from tests.fakes.github.server import FakeGitHub, Reply


class Timed(FakeGitHub):
    """Knows when it was last asked for something."""

    last = 0.0

    def serve(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Answer, and look at the clock."""
        try:
            return super().serve(method, target, headers, body)
        finally:
            self.last = time.monotonic()


def measure() -> list[Bar]:
    """All bars of the action; none where `act` is missing."""
    if program() is None:
        return []
    with TemporaryDirectory() as folder, Timed(Path(folder) / "github") as github:
        paper = github.repository(FULL_NAME)
        before, after = large()
        paper.commit("main", before, "A large survey")
        (Path(folder) / "runner").mkdir()
        runner = Runner(Path(folder) / "runner", github.api_url, github.server_url, FULL_NAME)
        scene = Scene(github, paper, runner)
        pulls = []
        for branch in ("first", "second"):
            paper.branch(branch)
            paper.commit(branch, after, "A change", author="author")
            pulls.append(paper.open_pull(branch, author="author"))
        cold, requests = _timed(scene, github, pulls[0])
        warm, _ = _timed(scene, github, pulls[1])
        _, again = _timed(scene, github, pulls[1], "synchronize")
        posted = f"{len(ours(pulls[0]))} comments in the diff"
    told = f"{FILES} files, {CITATIONS} citations, {LINES_CHANGED} lines changed, {posted}"
    return [
        at_most("action cold, installation included, seconds to the last write", cold, 60, told),
        at_most("action with a warm cache, seconds to the last write", warm, 20, told),
        at_most("requests of a first run", requests, 25, told),
        at_most("requests of a run without change", again, 10, told),
    ]


def _timed(scene: Scene, github: Timed, pull: Pull, action: str = "opened") -> tuple[float, int]:
    github.log.clear()
    start = time.monotonic()
    job = scene.review(pull, action, python=False)
    # The misspelt key is an error, so that the job itself ends red.
    if not job.outputs.get("plan"):
        raise SystemExit(f"the workflow failed:\n{job.log}")
    return github.last - start, github.log.count()
