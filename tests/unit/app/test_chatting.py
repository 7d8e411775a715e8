"""The parts of a review run: who is asked where, what is told first, and what is recorded."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
import pytest

from reviser.app import consent
from reviser.app.chatting import Chats, chat_judge, roles_of
from reviser.app.model_settings import ModelSettings, Own
from reviser.app.opening import Opened, open_paper
from reviser.app.settings import Settings
from reviser.asking import Answered, Unusable
from reviser.errors import SettingsError, UsageError
from reviser.roles import Question, Role
from reviser.verify.chat_entailment import Opinion
from tests.fakes.openai_server import Asked, OpenAIServer, Say, opinion

MAIN = "\\documentclass{article}\\begin{document}\nCats sleep in the day.\n\\end{document}\n"
FAR = "http://models.invalid/v1"


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("", "WRITER_", "EVALUATOR_"):
        monkeypatch.delenv(f"REVISER_{part}API_KEY", raising=False)
    for name in ("OPENAI_API_KEY", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def command() -> Iterator[None]:
    """A command at whose end connections are closed."""
    with click.Context(click.Command("test")):
        yield


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    (tmp_path / "main.tex").write_text(MAIN)
    return open_paper(Settings(path=tmp_path))


def settings(url: str, **more: object) -> ModelSettings:
    base = ModelSettings(
        model="small",
        base_url=url,
        temperature=0.0,
        reply_tokens=200,
        context=4096,
        timeout=5.0,
        parallel=2,
        price="1/2",
        max_cost=1.0,
        max_calls=100,
        max_total_tokens=1_000_000,
        max_minutes=5.0,
    )
    return replace(base, **more)  # type: ignore[arg-type]


@contextmanager
def server() -> Iterator[OpenAIServer]:
    def script(asked: Asked) -> Say:
        return Say(opinion(3), model=str(asked.body["model"]))

    with OpenAIServer(script) as serving:
        yield serving


def ask(role: Role, claim: str = "Cats sleep.") -> Answered[Opinion] | Unusable:
    return role.ask(Question("verify-support", {"work": "On cats.", "claim": claim}, Opinion))


def records(chats: Chats) -> list[tuple[str, int, float | None]]:
    return [(a.model.partition(" ")[0], a.requests, a.cost) for a in chats.asked()]


def test_helper_writer_and_evaluator_are_asked_as_each_was_set(opened: Opened) -> None:
    with server() as here, server() as there:
        chats = roles_of(
            opened,
            settings(
                here.base_url,
                own_writer=Own(model="big", temperature=0.7, reply_tokens=300, price="10/20"),
                own_evaluator=Own(model="judge", base_url=there.base_url),
            ),
            None,
        )
        roles = chats.roles
        assert roles.evaluator is not None
        for role in (roles.helper, roles.writer, roles.evaluator):
            assert isinstance(ask(role), Answered)
        helper, writer = here.asked
        (evaluator,) = there.asked
    assert [a.body["model"] for a in (helper, writer, evaluator)] == ["small", "big", "judge"]
    assert [a.body["temperature"] for a in (helper, writer)] == [0.0, 0.7]
    assert [a.body["max_tokens"] for a in (helper, writer)] == [200, 300]
    assert records(chats) == [
        ("small", 1, pytest.approx(140e-6)),
        ("big", 1, pytest.approx(1400e-6)),
        ("judge", 1, None),
    ]
    assert chats.entailment is None


def test_one_model_in_two_parts_is_one_record_and_one_connection(opened: Opened) -> None:
    with server() as here:
        chats = roles_of(opened, settings(here.base_url, own_writer=Own(temperature=1.0)), None)
        assert chats.roles.evaluator is None
        ask(chats.roles.helper)
        ask(chats.roles.writer)
        assert [asked.body["temperature"] for asked in here.asked] == [0.0, 1.0]
    assert chats.roles.helper.model is chats.roles.writer.model
    assert [(name, requests) for name, requests, _ in records(chats)] == [("small", 2)]


def test_the_limits_are_those_of_all_parts_together(opened: Opened) -> None:
    with server() as here:
        chats = roles_of(
            opened, settings(here.base_url, max_calls=1, own_writer=Own(model="big")), None
        )
        assert isinstance(ask(chats.roles.helper), Answered)
        refused = ask(chats.roles.writer)
        assert isinstance(refused, Unusable)
        assert "budget of 1 calls" in refused.why
        assert len(here.asked) == 1


def test_the_verifier_of_a_review_run_is_the_helper(opened: Opened) -> None:
    with server() as here:
        wanted = settings(here.base_url, own_writer=Own(model="big"))
        verifying = replace(opened, settings=replace(opened.settings, llm=wanted))
        chats = roles_of(verifying, wanted, None)
        assert chats.entailment is not None
        chats.entailment.judge([("On cats.", "Cats sleep.")])
        (asked,) = here.asked
    assert asked.body["model"] == "small"


def test_the_whole_run_is_estimated_before_the_first_question(
    opened: Opened, capsys: pytest.CaptureFixture[str]
) -> None:
    with server() as here:
        chats = roles_of(
            opened, settings(here.base_url, own_writer=Own(model="big")), None, rounds=3
        )
        assert capsys.readouterr().err == ""
        ask(chats.roles.helper)
        told = capsys.readouterr().err
        ask(chats.roles.writer)
        assert capsys.readouterr().err == "", "once is enough"
    assert "a review of 3 rounds" in told
    assert "big at 127.0.0.1" in told
    assert "small at 127.0.0.1" in told
    assert "$1.00" in told


def test_leave_for_citing_sentences_is_none_for_the_whole_paper(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = opened.project.root / ".reviser"
    folder.mkdir()
    kept = folder / "consent.json"
    for content in (
        {"schema": "reviser.consent/1", "hosts": ["models.invalid"]},
        {"schema": "reviser.consent/2", "hosts": {"models.invalid": ["citations"]}},
    ):
        kept.write_text(json.dumps(content))
        with pytest.raises(UsageError, match="nobody has allowed it"):
            ask(roles_of(opened, settings(FAR), None).roles.helper)
        assert "the whole text of the paper" in capsys.readouterr().err
    with server() as here:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{here.port}")
        judge = chat_judge(opened, settings(FAR), None)
        judge.entailment.judge([("On cats.", "Cats sleep.")])
        assert len(here.asked) == 1, "they may still be sent"
        kept.write_text(
            json.dumps({"schema": consent.SCHEMA, "hosts": {"models.invalid": ["paper"]}})
        )
        ask(roles_of(opened, settings(FAR), None).roles.helper, "Cats dream.")
        chat_judge(opened, settings(FAR), None).entailment.judge([("On cats.", "Cats run.")])
        assert len(here.asked) == 3, "the whole has its parts"


def test_one_question_covers_all_hosts_and_is_remembered_for_each(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(consent, "somebody_there", lambda: True)
    asked: list[str] = []
    monkeypatch.setattr("click.confirm", lambda text, **_: asked.append(text) is None)
    wanted = settings(FAR, own_writer=Own(base_url="http://writers.invalid/v1"))
    with server() as here:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{here.port}")
        chats = roles_of(opened, wanted, None)
        ask(chats.roles.writer)
        ask(chats.roles.helper)
    assert asked == ["Send it?"]
    assert "to models.invalid and writers.invalid" in capsys.readouterr().err
    kept = json.loads((opened.project.root / consent.FILE).read_text())
    assert kept["hosts"] == {"models.invalid": ["paper"], "writers.invalid": ["paper"]}


def test_a_no_is_final_for_the_run(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consent, "somebody_there", lambda: True)
    asked: list[str] = []
    monkeypatch.setattr("click.confirm", lambda text, **_: asked.append(text))
    chats = roles_of(opened, settings(FAR), None)
    for _ in range(2):
        with pytest.raises(UsageError, match="nothing was sent"):
            ask(chats.roles.helper)
    assert len(asked) == 1


def test_an_unchanged_second_run_asks_nothing(opened: Opened) -> None:
    with server() as here:
        wanted = settings(here.base_url, own_writer=Own(model="big"))
        chats = roles_of(opened, wanted, None)
        for _ in range(2):
            ask(chats.roles.helper)
            ask(chats.roles.writer)
        assert len(here.asked) == 2
    assert [(a.requests, a.taped) for a in chats.asked()] == [(1, 1), (1, 1)]


def test_prompts_of_ones_own_are_read_at_once(opened: Opened, tmp_path: Path) -> None:
    folder = tmp_path / "own" / "prompts"
    folder.mkdir(parents=True)
    (folder / "verify-suport.md").write_text("")
    with pytest.raises(SettingsError, match="verify-suport"):
        roles_of(opened, settings(FAR, templates=str(folder.parent)), None)
