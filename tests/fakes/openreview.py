"""OpenReview's API (version 2) on loopback, in the shapes of its public documentation.

    with OpenReview(papers("p1", "p2")) as site:
        ... site.base_url ... site.asked ...

`faults` are answers given before the right ones, one a request.
"""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

VENUE = "V.cc/2024/Conference"


@dataclass(frozen=True)
class Fault:
    """An answer that is not the right one. `cut` promises more bytes than come."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False


def paper(name: str, *, title: str = "", abstract: str = "", reviews: Sequence[Any] = ()) -> Any:
    """A submission with its replies."""
    return {
        "id": name,
        "forum": name,
        "invitations": [f"{VENUE}/-/Submission", f"{VENUE}/-/Edit"],
        "readers": ["everyone"],
        "license": "CC BY 4.0",
        "content": {
            "title": {"value": title or f"Kites {name}"},
            "abstract": {"value": abstract or "We fly kites."},
            "venueid": {"value": VENUE},
        },
        "details": {"replies": list(reviews)},
    }


def review(name: str, forum: str, weaknesses: str = "The wind is not told.", **more: Any) -> Any:
    """An official review."""
    return {
        "id": name,
        "forum": forum,
        "replyto": forum,
        "invitations": [f"{VENUE}/Submission1/-/Official_Review"],
        "readers": ["everyone"],
        "content": {
            "summary": {"value": "It is about kites."},
            "strengths": {"value": "It is about the real thing."},
            "weaknesses": {"value": weaknesses},
            "rating": {"value": "5: borderline"},
        },
    } | more


def comment(name: str, forum: str) -> Any:
    """What an author answers."""
    return {
        "id": name,
        "forum": forum,
        "invitations": [f"{VENUE}/Submission1/-/Official_Comment"],
        "readers": ["everyone"],
        "content": {"title": {"value": "Thanks"}, "comment": {"value": "We agree."}},
    }


class OpenReview:
    """The server; `asked` are the queries of the requests, in order."""

    def __init__(self, papers: Sequence[Any], faults: Sequence[Fault | None] = ()) -> None:
        self.papers = list(papers)
        self.faults = list(faults)
        self.asked: list[dict[str, str]] = []
        self.deaf = False  # gives the first page whatever is asked for
        self.count = True

    def __enter__(self) -> Self:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.asked.append(query)
        fault = self.faults.pop(0) if self.faults else None
        if fault is None:
            fault = Fault(body=json.dumps(self._page(parts.path, query)).encode())
        request.send_response(fault.status)
        for name, value in fault.headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(fault.body) + 100 * fault.cut))
        request.end_headers()
        request.wfile.write(fault.body)

    def _page(self, path: str, query: Mapping[str, str]) -> Any:
        assert path == "/notes"
        if "forum" in query:
            found = [p for p in self.papers if p["id"] == query["forum"]]
            replies = [reply for one in found for reply in one["details"]["replies"]]
            notes = [{k: v for k, v in one.items() if k != "details"} for one in found] + replies
        else:
            assert query["details"] == "replies"
            notes = [p for p in self.papers if query["invitation"] in p["invitations"]]
        start = 0 if self.deaf else int(query["offset"])
        page = {"notes": notes[start : start + int(query["limit"])]}
        return page | ({"count": len(notes)} if self.count else {})
