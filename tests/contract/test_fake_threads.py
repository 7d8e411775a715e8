"""The fake's threads: where a comment may sit, and what becomes of it when the branch moves."""

import pytest


def standing(bot, number):
    """Where a comment is now, as REST tells it."""
    told = bot("GET", f"/pulls/comments/{number}").body
    return told["start_line"], told["line"], told["position"]


def test_only_lines_of_the_hunks_can_carry_a_comment(review, pull):
    for line in (0, 16, 24, 41):
        heard, made = review((20, 20, "fine"), (line, line, "not shown"))
        assert heard.status == 422
        assert heard.body["errors"] == ["Line could not be resolved"]
        assert not made, "one bad comment and nothing of the review happens"
    heard, made = review((17, 17, "first line shown"), (23, 23, "last line shown"))
    assert heard.status == 200
    assert {n: c.position for n, c in made.items()} == {17: 1, 23: 8}
    assert made[17].diff_hunk == "@@ -17,7 +17,7 @@ line 16\n line 17"


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"start_line": 20}, ["Start line must precede the end line."]),
        ({"start_line": 21}, ["Start line must precede the end line."]),
        ({"start_line": 2}, ["Start line must be part of the same hunk as the line."]),
        ({"start_line": 19, "start_side": "LEFT"}, ["Start side must be the side of the line"]),
        ({"side": "MIDDLE"}, ["Side is not included in the list"]),
        ({"path": "other.tex"}, ["Path could not be resolved"]),
        ({"path": "nowhere.tex"}, ["Path could not be resolved"]),
        ({"line": 0}, ["Line could not be resolved"]),
    ],
)
def test_what_openapi_lets_pass_is_refused(bot, pull, change, errors):
    comment = {"path": "paper.tex", "body": "x", "line": 20, "side": "RIGHT"} | change
    heard = bot("POST", "/pulls/1/reviews", event="COMMENT", comments=[comment])
    assert (heard.status, heard.body["errors"]) == (422, errors)
    assert not pull.reviews


def test_a_range_lies_in_one_hunk(paper, review, pull, lines):
    paper.commit("topic", {"paper.tex": lines({10: "ten", 30: "thirty"})}, author="eve")
    assert review((10, 30, "from hunk to hunk"))[0].status == 422
    assert review((8, 12, "within one"))[0].status == 200


def test_removed_lines_are_on_the_left(paper, bot, pull, lines):
    text = b"".join(lines().splitlines(keepends=True)[:19])
    paper.commit("topic", {"paper.tex": text}, author="eve")
    comment = {"path": "paper.tex", "body": "why?", "line": 30, "commit_id": pull.head}
    assert bot("POST", "/pulls/1/comments", **comment, side="RIGHT").status == 422
    made = bot("POST", "/pulls/1/comments", **comment, side="LEFT")
    assert (made.status, made.body["line"], made.body["side"]) == (201, 30, "LEFT")


def test_a_comment_speaks_of_the_head(paper, review, pull, lines):
    old = pull.head
    paper.commit("topic", {"paper.tex": lines({20: "line 20?"})}, author="eve")
    assert review((20, 20, "late"), commit_id=old)[0].status == 422
    assert review((20, 20, "lost"), commit_id="0" * 40)[0].status == 422
    assert review((20, 20, "in time"))[0].status == 200


def test_a_file_can_be_commented_on_as_a_whole(bot, pull):
    told = {"body": "x", "commit_id": pull.head, "subject_type": "file"}
    made = bot("POST", "/pulls/1/comments", path="paper.tex", **told)
    assert (made.status, made.body["subject_type"], made.body["line"]) == (201, "file", None)
    assert bot("POST", "/pulls/1/comments", path="other.tex", **told).status == 422


def test_comments_follow_their_lines(paper, bot, review, lines):
    _, made = review((20, 20, "x"), (21, 22, "y"))
    one, two = made[20].id, made[22].id
    first = b"new first line\n" + lines({20: "line 20!"})
    paper.commit("topic", {"paper.tex": first}, author="eve")
    assert standing(bot, one) == (None, 21, 10)
    assert standing(bot, two)[:2] == (22, 23)
    paper.commit("topic", {"paper.tex": lines({20: "line 20!", 21: "line 21?"})}, author="eve")
    assert standing(bot, one)[1] == 20
    assert standing(bot, two) == (None, None, None), "a line of its range has changed"


def test_a_comment_is_outdated_while_its_line_is_gone(paper, bot, pull, review, lines):
    _, made = review((20, 20, "x"))
    before, original = pull.head, made[20].original_commit
    paper.commit("topic", {"paper.tex": lines({20: "line twenty"})}, author="eve")
    told = bot("GET", f"/pulls/comments/{made[20].id}").body
    assert told["line"] is None
    assert told["position"] is None
    assert (told["original_line"], told["commit_id"]) == (20, original)
    paper.force_push("topic", before)
    assert standing(bot, made[20].id) == (None, 20, 5)


def test_a_line_that_is_shown_no_more_is_outdated(paper, bot, review, lines):
    _, made = review((23, 23, "context"))
    paper.commit("topic", {"paper.tex": lines({14: "line 14!"})}, author="eve")
    assert standing(bot, made[23].id) == (None, None, None)


def test_a_file_that_went_elsewhere_takes_its_comments_out_of_date(paper, bot, review, lines):
    _, made = review((20, 20, "x"))
    text = lines({20: "line 20!"})
    paper.commit("topic", {"paper.tex": None, "moved.tex": text}, author="eve")
    assert standing(bot, made[20].id) == (None, None, None)


def test_what_the_base_takes_over_is_shown_no_more(paper, bot, review, lines):
    _, made = review((20, 20, "x"))
    paper.commit("topic", {"paper.tex": lines({20: "line 20!", 35: "more"})}, author="eve")
    assert standing(bot, made[20].id)[1] == 20
    paper.force_push("main", paper.store.facts(paper.tip("topic")).parents[0])
    assert standing(bot, made[20].id)[1] is None


def test_a_thread_goes_with_its_last_comment(paper, bot, pull, review):
    _, made = review((20, 20, "x"))
    reply = bot("POST", f"/pulls/1/comments/{made[20].id}/replies", body="y").body
    assert reply["in_reply_to_id"] == made[20].id
    again = bot("POST", f"/pulls/1/comments/{reply['id']}/replies", body="z")
    assert again.status == 404, "only the opening comment can be replied to"
    assert bot("DELETE", f"/pulls/comments/{reply['id']}").status == 204
    assert len(pull.threads) == 1
    assert bot("DELETE", f"/pulls/comments/{made[20].id}").status == 204
    assert not pull.threads
    assert not pull.reviews
    assert bot("DELETE", f"/pulls/comments/{made[20].id}").status == 404


def test_a_pending_review_is_seen_by_nobody_else(bot, asking, pull):
    comment = {"path": "paper.tex", "body": "x", "line": 20, "side": "RIGHT"}
    assert bot("POST", "/pulls/1/reviews", comments=[comment]).body["state"] == "PENDING"
    assert bot("GET", "/pulls/1/comments").body == []
    assert asking(user="ada")("GET", "/pulls/1/reviews").body == []
    assert bot("POST", "/pulls/1/reviews", comments=[comment]).status == 422


def test_a_closed_pull_request_stands_still(paper, bot, pull, review, lines):
    _, made = review((20, 20, "x"))
    head = pull.head
    paper.close(1)
    paper.commit("topic", {"paper.tex": lines({20: "gone"})}, author="eve")
    assert pull.head == head
    assert standing(bot, made[20].id)[1] == 20
