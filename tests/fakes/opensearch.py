"""An OpenSearch server on loopback with the calls that a corpus makes, answered as its public
documentation shows them; anything else is a 400.

    with OpenSearch() as server:
        ... server.url ...                  # http://127.0.0.1:PORT
        server.fails = [503, 503]           # the next two answers
"""

import json
import math
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


@dataclass
class Held:
    mappings: dict[str, Any] = field(default_factory=dict)
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass
class OpenSearch:
    password: str = ""
    indices: dict[str, Held] = field(default_factory=dict)
    fails: list[int] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    refuse: str = ""  # a title whose document is not taken

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, method: str, target: str, body: bytes, kind: str) -> tuple[int, Any]:
        parts = urlsplit(target)
        steps = parts.path.strip("/").split("/")
        options = parse_qs(parts.query)
        if steps == ["_bulk"]:
            assert kind == "application/x-ndjson"
            assert body.endswith(b"\n")
            assert options == {"refresh": ["true"]}
            return 200, self._bulk([json.loads(line) for line in body.splitlines()])
        said = json.loads(body) if body else None
        name, *rest = steps
        there = self.indices.get(name)
        if method == "PUT" and not rest:
            if there is not None:
                return _error(400, "resource_already_exists_exception")
            assert said["settings"]["index"]["knn"] is True
            self.indices[name] = Held(said["mappings"])
            return 200, {"acknowledged": True, "shards_acknowledged": True, "index": name}
        if method == "PUT" and rest[0] == "_doc":
            self.indices.setdefault(name, Held()).documents[rest[1]] = said
            return 201, {"_index": name, "_id": rest[1], "result": "created"}
        if there is None:
            return _error(404, "index_not_found_exception")
        return self._of(there, name, method, rest, said)

    def _of(
        self, there: Held, name: str, method: str, rest: list[str], said: Any
    ) -> tuple[int, Any]:
        match method, rest:
            case "GET", ["_mapping"]:
                return 200, {name: {"mappings": there.mappings}}
            case "GET", ["_count"]:
                return 200, {"count": len(there.documents), "_shards": {"total": 1}}
            case "GET", ["_doc", id_]:
                source = there.documents.get(id_)
                head = {"_index": name, "_id": id_, "found": source is not None}
                return (200, head | {"_source": source}) if source else (404, head)
            case "POST", ["_delete_by_query"]:
                gone = [id_ for id_, _ in _matching(there, said["query"])]
                for id_ in gone:
                    del there.documents[id_]
                return 200, {"took": 1, "deleted": len(gone), "failures": []}
            case "POST", ["_search"]:
                return 200, _search(there, name, said)
        return _error(400, f"no handler found for uri [{'/'.join(rest)}]")

    def _bulk(self, lines: list[Any]) -> Any:
        items: list[Any] = []
        rest = iter(lines)
        for line in rest:
            ((action, at),) = line.items()
            held = self.indices[at["_index"]]
            if action == "delete":
                found = held.documents.pop(at["_id"], None) is not None
                items.append({"delete": {**at, "status": 200 if found else 404}})
                continue
            document = next(rest)
            wrong = self.refuse and document["title"] == self.refuse
            assert set(document) <= set(held.mappings["properties"])
            assert len(document["vector"]) == held.mappings["properties"]["vector"]["dimension"]
            if wrong:
                error = {"type": "mapper_parsing_exception", "reason": "failed to parse"}
                items.append({"index": {**at, "status": 400, "error": error}})
                continue
            held.documents[at["_id"]] = document
            items.append({"index": {**at, "status": 201, "result": "created"}})
        return {"took": 3, "errors": bool(self.refuse), "items": items}


def _search(there: Held, name: str, said: dict[str, Any]) -> Any:
    found = _matching(there, said["query"])
    assert said["size"] <= 10_000
    hits = []
    if "sort" in said:
        assert said["sort"] == [{"identity": "asc"}]
        found.sort(key=lambda pair: there.documents[pair[0]]["identity"])
        after = said.get("search_after", [""])[0]
        found = [pair for pair in found if there.documents[pair[0]]["identity"] > after]
    else:
        found.sort(key=lambda pair: -pair[1])
    for id_, score in found[: said["size"]]:
        source = there.documents[id_]
        hit = {"_index": name, "_id": id_, "_score": score}
        if said["_source"]:
            hit["_source"] = {key: source[key] for key in said["_source"]}
        if "sort" in said:
            hit["sort"] = [source["identity"]]
        hits.append(hit)
    return {"took": 2, "timed_out": False, "hits": {"total": {"value": len(found)}, "hits": hits}}


def _matching(there: Held, query: dict[str, Any]) -> list[tuple[str, float]]:
    ((kind, said),) = query.items()
    pairs = there.documents.items()
    if kind == "match_all":
        return [(id_, 1.0) for id_, _ in pairs]
    if kind == "terms":
        ((name, values),) = said.items()
        assert len(values) <= 65_536
        wanted = set(values)
        return [
            (id_, 1.0) for id_, source in pairs
            if wanted & set(source[name] if isinstance(source[name], list) else [source[name]])
        ]  # fmt: skip
    if kind == "multi_match":
        assert said["fields"] == ["title^2", "abstract"]
        words = re.findall(r"\w+", said["query"].lower())
        scored = [(id_, _words(words, source)) for id_, source in pairs]
        return [(id_, score) for id_, score in scored if score > 0]
    if kind == "knn":
        near = said["vector"]
        scored = [(id_, (1 + _cosine(near["vector"], s["vector"])) / 2) for id_, s in pairs]
        return sorted(scored, key=lambda pair: -pair[1])[: near["k"]]
    raise AssertionError(kind)


def _words(words: list[str], source: dict[str, Any]) -> float:
    title, abstract = (re.findall(r"\w+", source[n].lower()) for n in ("title", "abstract"))
    return sum(2.0 * title.count(word) + abstract.count(word) for word in words)


def _cosine(one: list[float], other: list[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def _error(status: int, kind: str) -> tuple[int, Any]:
    return status, {"error": {"type": kind, "reason": kind}, "status": status}


def _handler(server: OpenSearch) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            server.asked.append((self.command, self.path))
            server.headers.append(dict(self.headers))
            if server.fails:
                status, answer = _error(server.fails.pop(0), "overloaded")
            elif server.password and "Authorization" not in self.headers:
                status, answer = _error(401, "security_exception")
            else:
                kind = self.headers.get("Content-Type", "")
                status, answer = server.answer(self.command, self.path, body, kind)
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=UTF-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 - the library's names

        def log_message(self, *_: object) -> None:
            pass

    return Handler
