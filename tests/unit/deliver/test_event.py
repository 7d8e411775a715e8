import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviser.deliver import commands
from reviser.deliver.event import (
    Activity,
    CheckPull,
    Command,
    DeliverRun,
    Facts,
    Filters,
    Nothing,
    WholePaper,
    activity,
    concerns,
    is_ours,
)
from reviser.deliver.forge import WorkflowRun
from reviser.errors import UsageError

EXAMPLES = json.loads(Path(__file__).with_name("events.json").read_text())["examples"]
SHA = "5" * 40


def payload(event: str, action: str | None = None) -> dict[str, Any]:
    """GitHub's own example of such an event."""
    for example in EXAMPLES:
        if example["event"] == event and action in (None, example["payload"].get("action")):
            return copy.deepcopy(example["payload"])
    raise LookupError(event)


def decided(event: str, given: dict[str, Any], **filters: Any) -> Activity:
    return activity(Facts(event, given, "refs/heads/main", SHA, Filters(**filters)))


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_github_is_decided_upon(example: dict[str, Any]) -> None:
    decided(example["event"], example["payload"])


@pytest.mark.parametrize("action", ["opened", "reopened", "synchronize", "ready_for_review"])
def test_an_open_pull_request_is_looked_at(action: str) -> None:
    given = payload("pull_request", action)
    assert decided("pull_request", given) == CheckPull(
        given["number"], given["pull_request"]["head"]["sha"], writable=True
    )


@pytest.mark.parametrize("action", ["assigned", "locked", "unlabeled", "converted_to_draft"])
def test_other_actions_are_passed_over(action: str) -> None:
    assert isinstance(decided("pull_request", payload("pull_request", action)), Nothing)


def test_a_closed_pull_request_is_passed_over() -> None:
    given = payload("pull_request", "opened")
    given["pull_request"]["state"] = "closed"
    assert isinstance(decided("pull_request", given), Nothing)


@pytest.mark.parametrize("head", [None, {"full_name": "stranger/paper"}])
def test_a_fork_cannot_be_written_to_even_when_it_is_gone(head: dict[str, str] | None) -> None:
    given = payload("pull_request", "opened")
    given["pull_request"]["head"]["repo"] = head
    found = decided("pull_request", given)
    assert isinstance(found, CheckPull)
    assert not found.writable


def test_drafts_are_looked_at_when_asked_for() -> None:
    given = payload("pull_request", "opened")
    given["pull_request"]["draft"] = True
    assert isinstance(decided("pull_request", given), Nothing)
    assert isinstance(decided("pull_request", given, drafts=True), CheckPull)


def test_labels_choose() -> None:
    given = payload("pull_request", "opened")
    assert isinstance(decided("pull_request", given, labels=("review",)), Nothing)
    given["pull_request"]["labels"] = [{"name": "review"}, {"name": "wip"}]
    assert isinstance(decided("pull_request", given, labels=("review",)), CheckPull)
    assert isinstance(
        decided("pull_request", given, labels=("review",), skip_labels=("wip",)), Nothing
    )


def test_a_new_label_counts_only_where_it_asks_for_a_review() -> None:
    given = payload("pull_request", "labeled")
    given["label"] = {"name": "bug"}
    given["pull_request"]["labels"] = [{"name": "bug"}, {"name": "review"}]
    assert isinstance(decided("pull_request", given), Nothing)
    assert isinstance(decided("pull_request", given, labels=("review",)), Nothing)
    given["label"] = {"name": "review"}
    assert isinstance(decided("pull_request", given, labels=("review",)), CheckPull)


def comment(body: str, **changed: Any) -> dict[str, Any]:
    given = payload("issue_comment", "created")
    given["issue"]["pull_request"] = {"url": ""}
    given["issue"]["state"] = "open"
    given["comment"] |= {"body": body, "author_association": "MEMBER"} | changed
    return given


def test_a_command_names_its_comment_and_who_asks() -> None:
    given = comment("/reviser apply abcd1234")
    assert decided("issue_comment", given) == Command(
        given["issue"]["number"],
        given["comment"]["id"],
        given["comment"]["user"]["login"],
        commands.Apply(("abcd1234",)),
    )


@pytest.mark.parametrize(
    "given",
    [
        comment("A word"),
        comment("/reviser check", author_association="NONE"),
        comment("/reviser check", user={"login": "x[bot]", "type": "Bot"}),
        comment("/reviser check") | {"action": "edited"},
        comment(None),  # type: ignore[arg-type]
    ],
)
def test_other_comments_ask_for_nothing(given: dict[str, Any]) -> None:
    assert isinstance(decided("issue_comment", given), Nothing)


def test_a_comment_on_an_issue_or_a_closed_pull_request_asks_for_nothing() -> None:
    for part in ({"pull_request": None}, {"state": "closed"}):
        given = comment("/reviser check")
        given["issue"] |= part
        assert isinstance(decided("issue_comment", given), Nothing)


def test_a_push_to_a_branch_is_about_the_whole_paper() -> None:
    given = {"ref": "refs/heads/a/b", "after": SHA, "deleted": False}
    assert decided("push", given) == WholePaper("a/b", SHA, "push")
    for part in (
        {"ref": "refs/tags/v1"},
        {"ref": "refs/heads/reviser/main"},
        {"deleted": True, "after": "0" * 40},
    ):
        assert isinstance(decided("push", given | part), Nothing)


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch"])
def test_a_run_by_the_clock_or_by_hand_takes_the_runners_branch(event: str) -> None:
    assert activity(Facts(event, {}, "refs/heads/main", SHA)) == WholePaper("main", SHA, event)
    assert isinstance(activity(Facts(event, {}, "refs/tags/v1", SHA)), Nothing)
    with pytest.raises(UsageError):
        activity(Facts(event, {}, "refs/heads/main", ""))


def finished(**changed: Any) -> dict[str, Any]:
    given = payload("workflow_run", "completed")
    given["workflow_run"] |= {
        "event": "pull_request",
        "conclusion": "failure",
        "head_branch": "fix",
        "head_sha": SHA,
        "id": 7,
        "head_repository": {"full_name": "stranger/paper"},
    } | changed
    return given


def test_the_run_of_a_fork_is_delivered() -> None:
    assert decided("workflow_run", finished()) == DeliverRun(7, "stranger/paper", "fix", SHA)


def test_a_run_that_could_write_for_itself_is_not_delivered_again() -> None:
    own = {"full_name": finished()["repository"]["full_name"].upper()}
    assert isinstance(decided("workflow_run", finished(head_repository=own)), Nothing)
    robot = finished(head_repository=own, actor={"login": "dependabot[bot]"})
    assert isinstance(decided("workflow_run", robot), DeliverRun)


@pytest.mark.parametrize(
    "changed",
    [{"event": "push"}, {"conclusion": "cancelled"}, {"head_repository": None}],
)
def test_other_runs_are_passed_over(changed: dict[str, Any]) -> None:
    assert isinstance(decided("workflow_run", finished(**changed)), Nothing)


@pytest.mark.parametrize("event", ["merge_group", "pull_request_target", "gollum"])
def test_other_events_are_passed_over_in_words(event: str) -> None:
    found = decided(event, {})
    assert isinstance(found, Nothing)
    assert found.why.endswith(".")


@pytest.mark.parametrize(
    ("event", "given", "named"),
    [
        ("pull_request", {"action": "opened"}, "number"),
        ("pull_request", {"action": "opened", "number": 3}, "pull_request.state"),
        ("push", {"ref": "refs/heads/main", "after": "HEAD"}, "after"),
        ("workflow_run", {"action": "completed"}, "workflow_run.event"),
    ],
)
def test_a_broken_payload_is_told_by_name(event: str, given: dict[str, Any], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        decided(event, given)


def test_paths_are_chosen_in_order() -> None:
    assert concerns(["a/b.tex"], [])
    assert concerns(["a/b.tex", "x.md"], ["*.tex"])
    assert not concerns(["x.md"], ["*.tex", "*.bib"])
    assert not concerns(["a/old.tex"], ["*.tex", "!*old*"])
    assert concerns(["a/old.tex"], ["*.tex", "!*old*", "a/*"])
    assert concerns(["new.tex"], ["!*old*"])
    assert not concerns(["old.tex"], ["!*old*"])


OWN_RUN = WorkflowRun(7, "pull_request", "Ada/Survey", "draft", SHA, "ada")


@pytest.mark.parametrize(
    ("changed", "ours"),
    [
        ({}, True),
        ({"event": "issue_comment"}, True),
        ({"event": "schedule"}, True),
        ({"event": "workflow_dispatch"}, True),
        ({"event": "push"}, True),
        ({"repository": "mallory/survey"}, False),
        ({"repository": ""}, False),
        ({"repository": "mallory/survey", "event": "issue_comment"}, False),
        ({"actor": "dependabot[bot]"}, False),
        ({"event": "pull_request_target"}, False),
        ({"event": "workflow_run"}, False),
        ({"event": "repository_dispatch"}, False),
    ],
)
def test_whose_run_left_a_plan_is_told_by_what_the_forge_says(changed: Any, ours: bool) -> None:
    run = replace(OWN_RUN, **changed)
    assert is_ours(run, "ada/survey") is ours


def test_a_pull_request_that_dependabot_caused_can_write_nothing() -> None:
    given = payload("pull_request", "opened")
    given["sender"] = {"login": "dependabot[bot]"}
    asked = decided("pull_request", given)
    assert isinstance(asked, CheckPull)
    assert not asked.writable
