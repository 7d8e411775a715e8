"""Make a plan from a local clone, and put it, the patch and the report where they are wanted."""

import tempfile
from functools import partial
from pathlib import Path

import click

from reviser.app.commands.options import settings_at
from reviser.app.pull.local import local_commits, local_target
from reviser.app.pull.making import make
from reviser.app.pull.reporting import exit_code, said, write_made, write_report
from reviser.deliver.ledger import Ledger
from reviser.deliver.plan import conclude
from reviser.deliver.story import Story, Wishes


def plan_locally(ctx: click.Context, path: str, base: str | None, head: str, wishes: Wishes) -> int:
    """The command `plan`; its exit code says whether the change brought what fails a check."""
    given = ctx.params
    commits = local_commits(path, base, head)
    target = local_target(commits, head, given["repository"])
    with tempfile.TemporaryDirectory(prefix="reviser-") as room:
        made = make(commits, target, partial(settings_at, ctx), Path(room))
    wanted = {name: given[name] for name in ("out", "patch", "report")}
    write_made(made, wanted)
    write_report(Story(made.plan, made.sources, Ledger(), wishes, given["server_url"]), wanted)
    click.echo(said(made.plan))
    return exit_code(conclude(made.plan))
