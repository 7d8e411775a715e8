"""A fake GitHub on loopback: stateful, on real bare git repositories, as strict as the real one.

    with FakeGitHub(tmp_path) as fake:
        paper = fake.repository("ada/survey")
        base = paper.commit("main", {"paper.tex": b"One.\\nTwo.\\n"})
        paper.commit("topic", {"paper.tex": b"One.\\nTwice.\\n"}, author="eve")
        pull = paper.open_pull("topic", author="eve")          # or from_fork="eve/survey"
        token = fake.token("ada/survey")                       # GITHUB_TOKEN of a workflow
        readonly = fake.token("ada/survey", read_only=True)    # the one a fork's pull request gets
        person = fake.token(user="eve")                        # a personal access token
        github.Github(base_url=fake.api_url, auth=Auth.Token(token), ...)
        git fetch {fake.server_url}/ada/survey.git             # x-access-token:TOKEN as password
        paper.apply_suggestion(comment_id, by="eve")           # the button in the browser
        paper.react(comment_id, "-1", by="ada"); paper.resolve(comment_id, by="ada")
        paper.reply(comment_id, "why?", by="eve"); paper.force_push("topic", base)
        paper.allow("bob", "write"); pull.locked = True; pull.draft = True; pull.queued = True
        event = paper.comment(pull.number, "/reviser help", by="eve")
        event = fake.events.pull_request(pull, "synchronize")
        run = paper.run(pull); paper.artifact(run, "reviser-plan", zip_bytes)
        event = fake.events.workflow_run(paper, run)
        fake.fail("POST", r"/reviews$", how="502 after")       # see faults.Fault
        fake.fail("POST", r"/graphql/createCommitOnBranch", how="secondary")
        fake.log.count("POST"); fake.log.writes; str(fake.log); fake.log.clear()
        assert not fake.violations

Every request and answer is judged by GitHub's OpenAPI file or GraphQL schema; what is wrong makes
the answer a 500 and is kept in `violations`. In the log a GraphQL request has the path
"/graphql/" and the names of the fields it asks at the top, joined by "+".
"""

from __future__ import annotations

import base64
import re
import threading
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.fakes.github import graph, rest_checks, rest_git, rest_pulls, rest_reviews
from tests.fakes.github.calls import ROUTES, Answer, Call, read_json, refusal
from tests.fakes.github.events import Events
from tests.fakes.github.faults import Fault, How, Log, Seen
from tests.fakes.github.gitweb import backend
from tests.fakes.github.http import Dropped, Server, as_json
from tests.fakes.github.judge import judge
from tests.fakes.github.model import (
    Artifact,
    Counter,
    IssueComment,
    Reaction,
    Refused,
    ReviewComment,
    Token,
    User,
)
from tests.fakes.github.repository import Repository
from tests.fakes.github.shapes import ACTIONS_LOGIN
from tests.fakes.github.spoken import Spoken

assert all((rest_checks, rest_git, rest_pulls, rest_reviews))  # importing them fills ROUTES
PREFIX = "/api/v3"
_GRAPHQL = "/api/graphql"
_NAME = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+")
_GIT = re.compile(r"/([^/]+/[^/]+?)(?:\.git)?/(info/refs|git-upload-pack|git-receive-pack)")
Reply = tuple[int, dict[str, str], bytes]
DEFAULT = {"contents": "read", "pull-requests": "write", "checks": "write", "actions": "read"}


class FakeGitHub:
    """The whole of it; a context manager. `folder` is where the repositories lie."""

    def __init__(self, folder: Path, *, limit: int = 1000) -> None:
        self.folder, self.limit = folder, limit
        self.lock = threading.RLock()
        self.counter = Counter()
        self.users: dict[str, User] = {}
        self.tokens: dict[str, Token] = {}
        self.repositories: dict[str, Repository] = {}
        self.pushes: list[tuple[str, str, str | None, str | None, str]] = []
        self.faults: list[Fault] = []
        self.violations: list[str] = []
        self.log = Log()
        self._blobs: dict[str, bytes] = {}
        self._spent = 0
        self._server = Server(self)
        self.server_url = f"http://127.0.0.1:{self._server.server_port}"
        self.api_url = f"{self.server_url}{PREFIX}"
        self.graphql_url = f"{self.server_url}{_GRAPHQL}"
        self.shapes = Spoken(self.api_url, self.server_url)
        self.events = Events(self)

    def __enter__(self) -> Self:
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    # -- what a test sets up

    def repository(
        self, name: str, *, private: bool = False, parent: Repository | None = None
    ) -> Repository:
        """A repository by its "owner/name", made when first asked for."""
        if not _NAME.fullmatch(name):
            raise ValueError(f"not owner/name: {name}")
        with self.lock:
            if name not in self.repositories:
                self.repositories[name] = Repository(self, name, private=private, parent=parent)
            return self.repositories[name]

    def find(self, name: str) -> Repository | None:
        """The same without making one; GitHub does not mind capitals."""
        folded = name.casefold()
        return next((r for n, r in self.repositories.items() if n.casefold() == folded), None)

    def user(self, login: str) -> User:
        """An account, made when first asked for; "x[bot]" is a bot."""
        with self.lock:
            if login.casefold() not in self.users:
                number, bot = self.counter.next(), login.endswith("[bot]")
                self.users[login.casefold()] = User(number, login, "Bot" if bot else "User")
            return self.users[login.casefold()]

    def by_email(self, email: str) -> User | None:
        """Whose address this is, as far as GitHub knows."""
        if email == "noreply@github.com":
            return self.user("web-flow")
        return next((user for user in self.users.values() if user.email == email), None)

    def token(
        self, repository: str = "", *, user: str = "", read_only: bool = False, **scopes: str
    ) -> str:
        """A new token: of a person (`user`), or the one that a workflow of `repository` gets.

        `scopes` (contents="write", pull_requests="none" …) change the workflow's permissions,
        which are contents and actions to read, pull-requests and checks to write; `read_only`
        makes all of them "read".
        """
        secret = f"{'ghp' if user else 'ghs'}_fake{self.counter.next()}"
        if user:
            self.tokens[secret] = Token(secret, self.user(user))
            return secret
        given = DEFAULT | {key.replace("_", "-"): value for key, value in scopes.items()}
        if read_only:
            given = dict.fromkeys(given, "read")
        self.tokens[secret] = Token(secret, self.user(ACTIONS_LOGIN), given, repository)
        return secret

    def fail(
        self,
        method: str = "",
        path_pattern: str = "",
        *,
        times: int = 1,
        how: How = "502",
        skip: int = 0,
        seconds: float = 0.0,
        retry_after: int = 1,
    ) -> Fault:
        """Let the next `times` matching requests go wrong; any without a method or pattern."""
        fault = Fault(method, re.compile(path_pattern), how, times, skip, seconds, retry_after)
        self.faults.append(fault)
        return fault

    def heal(self) -> None:
        """Let nothing go wrong any more."""
        self.faults.clear()

    # -- what several of its parts do

    def replied(self, opened: ReviewComment, user: User, body: str) -> ReviewComment:
        """A reply in the thread that `opened` opened."""
        thread = opened.pull.repository.thread(opened)
        now = self.counter.now()
        reply = ReviewComment(
            self.counter.next(), user, body, now, now, opened.pull, opened.review, opened.path,
            opened.commit, opened.original_commit, opened.subject, opened.side, opened.line,
            opened.start_line, opened.position, opened.original_line, opened.original_start_line,
            opened.original_position, opened.diff_hunk, opened,
        )  # fmt: skip
        thread.comments.append(reply)
        return reply

    def reacted(
        self, found: IssueComment | ReviewComment, user: User, content: str
    ) -> tuple[Reaction, bool]:
        """A person's reaction, and whether it is new: the same one twice is one."""
        for old in found.reactions:
            if old.user is user and old.content == content:
                return old, False
        reaction = Reaction(self.counter.next(), user, content, self.counter.now())
        found.reactions.append(reaction)
        return reaction, True

    def blob_url(self, artifact: Artifact, user: User) -> str:
        """Where an artifact can be had without a token, on what counts as another host."""
        name = f"{artifact.id}-{user.id}.zip"
        self._blobs[name] = artifact.data
        return f"http://localhost:{self._server.server_port}/_blobs/{name}?sig=secret"

    def rate(self) -> dict[str, int]:
        left = max(self.limit - self._spent, 0)
        return {"limit": self.limit, "used": self._spent, "remaining": left, "reset": 4102444800}

    def graph_rate(self) -> dict[str, Any]:
        rate = self.rate()
        return {**rate, "cost": 1, "resetAt": "2100-01-01T00:00:00Z"}

    # -- serving

    def serve(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Answer one request of whatever kind. Raises Dropped where the connection breaks."""
        try:
            return self._serve(method, target, headers, body)
        except Dropped:
            raise
        except Exception:  # a bug of the fake must fail the test and not look like an outage
            told = traceback.format_exc()
            self.violations.append(f"the fake failed: {told}")
            return 500, {"Content-Type": "text/plain"}, told.encode()

    def _serve(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Reply:
        parts = urlsplit(target)
        path = parts.path
        if path == _GRAPHQL or path.startswith(f"{PREFIX}/"):
            return self._api(method, path, parts.query, headers, body)
        if path.startswith("/_blobs/"):
            return self._blob(path, headers)
        if _GIT.fullmatch(path):
            return self._git(method, path, parts.query, headers, body)
        return 404, {"Content-Type": "text/plain"}, b"Not Found"

    def _blob(self, path: str, headers: Mapping[str, str]) -> Reply:
        if "authorization" in headers:
            # As the store behind GitHub does; and it is a leak.
            self.violations.append("a token was sent to the artifact store")
            return 401, {}, b""
        data = self._blobs.get(path.removeprefix("/_blobs/"))
        return (404, {}, b"") if data is None else (200, {"Content-Type": "application/zip"}, data)

    def _git(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> Reply:
        found = _GIT.fullmatch(path)
        assert found is not None
        repository, service = self.find(found[1]), f"{query} {found[2]}"
        push = "git-receive-pack" in service
        token, known = self._basic(headers)
        if not known or (push and token is None):
            return 401, {"WWW-Authenticate": 'Basic realm="GitHub"'}, b"Bad credentials\n"
        probe = Call(self, token, {}, {}, None, "")
        if repository is None or not probe.may_read(repository):
            status = 401 if token is None else 404
            return status, {"WWW-Authenticate": 'Basic realm="GitHub"'}, b"Repository not found.\n"
        if push and not self._may_push(token, repository):
            return 403, {}, b"Write access to repository not granted.\n"
        user = token.user.login if token else ""
        self.log.git.append(Seen(method, path, query, 200, user, push))
        before = repository.store.refs("refs/heads/") if push else {}
        told = backend(
            self.folder / "git",
            method=method,
            path=f"/{repository.full_name}.git/{found[2]}",
            query=query,
            headers=headers,
            body=body,
            user=user,
        )
        if push and method == "POST":
            with self.lock:
                self._pushed(repository, before, self.user(user))
        return told

    def _may_push(self, token: Token | None, repository: Repository) -> bool:
        if token is None:
            return False
        if token.is_app:
            here = token.repository == repository.full_name
            return here and token.may("contents", "write")
        return repository.may_write(token.user.login)

    def _pushed(self, repository: Repository, before: Mapping[str, str], user: User) -> None:
        after = repository.store.refs("refs/heads/")
        for ref in sorted(before.keys() | after.keys()):
            old, new = before.get(ref), after.get(ref)
            if old != new:
                repository.moved(ref.removeprefix("refs/heads/"), old, new, user)

    def _basic(self, headers: Mapping[str, str]) -> tuple[Token | None, bool]:
        """Who speaks, and whether that is known: nobody is, a wrong password is not."""
        kind, _, told = headers.get("authorization", "").partition(" ")
        if not kind:
            return None, True
        secret = told
        if kind.lower() == "basic":
            secret = base64.b64decode(told).decode().partition(":")[2]
        token = self.tokens.get(secret)
        return token, token is not None

    def _api(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> Reply:
        asked = graph.read(read_json(body)) if path == _GRAPHQL else None
        where = f"/graphql/{asked.name}" if asked else unquote(path.removeprefix(PREFIX))
        write = asked.write if asked else method != "GET"
        token, known = self._basic(headers)
        login = token.user.login if token else ""
        fault = next((f for f in self.faults if f.strikes(method, where)), None)
        if fault is not None and fault.how == "slow":
            time.sleep(fault.seconds)
        with self.lock:
            self._spent += 1
            if fault is not None and not fault.after:
                answer = refusal(fault.refusal())
            elif not known:
                answer = refusal(Refused(401, "Bad credentials"))
            elif asked is not None:
                answer = self._graphql(token, asked)
            else:
                answer = self._rest(method, where, query, token, body)
            if fault is not None and fault.how == "502 after":
                answer = refusal(fault.refusal())
            sent = read_json(body) if body else None
            dropped = fault is not None and fault.how in {"drop", "drop after"}
            status = 0 if dropped else answer.status
            self.log.seen.append(Seen(method, where, query, status, login, write, sent))
            if dropped:
                raise Dropped
            return self._told(answer)

    def _told(self, answer: Answer) -> Reply:
        rate = self.rate()
        told = {
            "Content-Type": "application/json; charset=utf-8",
            "X-GitHub-Media-Type": "github.v3; format=json",
            **{f"x-ratelimit-{key}": str(value) for key, value in rate.items()},
            "x-ratelimit-resource": "core",
            **answer.headers,
        }
        data = b"" if answer.body is None else as_json(answer.body)
        return answer.status, told, data

    def _graphql(self, token: Token | None, asked: graph.Asked) -> Answer:
        if asked.wrong:
            self.violations += [f"GraphQL: {sentence}" for sentence in asked.wrong]
            return Answer(500, {"message": "; ".join(asked.wrong)})
        if token is None:
            return refusal(Refused(401, "This endpoint requires you to be authenticated."))
        told = graph.answer(self, token, asked)
        wrong = graph.bugs(told)
        self.violations += [f"GraphQL: the fake failed: {sentence}" for sentence in wrong]
        return Answer(500 if wrong else 200, told)

    def _rest(self, method: str, path: str, query: str, token: Token | None, body: bytes) -> Answer:
        found = judge().find(method, path)
        name = f"{method} {path}"
        if found is None or (method, found[0]) not in ROUTES:
            return self._violated(name, ["the fake does not know this operation"])
        template, params = found
        asked = dict(parse_qsl(query, keep_blank_values=True))
        sent = read_json(body) if body else None
        wrong = judge().request(method, template, asked, sent)
        if wrong:
            return self._violated(name, [f"request: {sentence}" for sentence in wrong])
        call = Call(self, token, params, asked, sent or {}, f"{self.api_url}{path}")
        try:
            answer = ROUTES[method, template](call)
        except Refused as error:
            answer = refusal(error)
        wrong = judge().answer(method, template, answer.status, answer.body)
        if wrong:
            return self._violated(name, [f"answer: {sentence}" for sentence in wrong])
        return answer

    def _violated(self, name: str, wrong: list[str]) -> Answer:
        self.violations += [f"{name}: {sentence}" for sentence in wrong]
        return Answer(500, {"message": "; ".join(wrong)})
