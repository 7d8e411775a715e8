"""What the fake refuses as GitHub does, although the OpenAPI file lets it pass."""

import base64

import pytest

from tests.fakes.github.asking import Asking

COMMIT = """
mutation($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } ref { name } }
}"""
RESOLVE = """
mutation($input: ResolveReviewThreadInput!) {
  resolveReviewThread(input: $input) { thread { isResolved resolvedBy { login } } }
}"""
MINIMIZE = """
mutation($input: MinimizeCommentInput!) {
  minimizeComment(input: $input) { minimizedComment { isMinimized minimizedReason } }
}"""


def kinds(heard):
    return [error["type"] for error in heard.body.get("errors", [])]


def change(pull, *, repository="ada/survey", branch="topic", text=b"new\n", expected=""):
    addition = {"path": "paper.tex", "contents": base64.b64encode(text).decode()}
    return {
        "branch": {"repositoryNameWithOwner": repository, "branchName": branch},
        "expectedHeadOid": expected or pull.head,
        "message": {"headline": "Apply", "body": "edits"},
        "fileChanges": {"additions": [addition]},
    }


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/issues/1/comments", {"body": "x"}),
        ("PATCH", "/issues/comments/{remark}", {"body": "x"}),
        ("DELETE", "/issues/comments/{remark}", {}),
        ("POST", "/issues/comments/{remark}/reactions", {"content": "+1"}),
        ("POST", "/pulls/1/reviews", {"event": "COMMENT", "body": "x"}),
        ("POST", "/pulls/1/comments/{comment}/replies", {"body": "x"}),
        ("PATCH", "/pulls/comments/{comment}", {"body": "x"}),
        ("DELETE", "/pulls/comments/{comment}", {}),
        ("POST", "/pulls/comments/{comment}/reactions", {"content": "eyes"}),
        ("PATCH", "/pulls/1", {"title": "x"}),
        ("POST", "/check-runs", {"name": "x", "head_sha": "{head}"}),
        ("POST", "/git/refs", {"ref": "refs/heads/x", "sha": "{head}"}),
        ("PATCH", "/git/refs/heads/topic", {"sha": "{head}"}),
        ("DELETE", "/git/refs/heads/topic", {}),
    ],
)
def test_a_read_only_token_writes_nothing(asking, paper, pull, review, method, path, body):
    _, made = review((20, 20, "x"))
    paper.comment(1, "hello", by="eve")
    names = {"remark": pull.remarks[0].id, "comment": made[20].id, "head": pull.head}
    body = {key: value.format(**names) for key, value in body.items()}
    heard = asking(read_only=True)(method, path.format(**names), **body)
    assert heard.status == 403
    assert heard.body["message"] == "Resource not accessible by integration"
    assert (len(pull.remarks), len(pull.comments), pull.title) == (1, 1, "A change")


def test_a_read_only_token_changes_nothing_by_graphql_either(asking, pull, review):
    review((20, 20, "x"))
    readonly = asking(read_only=True)
    assert kinds(readonly.graph(COMMIT, input=change(pull))) == ["FORBIDDEN"]
    told = {"subjectId": pull.comments[0].node_id, "classifier": "OUTDATED"}
    assert kinds(readonly.graph(MINIMIZE, input=told)) == ["FORBIDDEN"]


def test_a_wrong_token_is_told_so_and_none_may_only_read(github, asking, paper):
    wrong = Asking(github, "ghs_wrong", "ada/survey")
    assert wrong("GET", "/pulls/1").body["message"] == "Bad credentials"
    wrong.close()
    nobody = asking(None)
    assert nobody("GET", "/pulls/1").status == 200
    assert nobody("POST", "/issues/1/comments", body="x").status == 401


def test_a_private_repository_is_not_there_for_strangers(github, asking):
    github.repository("ada/secret", private=True).commit("main", {"a.tex": b"a\n"})
    for token, status in (
        (github.token("ada/survey"), 404),
        (github.token("ada/secret"), 200),
        (github.token(user="eve"), 404),
        (github.token(user="ada"), 200),
    ):
        asker = Asking(github, token, "ada/secret")
        assert asker("GET", "").status == status
        asker.close()


def test_people_write_what_they_may(asking, paper, pull):
    eve, ada = asking(user="eve"), asking(user="ada")
    assert eve("POST", "/issues/1/comments", body="hello").status == 201
    remark = pull.remarks[0].id
    assert eve("PATCH", f"/issues/comments/{remark}", body="hello!").status == 200
    other = asking(user="bob")
    assert other("PATCH", f"/issues/comments/{remark}", body="mine").status == 403
    assert ada("PATCH", f"/issues/comments/{remark}", body="tidied").status == 200
    assert eve("POST", "/git/refs", ref="refs/heads/x", sha=pull.head).status == 404
    assert ada("POST", "/check-runs", name="x", head_sha=pull.head).status == 403
    permission = ada("GET", "/collaborators/bob/permission")
    assert permission.body["permission"] == "read"


def test_texts_have_a_greatest_length(bot, review, pull):
    long = "x" * 65_537
    assert bot("POST", "/issues/1/comments", body=long).status == 422
    assert bot("POST", "/issues/1/comments", body=" ").status == 422
    assert review((20, 20, long))[0].status == 422
    assert bot("POST", "/pulls/1/reviews", event="COMMENT", body=long).status == 422
    assert bot("POST", "/issues/1/comments", body=long[1:]).status == 201
    assert not pull.comments


def test_check_runs_have_bounds(github, bot, pull):
    note = {"path": "paper.tex", "start_line": 1, "end_line": 1, "message": "m"}
    note["annotation_level"] = "warning"

    def run(*, notes=(), summary="s", **more):
        output = {"title": "t", "summary": summary, "annotations": list(notes)}
        told = {"name": "reviser", "head_sha": pull.head, "output": output} | more
        return bot("POST", "/check-runs", **told)

    assert run(notes=[note] * 51, conclusion="neutral").status == 500
    assert run(summary="s" * 65_536, conclusion="neutral").status == 500
    assert all("is too long" in told for told in github.violations), "the file knows these two"
    github.violations.clear()
    assert run(notes=[note | {"start_line": 2}], conclusion="neutral").status == 422
    wide = note | {"end_line": 2, "start_column": 1, "end_column": 2}
    assert run(notes=[wide], conclusion="neutral").status == 422
    assert run(head_sha="0" * 40, conclusion="neutral").status == 422
    assert run(status="completed").status == 422
    made = run(notes=[note] * 50, conclusion="neutral")
    assert made.status == 201
    more = {"title": "t", "summary": "s", "annotations": [note] * 7}
    again = bot("PATCH", f"/check-runs/{made.body['id']}", output=more)
    assert again.body["output"]["annotations_count"] == 57
    listed = bot("GET", f"/check-runs/{made.body['id']}/annotations?per_page=100")
    assert len(listed.body) == 57


def test_a_locked_conversation_is_closed_to_those_who_may_not_write(bot, asking, pull):
    pull.locked = True
    for asker, status in (
        (bot, 403),
        (asking(user="eve"), 403),
        (asking(user="ada"), 201),
        (asking(contents="write"), 201),
    ):
        assert asker("POST", "/issues/1/comments", body="x").status == status


def test_a_pull_request_needs_two_branches_and_a_difference(asking, paper, pull):
    ada = asking(user="ada")
    same = {"title": "t", "head": "topic", "base": "main"}
    assert ada("POST", "/pulls", **same).status == 422, "there is one already"
    assert ada("POST", "/pulls", **{**same, "base": "topic"}).status == 422
    assert ada("POST", "/pulls", **{**same, "head": "nowhere"}).status == 422
    bot = asking(contents="write")
    paper.branch("more", at="topic")
    refused = bot("POST", "/pulls", **{**same, "head": "more"})
    assert refused.status == 403
    assert "not permitted to create" in refused.body["message"]
    paper.can_approve = True
    assert bot("POST", "/pulls", **{**same, "head": "more"}).status == 201


def test_a_commit_wants_the_head_that_was_expected(asking, paper, pull):
    bot = asking(contents="write")
    old = pull.head
    made = bot.graph(COMMIT, input=change(pull))
    oid = made.body["data"]["createCommitOnBranch"]["commit"]["oid"]
    assert (pull.head, paper.read("topic", "paper.tex")) == (oid, b"new\n")
    facts = paper.store.facts(oid)
    assert (facts.message, facts.parents) == ("Apply\n\nedits", (old,))
    assert facts.author.name == "github-actions[bot]"
    stale = bot.graph(COMMIT, input=change(pull, expected=old))
    assert kinds(stale) == ["STALE_DATA"]
    assert stale.status == 200
    assert pull.head == oid


def test_a_commit_goes_nowhere_else(asking, paper, pull, lines):
    fork = paper.fork("mallory/survey")
    fork.commit("fix", {"paper.tex": lines({5: "five"})}, parent=paper.tip("main"))
    other = paper.open_pull("fix", from_fork="mallory/survey")
    bot = asking(contents="write")
    told = change(other, repository="mallory/survey", branch="fix")
    assert kinds(bot.graph(COMMIT, input=told)) == ["FORBIDDEN"]
    assert kinds(bot.graph(COMMIT, input=change(pull, branch="none"))) == ["NOT_FOUND"]
    paper.protected.add("topic")
    assert kinds(bot.graph(COMMIT, input=change(pull))) == ["FORBIDDEN"]
    assert kinds(asking().graph(COMMIT, input=change(pull))) == ["FORBIDDEN"]
    paper.protected.clear()
    hostile = change(pull)
    for path in ("../up.tex", "/top.tex", ".git/config", "a//b.tex"):
        hostile["fileChanges"]["additions"][0]["path"] = path
        assert kinds(bot.graph(COMMIT, input=hostile)) == ["UNPROCESSABLE"]


def test_resolving_takes_permission_to_write_contents(bot, asking, pull, review):
    review((20, 20, "x"))
    told = {"threadId": pull.threads[0].node_id}
    assert kinds(bot.graph(RESOLVE, input=told)) == ["FORBIDDEN"]
    heard = asking(contents="write").graph(RESOLVE, input=told)
    resolved = heard.body["data"]["resolveReviewThread"]["thread"]
    assert resolved == {"isResolved": True, "resolvedBy": {"login": "github-actions[bot]"}}
    told = {"subjectId": pull.comments[0].node_id, "classifier": "OUTDATED"}
    heard = bot.graph(MINIMIZE, input=told)
    assert heard.body["data"]["minimizeComment"]["minimizedComment"]["isMinimized"]


def test_references_move_forward_unless_forced(asking, paper, pull):
    bot = asking(contents="write")
    base = paper.tip("main")
    assert bot("POST", "/git/refs", ref="refs/heads/new", sha=base).status == 201
    assert bot("POST", "/git/refs", ref="refs/heads/new", sha=base).status == 422
    assert bot("PATCH", "/git/refs/heads/topic", sha=base).status == 422
    assert bot("PATCH", "/git/refs/heads/topic", sha=base, force=True).status == 200
    assert pull.head == base
    assert bot("DELETE", "/git/refs/heads/topic").status == 204
    assert pull.state == "closed"


def test_reviews_by_a_workflow_do_not_approve(bot, pull):
    assert bot("POST", "/pulls/1/reviews", event="APPROVE").status == 422
    assert bot("POST", "/pulls/1/reviews", event="COMMENT").status == 422, "nothing is said"
    assert not pull.reviews
