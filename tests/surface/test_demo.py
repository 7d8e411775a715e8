"""`reviser demo` from end to end, with the embedded model."""

from pathlib import Path

from click.testing import CliRunner

from reviser.app.cli import cli
from reviser.templates import template


def bundled(folder=None):
    folder = folder or template("demo")
    for child in sorted(folder.iterdir(), key=lambda child: child.name):
        if child.is_dir():
            yield from bundled(child)
        else:
            yield child.name, child.read_bytes()


def run(*arguments):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_the_demo_mends_the_paper_shows_why_and_can_be_undone(tmp_path: Path):
    folder = tmp_path / "copy"
    result = run("demo", folder)
    assert result.exit_code == 0, result.stderr
    shown = result.output
    for heading in ("Verdicts", "Diff", "What remains", "Figures, before -> after", "Try"):
        assert f"\n{heading}\n" in shown
    assert "off topic" in shown
    assert "edits made ('reviser undo' takes them back)" in shown
    assert "Citation NLI: not run." in shown
    tried = shown.split("The gate, tried with edits that must not pass\n")[1].split("\nTry\n")[0]
    assert tried.count("rule fix: ") == tried.count("    rejected (invariants): ") == 3
    assert f"reviser undo {folder}" in shown
    assert run("demo", folder).exit_code == 2, "it never writes over anything"
    assert run("undo", folder).exit_code == 0
    copied = {
        p.name: p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file() and ".reviser" not in p.parts
    }
    for name, data in bundled():
        assert copied[name] == data


def test_the_scripted_demo_shows_the_loop_and_says_that_it_is_canned(tmp_path: Path):
    folder = tmp_path / "copy"
    result = run("demo", "--scripted", folder)
    assert result.exit_code == 0, result.output
    shown = " ".join(result.output.split())
    assert "What follows is canned" in shown
    assert "no model is asked" in shown
    assert "Round 1: 6 points (2 revised, 1 rebutted, 1 for the authors, 2 refused)" in shown
    assert "Round 2: 1 point (1 revised)" in shown
    assert "refused: by the evidence: its section does not bear out" in shown
    assert "refused: by the rubric: " in shown
    assert "{+ for this dual encoder+}" in result.output
    assert "Judge: canned replies" in shown
    assert run("undo", folder).exit_code == 0
