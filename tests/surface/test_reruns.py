"""Running again: what the models said is kept, changes no verdict, and is never in the way."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reviser.adapters.embedding import MiniLM
from reviser.app.cli import cli
from reviser.app.keeping import FILE

MAIN = r"""\documentclass{article}
\begin{document}
Cats sleep for most of the day and hunt when it is dark \citep{miller2001}.
Throttled pumps waste energy as heat in the valve \citep{ito2010}.
\bibliography{refs}
\end{document}
"""
BIB = """@article{miller2001, author = {Ann Miller}, title = {The sleep of cats}, year = 2001,
  journal = {Cats}, abstract = {Cats sleep for sixteen hours a day. We watched forty cats in a
  quiet house for a year, and wrote down when each of them was asleep.}}
@article{ito2010, author = {Ken Ito}, title = {Losses in throttled pumps}, year = 2010,
  journal = {Pumps}, abstract = {Valves turn the surplus head of a centrifugal pump into heat. We
  measured the losses of ten pumps at partial load in a test rig.}}
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "refs.bib").write_text(BIB)
    return folder


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that went through the model."""
    texts: list[str] = []
    original: Callable[..., object] = MiniLM._computed

    def counted(self: MiniLM, text: str) -> object:
        texts.append(text)
        return original(self, text)

    monkeypatch.setattr(MiniLM, "_computed", counted)
    return texts


def check(paper: Path, *options: str) -> Result:
    result = CliRunner().invoke(cli, ["check", str(paper), "--format", "json", *options])
    assert result.exit_code in {0, 1}, result.output
    return result


def test_a_second_run_says_the_same_and_asks_the_model_nothing(
    paper: Path, embedded: list[str]
) -> None:
    plain = check(paper, "--no-cache")
    assert not (paper / ".reviser").exists()
    cold = check(paper)
    assert (paper / ".reviser/.gitignore").read_text() == "*\n"
    embedded.clear()
    again = check(paper)
    assert embedded == []
    assert plain.stdout == cold.stdout == again.stdout
    assert plain.stderr == cold.stderr == again.stderr == ""
    kept = (paper / FILE).read_bytes()
    assert not any(word in kept for word in (b"Cats", b"pump", b"main.tex"))


def test_after_an_edit_only_the_new_sentence_is_embedded(paper: Path, embedded: list[str]) -> None:
    check(paper)
    embedded.clear()
    (paper / "main.tex").write_text(MAIN.replace("in the valve", "in every valve"))
    check(paper)
    assert embedded == ["Throttled pumps waste energy as heat in every valve."]


def test_the_cache_travels(paper: Path, tmp_path: Path, embedded: list[str]) -> None:
    check(paper)
    embedded.clear()
    other = tmp_path / "elsewhere"
    shutil.copytree(paper, other)
    check(other)
    assert embedded == []


def test_a_damaged_cache_is_a_cold_start_with_a_warning(paper: Path) -> None:
    fresh = check(paper)
    (paper / FILE).write_bytes((paper / FILE).read_bytes()[:-7])
    damaged = check(paper)
    assert damaged.stdout == fresh.stdout
    assert damaged.stderr.count("warning") == 1
    assert check(paper).stderr == "", "it was written anew"


def test_where_nothing_can_be_kept_the_run_is_like_any_other(paper: Path, tmp_path: Path) -> None:
    fresh = check(paper, "--no-cache")
    (paper / ".reviser").write_text("in the way")
    assert check(paper).stdout == fresh.stdout
    (paper / ".reviser").unlink()
    elsewhere = tmp_path / "private"
    elsewhere.mkdir()
    (paper / ".reviser").symlink_to(elsewhere)
    assert check(paper).stdout == fresh.stdout
    assert list(elsewhere.iterdir()) == []


@pytest.mark.skipif(shutil.which("git") is None, reason="asks git")
def test_a_cache_that_came_with_the_repository_is_not_believed(
    paper: Path, embedded: list[str]
) -> None:
    check(paper)
    embedded.clear()
    subprocess.run(["git", "init", "-q"], cwd=paper, check=True)
    check(paper)
    assert embedded == [], "a cache git ignores is one's own"
    subprocess.run(["git", "add", "--force", FILE], cwd=paper, check=True)
    told = check(paper)
    assert "version control" in told.stderr
    assert len(embedded) > 5
