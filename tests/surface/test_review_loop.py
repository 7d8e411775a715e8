"""`improve --review` from the command line to a server on loopback, on the bundled paper: review,
points, revise or rebut, gated edits, a second round, record, and every byte back.

The server says what `reviser demo --scripted` says; here it is asked over HTTP by the real client.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from reviser.adapters.files import Folder
from reviser.app.cli import cli
from reviser.app.scripted import CannedReplies, script
from reviser.manuscript.load import Reading
from reviser.pipeline import advising
from tests.fakes.openai_server import Answer, Asked, Fail, OpenAIServer, Say

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
SCHEMA = json.loads((TEMPLATES / "schemas" / "improve.schema.json").read_text())
PROMPTS = {
    file.read_text().split("+++", 2)[2].split("<!-- data -->")[0].strip(): file.stem
    for file in (TEMPLATES / "prompts").glob("*.md")
}


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "REVISER_YES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REVISER_API_KEY", "none")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    shutil.copytree(TEMPLATES / "demo", folder)
    (folder / "reviser.toml").touch()
    return folder


@pytest.fixture(scope="module")
def canned() -> CannedReplies:
    paper = Reading(Folder(TEMPLATES / "demo")).manuscript
    return CannedReplies(script(), paper, lambda: None)


@contextmanager
def serving(canned: CannedReplies, **other: Answer) -> Iterator[OpenAIServer]:
    """A server of canned replies; to prompts named in `other` it says that."""

    def say(asked: Asked) -> Answer:
        prompt = PROMPTS[asked.system]
        fixed = other.get(prompt.replace("-", "_"))
        return fixed or Say(canned.reply(prompt, asked.user))

    with OpenAIServer(say) as server:
        yield server


def improve(paper: Path, server: OpenAIServer, *options: str) -> Result:
    arguments = ["--review", "--model", "tiny", "--base-url", server.base_url, "--yes"]
    arguments += ["--context", "32000", "--price", "1/1", *options]
    return CliRunner().invoke(cli, ["improve", str(paper), *arguments])


def as_json(result: Result) -> dict:
    assert result.exit_code in {0, 1, 130}, result.output
    data = json.loads(result.stdout)
    Draft202012Validator(SCHEMA).validate(data)
    return data


def fates(data: dict) -> dict[str, str]:
    return {
        point["message"].split()[0]: point["fate"]
        for one in data["advice"]["rounds"]
        for point in one["points"]
        if point["rule"].startswith("review-")
    }


def files(paper: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(paper)): path.read_bytes()
        for path in sorted(paper.rglob("*"))
        if path.is_file() and ".reviser" not in path.parts
    }


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_a_paper_goes_through_two_rounds_and_every_byte_comes_back(
    paper: Path, canned: CannedReplies
) -> None:
    before = files(paper)
    with serving(canned) as server:
        data = as_json(improve(paper, server, "--format", "json"))
        asked = len(server.asked)
        after = files(paper)
        undone = run("undo", paper)
        assert undone.exit_code == 0, undone.output
        assert files(paper) == before
        again = as_json(improve(paper, server, "--format", "json"))
        assert len(server.asked) == asked, "an unchanged rerun is answered by the tape"
    expected = {
        "Draw": "revised",
        "Say": "revised",
        "Compare": "refused",
        "Resources": "rebutted",
        "Report": "for the authors",
    }
    assert fates(data) == fates(again) == expected
    assert files(paper) == after
    assert [one["number"] for one in data["advice"]["rounds"]] == [1, 2]
    text = after["sections/generation.tex"].decode()
    assert r"adapts to a new domain~\citep{khandelwal2020knnlm}." in text
    made = {e["id"]: e for e in data["edits"] if e["purpose"] == "reviewer point"}
    for one in data["advice"]["rounds"]:
        for point in one["points"]:
            if point["certificate"] is not None:
                assert point["id"] in made[point["certificate"]["edit"]]["answers"]
    assert data["advice"]["judge"]["sound"] is True
    assert data["models"][0]["requests"] == asked
    assert again["models"][0]["requests"] == 0
    open_ones = {f["rule"] for f in data["findings"] if f["rule"].startswith("review-")}
    assert "review-coverage" not in open_ones, "what was rebutted is not open"
    assert "review-critical-analysis" in open_ones
    for finding in data["findings"]:
        if finding["rule"].startswith("review-"):
            source = after[finding["path"]].decode()
            assert source[finding["start"] : finding["stop"]] == finding["quote"]
    refused(paper, data)


def refused(paper: Path, data: dict) -> None:
    """What `explain` tells of an edit that the gate refused, by four characters of its point."""
    point = next(
        p for p in data["advice"]["rounds"][0]["points"] if p["message"].startswith("Compare")
    )
    told = run("explain", point["id"][:4], paper)
    assert told.exit_code == 0, told.output
    assert "invariants accepted" in told.output
    assert "evidence   rejected: its section does not bear out" in told.output
    assert "The published rule" in told.output
    assert run("explain", "xyzw", paper).exit_code == 2
    assert run("explain", "abc", paper).exit_code == 2


def test_a_reviewer_who_says_nothing_changes_nothing(paper: Path, canned: CannedReplies) -> None:
    before = files(paper)
    with serving(canned, review_paper=Say("I like it.")) as server:
        result = improve(paper, server, "--no-verify", "--rule", "review-structure")
    assert "There is no review that could be used." in result.output
    assert "Asked in vain" in result.output
    assert files(paper) == before


def test_an_endpoint_that_refuses_everybody_is_an_error_and_nothing_is_written(
    paper: Path, canned: CannedReplies
) -> None:
    before = files(paper)
    with serving(canned, review_paper=Fail(401, "no such key")) as server:
        result = improve(paper, server)
    assert result.exit_code not in {0, 1}
    assert files(paper) == before


def test_ctrl_c_keeps_what_was_accepted(
    paper: Path, canned: CannedReplies, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = advising.propose, iter(range(9))

    def interrupted(*given: object) -> object:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(advising, "propose", interrupted)
    before = files(paper)
    with serving(canned) as server:
        result = improve(paper, server, "--batch", "1", "--no-verify", "--format", "json")
    assert result.exit_code == 130, result.output
    data = as_json(result)
    assert data["advice"]["ended"] == "interrupted"
    assert list(fates(data).values()).count("revised") == 1
    assert files(paper) != before
    assert run("undo", paper).exit_code == 0
    assert files(paper) == before


def test_a_budget_that_ends_keeps_what_was_accepted(paper: Path, canned: CannedReplies) -> None:
    with serving(canned) as server:
        result = improve(paper, server, "--max-calls", "3", "--format", "json")
    data = as_json(result)
    assert data["advice"]["ended"] == "the budget of 3 calls was used up"
    assert len(server.asked) == 3
    assert "revised" not in fates(data).values()
