"""REST: people, permissions, limits, check runs, and the artifacts of workflow runs."""

from typing import Any

from tests.fakes.github.calls import REPO, Answer, Call, route
from tests.fakes.github.model import CheckRun, Refused
from tests.fakes.github.repository import Repository
from tests.fakes.github.shapes import Json

MOST_ANNOTATIONS = 50
MOST_OUTPUT = 65_535
_MOST_TITLE = 255
_MOST_MESSAGE = 65_536


@route("GET", "/user")
def get_user(call: Call) -> Answer:
    user = call.user
    if call.token is not None and call.token.is_app:
        raise Refused(403, "Resource not accessible by integration")
    return Answer(200, call.shapes.profile(user))


@route("GET", "/users/{username}")
def get_somebody(call: Call) -> Answer:
    found = call.fake.users.get(call.params["username"].casefold())
    if found is None:
        raise Refused(404, "Not Found")
    return Answer(200, call.shapes.profile(found))


@route("GET", "/rate_limit")
def get_limit(call: Call) -> Answer:
    rate = call.fake.rate()
    return Answer(200, {"resources": {"core": rate, "search": rate, "graphql": rate}, "rate": rate})


@route("GET", REPO)
def get_repository(call: Call) -> Answer:
    return Answer(200, call.shapes.full_repository(call.repository))


@route("GET", f"{REPO}/collaborators/{{username}}/permission")
def get_permission(call: Call) -> Answer:
    repository, login = call.repository, call.params["username"]
    person = call.token is not None and not call.token.is_app
    if person and not repository.may_write(call.user.login):
        raise Refused(403, "Must have push access to view collaborator permission.")
    found = call.fake.users.get(login.casefold())
    if found is None:
        raise Refused(404, "Not Found")
    permission = repository.permission(login)
    user = {**call.shapes.user(found), "role_name": permission}
    return Answer(200, {"permission": permission, "user": user, "role_name": permission})


# -- check runs


@route("POST", f"{REPO}/check-runs")
def make_check(call: Call) -> Answer:
    repository = _may_check(call)
    body = call.body
    if not repository.store.has_commit(body["head_sha"]):
        raise Refused(422, f"No commit found for SHA: {body['head_sha']}")
    now = call.fake.counter.now()
    number = call.fake.counter.next()
    run = CheckRun(number, body["name"], body["head_sha"], call.user, "queued", None, now, None)
    _fill(call, run)
    repository.checks[run.id] = run
    return Answer(201, call.shapes.check(repository, run))


@route("PATCH", f"{REPO}/check-runs/{{check_run_id}}")
def edit_check(call: Call) -> Answer:
    repository = _may_check(call)
    run = _check(call, repository)
    _fill(call, run)
    return Answer(200, call.shapes.check(repository, run))


@route("GET", f"{REPO}/check-runs/{{check_run_id}}")
def get_check(call: Call) -> Answer:
    repository = call.repository
    return Answer(200, call.shapes.check(repository, _check(call, repository)))


@route("GET", f"{REPO}/check-runs/{{check_run_id}}/annotations")
def list_annotations(call: Call) -> Answer:
    repository = call.repository
    run = _check(call, repository)
    told = [call.shapes.annotation(repository, run.head, a) for a in run.annotations]
    return call.page(told)


@route("GET", f"{REPO}/commits/{{ref}}/check-runs")
def list_checks(call: Call) -> Answer:
    repository = call.repository
    sha = repository.store.resolve(call.params["ref"])
    name = call.query.get("check_name")
    found = [c for c in repository.checks.values() if c.head == sha and name in {None, c.name}]
    told = [call.shapes.check(repository, run) for run in found]
    return call.page(told, lambda page: {"total_count": len(told), "check_runs": page})


def _may_check(call: Call) -> Repository:
    if call.token is not None and not call.token.is_app:
        raise Refused(403, "You must authenticate via a GitHub App.")
    call.may("checks")
    return call.repository


def _check(call: Call, repository: Repository) -> CheckRun:
    found = repository.checks.get(call.number(call.params["check_run_id"]))
    if found is None:
        raise Refused(404, "Not Found")
    return found


def _fill(call: Call, run: CheckRun) -> None:
    """Take over what a request says of a check run; annotations are added to those there are."""
    body: Json = call.body
    output = body.get("output") or {}
    annotations = output.get("annotations") or []
    _check_output(output, annotations)
    conclusion = body.get("conclusion")
    status = body.get("status") or ("completed" if conclusion else run.status)
    if status == "completed" and conclusion is None and run.conclusion is None:
        raise Refused(422, "Invalid request.\n\nconclusion is missing.")
    run.status, run.conclusion = status, conclusion or run.conclusion
    run.completed = call.fake.counter.now() if status == "completed" else None
    run.name = body.get("name", run.name)
    run.details_url = body.get("details_url", run.details_url)
    run.external_id = body.get("external_id", run.external_id)
    for key in ("title", "summary", "text"):
        if key in output:
            setattr(run, key, output[key])
    run.annotations += annotations


def _check_output(output: Json, annotations: list[dict[str, Any]]) -> None:
    for key in ("summary", "text"):
        if len(output.get(key) or "") > MOST_OUTPUT:
            raise Refused(422, f"Invalid request.\n\nOnly {MOST_OUTPUT} characters are allowed.")
    if len(annotations) > MOST_ANNOTATIONS:
        raise Refused(
            422, f"Invalid request.\n\nNo more than {MOST_ANNOTATIONS} items are allowed."
        )
    for told in annotations:
        ordered = 1 <= told["start_line"] <= told["end_line"]
        columns = {"start_column", "end_column"} & told.keys()
        one_line = told["start_line"] == told["end_line"]
        short = len(told.get("title") or "") <= _MOST_TITLE
        if not ordered or (columns and not one_line) or not short:
            raise Refused(422, "Invalid request.\n\nInvalid annotation.")
        if not told["message"] or len(told["message"].encode()) > _MOST_MESSAGE:
            raise Refused(422, "Invalid request.\n\nInvalid message.")


# -- workflow runs


@route("GET", f"{REPO}/actions/runs/{{run_id}}")
def get_run(call: Call) -> Answer:
    repository = call.repository
    found = repository.runs.get(call.number(call.params["run_id"]))
    if found is None:
        raise Refused(404, "Not Found")
    return Answer(200, call.shapes.run(repository, found))


@route("GET", f"{REPO}/actions/runs/{{run_id}}/artifacts")
def list_artifacts(call: Call) -> Answer:
    repository = call.repository
    found = repository.runs.get(call.number(call.params["run_id"]))
    if found is None:
        raise Refused(404, "Not Found")
    name = call.query.get("name")
    told = [
        call.shapes.artifact(repository, artifact)
        for artifact in found.artifacts
        if name in {None, artifact.name}
    ]
    return call.page(told, lambda page: {"total_count": len(told), "artifacts": page})


def _artifact(call: Call) -> Any:
    number = call.number(call.params["artifact_id"])
    for run in call.repository.runs.values():
        for artifact in run.artifacts:
            if artifact.id == number:
                return artifact
    raise Refused(404, "Not Found")


@route("GET", f"{REPO}/actions/artifacts/{{artifact_id}}")
def get_artifact(call: Call) -> Answer:
    return Answer(200, call.shapes.artifact(call.repository, _artifact(call)))


@route("GET", f"{REPO}/actions/artifacts/{{artifact_id}}/{{archive_format}}")
def download(call: Call) -> Answer:
    """A redirect to another host, which must not be shown the token."""
    found = _artifact(call)
    user = call.user
    token = call.token
    assert token is not None
    if token.is_app and not token.may("actions", "read"):
        raise Refused(403, "Resource not accessible by integration")
    if call.params["archive_format"] != "zip" or found.expired:
        raise Refused(410, "Artifact has expired")
    return Answer(302, None, {"Location": call.fake.blob_url(found, user)})
