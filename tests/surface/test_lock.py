"""reviser.lock: a rerun with it alone says the same and asks nobody; who writes it, and undoes."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reviser.adapters.embedding import MiniLM
from reviser.app.cli import cli

DEMO = Path(__file__).parents[2] / "templates" / "demo"
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
_ABSTRACT = re.compile(r",\s*abstract = \{[^{}]*\}")


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "refs.bib").write_text(BIB)
    return folder


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(cli, [str(one) for one in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


@contextmanager
def nobody_asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The embedded model must not be asked, and nothing may be kept of what it said."""

    def refuse(self: MiniLM, rows: object, columns: object) -> None:
        raise AssertionError("something was compared")

    with monkeypatch.context() as patch:
        patch.setattr(MiniLM, "similarities", refuse)
        yield


def stripped(folder: Path) -> None:
    """Take the abstracts out of the bibliography, and all that earlier runs kept."""
    for bib in folder.rglob("*.bib"):
        bib.write_text(_ABSTRACT.sub("", bib.read_text()))
    shutil.rmtree(folder / ".reviser", ignore_errors=True)


def told(result: Result) -> dict[str, object]:
    """The report without what says where the verdicts are from, and what stands in the .bib."""
    data = json.loads(result.stdout)
    for name in ("recalled", "evidence"):
        data.pop(name, None)
    return data


def test_a_rerun_with_the_lock_alone_says_the_same_and_asks_nobody(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("lock", paper, "--update").exit_code == 0
    with_texts = run("check", paper, "--format", "json")
    stripped(paper)
    with nobody_asked(monkeypatch):
        alone = run("check", paper, "--format", "json")
    assert told(alone)["claims"] == told(with_texts)["claims"]
    assert told(alone) == told(with_texts)
    assert json.loads(alone.stdout)["recalled"] == 2
    assert "2 verdicts from reviser.lock" in run("check", paper).stdout


def test_the_life_of_a_lockfile(paper: Path) -> None:
    assert run("lock", paper, "--check").exit_code == 1
    assert not (paper / "reviser.lock").exists()
    files = {p.name for p in paper.iterdir()}
    assert run("lock", paper, "--update").exit_code == 0
    assert {p.name for p in paper.iterdir()} - files <= {"reviser.lock", ".reviser"}
    lock = (paper / "reviser.lock").read_bytes()
    assert run("lock", paper, "--check").exit_code == 0
    assert run("lock", paper, "--update").exit_code == 0
    assert (paper / "reviser.lock").read_bytes() == lock

    main = paper / "main.tex"
    main.write_text(MAIN.replace("Cats sleep for most", "Cats sleep through most"))
    found = run("lock", paper, "--check", "--format", "json")
    assert found.exit_code == 1
    state = json.loads(found.stdout)
    assert (state["held"], len(state["missing"]), state["orphans"]) == (1, 1, 1)
    assert state["missing"][0]["key"] == "miller2001"
    assert run("lock", paper, "--update").exit_code == 0
    assert json.loads(run("lock", paper, "--check", "--format", "json").stdout)["orphans"] == 1
    assert run("lock", paper, "--prune").exit_code == 0
    assert json.loads(run("lock", paper, "--check", "--format", "json").stdout)["orphans"] == 0

    bib = paper / "refs.bib"
    bib.write_text(BIB.replace("forty cats", "fifty cats"))
    state = json.loads(run("lock", paper, "--check", "--format", "json").stdout)
    assert [row["key"] for row in state["stale"]] == ["miller2001"]


@pytest.mark.parametrize("flags", [(), ("--check", "--update"), ("--check", "--prune")])
def test_what_is_to_be_done_must_be_said(paper: Path, flags: tuple[str, ...]) -> None:
    assert run("lock", paper, *flags).exit_code == 2


def test_check_and_a_dry_run_write_no_lock(paper: Path) -> None:
    run("check", paper, "--lock", "on")
    run("improve", paper, "--lock", "on", "--dry-run")
    run("improve", paper, "--lock", "on", "--patch", paper / "edits.patch")
    assert not (paper / "reviser.lock").exists()
    run("improve", paper)
    assert not (paper / "reviser.lock").exists()


def test_improve_keeps_the_lock_and_undo_puts_it_back(paper: Path) -> None:
    run("improve", paper, "--lock", "on")
    assert (paper / "reviser.lock").exists()
    undone = run("undo", paper)
    assert "removed reviser.lock" in undone.stdout
    assert not (paper / "reviser.lock").exists()

    run("lock", paper, "--update")
    before = (paper / "reviser.lock").read_bytes()
    (paper / "main.tex").write_text(MAIN.replace("Cats sleep", "Cats surely sleep"))
    run("improve", paper)
    assert (paper / "reviser.lock").read_bytes() != before
    assert run("undo", paper).exit_code == 0
    assert (paper / "reviser.lock").read_bytes() == before


def test_undo_leaves_a_lock_that_was_written_since(paper: Path) -> None:
    run("improve", paper, "--lock", "on")
    (paper / "main.tex").write_text(MAIN.replace("Cats sleep", "Cats surely sleep"))
    run("lock", paper, "--update")
    lock = (paper / "reviser.lock").read_bytes()
    undone = run("undo", paper)
    assert "left as it is" in undone.stdout
    assert (paper / "reviser.lock").read_bytes() == lock


def test_off_neither_reads_nor_writes(paper: Path) -> None:
    (paper / "reviser.lock").write_text("<<<<<<< ours\n")
    assert run("check", paper, "--lock", "off").exit_code == 0
    run("improve", paper, "--lock", "off")
    assert (paper / "reviser.lock").read_text() == "<<<<<<< ours\n"


@pytest.mark.parametrize("command", ["check", "improve", "lock"])
def test_a_conflict_is_named_with_what_to_do(paper: Path, command: str) -> None:
    run("lock", paper, "--update")
    lock = paper / "reviser.lock"
    lines = lock.read_text().splitlines(keepends=True)
    lock.write_text("".join([lines[0], "<<<<<<< HEAD\n", *lines[1:], "=======\n>>>>>>> other\n"]))
    result = run(command, paper, *(["--check"] if command == "lock" else []))
    assert result.exit_code == 2
    assert "reviser.lock, line 2" in result.stderr
    assert "merge=union" in result.stderr


def test_damaged_lines_are_told_and_left_out(paper: Path) -> None:
    run("lock", paper, "--update")
    lock = paper / "reviser.lock"
    bad = ['{"claim": 7}', "\x1b[31mred", '{"work": "../../etc/passwd", "title": "x", "run": "rm"}']
    lock.write_text(lock.read_text() + "\n".join(bad) + "\n")
    result = run("check", paper)
    assert result.exit_code == 0
    assert "reviser.lock, line" in result.stderr
    assert "\x1b" not in result.stderr
    found = run("lock", paper, "--check", "--format", "json")
    assert found.exit_code == 1
    state = json.loads(found.stdout)
    assert (state["held"], len(state["damage"])) == (2, 3)
    assert run("lock", paper, "--update").exit_code == 0
    assert run("lock", paper, "--check").exit_code == 0


def test_abstracts_are_kept_only_where_that_is_wanted(paper: Path) -> None:
    def works() -> list[dict[str, object]]:
        rows = (paper / "reviser.lock").read_text().splitlines()
        return [data for row in rows if "work" in (data := json.loads(row))]

    run("lock", paper, "--update")
    assert len(works()) == 2
    assert not any("words" in work for work in works())
    assert "watched forty cats in a quiet house" not in (paper / "reviser.lock").read_text()


def test_improving_twice_from_one_lock_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    shutil.copytree(DEMO, first)
    one = run("improve", first, "--lock", "on", "--format", "json")
    assert one.exit_code in {0, 1}
    shutil.copytree(DEMO, second)
    shutil.copy(first / "reviser.lock", second / "reviser.lock")
    stripped(second)
    bare = (second / "references.bib").read_bytes()
    with nobody_asked(monkeypatch):
        two = run("improve", second, "--format", "json")
    assert (second / "reviser.lock").read_bytes() == (first / "reviser.lock").read_bytes()
    assert told(two)["claims"] == told(one)["claims"]
    assert (second / "references.bib").read_bytes() != bare  # rules of the .bib mend it as before
    for path in sorted(first.rglob("*.tex")):
        assert (second / path.relative_to(first)).read_bytes() == path.read_bytes()
    # The improved paper is as settled as the one it came from.
    stripped(first)
    with nobody_asked(monkeypatch):
        assert run("check", first).exit_code in {0, 1}


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("union", [True, False])
def test_a_merge_of_two_branches_keeps_what_both_know(paper: Path, union: bool) -> None:
    if union:
        (paper / ".gitattributes").write_text("reviser.lock merge=union\n")
    claims = [f"Device {n} wastes energy as heat when it is throttled" for n in range(40)]
    body = "\n\n".join(rf"{claim}~\citep{{ito2010}}." for claim in claims)
    (paper / "main.tex").write_text(MAIN.replace(r"\bibliography", f"{body}\n\n\\bibliography"))
    run("lock", paper, "--update")
    (paper / ".gitignore").write_text(".reviser\n")
    git(paper, "init", "-q", "-b", "main")
    git(paper, "add", "-A")
    git(paper, "commit", "-qm", "start")
    start = (paper / "main.tex").read_text()
    for name, words in (("ours", "Cats purr by day."), ("theirs", "Pumps hum by night.")):
        git(paper, "checkout", "-q", "-b", name, "main")
        key = "miller2001" if name == "ours" else "ito2010"
        new = rf"{words[:-1]} in every quiet house that was watched \citep{{{key}}}."
        at = r"\begin{document}" if name == "ours" else r"\bibliography{refs}"
        put = f"{at}\n{new}\n" if name == "ours" else f"{new}\n{at}"
        (paper / "main.tex").write_text(start.replace(at, put))
        run("lock", paper, "--update")
        git(paper, "commit", "-qam", name)
    merged = git(paper, "merge", "-q", "ours", "--no-edit")
    state = run("lock", paper, "--check", "--format", "json")
    if union:
        assert merged.returncode == 0, merged.stdout
    if merged.returncode == 0:
        assert state.exit_code == 0, state.output
        assert json.loads(state.stdout)["held"] == 44
    else:
        assert state.exit_code == 2
        assert "merge" in state.stderr


def test_two_branches_that_judged_one_pair_differently_are_told(paper: Path) -> None:
    run("lock", paper, "--update")
    lock = paper / "reviser.lock"
    first = next(row for row in lock.read_text().splitlines() if row.startswith('{"claim"'))
    lock.write_text(
        lock.read_text()
        + first.replace('"label":"', '"label":"').replace("on topic, not verified", "supported")
        + "\n"
    )
    state = json.loads(run("lock", paper, "--check", "--format", "json").stdout)
    assert "contradicts line" in state["damage"][0]["why"]
    assert state["held"] == 1
