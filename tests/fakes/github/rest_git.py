"""REST: commits, branches, references, trees, blobs and files."""

import base64
import binascii

from tests.fakes.github.calls import REPO, Answer, Call, route
from tests.fakes.github.hunks import read_diff
from tests.fakes.github.model import Refused
from tests.fakes.github.repository import Repository
from tests.fakes.github.rest_pulls import told_files
from tests.fakes.github.shapes import Json
from tests.fakes.github.spoken import encoded
from tests.fakes.github.store import Content, Entry, GitFailed, Signature


def _commit(repository: Repository, name: str) -> str:
    sha = repository.store.resolve(name)
    if sha is None:
        raise Refused(422, f"No commit found for SHA: {name}")
    return sha


@route("GET", f"{REPO}/compare/{{basehead}}")
def compare(call: Call) -> Answer:
    """Three-dot only, as GitHub tells it."""
    repository = call.repository
    one, dots, other = call.params["basehead"].partition("...")
    ends = [_named(call, repository, name) for name in (one, other)]
    if not dots or None in ends:
        raise Refused(404, "Not Found")
    base, head = (end or "" for end in ends)
    store = repository.store
    middle = store.merge_base(base, head)
    if middle is None:
        raise Refused(404, f"No common ancestor between {one} and {other}.")
    ahead, behind = store.between(base, head), store.between(head, base)
    status = {(True, True): "diverged", (True, False): "ahead", (False, True): "behind"}
    url = f"{call.shapes.repo_url(repository)}/compare/{call.params['basehead']}"
    web = f"{call.shapes.server}/{repository.full_name}/compare/{call.params['basehead']}"
    size = min(int(call.query.get("per_page", 250)), 250)
    start = (int(call.query.get("page", 1)) - 1) * size
    files = read_diff(store.diff(middle, head)) if start == 0 else ()
    return Answer(
        200,
        {
            "url": url,
            "html_url": web,
            "permalink_url": web,
            "diff_url": f"{web}.diff",
            "patch_url": f"{web}.patch",
            "base_commit": call.shapes.commit(repository, store.facts(base)),
            "merge_base_commit": call.shapes.commit(repository, store.facts(middle)),
            "status": status.get((bool(ahead), bool(behind)), "identical"),
            "ahead_by": len(ahead),
            "behind_by": len(behind),
            "total_commits": len(ahead),
            "commits": [
                call.shapes.commit(repository, store.facts(sha))
                for sha in ahead[start : start + size]
            ],
            "files": told_files(call, repository, files, head)[:300],
        },
    )


def _named(call: Call, repository: Repository, name: str) -> str | None:
    """A commit by hash or branch; "owner:branch" means another repository of the network."""
    owner, colon, branch = name.rpartition(":")
    if colon:
        found = call.fake.find(f"{owner}/{repository.name}")
        return None if found is None else found.tip(branch)
    return repository.store.resolve(name)


@route("GET", f"{REPO}/commits")
def list_commits(call: Call) -> Answer:
    repository = call.repository
    sha = repository.store.resolve(call.query.get("sha", repository.default_branch))
    if sha is None:
        raise Refused(404, "Not Found")
    history = repository.store.history(sha)
    return call.page(
        [call.shapes.commit(repository, repository.store.facts(one)) for one in history]
    )


@route("GET", f"{REPO}/commits/{{ref}}")
def get_commit(call: Call) -> Answer:
    repository = call.repository
    facts = repository.store.facts(_commit(repository, call.params["ref"]))
    shape = call.shapes.commit(repository, facts)
    if facts.parents:
        files = read_diff(repository.store.diff(facts.parents[0], facts.sha))
        added, removed = (
            sum(getattr(file, key) for file in files) for key in ("additions", "deletions")
        )
        shape["stats"] = {"total": added + removed, "additions": added, "deletions": removed}
        shape["files"] = told_files(call, repository, files, facts.sha)[:300]
    return Answer(200, shape)


# -- branches and references


@route("GET", f"{REPO}/branches")
def list_branches(call: Call) -> Answer:
    repository = call.repository
    found = repository.store.refs("refs/heads/")
    return call.page(
        [
            call.shapes.short_branch(repository, name.removeprefix("refs/heads/"), sha)
            for name, sha in found.items()
        ]
    )


@route("GET", f"{REPO}/branches/{{branch}}")
def get_branch(call: Call) -> Answer:
    repository, name = call.repository, call.params["branch"]
    sha = repository.tip(name)
    if sha is None:
        raise Refused(404, "Branch not found")
    return Answer(200, call.shapes.branch(repository, name, sha))


@route("GET", f"{REPO}/git/ref/{{ref}}")
def get_ref(call: Call) -> Answer:
    repository, name = call.repository, f"refs/{call.params['ref']}"
    sha = repository.store.ref(name)
    if sha is None:
        raise Refused(404, "Not Found")
    return Answer(200, call.shapes.ref(repository, name, sha))


@route("GET", f"{REPO}/git/matching-refs/{{ref}}")
def match_refs(call: Call) -> Answer:
    repository, start = call.repository, f"refs/{call.params['ref']}"
    found = {n: s for n, s in repository.store.refs().items() if n.startswith(start)}
    return call.page([call.shapes.ref(repository, name, sha) for name, sha in found.items()])


@route("POST", f"{REPO}/git/refs")
def make_ref(call: Call) -> Answer:
    call.may("contents")
    repository, name, sha = call.repository, call.body["ref"], call.body["sha"]
    if not name.startswith("refs/") or name.count("/") < 2:
        raise Refused(422, "Reference name must start with 'refs/' and have at least two slashes.")
    if not repository.store.has_commit(sha):
        raise Refused(422, "Object does not exist")
    if repository.store.ref(name) is not None:
        raise Refused(422, "Reference already exists")
    _move(repository, name, sha, call)
    return Answer(201, call.shapes.ref(repository, name, sha))


@route("PATCH", f"{REPO}/git/refs/{{ref}}")
def move_ref(call: Call) -> Answer:
    call.may("contents")
    repository, name, sha = call.repository, f"refs/{call.params['ref']}", call.body["sha"]
    before = repository.store.ref(name)
    if before is None:
        raise Refused(422, "Reference does not exist")
    if not repository.store.has_commit(sha):
        raise Refused(422, "Object does not exist")
    if not call.body.get("force") and not repository.store.is_ancestor(before, sha):
        raise Refused(422, "Update is not a fast forward")
    _move(repository, name, sha, call)
    return Answer(200, call.shapes.ref(repository, name, sha))


@route("DELETE", f"{REPO}/git/refs/{{ref}}")
def delete_ref(call: Call) -> Answer:
    call.may("contents")
    repository, name = call.repository, f"refs/{call.params['ref']}"
    if repository.store.ref(name) is None:
        raise Refused(422, "Reference does not exist")
    _move(repository, name, None, call)
    return Answer(204)


def _move(repository: Repository, name: str, sha: str | None, call: Call) -> None:
    branch = name.removeprefix("refs/heads/")
    if branch in repository.protected:
        raise Refused(422, "Cannot update this protected ref.")
    try:
        if branch == name:
            repository.store.move(name, sha)
        else:
            repository.move(branch, sha, call.user)
    except GitFailed:
        raise Refused(422, "Reference could not be updated") from None


# -- objects


@route("POST", f"{REPO}/git/blobs")
def make_blob(call: Call) -> Answer:
    call.may("contents")
    repository, told = call.repository, call.body
    try:
        data = (
            base64.b64decode(told["content"], validate=True)
            if told.get("encoding") == "base64"
            else told["content"].encode()
        )
    except binascii.Error:
        raise Refused(422, "content is not valid Base64") from None
    sha = repository.store.write("blob", data)
    url = f"{call.shapes.repo_url(repository)}/git/blobs/{sha}"
    return Answer(201, {"sha": sha, "url": url})


@route("GET", f"{REPO}/git/blobs/{{file_sha}}")
def get_blob(call: Call) -> Answer:
    repository, sha = call.repository, call.params["file_sha"]
    try:
        data = repository.store.data(sha)
    except GitFailed:
        raise Refused(404, "Not Found") from None
    url = f"{call.shapes.repo_url(repository)}/git/blobs/{sha}"
    facts = {"sha": sha, "node_id": f"B_{sha}", "size": len(data), "url": url}
    return Answer(200, {**facts, **encoded(data)})


@route("POST", f"{REPO}/git/trees")
def make_tree(call: Call) -> Answer:
    call.may("contents")
    repository = call.repository
    changes: dict[str, Content] = {}
    for told in call.body["tree"]:
        sha = told.get("sha")
        if "content" in told:
            changes[told["path"]] = Entry(told["content"].encode(), told.get("mode", "100644"))
        elif sha is None:
            changes[told["path"]] = None
        else:
            data = repository.store.data(sha)
            changes[told["path"]] = Entry(data, told.get("mode", "100644"))
    base = call.body.get("base_tree")
    if base:
        resolved = repository.store.resolve(base)
        base = repository.store.facts(resolved).tree if resolved else base
    try:
        tree = repository.store.make_tree(changes, base)
    except GitFailed:
        raise Refused(422, "tree is not well-formed") from None
    return Answer(201, _tree(call, repository, tree))


@route("GET", f"{REPO}/git/trees/{{tree_sha}}")
def get_tree(call: Call) -> Answer:
    repository = call.repository
    try:
        return Answer(200, _tree(call, repository, call.params["tree_sha"]))
    except GitFailed:
        raise Refused(404, "Not Found") from None


def _tree(call: Call, repository: Repository, sha: str) -> Json:
    base = call.shapes.repo_url(repository)
    entries = [
        {
            "path": blob.path,
            "mode": blob.mode,
            "type": "commit" if blob.mode == "160000" else "blob",
            "sha": blob.sha,
            "size": blob.size,
            "url": f"{base}/git/blobs/{blob.sha}",
        }
        for blob in repository.store.tree(sha)
    ]
    return {"sha": sha, "url": f"{base}/git/trees/{sha}", "tree": entries, "truncated": False}


@route("POST", f"{REPO}/git/commits")
def make_commit(call: Call) -> Answer:
    user = call.may("contents")
    repository, told = call.repository, call.body
    author = repository.signature(user)
    if "author" in told:
        author = Signature(told["author"]["name"], told["author"]["email"], author.when)
    parents = tuple(told.get("parents", ()))
    if not all(repository.store.has_commit(parent) for parent in parents):
        raise Refused(422, "Parent SHA does not exist or is not a commit object")
    sha = repository.store.commit_tree(told["tree"], parents, told["message"], author)
    return Answer(201, call.shapes.git_commit(repository, repository.store.facts(sha)))


@route("GET", f"{REPO}/git/commits/{{commit_sha}}")
def get_git_commit(call: Call) -> Answer:
    repository, sha = call.repository, call.params["commit_sha"]
    if not repository.store.has_commit(sha):
        raise Refused(404, "Not Found")
    return Answer(200, call.shapes.git_commit(repository, repository.store.facts(sha)))


@route("GET", f"{REPO}/contents/{{path}}")
def get_contents(call: Call) -> Answer:
    repository, path = call.repository, call.params["path"].strip("/")
    ref = call.query.get("ref", repository.default_branch)
    commit = repository.store.resolve(ref)
    if commit is None:
        raise Refused(404, f"No commit found for the ref {ref}")
    blobs = repository.store.tree(commit)
    found = next((blob for blob in blobs if blob.path == path), None)
    if found is not None:
        return Answer(200, call.shapes.content(repository, found, ref, listed=False))
    inside = [b for b in blobs if b.path.rpartition("/")[0] == path]
    if not inside:
        raise Refused(404, "Not Found")
    return Answer(200, [call.shapes.content(repository, b, ref, listed=True) for b in inside])
