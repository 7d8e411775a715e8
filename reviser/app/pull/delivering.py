"""Deliver a plan from a file, wherever the command is run."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

from reviser.app.pull.bench import bench_of
from reviser.app.pull.carrying import carry_file


def deliver_file(
    ctx: click.Context,
    file: str,
    number: int | None,
    *,
    ours: bool,
    environment: Mapping[str, str] = os.environ,
) -> int:
    """The command `deliver`; its exit code is that of the findings."""
    with tempfile.TemporaryDirectory(prefix="reviser-") as room:
        bench = bench_of(ctx, environment, Path(room), None)
        return carry_file(bench, Path(file), number, ours=ours)
