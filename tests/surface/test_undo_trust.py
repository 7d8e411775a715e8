"""A record that came with a repository is not believed."""

import subprocess
from pathlib import Path

from click.testing import CliRunner

from reviser.app.cli import cli

PAPER = "\\documentclass{article}\n\\begin{document}\nLakes freeze.\n\\end{document}\n"


def test_undo_refuses_runs_that_git_tracks(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(PAPER)
    run = tmp_path / ".reviser" / "runs" / "0001"
    run.mkdir(parents=True)
    (run / "record.json").write_text("{}")

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True, capture_output=True)

    git("init")
    git("add", "--force", ".")
    refused = CliRunner().invoke(cli, ["undo", str(tmp_path)])
    assert refused.exit_code == 2
    assert "under version control" in refused.output
    assert (tmp_path / "main.tex").read_text() == PAPER
