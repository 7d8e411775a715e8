"""GitHub's JSON for what is said and done: comments, reviews, reactions, commits, checks, runs."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from tests.fakes.github.hunks import FileDiff
from tests.fakes.github.model import (
    Artifact,
    CheckRun,
    IssueComment,
    Pull,
    Reaction,
    Review,
    ReviewComment,
    Run,
    stamp,
)
from tests.fakes.github.shapes import Json, Shapes
from tests.fakes.github.store import Blob, CommitFacts, Signature

if TYPE_CHECKING:
    from tests.fakes.github.repository import Repository


class Spoken(Shapes):
    """The rest of the shapes."""

    def issue_comment(self, remark: IssueComment) -> Json:
        pull: Pull = remark.pull
        url = f"{self.repo_url(pull.repository)}/issues/comments/{remark.id}"
        web = f"{self.server}/{pull.repository.full_name}/pull/{pull.number}"
        return {
            "url": url,
            "html_url": f"{web}#issuecomment-{remark.id}",
            "issue_url": f"{self.repo_url(pull.repository)}/issues/{pull.number}",
            "id": remark.id,
            "node_id": remark.node_id,
            "user": self.user(remark.user),
            "created_at": stamp(remark.created),
            "updated_at": stamp(remark.updated),
            "body": remark.body,
            "author_association": pull.repository.association(remark.user),
            "reactions": self.rollup([r.content for r in remark.reactions], url),
            "performed_via_github_app": self.app() if remark.user.kind == "Bot" else None,
        }

    def review_comment(self, comment: ReviewComment) -> Json:
        pull = comment.pull
        url = f"{self.repo_url(pull.repository)}/pulls/comments/{comment.id}"
        parent = f"{self.repo_url(pull.repository)}/pulls/{pull.number}"
        web = f"{self.server}/{pull.repository.full_name}/pull/{pull.number}"
        shape = {
            "url": url,
            "pull_request_review_id": comment.review.id,
            "id": comment.id,
            "node_id": comment.node_id,
            "diff_hunk": comment.diff_hunk,
            "path": comment.path,
            "commit_id": comment.commit,
            "original_commit_id": comment.original_commit,
            "user": self.user(comment.user),
            "body": comment.body,
            "created_at": stamp(comment.created),
            "updated_at": stamp(comment.updated),
            "html_url": f"{web}#discussion_r{comment.id}",
            "pull_request_url": parent,
            "author_association": pull.repository.association(comment.user),
            "_links": {
                "self": {"href": url},
                "html": {"href": f"{web}#discussion_r{comment.id}"},
                "pull_request": {"href": parent},
            },
            "reactions": self.rollup([r.content for r in comment.reactions], url),
            "start_line": comment.start_line,
            "original_start_line": comment.original_start_line,
            "start_side": None if comment.original_start_line is None else comment.side,
            "line": comment.line,
            "original_line": comment.original_line,
            "side": comment.side,
            "original_position": comment.original_position,
            "position": comment.position,
            "subject_type": comment.subject,
        }
        if comment.subject == "file":
            shape |= {"original_position": 1, "position": 1}
        if comment.reply_to is not None:
            shape["in_reply_to_id"] = comment.reply_to.id
        return shape

    def review(self, review: Review) -> Json:
        pull = review.pull
        web = f"{self.server}/{pull.repository.full_name}/pull/{pull.number}"
        parent = f"{self.repo_url(pull.repository)}/pulls/{pull.number}"
        page = f"{web}#pullrequestreview-{review.id}"
        shape = {
            "id": review.id,
            "node_id": review.node_id,
            "user": self.user(review.user),
            "body": review.body,
            "state": review.state,
            "html_url": page,
            "pull_request_url": parent,
            "author_association": pull.repository.association(review.user),
            "_links": {"html": {"href": page}, "pull_request": {"href": parent}},
            "commit_id": review.commit,
        }
        if review.state != "PENDING":
            shape["submitted_at"] = stamp(review.submitted)
        return shape

    def reaction(self, reaction: Reaction) -> Json:
        return {
            "id": reaction.id,
            "node_id": reaction.node_id,
            "user": self.user(reaction.user),
            "content": reaction.content,
            "created_at": stamp(reaction.created),
        }

    # -- git

    def file(self, repository: Repository, file: FileDiff, head: str, *, patch: bool) -> Json:
        """A changed file."""
        web = f"{self.server}/{repository.full_name}"
        shape: Json = {
            "sha": file.sha or None,
            "filename": file.path,
            "status": file.status,
            "additions": file.additions,
            "deletions": file.deletions,
            "changes": file.additions + file.deletions,
            "blob_url": f"{web}/blob/{head}/{file.path}",
            "raw_url": f"{web}/raw/{head}/{file.path}",
            "contents_url": f"{self.repo_url(repository)}/contents/{file.path}?ref={head}",
        }
        if patch and file.patch is not None:
            shape["patch"] = file.patch
        if file.status == "renamed":
            shape["previous_filename"] = file.old_path
        return shape

    def signed(self, signature: Signature) -> Json:
        return {
            "name": signature.name,
            "email": signature.email,
            "date": stamp(signature.when),
        }

    def commit(self, repository: Repository, facts: CommitFacts) -> Json:
        url = f"{self.repo_url(repository)}/commits/{facts.sha}"
        author = repository.fake.by_email(facts.author.email)
        committer = repository.fake.by_email(facts.committer.email)
        git = self.git_commit(repository, facts)
        same = ("author", "committer", "message", "tree", "verification")
        return {
            "sha": facts.sha,
            "node_id": git["node_id"],
            "commit": {**{key: git[key] for key in same}, "url": git["url"], "comment_count": 0},
            "url": url,
            "html_url": git["html_url"],
            "comments_url": f"{url}/comments",
            "author": None if author is None else self.user(author),
            "committer": None if committer is None else self.user(committer),
            "parents": git["parents"],
        }

    def git_commit(self, repository: Repository, facts: CommitFacts) -> Json:
        base, web = self.repo_url(repository), f"{self.server}/{repository.full_name}"
        return {
            "sha": facts.sha,
            "node_id": f"C_{facts.sha}",
            "url": f"{base}/git/commits/{facts.sha}",
            "html_url": f"{web}/commit/{facts.sha}",
            "author": self.signed(facts.author),
            "committer": self.signed(facts.committer),
            "tree": {"sha": facts.tree, "url": f"{base}/git/trees/{facts.tree}"},
            "message": facts.message,
            "parents": [
                {
                    "sha": sha,
                    "url": f"{base}/git/commits/{sha}",
                    "html_url": f"{web}/commit/{sha}",
                }
                for sha in facts.parents
            ],
            "verification": {
                "verified": False,
                "reason": "unsigned",
                "signature": None,
                "payload": None,
                "verified_at": None,
            },
        }

    def ref(self, repository: Repository, name: str, sha: str) -> Json:
        base = self.repo_url(repository)
        return {
            "ref": name,
            "node_id": f"REF_{name}",
            "url": f"{base}/git/{name}",
            "object": {"type": "commit", "sha": sha, "url": f"{base}/git/commits/{sha}"},
        }

    def short_branch(self, repository: Repository, name: str, sha: str) -> Json:
        return {
            "name": name,
            "commit": {"sha": sha, "url": f"{self.repo_url(repository)}/commits/{sha}"},
            "protected": name in repository.protected,
        }

    def branch(self, repository: Repository, name: str, sha: str) -> Json:
        url = f"{self.repo_url(repository)}/branches/{name}"
        protected = name in repository.protected
        return {
            "name": name,
            "commit": self.commit(repository, repository.store.facts(sha)),
            "_links": {
                "self": url,
                "html": f"{self.server}/{repository.full_name}/tree/{name}",
            },
            "protected": protected,
            "protection": {"enabled": protected},
            "protection_url": f"{url}/protection",
        }

    def content(self, repository: Repository, blob: Blob, ref: str, *, listed: bool) -> Json:
        base = self.repo_url(repository)
        web = f"{self.server}/{repository.full_name}/blob/{ref}/{blob.path}"
        kinds = {"120000": "symlink", "160000": "submodule"}
        kind = kinds.get(blob.mode, "file")
        url = f"{base}/contents/{blob.path}?ref={ref}"
        git = f"{base}/git/{'trees' if kind == 'submodule' else 'blobs'}/{blob.sha}"
        shape: Json = {
            "name": blob.path.rsplit("/", 1)[-1],
            "path": blob.path,
            "sha": blob.sha,
            "size": blob.size,
            "url": url,
            "html_url": web,
            "git_url": git,
            "download_url": web.replace("/blob/", "/raw/"),
            "type": "file" if listed and kind == "submodule" else kind,
            "_links": {"self": url, "git": git, "html": web},
        }
        if listed:
            return shape
        data = b"" if kind == "submodule" else repository.store.data(blob.sha)
        if kind == "symlink":
            return {**shape, "target": data.decode("utf-8", "replace")}
        if kind == "submodule":
            return {**shape, "submodule_git_url": f"{self.server}/other.git"}
        return {**shape, **encoded(data)}

    # -- Actions and checks

    def check(self, repository: Repository, run: CheckRun) -> Json:
        url = f"{self.repo_url(repository)}/check-runs/{run.id}"
        web = f"{self.server}/{repository.full_name}/runs/{run.id}"
        pulls = [p for p in repository.pulls.values() if p.head == run.head and p.state == "open"]
        return {
            "id": run.id,
            "node_id": run.node_id,
            "head_sha": run.head,
            "name": run.name,
            "url": url,
            "html_url": web,
            "details_url": run.details_url or web,
            "external_id": run.external_id or "",
            "status": run.status,
            "conclusion": run.conclusion,
            "started_at": stamp(run.started),
            "completed_at": None if run.completed is None else stamp(run.completed),
            "check_suite": {"id": 1},
            "app": self.app(),
            "output": {
                "title": run.title,
                "summary": run.summary,
                "text": run.text,
                "annotations_count": len(run.annotations),
                "annotations_url": f"{url}/annotations",
            },
            "pull_requests": [self.pull_minimal(p) for p in pulls if p.head_repository],
        }

    def annotation(self, repository: Repository, head: str, told: Json) -> Json:
        empty = dict.fromkeys(("start_column", "end_column", "title", "raw_details"))
        path = f"{self.server}/{repository.full_name}/blob/{head}/{told['path']}"
        return {**empty, **told, "blob_href": path}

    def run(self, repository: Repository, run: Run) -> Json:
        url = f"{self.repo_url(repository)}/actions/runs/{run.id}"
        facts = repository.store.facts(run.head)
        when = stamp(run.created)
        people = {"actor": self.user(run.actor), "triggering_actor": self.user(run.actor)}
        person = ("name", "email")
        return {
            "id": run.id,
            "name": run.name,
            "node_id": f"WFR_{run.id}",
            "check_suite_id": run.id,
            "check_suite_node_id": f"CS_{run.id}",
            "head_branch": run.head_branch,
            "head_sha": run.head,
            "path": f".github/workflows/{run.name}.yml",
            "run_number": 1,
            "run_attempt": 1,
            "display_title": run.name,
            "event": run.event,
            "status": "completed",
            "conclusion": run.conclusion,
            "workflow_id": 1,
            "url": url,
            "html_url": f"{self.server}/{repository.full_name}/actions/runs/{run.id}",
            "pull_requests": [self.pull_minimal(p) for p in run.pulls],
            "created_at": when,
            "updated_at": when,
            "run_started_at": when,
            **people,
            "jobs_url": f"{url}/jobs",
            "logs_url": f"{url}/logs",
            "check_suite_url": f"{self.repo_url(repository)}/check-suites/{run.id}",
            "artifacts_url": f"{url}/artifacts",
            "cancel_url": f"{url}/cancel",
            "rerun_url": f"{url}/rerun",
            "previous_attempt_url": None,
            "workflow_url": f"{self.repo_url(repository)}/actions/workflows/1",
            "head_commit": {
                "id": run.head,
                "tree_id": facts.tree,
                "message": facts.message,
                "timestamp": stamp(facts.author.when),
                "author": {key: getattr(facts.author, key) for key in person},
                "committer": {key: getattr(facts.committer, key) for key in person},
            },
            "repository": self.minimal(repository),
            "head_repository": self.minimal(run.head_repository),
            "referenced_workflows": [],
        }

    def artifact(self, repository: Repository, artifact: Artifact) -> Json:
        url = f"{self.repo_url(repository)}/actions/artifacts/{artifact.id}"
        when = stamp(artifact.created)
        return {
            "id": artifact.id,
            "node_id": f"ART_{artifact.id}",
            "name": artifact.name,
            "size_in_bytes": len(artifact.data),
            "url": url,
            "archive_download_url": f"{url}/zip",
            "expired": artifact.expired,
            "created_at": when,
            "updated_at": when,
            "expires_at": stamp(artifact.created + 90 * 86_400),
            "workflow_run": {
                "id": artifact.run.id,
                "repository_id": repository.id,
                "head_repository_id": artifact.run.head_repository.id,
                "head_branch": artifact.run.head_branch,
                "head_sha": artifact.run.head,
            },
        }


def encoded(data: bytes) -> Json:
    """Bytes as GitHub tells them: base64 with line ends."""
    return {"encoding": "base64", "content": base64.encodebytes(data).decode()}
