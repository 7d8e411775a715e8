"""The jobs on a small paper, as a user runs them: check, improve, undo, baseline, inspect."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from reviser.templates import template_text

MAIN = r"""\documentclass{article}
\begin{document}
\section{Cats}\label{sec:cats}
Cats sleep for most of the day \citep{miller2001}.
Dogs bark at night \citep{nobody2020}, see Section~\ref{sec:dogs}.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
BIB = """@article{miller2001,
  author = {Ann Miller},
  title = {The sleep of cats}
  journal = {Journal of Cats},
  year = {2001},
  abstract = {Cats sleep for sixteen hours a day. We watched forty cats in a quiet house
    for a year, and wrote down when each of them was asleep.},
}
"""
MENDED = BIB.replace("{The sleep of cats}\n", "{The sleep of cats},\n")


@pytest.fixture
def paper(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "refs.bib").write_text(BIB)
    return folder


def run(*arguments, code=None, **options):
    result = CliRunner().invoke(cli, [str(a) for a in arguments], **options)
    assert "Traceback" not in result.stderr, result.stderr
    if code is not None:
        assert result.exit_code == code, result.output
    return result


def as_json(result, name):
    data = json.loads(result.stdout)
    schema = json.loads(template_text(f"schemas/{name}.schema.json"))
    jsonschema.Draft202012Validator(schema).validate(data)
    return data


def rules(data):
    return [finding["rule"] for finding in data["findings"] if finding["suppressed"] is None]


def bytes_of(folder: Path):
    """Every file but the cache, which only says again what follows from the others."""
    kept = {folder / ".reviser/.gitignore", folder / ".reviser/cache/results"}
    found = [p for p in sorted(folder.rglob("*")) if p.is_file() and p not in kept]
    return {p: p.read_bytes() for p in found}


def test_check_finds_and_changes_nothing(paper):
    before = bytes_of(paper)
    text = run("check", "paper", code=1).output
    assert "paper/main.tex:5:27 error undefined-citation" in text
    assert "paper/main.tex:5:" in text
    assert "undefined-reference" in text
    assert "bib-missing-comma" in text
    assert "2 citations; 1 not checked because: the key is not in the bibliography (1)." in text
    assert "Citation NLI: not run." in text
    assert bytes_of(paper) == before


def test_check_as_json_from_any_folder_and_by_file(paper, monkeypatch):
    data = as_json(run("check", "paper", "--format", "json", code=1), "check")
    assert {"undefined-citation", "undefined-reference", "bib-missing-comma"} <= set(rules(data))
    assert data["counts"]["citations"] == 2
    finding = next(f for f in data["findings"] if f["rule"] == "undefined-citation")
    assert MAIN[finding["start"] : finding["stop"]] == finding["quote"] == "nobody2020"
    assert finding["line"] == 5
    named = as_json(run("check", "paper/main.tex", "--format", "json", code=1), "check")
    assert named == data
    monkeypatch.chdir(paper)
    assert as_json(run("check", "--format", "json", code=1), "check") == data


@pytest.mark.parametrize(
    ("fail_on", "code"), [("error", 1), ("warning", 1), ("note", 1), ("never", 0)]
)
def test_fail_on(paper, fail_on, code):
    run("check", "paper", "--no-verify", "--fail-on", fail_on, code=code)


def test_one_rule_only(paper):
    data = as_json(
        run("check", "paper", "--rule", "undefined-reference", "--format", "json", code=1), "check"
    )
    assert rules(data) == ["undefined-reference"]
    assert data["conclusion"] == (
        "checked 0 of 2 citations; 2 not checked because: none of the rules asked for needs it (2)"
    )


def test_a_rule_that_does_not_exist(paper):
    result = run("check", "paper", "--rule", "undefined-citaton", code=2)
    assert "Did you mean 'undefined-citation'?" in result.stderr


def test_a_clean_paper_is_quiet(paper):
    (paper / "refs.bib").write_text(MENDED)
    (paper / "main.tex").write_text(
        "\n".join(line for line in MAIN.splitlines() if "nobody" not in line) + "\n"
    )
    text = run("check", "paper", code=0).output
    assert text.startswith("No findings in 2 files.\n")
    assert len(text.splitlines()) <= 5


def test_sarif_and_github(paper):
    log = json.loads(run("check", "paper", "--no-verify", "--format", "sarif", code=1).stdout)
    (mended,) = [r for r in log["runs"][0]["results"] if r["ruleId"] == "bib-missing-comma"]
    (change,) = mended["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == ","
    lines = run("check", "paper", "--no-verify", "--format", "github", code=1).stdout.splitlines()
    assert any(line.startswith("::error file=paper/main.tex,line=5,") for line in lines)


def test_output_goes_to_a_file(paper, tmp_path):
    result = run("check", "paper", "--format", "json", "--output", "report.json", code=1)
    assert result.stdout == ""
    assert json.loads((tmp_path / "report.json").read_text())["schema"] == "reviser.check/1"
    run("check", "paper", "--output", "no/such/report.txt", code=2)


@pytest.mark.parametrize("option", ["--output", "--patch"])
@pytest.mark.parametrize("name", ["paper/main.tex", "paper/refs.bib", "nowhere/x", "paper"])
def test_what_cannot_or_must_not_be_written_to_is_refused_before_any_work(paper, option, name):
    before = bytes_of(paper)
    said = run("improve", "paper", option, name, code=2).stderr
    assert said.startswith(f"error: {name}")
    assert bytes_of(paper) == before
    assert not (paper / ".reviser").exists()


def test_output_may_be_a_device_or_a_link(paper, tmp_path):
    assert run("check", "paper", "--output", "/dev/null", code=1).stdout == ""
    (tmp_path / "link.txt").symlink_to(tmp_path / "report.txt")
    run("check", "paper", "--output", "link.txt", code=1)
    assert (tmp_path / "link.txt").is_symlink()
    assert "undefined-citation" in (tmp_path / "report.txt").read_text()


def test_improve_mends_what_is_certain_and_undo_restores_every_byte(paper):
    before = bytes_of(paper)
    text = run("improve", "paper", code=1).output
    assert (paper / "refs.bib").read_text() == MENDED
    assert (paper / "main.tex").read_text() == MAIN
    assert "1 edit made ('reviser undo' takes them back)" in text
    assert "+  title = {The sleep of cats},\n" in text
    assert "What remains" in text
    again = run("improve", "paper", code=1).output
    assert "Nothing to change." in again
    assert "restored refs.bib" in run("undo", "paper", code=0).output
    for path, data in before.items():
        assert path.read_bytes() == data
    run("undo", "paper", code=2)


def test_improve_as_json(paper):
    data = as_json(run("improve", "paper", "--format", "json", code=1), "improve")
    (edit,) = data["edits"]
    assert (edit["path"], edit["before"], edit["after"]) == ("refs.bib", "", ",")
    assert (edit["outcome"], edit["purpose"]) == ("accepted", "rule fix")
    assert BIB[: edit["start"]] + "," + BIB[edit["stop"] :] == MENDED
    assert data["applied"] is True
    assert "bib-missing-comma" not in rules(data)


def test_dry_run_writes_nothing_at_all(paper):
    before = bytes_of(paper)
    text = run("improve", "paper", "--dry-run", code=1).output
    assert "1 edit would be made (dry run)" in text
    assert bytes_of(paper) == before
    assert not (paper / ".reviser").exists()


def test_patch_leaves_the_paper_and_git_takes_it(paper, tmp_path):
    before = bytes_of(paper)
    run("improve", "paper", "--patch", "fix.patch", code=1)
    assert bytes_of(paper) == before
    subprocess.run(["git", "apply", str(tmp_path / "fix.patch")], cwd=paper, check=True)
    assert (paper / "refs.bib").read_text() == MENDED
    (paper / "refs.bib").write_text(BIB)
    printed = run("improve", "paper", "--patch", "-", code=1).stdout
    assert printed == (tmp_path / "fix.patch").read_text()


def test_a_patch_of_a_paper_below_the_top_of_its_repository_applies_as_told(paper, tmp_path):
    (paper / "reviser.toml").touch()
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    told = run("improve", "paper", "--patch", "my fix.patch", code=1).stdout
    assert "not made (git apply 'my fix.patch')" in told
    subprocess.run(["git", "apply", "my fix.patch"], cwd=tmp_path, check=True)
    assert (paper / "refs.bib").read_text() == MENDED
    (paper / "refs.bib").write_text(BIB)
    run("improve", "paper", code=1)
    (paper / "refs.bib").write_text(MENDED.replace("journal =", "JOURNAL ="))
    refused = run("undo", "paper", code=2)
    assert "reviser undo --patch FILE" in refused.stderr
    refused = run("undo", "paper", "--patch", "back.patch", code=2)
    assert "git apply back.patch takes the run's changes back" in refused.stderr
    subprocess.run(["git", "apply", "back.patch"], cwd=tmp_path, check=True)
    assert (paper / "refs.bib").read_text() == BIB.replace("journal =", "JOURNAL =")


def test_a_patch_on_the_output_leaves_the_report_to_a_file(paper, tmp_path):
    done = run("improve", "paper", "--patch", "-", "--output", "o.json", "--format", "json", code=1)
    assert done.stdout.startswith("diff --git a/refs.bib")
    assert json.loads((tmp_path / "o.json").read_text())["applied"] is False


@pytest.mark.parametrize(("answer", "made"), [("y\n", True), ("n\n", False), ("", False)])
def test_interactive(paper, answer, made):
    text = run("improve", "paper", "-i", input=answer, code=1).output
    assert "Edit 1 of 1" in text
    assert "Make this edit [y,n,a,d,q,?]?" in text
    assert ((paper / "refs.bib").read_text() == MENDED) is made
    (record,) = (paper / ".reviser/runs").glob("*/record.json")
    assert json.loads(record.read_text())["edits"][0]["layer"] == (
        "invariants" if made else "person"
    )
    assert ("rejected (person): left out when asked" in text) is not made
    assert ("Nothing was changed." in text) is not made


def test_interactive_needs_the_terminal(paper):
    run("improve", "paper", "-i", "--format", "json", code=2)


def test_an_edited_file_is_not_undone_but_the_patch_is_offered(paper):
    run("improve", "paper", code=1)
    (paper / "refs.bib").write_text(MENDED + "% mine\n")
    result = run("undo", "paper", "--patch", "back.patch", code=2)
    assert "edited since the run" in result.stderr
    subprocess.run(["git", "apply", "../back.patch"], cwd=paper, check=True)
    assert (paper / "refs.bib").read_text() == BIB + "% mine\n"


def test_baseline_accepts_what_is_there_and_hears_what_is_new(paper):
    run("baseline", "paper", code=0)
    assert "No findings" in run("check", "paper", code=0).output
    path = paper / "main.tex"
    path.write_text(MAIN.replace("at night", "at night~\\ref{fig:new}"))
    data = as_json(run("check", "paper", "--format", "json", code=1), "check")
    assert rules(data) == ["undefined-reference"]


@pytest.mark.parametrize("by", ["flag", "file"])
def test_a_baseline_by_another_name(paper, tmp_path, by):
    flag = ["--baseline", "known.json"] if by == "flag" else []
    if by == "file":
        (paper / "reviser.toml").write_text('baseline = "known.json"\n')
        assert "there is no baseline known.json" in run("check", "paper", code=2).stderr
    run("baseline", "paper", *flag, code=0)
    assert ((tmp_path if by == "flag" else paper) / "known.json").is_file()
    assert not (paper / "reviser-baseline.json").exists()
    run("check", "paper", *flag, code=0)
    assert run("check", "paper").exit_code == (1 if by == "flag" else 0)


def test_settings_file_environment_and_flag(paper):
    (paper / "reviser.toml").write_text(
        'fail-on = "never"\n[[ignore]]\nrule = "undefined-citation"\nreason = "it comes later"\n'
    )
    data = as_json(run("check", "paper", "--format", "json", code=0), "check")
    silenced = [f for f in data["findings"] if f["suppressed"]]
    assert [(f["rule"], f["suppressed"]) for f in silenced] == [
        ("undefined-citation", "it comes later")
    ]
    run("check", "paper", env={"REVISER_FAIL_ON": "error"}, code=1)
    run("check", "paper", env={"REVISER_FAIL_ON": ""}, code=0)
    run("check", "paper", "--fail-on", "never", env={"REVISER_FAIL_ON": "error"}, code=0)
    run("check", "paper", env={"REVISER_FAIL_ON": "fatal"}, code=2)


@pytest.mark.parametrize(
    ("variable", "value", "checked"), [("VERIFY", "0", 0), ("VERIFY", "1", 1), ("VERIFY", "", 1)]
)
def test_a_flag_can_be_set_by_a_variable(paper, variable, value, checked):
    env = {f"REVISER_{variable}": value}
    data = as_json(run("check", "paper", "--format", "json", env=env), "check")
    assert data["counts"]["checked"] == checked


def test_a_main_file_that_is_not_there_says_who_named_it(paper):
    (paper / "reviser.toml").write_text('main = "nope.tex"\n')
    said = run("check", "paper", code=2).stderr
    assert "main = 'nope.tex' in the settings file: there is no such file" in said
    said = run("check", "paper", "--main", "gone.tex", code=2).stderr
    assert "--main gone.tex: there is no such file" in said


def test_a_wrong_settings_file_is_2(paper):
    (paper / "reviser.toml").write_text("fail_on = 1\n")
    result = run("check", "paper", code=2)
    assert "reviser.toml: there is no setting 'fail_on'" in result.stderr
    assert "Did you mean 'fail-on'?" in result.stderr


def test_diff_speaks_of_changed_lines_only(paper):
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *command], cwd=paper, check=True)  # fmt: skip
    quiet = run("check", "paper", "--diff", "HEAD", code=0).output
    assert quiet.startswith("No findings in 2 files")
    assert "outside the change" in quiet
    path = paper / "main.tex"
    path.write_text(MAIN.replace("day \\citep", "day~\\ref{fig:new} \\citep"))
    result = run("check", "paper", "--diff", "HEAD", "--format", "json", code=1)
    data = as_json(result, "check")
    assert rules(data) == ["undefined-reference"]
    assert data["counts"]["citations"] == 1
    run("check", "paper", "--diff", "no-such-branch", code=2)


def test_sources_of_cited_works(paper, tmp_path):
    (paper / "refs.bib").write_text(MENDED.replace("  abstract", "  xabstract"))
    without = as_json(run("check", "paper", "--format", "json"), "check")
    assert without["counts"]["checked"] == 0
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "miller2001.txt").write_text(
        "Cats sleep for most of the day. They do so because hunting is hard work for them."
    )
    given = as_json(run("check", "paper", "--sources", "texts", "--format", "json"), "check")
    assert given["counts"]["checked"] == 1
    verdict = given["claims"][0]["verdicts"][0]
    assert "Cats sleep for most of the day." in [e["text"] for e in verdict["evidence"]]
    assert verdict["label"] == "on topic, not verified"
    run("check", "paper", "--sources", "no-such-folder", code=2)


def test_a_sources_folder_in_the_file_stays_inside(paper, tmp_path):
    (tmp_path / "texts").mkdir()
    (paper / "link").symlink_to(tmp_path / "texts")
    (paper / "reviser.toml").write_text('sources = "link"\n')
    assert "leads out of" in run("check", "paper", code=2).stderr


def test_no_paper_is_3(tmp_path):
    (tmp_path / "notes.txt").write_text("no paper")
    assert run("check", tmp_path, code=3).stderr.startswith("error: ")


@pytest.mark.parametrize("form", ["text", "json"])
def test_inspect(paper, form):
    result = run("inspect", "paper", "--format", form, code=0)
    if form == "json":
        assert json.loads(result.stdout)["schema"] == "reviser.inspect/1"
    else:
        assert "1 bibliography entry," in result.output


def test_the_language_can_be_told(paper):
    data = as_json(run("check", "paper", "--language", "de", "--format", "json"), "check")
    assert data["counts"]["labels"].get("on topic, not verified", 0) <= 1
    assert json.loads(run("inspect", "paper", "--language", "de", "--format", "json").stdout)


def test_a_reader_who_leaves_early(paper):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "reviser", "check", str(paper), "--no-verify"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=Path(__file__).resolve().parents[2],
        )
    assert (done.returncode, done.stderr) == (141, "")


def test_a_terminal_that_knows_only_ascii(paper):
    (paper / "main.tex").write_text(MAIN.replace("nobody2020", "für–2020"))
    done = subprocess.run(
        [sys.executable, "-m", "reviser", "check", str(paper), "--no-verify"],
        capture_output=True,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 1
    assert b"f\\xfcr\\u20132020" in done.stdout
