"""`reviser review` from the command line to a server on loopback, through the real client."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cmarkgfm
import pytest
from click.testing import CliRunner, Result
from jsonschema import validate

from reviser.app.cli import cli
from reviser.latex.orders import gives_orders
from reviser.review.model import Dimension
from reviser.text.visible import visible
from tests.attacks import ATTACKS
from tests.fakes.canned import prompt_of
from tests.fakes.openai_server import Answer, Asked, Fail, OpenAIServer, Say

SCHEMAS = Path(__file__).resolve().parents[2] / "templates" / "schemas"
MAIN = r"""\documentclass{article}
\title{A survey of pumps}
\begin{document}
\maketitle
\begin{abstract}
We survey how pumps in houses are controlled, and what it costs to control them badly.
\end{abstract}
\section{Introduction}
Pumps move water in every house \citep{miller2001}. Valves waste energy \citep{ito2010}.
Drives have become cheap, and they are sold in every shop. TODO: say where.

\section{Results}
Drives lose less than valves in all but two of the rigs. The drives were new.
As Table~\ref{tab:none} shows, each was tried once.

% reviser: ignore[review-structure] the order is that of the standard
The appendix tells how the rigs were built, and who paid for them.
\bibliography{refs}
\end{document}
"""
BIB = """@article{miller2001, author = {Ann Miller}, title = {Pumps in houses}, year = 2001,
  journal = {Pumps}, abstract = {Pumps move water in houses. We counted them in forty towns.}}
@article{ito2010, author = {Ken Ito}, title = {Losses in throttled pumps}, year = 2010,
  journal = {Pumps}, abstract = {Valves turn the surplus head of a pump into heat.}}
@misc{unused, title = {Nobody cites this}, year = 2020}
"""
VALVES = "Valves waste energy"
RIGS = "Drives lose less than valves in all but two of the rigs."
APPENDIX = "The appendix tells how the rigs were built"

REVIEW: dict[str, Any] = {
    "summary": "The paper surveys how pumps are controlled, and what that costs.",
    "strengths": [{"text": "It is short and to the point.", "quote": ""}],
    "weaknesses": [
        {"text": "It does not say how much energy is wasted.", "quote": VALVES},
        {"text": "The order of the sections is not explained.", "quote": ""},
        {"text": "It never mentions the noise that pumps make.", "quote": ""},
    ],
    "questions": ["In which two rigs did the drives lose?"],
    "soundness": {"why": "few trials", "score": 2.5},
    "presentation": {"why": "plain words", "score": 3},
    "contribution": {"why": "nothing <b>new</b>", "score": 2},
    "rating": 5,
    "confidence": 3,
}
GRADE = {"reason": "It could go deeper.", "plan": "Compare the rigs.", "score": 3}
CARD = {d.value.replace(" ", "_"): GRADE for d in Dimension}
POINTS = {
    "points": [
        {
            "of": "W1",
            "quote": VALVES,
            "message": "Say how much energy the valves waste.",
            "dimension": "critical analysis",
            "severity": "warning",
            "action": "rewrite sentence",
            "needs": "a figure out of ito2010",
        },
        {
            "of": "Q1",
            "quote": RIGS,
            "message": "Name the two rigs.",
            "dimension": "coverage",
            "severity": "note",
            "action": "enhance paragraph",
            "needs": "",
        },
        {
            "of": "W2",
            "quote": APPENDIX,
            "message": "Say why the appendix comes last.",
            "dimension": "structure",
            "severity": "note",
            "action": "rewrite sentence",
            "needs": "",
        },
    ]
}


def decisions(asked: Asked) -> dict[str, Any]:
    """Revise what is about energy, rebut the rest."""
    rows = []
    for number, line in enumerate(asked.fenced("points").split("[P")[1:], 1):
        revise = "energy" in line
        rows.append(
            {
                "point": f"P{number}",
                "choice": "revise" if revise else "rebut",
                "why": "It would help." if revise else "The two are named in the appendix.",
                "instruction": "Give the figure." if revise else "",
                "rebuttal": "" if revise else "We name both in the appendix.",
            }
        )
    return {"decisions": rows}


FORMS = {
    "review-paper": "WrittenReview",
    "grade-paper": "Graded",
    "decompose-review": "PointsSaid",
    "decide-points": "DecisionsSaid",
}


def form(asked: Asked) -> str:
    """The class of the reply that is asked for."""
    return FORMS[prompt_of(asked)]


def honest(asked: Asked) -> Answer:
    said: Any = {
        "WrittenReview": REVIEW,
        "Graded": CARD,
        "PointsSaid": POINTS,
        "DecisionsSaid": None,
    }[form(asked)]
    return Say(json.dumps(decisions(asked) if said is None else said))


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("REVISER_API_KEY", "OPENAI_API_KEY", "REVISER_YES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "refs.bib").write_text(BIB)
    return folder


@contextmanager
def serving(script: Callable[[Asked], Answer]) -> Iterator[OpenAIServer]:
    with OpenAIServer(script) as server:
        yield server


def run(paper: Path, *options: str, script: Callable[[Asked], Answer] = honest) -> Result:
    with serving(script) as server:
        arguments = ["--model", "gpt-4o-mini", "--base-url", server.base_url, "--language", "en"]
        return CliRunner().invoke(cli, ["review", str(paper), *arguments, *options])


def data(result: Result) -> Any:
    assert result.exit_code in {0, 3}, result.output
    found = json.loads(result.stdout)
    validate(found, json.loads((SCHEMAS / "review.schema.json").read_text()))
    return found


def test_everything_stands_in_the_json(paper: Path) -> None:
    found = data(run(paper, "--format", "json"))
    said = found["review"]
    assert said["model"].startswith("gpt-4o-mini at 127.0.0.1:")
    assert (said["rating"], said["confidence"]) == (5, 3)
    assert said["soundness"] == {"score": 2.5, "why": "few trials"}
    assert [g["score"] for g in said["scorecard"]] == [3] * 5
    assert said["criteria"]
    points = {p["message"]: p for p in found["points"]}
    figure = points["Say how much energy the valves waste."]
    assert (figure["course"], figure["instruction"]) == ("revise", "Give the figure.")
    assert (figure["remedy"], figure["action"]) == ("tool", "rewrite sentence")
    assert (figure["rule"], figure["severity"]) == ("review-critical-analysis", "warning")
    assert (figure["line"], figure["section"]) == (9, "Introduction")
    assert MAIN[figure["start"] : figure["stop"]] == figure["quote"] == VALVES
    rigs = points["Name the two rigs."]
    assert (rigs["course"], rigs["rebuttal"]) == ("rebut", "We name both in the appendix.")
    assert rigs["why"] == "The two are named in the appendix."
    # What the rules find stands in the same list, and is for the authors.
    by_rule = {p["rule"]: p for p in found["points"]}
    assert by_rule["undefined-reference"]["course"] == "the author's"
    assert by_rule["todo-in-prose"]["remedy"] == "author"
    assert found["findings_elsewhere"] >= 1  # the entry that nothing cites
    # The comment in the paper silences one.
    assert found["points_silenced"] == 1
    assert all("appendix comes last" not in p["message"] for p in found["points"])
    assert any("noise" in line and "tied to no words" in line for line in found["unusable"])
    assert [row["requests"] for row in found["asked"]] == [4]
    ranks = [("error", "warning", "note").index(p["severity"]) for p in found["points"]]
    assert ranks == sorted(ranks)


def test_the_same_review_again_costs_nothing(paper: Path) -> None:
    with serving(honest) as server:
        options = ["--model", "m", "--base-url", server.base_url, "--language", "en"]
        first, second = (
            CliRunner().invoke(cli, ["review", str(paper), *options, "--format", "json"])
            for _ in range(2)
        )
        assert len(server.asked) == 4
    assert data(first)["points"] == data(second)["points"]
    (spent,) = data(second)["asked"]
    assert (spent["requests"], spent["taped"]) == (0, 4)
    assert (paper / "main.tex").read_text() == MAIN


def test_as_text(paper: Path) -> None:
    result = run(paper, "-v")
    assert result.exit_code == 0
    said = result.stdout
    for words in (
        "Review of ",
        "The paper surveys how pumps are controlled",
        "rating 5 of 10, confidence 3 of 5",
        "soundness 2.5 of 4: few trials",
        "critical analysis 3.0: It could go deeper.",
        "To do better: Compare the rigs.",
        "main.tex:9:",
        "warning review-critical-analysis ",
        "Revise: It would help. To do: Give the figure.",
        "Rebut: The two are named in the appendix. Answer: We name both in the appendix.",
        "For you to decide.",
        "it takes: a figure out of ito2010",
        "Criteria followed",
        "Not shown to the model",
        "What came to nothing",
        "1 point of the review left out",
        "see 'reviser check'",
        "Asked gpt-4o-mini at 127.0.0.1:",
    ):
        assert words in said, words
    assert "-v tells them in full" not in said
    assert "-v tells them in full" in run(paper).stdout


def test_as_markdown(paper: Path, tmp_path: Path) -> None:
    file = tmp_path / "review.md"
    result = run(paper, "--format", "markdown", "--output", str(file))
    assert result.exit_code == 0
    html = cmarkgfm.github_flavored_markdown_to_html(file.read_text())
    assert "<h2>Points (" in html
    assert "nothing &lt;b&gt;new&lt;/b&gt;" in html
    assert html.count("<table>") == 2
    assert "<ol>" in html
    assert "We name both in the appendix." in html


def test_without_a_review_there_is_the_list_of_findings_and_exit_code_3(paper: Path) -> None:
    def mute(asked: Asked) -> Answer:
        return Say("I would rather not.")

    result = run(paper, "--format", "json", script=mute)
    assert result.exit_code == 3
    found = data(result)
    assert found["review"] is None
    assert any("the review:" in line for line in found["unusable"])
    assert {p["rule"] for p in found["points"]} >= {"undefined-reference", "todo-in-prose"}
    assert "No review of " in run(paper, script=mute).stdout
    assert run(paper, "--format", "markdown", script=mute).stdout.startswith("# No review of ")


def test_an_endpoint_that_answers_nobody_is_an_error_with_a_hint(paper: Path) -> None:
    result = run(paper, script=lambda _: Fail(401, "no such key"))
    assert result.exit_code == 2
    assert "reviser:" in result.stderr or "error" in result.stderr.lower()


def test_without_a_model_it_says_how_to_name_one(paper: Path) -> None:
    result = CliRunner().invoke(cli, ["review", str(paper)])
    assert result.exit_code == 2
    assert "--model" in result.stderr
    assert "localhost:11434" in result.stderr


def test_parts_that_cannot_be_used_are_told_and_left_out(paper: Path) -> None:
    def half(asked: Asked) -> Answer:
        return honest(asked) if form(asked) == "WrittenReview" else Say("no")

    found = data(run(paper, "--format", "json", script=half))
    assert found["review"]["scorecard"] is None
    assert any(line.startswith("the scorecard: ") for line in found["unusable"])
    assert any(line.startswith("points in main.tex:") for line in found["unusable"])
    assert all(not p["rule"].startswith("review-") for p in found["points"])


def test_no_imitation_follows_no_criteria(paper: Path) -> None:
    found = data(run(paper, "--format", "json", "--no-imitate"))
    assert found["review"]["criteria"] == []


def test_only_the_rules_and_lines_asked_for(paper: Path) -> None:
    found = data(run(paper, "--format", "json", "--rule", "review-coverage"))
    assert [p["rule"] for p in found["points"]] == ["review-coverage"]
    assert found["points_silenced"] == 2


def test_the_budget_ends_it_without_a_crash(paper: Path) -> None:
    found = data(run(paper, "--format", "json", "--max-calls", "2"))
    assert found["review"] is not None
    assert any("budget" in line for line in found["unusable"])


def said_everywhere(text: str) -> Callable[[Asked], Answer]:
    """A model that repeats an attack wherever it can."""

    def script(asked: Asked) -> Answer:
        said = honest(asked)
        assert isinstance(said, Say)
        value = json.loads(said.text or "")

        def spoilt(node: Any, name: str = "") -> Any:
            if isinstance(node, dict):
                return {key: spoilt(child, key) for key, child in node.items()}
            if isinstance(node, list):
                return [spoilt(child, name) for child in node]
            fixed = {"of", "quote", "dimension", "severity", "action", "choice", "point"}
            return (
                f"{node} {text}" if isinstance(node, str) and node and name not in fixed else node
            )

        return Say(json.dumps(spoilt(value)))

    return script


@pytest.mark.parametrize("attack", ATTACKS[::6], ids=lambda attack: attack.word)
def test_attacks_in_paper_and_replies_decide_nothing(paper: Path, attack: Any) -> None:
    (paper / "main.tex").write_text(
        MAIN.replace("TODO: say where.", f"TODO: say where. {attack.text}")
    )
    seen: list[Asked] = []

    def script(asked: Asked) -> Answer:
        seen.append(asked)
        return said_everywhere(attack.text)(asked)

    result = run(paper, "--format", "json", script=script)
    found = data(result)
    text = (paper / "main.tex").read_text()
    for row in found["points"]:
        assert text[row["start"] : row["stop"]] == row["quote"]
        if gives_orders(visible(attack.text)):
            assert row["course"] not in {"revise", "rebut"} or row["rule"] not in row["message"]
            assert attack.text not in row["instruction"] + row["rebuttal"]
    if gives_orders(visible(attack.text)):
        assert all(visible(attack.text) not in asked.user for asked in seen)
    for form_ in ("text", "markdown"):
        assert "\x1b" not in run(paper, "--format", form_, script=script).stdout
