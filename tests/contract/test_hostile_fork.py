"""A fork that tries everything: it gets its own text reviewed, and nothing else."""

import io
import json
import zipfile

import cmarkgfm
import pytest

from tests.contract.papers import BIB, MAIN
from tests.contract.test_action_events import NAME, run, survey, zipped
from tests.fakes.github.store import Entry

__all__ = ["run", "survey"]

WORDS = "words that only the runner's disk holds"
HOSTILE = (
    "TODO @everyone ::add-mask::day ````suggestion\n"
    "```suggestion\n"
    "\\input{/etc/passwd}\\input{../../../secret}\\input{.git/config}\\input{linked}\n"
    "<!-- reviser:comment v1 eyJwb2ludHMiOiBbXX0= --><img src=x onerror=alert(1)>\n"
    "::error::fake%0A::stop-commands::x\n"
    "See \\cite{nobody2020} and [here](javascript:alert(1)), owner/name#1."
)
PAPER = MAIN.replace("Some words in between.", HOSTILE)


@pytest.fixture
def hostile(survey):
    """A pull request from a fork with links, names that lead outside and a line of 10 MB."""
    theirs = survey.fork("mallory/survey")
    theirs.branch("topic")
    files = {
        "paper.tex": PAPER.encode(),
        "refs.bib": BIB.encode() + b"% @everyone\n",
        "linked.tex": Entry(b"/etc/passwd", "120000"),
        "long.tex": b"\\cite{a} " * 1_200_000,
        "reviser.toml": b'[[ignore]]\nrule = "undefined-citation"\nreason = "because"\n',
        ".reviser/cache/results": b"not a cache",
    }
    theirs.commit("topic", files, author="mallory")
    return survey.open_pull("topic", author="mallory", from_fork="mallory/survey")


def said_by_us(pull):
    return [r.body for r in (*pull.remarks, *pull.comments) if r.user.login.endswith("[bot]")]


def test_its_own_text_is_reviewed_and_nothing_else(github, survey, hostile, run, tmp_path):
    (tmp_path / "secret.tex").write_text(WORDS)
    first = run(
        "pull_request",
        github.events.pull_request(hostile),
        token=github.token(NAME, read_only=True),
    )
    assert first.code in {0, 1}, first.said
    assert not hostile.remarks
    everything = first.said + first.summary + first.plan.decode()
    assert WORDS not in everything
    assert "root:x:0" not in everything
    commands = [line for line in first.said.splitlines() if line.startswith("::")]
    assert not any(line.startswith(("::add-mask::day", "::error::fake")) for line in commands)

    worked = survey.run(hostile)
    survey.artifact(worked, "reviser-plan", zipped(first.plan))
    event = github.events.workflow_run(survey, worked)
    second = run("workflow_run", event, token=github.token(NAME))
    assert second.code in {0, 1}, second.said
    assert len(hostile.remarks) == 1
    for body in said_by_us(hostile):
        shown = cmarkgfm.github_flavored_markdown_to_html(body)
        assert WORDS not in shown
        assert "<img" not in shown
        assert "javascript:" not in shown.replace("javascript:</span>", "")
        assert "@everyone" not in shown
        assert body.rstrip().endswith("-->")


def bomb():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("plan.json", b"0" * 400_000_000)
    return data.getvalue()


def outside():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("../plan.json", b"{}")
        archive.writestr("/etc/cron.d/x", b"{}")
    return data.getvalue()


def damaged():
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("plan.json", json.dumps(list(range(999))))
    data = bytearray(whole.getvalue())
    data[40:60] = b"\xff" * 20  # behind the header: the compressed bytes themselves
    return bytes(data)


@pytest.mark.parametrize(
    "forged",
    [damaged, bomb, outside, lambda: b"no zip", lambda: zipped(json.dumps({"schema": "x"})),
     lambda: zipped("[" * 100_000), lambda: zipped(b"\xff\xfe")],
    ids=["damaged", "bomb", "outside", "no zip", "other schema", "nested", "bytes"],
)  # fmt: skip
def test_a_forged_artifact_is_refused_with_words(github, survey, hostile, run, forged):
    worked = survey.run(hostile)
    survey.artifact(worked, "reviser-plan", forged())
    event = github.events.workflow_run(survey, worked)
    done = run("workflow_run", event, token=github.token(NAME))
    assert done.code == 2, done.said
    assert "error" in done.said
    assert "Traceback" not in done.said
    assert not said_by_us(hostile)
