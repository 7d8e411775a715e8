"""REST: pull requests, and what the whole of the diff is asked for."""

from tests.fakes.github.calls import REPO, Answer, Call, checked_text, route
from tests.fakes.github.hunks import MOST_FILES, MOST_PATCH_LINES, FileDiff
from tests.fakes.github.model import Pull, Refused
from tests.fakes.github.repository import Repository
from tests.fakes.github.shapes import Json


@route("GET", f"{REPO}/pulls")
def list_pulls(call: Call) -> Answer:
    repository = call.repository
    state, head = call.query.get("state", "open"), call.query.get("head", "")
    base = call.query.get("base", "")

    def wanted(pull: Pull) -> bool:
        where: Repository | None = pull.head_repository
        name = f"{where.owner if where else pull.author.login}:{pull.head_branch}"
        # GitHub ignores a `head` without "owner:".
        fits = ":" not in head or name.casefold() == head.casefold()
        return state in {"all", pull.state} and fits and base in {"", pull.base_branch}

    found = [pull for pull in repository.pulls.values() if wanted(pull)]
    sort = call.query.get("sort", "created")
    newest_first = call.query.get("direction", "desc" if sort == "created" else "asc") == "desc"
    found.sort(key=lambda p: p.updated if sort == "updated" else p.number, reverse=newest_first)
    return call.page([call.shapes.pull_simple(pull) for pull in found])


@route("POST", f"{REPO}/pulls")
def make_pull(call: Call) -> Answer:
    user = call.may("pull-requests", own=True)
    repository = call.repository
    if call.token is not None and call.token.is_app and not repository.can_approve:
        raise Refused(403, "GitHub Actions is not permitted to create or approve pull requests.")
    owner, _, branch = call.body["head"].rpartition(":")
    where = repository
    if owner and owner.casefold() != repository.owner.casefold():
        found = call.fake.find(f"{owner}/{repository.name}")
        if found is None:
            error = {"resource": "PullRequest", "field": "head", "code": "invalid"}
            raise Refused(422, "Validation Failed", [error])
        where = found
    if call.token is not None and not call.token.is_app and not where.may_write(user.login):
        raise Refused(403, "Must have push access to the head repository.")
    title = call.body.get("title") or ""
    if not title.strip() or len(title) > 256:
        error = {"resource": "PullRequest", "field": "title", "code": "missing_field"}
        raise Refused(422, "Validation Failed", [error])
    body = checked_text(call.body.get("body") or "", "PullRequest", empty=True)
    pull = repository.opened(
        user, where, branch, call.body["base"], title, body, draft=bool(call.body.get("draft"))
    )
    return Answer(201, call.shapes.pull(pull))


@route("GET", f"{REPO}/pulls/{{pull_number}}")
def get_pull(call: Call) -> Answer:
    return Answer(200, call.shapes.pull(call.pull))


@route("PATCH", f"{REPO}/pulls/{{pull_number}}")
def edit_pull(call: Call) -> Answer:
    pull = call.pull
    call.may("pull-requests", own=pull.author is call.user)
    if "title" in call.body:
        pull.title = call.body["title"]
    if "body" in call.body:
        pull.body = checked_text(call.body["body"] or "", "PullRequest", empty=True)
    if "base" in call.body:
        if pull.repository.tip(call.body["base"]) is None:
            error = {"resource": "PullRequest", "field": "base", "code": "invalid"}
            raise Refused(422, "Validation Failed", [error])
        pull.base_branch = call.body["base"]
    state = call.body.get("state")
    if state == "closed" and pull.state == "open":
        pull.repository.close(pull.number)
    elif state == "open" and pull.state == "closed":
        if pull.merged is not None or pull.head_repository.tip(pull.head_branch) is None:
            raise Refused(422, "Validation Failed", ["state cannot be changed."])
        pull.repository.reopen(pull.number)
    pull.updated = call.fake.counter.now()
    return Answer(200, call.shapes.pull(pull))


@route("GET", f"{REPO}/pulls/{{pull_number}}/files")
def list_files(call: Call) -> Answer:
    pull = call.pull
    return call.page(told_files(call, pull.repository, pull.repository.files(pull), pull.head))


def told_files(
    call: Call, repository: Repository, files: tuple[FileDiff, ...], head: str
) -> list[Json]:
    """The files of a diff; past so many lines GitHub leaves patches out, past so many files all."""
    told, lines = [], 0
    for file in files[:MOST_FILES]:
        lines += len(file.raw)
        small = lines <= MOST_PATCH_LINES
        told.append(call.shapes.file(repository, file, head, patch=small))
    return told


@route("GET", f"{REPO}/pulls/{{pull_number}}/commits")
def list_pull_commits(call: Call) -> Answer:
    pull = call.pull
    store = pull.repository.store
    commits = store.between(pull.repository.merge_base(pull), pull.head)[:250]
    return call.page([call.shapes.commit(pull.repository, store.facts(sha)) for sha in commits])


# -- a pull request as an issue


@route("GET", f"{REPO}/issues/{{issue_number}}")
def get_issue(call: Call) -> Answer:
    return Answer(200, call.shapes.issue(call.pull))


@route("GET", f"{REPO}/issues/{{issue_number}}/labels")
def list_labels(call: Call) -> Answer:
    pull = call.pull
    return call.page([call.shapes.label(pull.repository, name) for name in pull.labels])


@route("GET", f"{REPO}/issues/{{issue_number}}/comments")
def list_issue_comments(call: Call) -> Answer:
    return call.page([call.shapes.issue_comment(remark) for remark in call.pull.remarks])


@route("POST", f"{REPO}/issues/{{issue_number}}/comments")
def make_issue_comment(call: Call) -> Answer:
    pull = call.pull
    user = call.may("issues|pull-requests", own=True)
    call.unlocked(pull)
    body = call.text("IssueComment")
    return Answer(201, call.shapes.issue_comment(pull.repository.remarked(pull, user, body)))


@route("GET", f"{REPO}/issues/comments/{{comment_id}}")
def get_issue_comment(call: Call) -> Answer:
    found = call.repository.issue_comment(call.number(call.params["comment_id"]))
    return Answer(200, call.shapes.issue_comment(found))


@route("PATCH", f"{REPO}/issues/comments/{{comment_id}}")
def edit_issue_comment(call: Call) -> Answer:
    found = call.repository.issue_comment(call.number(call.params["comment_id"]))
    call.may("issues|pull-requests", own=found.user is call.user)
    found.body = call.text("IssueComment")
    found.updated = call.fake.counter.now()
    return Answer(200, call.shapes.issue_comment(found))


@route("DELETE", f"{REPO}/issues/comments/{{comment_id}}")
def delete_issue_comment(call: Call) -> Answer:
    found = call.repository.issue_comment(call.number(call.params["comment_id"]))
    call.may("issues|pull-requests", own=found.user is call.user)
    found.pull.remarks.remove(found)
    return Answer(204)


@route("GET", f"{REPO}/issues/comments/{{comment_id}}/reactions")
def list_issue_reactions(call: Call) -> Answer:
    found = call.repository.issue_comment(call.number(call.params["comment_id"]))
    return call.page([call.shapes.reaction(r) for r in found.reactions])


@route("POST", f"{REPO}/issues/comments/{{comment_id}}/reactions")
def make_issue_reaction(call: Call) -> Answer:
    found = call.repository.issue_comment(call.number(call.params["comment_id"]))
    user = call.may("issues|pull-requests", own=True)
    call.unlocked(found.pull)
    reaction, new = call.fake.reacted(found, user, call.body["content"])
    return Answer(201 if new else 200, call.shapes.reaction(reaction))
