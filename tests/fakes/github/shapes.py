"""GitHub's JSON for people, repositories and pull requests. The comments' is in `spoken.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fakes.github.model import Pull, Token, User, stamp

if TYPE_CHECKING:
    from tests.fakes.github.repository import Repository

Json = dict[str, Any]
ACTIONS_LOGIN = "github-actions[bot]"
_USER_URLS = {
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
    "organizations_url": "/orgs",
    "repos_url": "/repos",
    "events_url": "/events{/privacy}",
    "received_events_url": "/received_events",
}
_REPOSITORY_URLS = {
    "forks_url": "/forks",
    "keys_url": "/keys{/key_id}",
    "collaborators_url": "/collaborators{/collaborator}",
    "teams_url": "/teams",
    "hooks_url": "/hooks",
    "issue_events_url": "/issues/events{/number}",
    "events_url": "/events",
    "assignees_url": "/assignees{/user}",
    "branches_url": "/branches{/branch}",
    "tags_url": "/tags",
    "blobs_url": "/git/blobs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "trees_url": "/git/trees{/sha}",
    "statuses_url": "/statuses/{sha}",
    "languages_url": "/languages",
    "stargazers_url": "/stargazers",
    "contributors_url": "/contributors",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "commits_url": "/commits{/sha}",
    "git_commits_url": "/git/commits{/sha}",
    "comments_url": "/comments{/number}",
    "issue_comment_url": "/issues/comments{/number}",
    "contents_url": "/contents/{+path}",
    "compare_url": "/compare/{base}...{head}",
    "merges_url": "/merges",
    "archive_url": "/{archive_format}{/ref}",
    "downloads_url": "/downloads",
    "issues_url": "/issues{/number}",
    "pulls_url": "/pulls{/number}",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "labels_url": "/labels{/name}",
    "releases_url": "/releases{/id}",
    "deployments_url": "/deployments",
}
_CHOICES = (
    "allow_auto_merge", "allow_merge_commit", "allow_rebase_merge", "allow_squash_merge",
    "allow_update_branch",
)  # fmt: skip


class Shapes:
    """Makes JSON with absolute addresses below the two given."""

    def __init__(self, api_url: str, server_url: str) -> None:
        self.api, self.server = api_url, server_url

    def repo_url(self, repository: Repository) -> str:
        return f"{self.api}/repos/{repository.full_name}"

    # -- people

    def user(self, user: User) -> Json:
        url = f"{self.api}/users/{user.login}"
        page = user.login.removesuffix("[bot]")
        return {
            "login": user.login,
            "id": user.id,
            "node_id": user.node_id,
            "avatar_url": f"{self.server}/avatars/{user.id}",
            "gravatar_id": "",
            "url": url,
            "html_url": f"{self.server}/{f'apps/{page}' if user.kind == 'Bot' else page}",
            **{key: f"{url}{rest}" for key, rest in _USER_URLS.items()},
            "type": user.kind,
            "user_view_type": "public",
            "site_admin": False,
        }

    def profile(self, user: User) -> Json:
        """A user with what a profile adds."""
        empty = dict.fromkeys(("name", "company", "location", "email", "hireable", "bio"))
        zero = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
        times = {"created_at": stamp(0), "updated_at": stamp(0)}
        return {**self.user(user), **empty, "blog": "", **zero, **times}

    def app(self) -> Json:
        """The app behind GITHUB_TOKEN."""
        return {
            "id": 15368,
            "client_id": "Iv1.fake",
            "slug": "github-actions",
            "node_id": "MDM6QXBwMTUzNjg=",
            "owner": self.user(User(9919, "github")),
            "name": "GitHub Actions",
            "description": "Automate your workflow",
            "external_url": f"{self.server}/features/actions",
            "html_url": f"{self.server}/apps/github-actions",
            "created_at": stamp(0),
            "updated_at": stamp(0),
            "permissions": {"checks": "write", "contents": "write", "metadata": "read"},
            "events": [],
        }

    # -- repositories

    def minimal(self, repository: Repository) -> Json:
        """A repository as it is told inside other things."""
        url = self.repo_url(repository)
        return {
            "id": repository.id,
            "node_id": repository.node_id,
            "name": repository.name,
            "full_name": repository.full_name,
            "private": repository.private,
            "owner": self.user(repository.fake.user(repository.owner)),
            "html_url": f"{self.server}/{repository.full_name}",
            "description": None,
            "fork": repository.parent is not None,
            "url": url,
            **{key: f"{url}{rest}" for key, rest in _REPOSITORY_URLS.items()},
        }

    def repository(self, repository: Repository) -> Json:
        web = f"{self.server}/{repository.full_name}"
        born = stamp(repository.created)
        asked = sum(pull.state == "open" for pull in repository.pulls.values())
        return {
            **self.minimal(repository),
            "created_at": born,
            "updated_at": born,
            "pushed_at": born,
            "git_url": f"git:{web.removeprefix('http:')}.git",
            "ssh_url": f"git@localhost:{repository.full_name}.git",
            "clone_url": f"{web}.git",
            "svn_url": web,
            "homepage": None,
            "size": 0,
            "stargazers_count": 0,
            "watchers_count": 0,
            "language": "TeX",
            "has_issues": True,
            "has_projects": True,
            "has_downloads": True,
            "has_wiki": True,
            "has_pages": False,
            "has_discussions": False,
            "forks_count": 0,
            "mirror_url": None,
            "archived": False,
            "disabled": False,
            "open_issues_count": asked,
            "license": None,
            "allow_forking": True,
            "is_template": False,
            "web_commit_signoff_required": False,
            "topics": [],
            "visibility": "private" if repository.private else "public",
            "forks": 0,
            "open_issues": asked,
            "watchers": 0,
            "default_branch": repository.default_branch,
            "custom_properties": {},
            **dict.fromkeys(_CHOICES, True),
            "delete_branch_on_merge": False,
            "use_squash_pr_title_as_default": False,
            "merge_commit_message": "PR_TITLE",
            "merge_commit_title": "MERGE_MESSAGE",
            "squash_merge_commit_message": "COMMIT_MESSAGES",
            "squash_merge_commit_title": "COMMIT_OR_PR_TITLE",
        }

    def full_repository(self, repository: Repository) -> Json:
        """A repository as its own address tells it."""
        parent = repository.parent
        family = {} if parent is None else dict.fromkeys(
            ("parent", "source"), self.repository(parent)
        )  # fmt: skip
        return {
            **self.repository(repository),
            "network_count": 0,
            "subscribers_count": 0,
            **family,
        }

    # -- pull requests

    def end(self, repository: Repository | None, branch: str, sha: str, owner: User) -> Json:
        """The head or the base of a pull request."""
        user = owner if repository is None else repository.fake.user(repository.owner)
        return {
            "label": f"{user.login}:{branch}",
            "ref": branch,
            "sha": sha,
            "user": self.user(user),
            "repo": None if repository is None else self.repository(repository),
        }

    def pull_simple(self, pull: Pull) -> Json:
        """A pull request as lists tell it."""
        repository: Repository = pull.repository
        url = f"{self.repo_url(repository)}/pulls/{pull.number}"
        issue = f"{self.repo_url(repository)}/issues/{pull.number}"
        web = f"{self.server}/{repository.full_name}/pull/{pull.number}"
        statuses = f"{self.repo_url(repository)}/statuses/{pull.head}"
        review = f"{self.repo_url(repository)}/pulls/comments{{/number}}"
        links = {
            "self": url,
            "html": web,
            "issue": issue,
            "comments": f"{issue}/comments",
            "review_comments": f"{url}/comments",
            "review_comment": review,
            "commits": f"{url}/commits",
            "statuses": statuses,
        }
        return {
            "url": url,
            "id": pull.id,
            "node_id": pull.node_id,
            "html_url": web,
            "diff_url": f"{web}.diff",
            "patch_url": f"{web}.patch",
            "issue_url": issue,
            "number": pull.number,
            "state": pull.state,
            "locked": pull.locked,
            "title": pull.title,
            "user": self.user(pull.author),
            "body": pull.body,
            "created_at": stamp(pull.created),
            "updated_at": stamp(pull.updated),
            "closed_at": None if pull.closed is None else stamp(pull.closed),
            "merged_at": None if pull.merged is None else stamp(pull.merged),
            "merge_commit_sha": pull.merge_commit,
            "assignee": None,
            "assignees": [],
            "requested_reviewers": [],
            "requested_teams": [],
            "labels": [self.label(repository, name) for name in pull.labels],
            "milestone": None,
            "draft": pull.draft,
            "commits_url": f"{url}/commits",
            "review_comments_url": f"{url}/comments",
            "review_comment_url": review,
            "comments_url": f"{issue}/comments",
            "statuses_url": statuses,
            "head": self.end(pull.head_repository, pull.head_branch, pull.head, pull.author),
            "base": self.end(repository, pull.base_branch, pull.base, pull.author),
            "_links": {key: {"href": href} for key, href in links.items()},
            "author_association": repository.association(pull.author),
            "auto_merge": None,
            "active_lock_reason": None,
        }

    def pull(self, pull: Pull) -> Json:
        """A pull request as its own address tells it."""
        repository: Repository = pull.repository
        files = repository.files(pull)
        commits = repository.store.between(repository.merge_base(pull), pull.head)
        return {
            **self.pull_simple(pull),
            "merged": pull.merged is not None,
            "mergeable": None if pull.state == "closed" else True,
            "rebaseable": None,
            "mergeable_state": "unknown" if pull.state == "closed" else "clean",
            "merged_by": None,
            "comments": len(pull.remarks),
            "review_comments": len(pull.comments),
            "maintainer_can_modify": False,
            "commits": len(commits),
            "additions": sum(f.additions for f in files),
            "deletions": sum(f.deletions for f in files),
            "changed_files": len(files),
        }

    def pull_minimal(self, pull: Pull) -> Json:
        """A pull request as runs and checks tell it."""

        def end(repository: Repository, branch: str, sha: str) -> Json:
            repo = {"id": repository.id, "url": self.repo_url(repository), "name": repository.name}
            return {"ref": branch, "sha": sha, "repo": repo}

        return {
            "url": f"{self.repo_url(pull.repository)}/pulls/{pull.number}",
            "id": pull.id,
            "number": pull.number,
            "head": end(pull.head_repository, pull.head_branch, pull.head),
            "base": end(pull.repository, pull.base_branch, pull.base),
        }

    def issue(self, pull: Pull) -> Json:
        """A pull request in its guise as an issue."""
        simple = self.pull_simple(pull)
        url = simple["issue_url"]
        same = (
            "id", "node_id", "number", "state", "locked", "title", "user", "body", "created_at",
            "updated_at", "closed_at", "assignee", "assignees", "labels", "milestone", "draft",
            "author_association", "html_url", "active_lock_reason", "comments_url",
        )  # fmt: skip
        return {
            **{key: simple[key] for key in same},
            "url": url,
            "repository_url": self.repo_url(pull.repository),
            "labels_url": f"{url}/labels{{/name}}",
            "events_url": f"{url}/events",
            "comments": len(pull.remarks),
            "reactions": self.rollup([], url),
            "timeline_url": f"{url}/timeline",
            "performed_via_github_app": None,
            "state_reason": None,
            "pull_request": {
                "url": simple["url"],
                "html_url": simple["html_url"],
                "diff_url": simple["diff_url"],
                "patch_url": simple["patch_url"],
                "merged_at": simple["merged_at"],
            },
        }

    def label(self, repository: Repository, name: str) -> Json:
        return {
            "id": 1 + sum(name.encode()),
            "node_id": f"LA_{sum(name.encode())}",
            "url": f"{self.repo_url(repository)}/labels/{name}",
            "name": name,
            "description": None,
            "color": "ededed",
            "default": False,
        }

    def rollup(self, contents: list[str], url: str) -> Json:
        """The reactions of something, counted."""
        kinds = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
        counted = {kind: contents.count(kind) for kind in kinds}
        return {"url": f"{url}/reactions", "total_count": len(contents), **counted}


def permission_of(repository: Repository, token: Token) -> str:
    """What a token's bearer may do with a repository, in a word."""
    if not token.is_app:
        return repository.permission(token.user.login)
    return "write" if token.may("contents", "write") else "read"
