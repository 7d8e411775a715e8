"""A paper without abstracts, four services and a chat model on loopback; then the lock alone."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reviser.adapters.embedding import MiniLM
from reviser.app.cli import cli
from tests.fakes.openai_server import Answer, Asked, OpenAIServer, Say, opinion
from tests.fakes.scholar.server import SERVICES, Scholar, Trouble, scholar
from tests.fakes.scholar.works import Work

TOPICS = {
    "cats": "Cats sleep purring on warm windowsills and hunt mice at dusk in gardens",
    "glaciers": "Glaciers carve deep valleys while ice flows slowly from alpine snow basins",
    "violins": "Violins resonate through spruce plates and bowed strings with bright overtones",
    "enzymes": "Enzymes catalyse reactions by binding substrates tightly inside folded pockets",
    "bridges": "Suspension bridges carry traffic by steel cables anchored behind tall towers",
    "markets": "Markets clear when prices move until supply meets demand among many traders",
    "volcanoes": "Volcanoes erupt molten basalt after pressure builds in shallow magma chambers",
    "bees": "Honeybees dance inside dark hives and tell foragers where nectar blossoms grow",
}
# Nearer to the bridges than to the cats that it cites, and borne out by neither.
WRONG = (
    "Suspension bridges over salt marshes rust where steel cables are anchored in brackish creeks"
)
MARSH = Work(
    "Marshes below bridges",
    ("Fay Fen",),
    2011,
    "Shores",
    doi="10.5555/marsh",
    abstract=f"{WRONG}. Nobody had measured that before.",
)
WORKS = [
    Work(
        f"A study of {key}",
        ("Ann Author",),
        2001,
        "Studies",
        doi=f"10.5555/{key}",
        abstract=f"{words}. Nobody had measured that before.",
    )
    for key, words in TOPICS.items()
]


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    body = "\n\n".join(f"{words}~\\citep{{{key}}}." for key, words in TOPICS.items())
    (folder / "main.tex").write_text(
        "\\documentclass{article}\n\\usepackage{natbib}\n\\begin{document}\n"
        f"{body}\n\n{WRONG}~\\citep{{cats}}.\n\\bibliographystyle{{plainnat}}\n"
        "\\bibliography{refs}\n\\end{document}\n"
    )
    (folder / "refs.bib").write_text(
        "".join(
            f"@article{{{key},\n  author = {{Ann Author}},\n  title = {{A study of {key}}},\n"
            f"  journal = {{Studies}},\n  year = {{2001}},\n  doi = {{10.5555/{key}}},\n}}\n\n"
            for key in TOPICS
        )
    )
    return folder


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch):
    for name in ("REVISER_API_KEY", "OPENAI_API_KEY", "REVISER_YES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with scholar(*WORKS, MARSH) as made:
        made.reviser(monkeypatch)
        yield made


def honest(asked: Asked) -> Answer:
    claim, work = asked.fenced("claim"), asked.fenced("work")
    words = " ".join(re.sub(r"\[1\]|\.", "", claim).split())
    return Say(opinion(5, words)) if words in work else Say(opinion(3))


def improve(paper: Path, *options: str) -> Result:
    result = CliRunner().invoke(cli, ["improve", str(paper), "--format", "json", *options])
    assert result.exit_code in {0, 1}, result.output
    return result


def told(result: Result) -> dict[str, object]:
    """The report without what tells who was asked just now, and where the verdicts are from."""
    data = json.loads(result.stdout)
    return {name: value for name, value in data.items() if name not in {"recalled", "asked"}}


def files(folder: Path) -> dict[str, bytes]:
    names = ("main.tex", "refs.bib", "reviser.lock")
    return {name: (folder / name).read_bytes() for name in names}


def test_the_lock_alone_gives_the_identical_result(
    paper: Path, site: Scholar, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    twin, third = tmp_path / "twin", tmp_path / "third"
    shutil.copytree(paper, twin)
    shutil.copytree(paper, third)
    with OpenAIServer(honest) as server:
        model = ("--verifier", "llm", "--model", "gpt-4o-mini", "--base-url", server.base_url)
        first = improve(paper, *model)
        asked = len(server.asked)
    assert asked
    assert sum(site.asked.values())
    done = files(paper)
    labels = {
        v["key"]: v["label"] for c in json.loads(first.stdout)["claims"] for v in c["verdicts"]
    }
    assert set(labels.values()) == {"supported"}, labels
    assert len(labels) == len(TOPICS) + 1
    assert b"doi:10.5555/marsh" in first.stdout_bytes
    assert b"Marshes below bridges" in done["refs.bib"]

    def refuse(self: MiniLM, rows: object, columns: object) -> None:
        raise AssertionError("something was compared")

    monkeypatch.setattr(MiniLM, "similarities", refuse)
    before = site.asked
    # May look up, and need not; the model is not even named.
    shutil.copy(paper / "reviser.lock", twin)
    second = improve(twin)
    assert site.asked == before
    assert files(twin) == done
    assert told(second) == told(first)
    # Offline, everything kept of earlier runs gone.
    for name in SERVICES:
        site.trouble(name, Trouble.REFUSED)
    shutil.copy(paper / "reviser.lock", third)
    alone = improve(third, "--lookup", "off")
    assert files(third) == done
    assert told(alone) == told(first)
    assert json.loads(alone.stdout)["recalled"] == len(TOPICS) + 2
    # The improved paper is as settled.
    shutil.rmtree(paper / ".reviser")
    again = improve(paper, "--lookup", "off")
    assert files(paper) == done
    assert json.loads(again.stdout)["edits"] == []
    assert json.loads(again.stdout)["claims"] == json.loads(first.stdout)["claims"]


def test_lock_update_asks_the_services_and_check_asks_nobody(paper: Path, site: Scholar) -> None:
    def lock(*options: str) -> Result:
        return CliRunner().invoke(cli, ["lock", str(paper), *options])

    assert lock("--check").exit_code == 1
    assert not site.asked
    assert lock("--update").exit_code == 0
    assert sum(site.asked.values())
    asked = site.asked
    assert lock("--check").exit_code == 0
    assert lock("--update").exit_code == 0
    assert site.asked == asked
