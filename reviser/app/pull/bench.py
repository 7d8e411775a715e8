"""What a run that talks to the forge works with, gathered once."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from reviser.adapters.git.fetching import fetch
from reviser.adapters.git.history import diff
from reviser.app.commands.options import settings_at
from reviser.app.commands.pull_options import filters_of, wishes_of
from reviser.app.pull.making import Commits
from reviser.app.pull.sides import SettingsAt, named_paper
from reviser.deliver.event import Filters
from reviser.deliver.forge import Forge, PullRequest
from reviser.deliver.plan import Target
from reviser.deliver.story import Wishes
from reviser.errors import UsageError
from reviser.text.patch import read_patch
from reviser.text.printable import printable

if TYPE_CHECKING:
    from reviser.adapters.actions import Runner

Stage = Literal["all", "plan", "deliver"]

TOKENS = ("REVISER_TOKEN", "GITHUB_TOKEN")
"""The variables that may hold the token, the first that is set counts; nothing else may."""
KEYS = ("REVISER_API_KEY", "REVISER_WRITER_API_KEY", "OPENAI_API_KEY")
"""The variables that may hold a model's key."""
PACE = 1.0
"""Seconds between two writes, as GitHub asks for."""
PATIENCE = 120.0
"""Seconds that a run waits in all for limits of the forge."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The forge and the runner, the operator's wishes, and a room for files of this run.

    `runner` is None outside GitHub Actions. `environment` is where proxy settings are taken from.
    `paper` leads from the repository's top to the paper; `wanted` names the files that plan, patch
    and report go to. `stage` is what of the work this run does: "plan" decides and posts nothing,
    "deliver" posts what an earlier job of the same workflow run decided, "all" does both.
    `model`: the operator has named one that writes. `reviewing_at` are the settings where a person
    asked for a review.
    """

    forge: Forge
    runner: "Runner | None"
    repository: str
    server: str
    token: str = field(repr=False)
    environment: Mapping[str, str] = field(repr=False)
    room: Path
    paper: str
    settings_at: SettingsAt
    reviewing_at: SettingsAt
    wishes: Wishes
    filters: Filters
    paths: tuple[str, ...]
    wanted: Mapping[str, str | None]
    stage: Stage = "all"
    model: bool = False

    @property
    def run(self) -> int | None:
        """The number of this workflow run, None where there is none."""
        return self.runner.run_id if self.runner is not None else None

    @property
    def run_url(self) -> str:
        """The page of this workflow run, "" where there is none."""
        return self.runner.run_url if self.runner is not None else ""

    def tell(self, sentence: str) -> None:
        """Say something in the log."""
        click.echo(f"reviser: {harmless(sentence)}")

    def quiet(self) -> AbstractContextManager[None]:
        """While words of a paper may be printed: the runner takes no commands from them."""
        return self.runner.stopped() if self.runner is not None else nullcontext()

    def pull_commits(self, pull: PullRequest) -> Commits:
        """Fetch a pull request's head and merge base. Raises what git and the forge raise."""
        base = self.forge.merge_base(pull.base, pull.head)
        folder = self._fetched(pull.head, base)
        patches = read_patch(diff(folder, base, pull.head))
        return Commits(folder, self.paper, pull.head, base, patches)

    def branch_commits(self, head: str) -> Commits:
        """Fetch the commit of a branch."""
        return Commits(self._fetched(head), self.paper, head, "")

    def pull_target(self, pull: PullRequest, base: str) -> Target:
        """What a plan for the pull request speaks of."""
        return Target(
            repository=self.repository,
            number=pull.number,
            head=pull.head,
            base=base,
            branch=pull.head_branch,
            paper=self.paper,
        )

    def _fetched(self, *commits: str) -> Path:
        folder = self.room / "repository.git"
        url = f"{self.server}/{self.repository}.git"
        fetch(url, self.token, commits, folder, carried=self.environment)
        return folder


def bench_of(
    ctx: click.Context,
    environment: Mapping[str, str],
    room: Path,
    runner: "Runner | None",
    *,
    open_forge: Callable[[str, str, str], Forge] | None = None,
) -> Bench:
    """The bench of the command at hand. Raises UsageError when the token or the repository's name
    is missing."""
    given = ctx.params
    repository = given["repository"]
    if not repository:
        raise UsageError(
            "the repository is not named",
            hint="Name it by --repository OWNER/NAME; under GitHub Actions it is known.",
        )
    token = token_of(environment)
    return Bench(
        forge=(open_forge or _github)(token, given["api_url"], repository),
        runner=runner,
        repository=repository,
        server=given["server_url"].rstrip("/"),
        token=token,
        environment=environment,
        room=room,
        paper=named_paper(given["path"] or ""),
        settings_at=partial(settings_at, ctx),
        reviewing_at=partial(settings_at, ctx, review=True),
        wishes=wishes_of(ctx),
        filters=filters_of(ctx),
        paths=given.get("paths", ()),
        wanted={name: given.get(name) for name in ("out", "patch", "report")},
        stage=given.get("stage", "all"),
        model=bool(given.get("model")),
    )


def token_of(environment: Mapping[str, str]) -> str:
    """The token. Raises UsageError where no variable holds one."""
    for name in TOKENS:
        token = environment.get(name, "").strip()
        if token:
            return token
    raise UsageError(
        "there is no token to speak to GitHub with",
        hint=f"Set the variable {TOKENS[1]}; the action does it by itself.",
    )


def harmless(text: str) -> str:
    """One line for a log in which a runner finds no command, wherever it looks for one."""
    return " ".join(printable(text).split()).replace("##[", "## [").replace("::", ": :")


def _github(token: str, api_url: str, repository: str) -> Forge:
    from reviser.adapters.github.forge import GitHub

    return GitHub(token, api_url, repository, pace=PACE, patience=PATIENCE)
