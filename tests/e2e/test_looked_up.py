"""Pull requests on a paper without abstracts: literature services on loopback, a lockfile at the
merge base, and another one, forged, at the head."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from reviser.app.pull.locked import SUPPLIED
from reviser.deliver.opinions import NONE_CALLED, NONE_WROTE
from reviser.verify.lock import VerdictLine, read, write
from reviser.verify.model import Label
from tests.e2e.act import Job
from tests.e2e.papers import bare, library, mended
from tests.e2e.scene import FAULTY, Scene, ours, summaries
from tests.fakes.github.model import Pull
from tests.fakes.scholar.server import Scholar, Trouble, scholar
from tests.fakes.scholar.works import SERVICES

SECRETS = {"OPENALEX_API_KEY": "oa-open-sesame", "SEMANTIC_SCHOLAR_API_KEY": "s2-open-sesame"}
MAIL = "boss@lab.example"
INPUTS = {
    "lookup": "all",
    "openalex-api-key": "${{ secrets.OPENALEX_API_KEY }}",
    "semantic-scholar-api-key": "${{ secrets.SEMANTIC_SCHOLAR_API_KEY }}",
    "mailto": MAIL,
}
PATHS = ("sections/retrieval.tex", "sections/practice.tex")
KNOWN = "kaplan2020scaling"


@pytest.fixture
def services() -> Iterator[Scholar]:
    """All four, with every work of the survey."""
    with scholar(*library()) as site:
        yield site


@pytest.fixture
def locked(scene: Scene, services: Scholar, tmp_path: Path) -> bytes:
    """The lockfile of the survey without abstracts, which stands on `main` beside it."""
    known = _lock(tmp_path / "known", bare(mended()), services.environment)
    scene.paper.commit("main", {**bare(mended()), "reviser.lock": known}, "Bare", author="boss")
    services.requests.clear()
    return known


def _lock(folder: Path, files: Mapping[str, bytes], environment: Mapping[str, str]) -> bytes:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    done = CliRunner().invoke(
        cli, ["lock", str(folder), "--update", "--lookup", "all"], env=dict(environment)
    )
    assert done.exit_code == 0, done.output
    return (folder / "reviser.lock").read_bytes()


def _forged(known: bytes, more: bytes) -> bytes:
    """A lockfile that praises what the change adds, and accuses what was there before."""
    old = {line.id: line for line in read(known).verdicts}
    return write([*read(more).works, *(_turned(line, old) for line in read(more).verdicts)])


def _turned(line: VerdictLine, old: Mapping[tuple[str, ...], VerdictLine]) -> VerdictLine:
    if line.id not in old:
        return line.model_copy(update={"label": Label.SUPPORTED, "why": "Trust me"})
    if line.key == KNOWN:
        return line.model_copy(update={"label": Label.OFF_TOPIC, "why": "Trust me"})
    return line


@pytest.fixture
def forged(services: Scholar, locked: bytes, tmp_path: Path) -> bytes:
    """What the author of the pull request says the verdicts are."""
    more = _lock(tmp_path / "more", bare(mended(*FAULTY)), services.environment)
    services.requests.clear()
    return _forged(locked, more)


def _pull(scene: Scene, lock: bytes, *, fork: str = "") -> Pull:
    where = scene.paper.fork(fork) if fork else scene.paper
    author = fork.partition("/")[0] or "author"
    where.branch("draft")
    files = {**bare(mended(*FAULTY)), "reviser.lock": lock}
    where.commit("draft", files, "A new draft", author=author)
    return scene.paper.open_pull("draft", author=author, from_fork=fork)


def _told(scene: Scene, pull: Pull, *jobs: Job) -> str:
    """Everything that anybody can read afterwards."""
    kept = [scene.runner.artifacts, scene.runner.folder / "cache"]
    files = [path for folder in kept for path in folder.rglob("*") if path.is_file()]
    assert any(path.name == "answers" for path in files)
    return "\n".join([
        *(path.read_bytes().decode("utf-8", "replace") for path in files),
        *(job.log + job.summary + str(dict(job.outputs)) for job in jobs),
        *(posted.body for posted in (*ours(pull), *summaries(pull))),
    ])  # fmt: skip


def test_new_citations_are_looked_up_and_forged_verdicts_are_not_believed(
    scene: Scene, services: Scholar, forged: bytes
) -> None:
    services.keys = {
        "openalex": SECRETS["OPENALEX_API_KEY"],
        "semantic-scholar": SECRETS["SEMANTIC_SCHOLAR_API_KEY"],
    }
    pull = _pull(scene, forged)
    first = scene.review(
        pull, inputs=INPUTS, environment=services.environment, secrets=SECRETS
    )  # fmt: skip
    assert first.code == 0, first.log
    # Three works of other fields, though the lockfile of the change calls them supported.
    assert len(ours(pull)) == len(FAULTY)
    assert all("citation-off-topic" in posted.body for posted in ours(pull))
    assert any("abstract of he2016resnet, OpenAlex" in posted.body for posted in ours(pull))
    [summary] = summaries(pull)
    assert KNOWN not in "".join(posted.body for posted in ours(pull))
    assert "Trust me" not in summary.body
    assert f"verdict `{KNOWN}`" in summary.body.partition("Author-supplied")[2]
    assert "Evidence: 66 of 66 cited works have text" in summary.body
    # What is said of who was told what.
    assert NONE_CALLED not in summary.body
    assert NONE_WROTE in summary.body
    assert "looked up in OpenAlex, Semantic Scholar, Crossref, arXiv" in summary.body
    assert services.asked.keys() == set(SERVICES)
    assert services.asked.total() <= 25

    services.requests.clear()
    second = scene.review(
        pull, "synchronize", inputs=INPUTS, environment=services.environment, secrets=SECRETS
    )
    assert second.code == 0, second.log
    assert not services.requests
    assert len(ours(pull)) == len(FAULTY)
    told = _told(scene, pull, first, second)
    assert not [secret for secret in (*SECRETS.values(), MAIL) if secret in told]


def test_nothing_is_asked_where_the_merge_base_knows_all(
    scene: Scene, services: Scholar, locked: bytes
) -> None:
    scene.paper.branch("draft")
    path = "sections/conclusion.tex"
    text = bare(mended())[path] + b"\nWe thank everybody who read a draft of this survey.\n"
    scene.paper.commit("draft", {path: text}, "Thanks", author="author")
    pull = scene.paper.open_pull("draft", author="author")
    job = scene.review(pull, inputs=INPUTS, environment=services.environment, secrets=SECRETS)
    assert job.code == 0, job.log
    assert job.outputs["conclusion"] == "success"
    assert not services.requests
    assert "checked 76 of 86 citations" in summaries(pull)[0].body


def test_services_that_are_down_accuse_nobody(
    scene: Scene, services: Scholar, forged: bytes
) -> None:
    for service in SERVICES:
        services.trouble(service, Trouble.REFUSED)
    pull = _pull(scene, forged)
    job = scene.review(pull, inputs=INPUTS, environment=services.environment, secrets=SECRETS)
    assert job.code == 0, job.log
    assert job.outputs["conclusion"] == "neutral"
    assert job.outputs["findings"] == "0"
    assert not ours(pull)
    [summary] = summaries(pull)
    assert "OpenAlex, Semantic Scholar, Crossref and arXiv unreachable" in summary.body
    # The base's verdicts hold; what only the change's lockfile knows is told as its author's.
    assert "checked 74 of 87 citations" in summary.body
    assert f"{SUPPLIED} (3)" in summary.body
    assert "Trust me" not in summary.body


def test_a_fork_without_secrets_is_looked_up_and_delivered(
    scene: Scene, services: Scholar, forged: bytes
) -> None:
    pull = _pull(scene, forged, fork="stranger/survey")
    first = scene.review(pull, read_only=True, inputs=INPUTS, environment=services.environment)
    assert first.code == 0, first.log
    assert services.requests
    assert not any("x-api-key" in map(str.lower, r.headers) for r in services.requests)
    assert not any("api_key" in r.query for r in services.requests)
    assert first.summary.count("citation-off-topic") >= len(FAULTY)
    run = scene.paper.run(pull)
    scene.paper.artifact(run, "reviser-plan", scene.artifact())
    second = scene.delivered(run)
    assert second.code == 0, second.log
    assert len(ours(pull)) == len(FAULTY)
    scene.paper.apply_suggestions(ours(pull), by="stranger")
    fork = scene.github.repository("stranger/survey")
    for path in PATHS:
        assert fork.read("draft", path) == mended()[path]
