"""The fake's event payloads have the shape of GitHub's own examples."""

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent / "spec" / "webhooks"


def kind(value):
    """A JSON type; numbers are of one."""
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(
        value
    ).__name__  # fmt: skip


def differences(example, told, at=""):
    """Where a payload lacks what the example has, or has something of another type there. Null
    stands for anything, and of a list only the first items are compared."""
    if example is None or told is None:
        return []
    if kind(example) != kind(told):
        return [f"{at}: {kind(told)} instead of {kind(example)}"]
    if isinstance(example, dict):
        missing = [f"{at}/{k} is missing" for k in example if k not in told]
        found = [
            line
            for key in example.keys() & told.keys()
            for line in differences(example[key], told[key], f"{at}/{key}")
        ]
        return missing + found
    if isinstance(example, list) and example and told:
        return differences(example[0], told[0], f"{at}[]")
    return []


@pytest.fixture
def events(github):
    """One payload for each example."""
    paper = github.repository("ada/survey")
    base = paper.commit("main", {"paper.tex": b"One.\nTwo.\n"})
    paper.branch("topic")
    before = paper.commit("topic", {"paper.tex": b"One.\nTwice.\n"}, author="eve")
    pull = paper.open_pull("topic", author="eve", labels=["paper"])
    told = {"pull_request.opened": github.events.pull_request(pull)}
    paper.commit("topic", {"paper.tex": b"One.\nThrice.\n"}, author="eve")
    told["pull_request.synchronize"] = github.events.pull_request(
        pull, "synchronize", before=before
    )
    told["issue_comment.created"] = paper.comment(1, "/reviser help", by="eve")
    run = paper.run(pull)
    told["workflow_run.completed"] = github.events.workflow_run(paper, run)
    told["workflow_dispatch"] = github.events.workflow_dispatch(paper)
    paper.merge(1)
    told["push"] = github.events.push(paper, "main", before=base)
    told["pull_request.closed"] = github.events.pull_request(pull, "closed")
    return told


def test_every_example_has_its_payload(events):
    assert set(events) == {path.stem for path in EXAMPLES.glob("*.json")}


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.json")))
def test_a_payload_has_all_that_the_example_has(events, name):
    example = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    assert differences(example, events[name]) == []
