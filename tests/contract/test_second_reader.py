"""githubkit, whose models were made from another version of GitHub's files, reads the fake."""

import zipfile
from io import BytesIO

import pytest
from githubkit import GitHub
from githubkit.exception import RequestFailed
from githubkit_schemas.latest import models

WHERE = {"owner": "ada", "repo": "survey"}


@pytest.fixture
def kit(github, paper):
    token = github.token("ada/survey", contents="write")
    with GitHub(token, base_url=github.api_url, http_cache=False, auto_retry=False) as kit:
        yield kit


def test_it_reads_pull_requests_and_what_is_said(kit, paper, pull, review):
    _, made = review((20, 20, "x"), (21, 22, "y"))
    paper.reply(made[20], "no", by="eve")
    paper.react(made[20], "-1", by="eve")
    paper.comment(1, "hello", by="eve")
    told = kit.rest.pulls.get(**WHERE, pull_number=1).parsed_data
    assert (told.head.sha, told.user.login, told.changed_files) == (pull.head, "eve", 1)
    [listed] = kit.rest.pulls.list(**WHERE, head="ada:topic").parsed_data
    assert listed.number == 1
    [file] = kit.rest.pulls.list_files(**WHERE, pull_number=1).parsed_data
    assert file.patch.startswith("@@ -17,7 +17,7 @@")
    comments = kit.rest.pulls.list_review_comments(**WHERE, pull_number=1).parsed_data
    assert [(c.line, c.body) for c in comments] == [(20, "x"), (22, "y"), (20, "no")]
    assert kit.rest.pulls.get_review_comment(
        **WHERE, comment_id=made[22].id
    ).parsed_data.start_line == 21  # fmt: skip
    [held] = kit.rest.pulls.list_reviews(**WHERE, pull_number=1).parsed_data
    assert held.state == "COMMENTED"
    [remark] = kit.rest.issues.list_comments(**WHERE, issue_number=1).parsed_data
    assert remark.author_association == "NONE"
    [reaction] = kit.rest.reactions.list_for_pull_request_review_comment(
        **WHERE, comment_id=made[20].id
    ).parsed_data
    assert reaction.content == "-1"
    assert kit.rest.issues.get(**WHERE, issue_number=1).parsed_data.pull_request


def test_it_writes(kit, paper, pull):
    comment = {"path": "paper.tex", "body": "x", "line": 20, "side": "RIGHT"}
    told = {"commit_id": pull.head, "event": "COMMENT", "comments": [comment]}
    kit.rest.pulls.create_review(**WHERE, pull_number=1, **told)
    bad = {**told, "comments": [{**comment, "line": 40}]}
    with pytest.raises(RequestFailed) as caught:
        kit.rest.pulls.create_review(**WHERE, pull_number=1, **bad)
    assert caught.value.response.status_code == 422
    remark = kit.rest.issues.create_comment(**WHERE, issue_number=1, body="x").parsed_data
    kit.rest.issues.update_comment(**WHERE, comment_id=remark.id, body="y")
    kit.rest.reactions.create_for_issue_comment(**WHERE, comment_id=remark.id, content="eyes")
    output = {"title": "t", "summary": "s"}
    check = kit.rest.checks.create(
        **WHERE, name="reviser", head_sha=pull.head, conclusion="neutral", output=output
    ).parsed_data
    assert (check.status, check.output.title) == ("completed", "t")
    kit.rest.git.create_ref(**WHERE, ref="refs/heads/new", sha=pull.head)
    assert kit.rest.repos.get_branch(**WHERE, branch="new").parsed_data.commit.sha == pull.head
    assert [len(pull.comments), pull.remarks[0].body] == [1, "y"]


def test_it_reads_git_and_runs(kit, github, paper, pull):
    kit.rest.repos.get(**WHERE)
    compared = kit.rest.repos.compare_commits(**WHERE, basehead=f"main...{pull.head}").parsed_data
    assert compared.merge_base_commit.sha == paper.tip("main")
    kit.rest.repos.get_commit(**WHERE, ref="topic")
    kit.rest.git.get_tree(**WHERE, tree_sha=pull.head)
    kit.rest.git.get_commit(**WHERE, commit_sha=pull.head)
    held = kit.rest.repos.get_content(**WHERE, path="paper.tex", ref="topic").parsed_data
    assert held.encoding == "base64"
    granted = kit.rest.repos.get_collaborator_permission_level(**WHERE, username="ada")
    assert granted.parsed_data.permission == "admin"
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("plan.json", "{}")
    run = paper.run(pull)
    paper.artifact(run, "reviser-plan", packed.getvalue())
    assert kit.rest.actions.get_workflow_run(**WHERE, run_id=run.id).parsed_data.event
    artifacts = kit.rest.actions.list_workflow_run_artifacts(**WHERE, run_id=run.id).parsed_data
    [artifact] = artifacts.artifacts
    assert artifact.workflow_run.head_sha == pull.head
    got = kit.rest.actions.download_artifact(**WHERE, artifact_id=artifact.id, archive_format="zip")
    assert zipfile.ZipFile(BytesIO(got.content)).namelist() == ["plan.json"]
    assert kit.rest.rate_limit.get().parsed_data.resources.core.limit == 1000


def test_it_reads_events(github, paper, pull):
    event = models.WebhookPullRequestSynchronize.model_validate(
        github.events.pull_request(pull, "synchronize", before=pull.base)
    )
    assert event.pull_request.head.sha == pull.head
    comment = models.WebhookIssueCommentCreated.model_validate(
        paper.comment(1, "/reviser help", by="eve")
    )
    assert comment.issue.pull_request
    push = models.WebhookPush.model_validate(
        github.events.push(paper, "topic", before=paper.tip("main"))
    )
    assert push.head_commit.modified == ["paper.tex"]
    run = models.WebhookWorkflowRunCompleted.model_validate(
        github.events.workflow_run(paper, paper.run(pull))
    )
    assert run.workflow_run.head_sha == pull.head
    by_hand = models.WebhookWorkflowDispatch.model_validate(github.events.workflow_dispatch(paper))
    assert by_hand.ref == "refs/heads/main"
