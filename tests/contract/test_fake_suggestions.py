"""The author's button: what a suggestion does to the file, and when there is none."""

import pytest

from tests.fakes.github.model import Refused
from tests.fakes.github.suggestions import suggested


def block(text, fence="```"):
    return f"Why not\n\n{fence}suggestion\n{text}{fence}\n"


def test_one_line_is_replaced_and_its_thread_resolved(paper, pull, review, lines):
    _, made = review((20, 20, block("line twenty\n")))
    head = paper.apply_suggestion(made[20].id, by="eve")
    assert paper.read("topic", "paper.tex") == lines({20: "line twenty"})
    assert (pull.head, pull.threads[0].resolved_by.login) == (head, "eve")
    facts = paper.store.facts(head)
    assert facts.author.name == "eve"
    assert "Co-authored-by: github-actions[bot]" in facts.message


def test_exactly_the_range_is_replaced(paper, review, lines):
    _, made = review((18, 21, block("one\ntwo\n")))
    paper.apply_suggestion(made[21].id)
    before = lines().splitlines(keepends=True)
    expected = b"".join([*before[:17], b"one\ntwo\n", *before[21:]])
    assert paper.read("topic", "paper.tex") == expected


def test_an_empty_block_deletes(paper, review, lines):
    _, made = review((20, 20, block("")))
    paper.apply_suggestion(made[20].id)
    before = lines().splitlines(keepends=True)
    assert paper.read("topic", "paper.tex") == b"".join([*before[:19], *before[20:]])


def test_line_ends_stay_as_they_are(paper, review, lines):
    paper.commit("main", {"paper.tex": lines(end=b"\r\n")})
    paper.force_push("topic", paper.tip("main"))
    text = lines({20: "line 20!"}, end=b"\r\n").removesuffix(b"\r\n")
    paper.commit("topic", {"paper.tex": text}, author="eve")
    _, made = review((20, 20, block("one\ntwo\n")), (40, 40, block("the end\n")))
    paper.apply_suggestions(made.values())
    before = lines(end=b"\r\n").splitlines(keepends=True)
    expected = [*before[:19], b"one\r\n", b"two\r\n", *before[20:39], b"the end"]
    assert paper.read("topic", "paper.tex") == b"".join(expected)


def test_a_batch_is_one_commit(paper, pull, review, lines):
    _, made = review((18, 18, block("a\nb\n")), (20, 20, block("c\n")), (22, 22, block("")))
    before = pull.head
    head = paper.apply_suggestions(made.values())
    assert paper.store.facts(head).parents == (before,)
    old = lines().splitlines(keepends=True)
    expected = [*old[:17], b"a\n", b"b\n", old[18], b"c\n", old[20], *old[22:]]
    assert paper.read("topic", "paper.tex") == b"".join(expected)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (block("a\n"), "a\n"),
        (block("```\na\n```\n", "````"), "```\na\n```\n"),
        (block("a\n", "~~~"), "a\n"),
        ("```suggestion\na\n", "a\n"),
        ("``` suggestion\na\n```", "a\n"),
        (block("<b>&amp;\n"), "<b>&amp;\n"),
        ("  ```suggestion\n  a\n   b\n  ```", "a\n b\n"),
        ("<!-- reviser\n```suggestion\na\n```\n-->", None),
        ("    ```suggestion\n    a\n    ```", None),
        ("```text\na\n```", None),
        ("no block", None),
        ("```suggestion\n```", ""),
    ],
)
def test_blocks_are_found_as_github_finds_them(body, text):
    assert suggested(body) == text


def test_there_is_no_button_where_nothing_can_be_applied(paper, review, lines):
    _, made = review((18, 19, block("x\n")), (19, 20, block("y\n")), (21, 21, "no block"))
    with pytest.raises(Refused, match="overlap"):
        paper.apply_suggestions([made[19], made[20]])
    with pytest.raises(Refused, match="no suggestion"):
        paper.apply_suggestion(made[21])
    paper.apply_suggestion(made[20])
    for line in (20, 19):
        with pytest.raises(Refused, match="Outdated"):
            paper.apply_suggestion(made[line])


def test_a_suggestion_in_a_fork_goes_to_the_fork(github, asking, paper, lines):
    fork = paper.fork("mallory/survey")
    fork.commit("fix", {"paper.tex": lines({5: "five"})}, parent=paper.tip("main"))
    pull = paper.open_pull("fix", from_fork="mallory/survey")
    bot = asking()
    comment = {"path": "paper.tex", "line": 5, "side": "RIGHT", "body": block("5\n")}
    made = bot("POST", "/pulls/2/comments", commit_id=pull.head, **comment)
    paper.apply_suggestion(made.body["id"])
    assert fork.read("fix", "paper.tex") == lines({5: "5"})
    assert paper.tip("fix") is None
