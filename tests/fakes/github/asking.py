"""A bare client for tests of the fake itself: no retries, no pacing, no opinion."""

import json
from http.client import HTTPConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.fakes.github.server import FakeGitHub


class Heard(NamedTuple):
    """An answer. `body` is JSON, None for no content."""

    status: int
    body: Any
    headers: dict[str, str]


class Asking:
    """Asks one repository with one token over one connection."""

    def __init__(self, fake: FakeGitHub, token: str, repository: str = "") -> None:
        self._graphql = urlsplit(fake.graphql_url).path
        self._base = urlsplit(fake.api_url).path + (f"/repos/{repository}" if repository else "")
        self._headers = {"Authorization": f"token {token}"} if token else {}
        self._connection = HTTPConnection(urlsplit(fake.server_url).netloc, timeout=10)

    def __call__(self, method: str, path: str, /, **body: Any) -> Heard:
        """One REST request; `path` is below the repository ("/pulls/1")."""
        return self._sent(method, f"{self._base}{path}", body or None)

    def graph(self, query: str, /, **variables: Any) -> Heard:
        """One GraphQL request."""
        return self._sent("POST", self._graphql, {"query": query, "variables": variables})

    def close(self) -> None:
        self._connection.close()

    def _sent(self, method: str, path: str, body: Any) -> Heard:
        data = None if body is None else json.dumps(body).encode()
        headers = self._headers | ({"Content-Type": "application/json"} if data else {})
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        read = answer.read()
        told = {key.lower(): value for key, value in answer.getheaders()}
        is_json = told.get("content-type", "").startswith("application/json")
        return Heard(answer.status, json.loads(read) if read and is_json else None, told)
