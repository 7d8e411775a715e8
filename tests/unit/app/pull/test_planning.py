import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from reviser.deliver.plan_json import read
from tests.unit.app.pull.conftest import BIB, MAIN


@pytest.fixture
def plan(clone, tmp_path):
    """Runs `reviser plan`; what it says and the plan it writes."""

    def run(*arguments, code=0):
        out = tmp_path / "plan.json"
        done = CliRunner().invoke(
            cli,
            ["plan", str(clone.folder), "--head", "topic", "--no-verify", "--out", str(out),
             "--patch", str(tmp_path / "p.diff"), "--report", str(tmp_path / "r.md"), *arguments],
        )  # fmt: skip
        assert done.exit_code == code, done.output
        return done.output, read(out.read_bytes()) if out.exists() else None

    return run


def test_plan_patch_and_report_are_written_and_nothing_else(clone, plan, tmp_path):
    clone.commit({"refs.bib": BIB.replace("of cats", "of cats & dogs")}, branch="topic")
    before = clone.git("status", "--porcelain", "--ignored")
    said, made = plan("--base", "main", code=1)
    assert said.splitlines()[-1].startswith("1 finding from this change, 2 from before; 1 edit")
    assert made.target.repository == "local/clone"
    assert made.target.number is None
    assert made.target.branch == "topic"
    assert b"+  title = {The sleep of cats \\& dogs}" in (tmp_path / "p.diff").read_bytes()
    assert "bib-special-character" in (tmp_path / "r.md").read_text()
    assert clone.git("status", "--porcelain", "--ignored") == before


def test_the_plan_can_be_read_again_whatever_the_head_is_called(clone, plan):
    clone.commit({"main.tex": MAIN + "% more\n"}, branch="topic")
    _, made = plan("--base", "main", "--head", "topic~0")
    assert made.target.branch == clone.git("rev-parse", "topic")[:12]


def test_fail_on_is_the_operator_s_before_the_paper_s(clone, plan):
    files = {"reviser.toml": 'fail-on = "never"', "main.tex": MAIN.replace("Cats", "\\cite{x}")}
    clone.commit(files, branch="topic")
    _, made = plan("--base", "main")
    assert made.fail_on == "never"
    _, made = plan("--base", "main", "--fail-on", "warning", code=1)
    assert made.fail_on == "warning"


def test_without_a_base_the_whole_paper_is_looked_at(clone, plan):
    clone.commit({}, branch="topic")
    _, made = plan(code=1)
    assert made.target.base == ""
    assert all(noted.introduced for noted in made.findings)


def test_uncommitted_files_are_not_looked_at(clone, plan):
    clone.commit({}, branch="topic")
    (clone.folder / "main.tex").write_text("no paper at all")
    _, made = plan("--base", "main")
    assert len(made.findings) == 2


def test_outside_a_clone_it_is_said_what_to_do(tmp_path):
    done = CliRunner().invoke(cli, ["plan", str(tmp_path)])
    assert done.exit_code != 0
