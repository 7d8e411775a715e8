"""A corpus on an OpenSearch server, for more works than one machine holds: BM25 and k-NN are its.

Plain HTTP over the standard library: the server is the operator's own, six calls are all that is
asked of it, and its client library would bring five packages. Shapes are those of the OpenSearch
documentation (index, bulk, search, k-NN query, delete by query, count).
"""

import hashlib
import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from reviser.adapters.index.asked_words import words_of
from reviser.adapters.index.server import Server
from reviser.literature.closeness import embedded_text, numbers_of
from reviser.literature.index import Held, Hit, NoIndex
from reviser.literature.joining import title_key
from reviser.literature.paper_json import held_json, held_of
from reviser.ports import Vectors

FORM = "2"
"""Of the documents below: raise it with any change of them."""
AT_ONCE = 64
"""Works of one bulk request: with their vectors some half a megabyte."""
_TERMS = 500
_WINDOW = 10_000
_PAGE = 500


class OpenSearchIndex:
    """An `Index` in one index of an OpenSearch server, and a second one (`-notes`) for notes.

    The index is made when something is first put into it. Works that are put together are not all
    there at once, but each of them is whole; a work is found as soon as `put` returns. Vectors of
    another model are never mixed with this one's: the index says whose they are.
    """

    def __init__(self, server: Server, index: str, vectors: Vectors) -> None:
        self._server = server
        self._index = index
        self._vectors = vectors
        self._there = False

    @property
    def name(self) -> str:
        """The index and its server's host."""
        return f"{self._index} at {self._server.host}"

    def put(self, works: Sequence[Held], told: Callable[[int, int], None] | None = None) -> int:
        """See `Index.put`."""
        self._make()
        embedded = 0
        for start in range(0, len(works), AT_ONCE):
            part = works[start : start + AT_ONCE]
            embedded += self._put(part)
            if told is not None:
                told(start + len(part), len(works))
        return embedded

    def forget(self, names: Sequence[str]) -> int:
        """See `Index.forget`."""
        gone = 0
        for part in _parts(names):
            query = {"query": {"terms": {"names": part}}}
            path = f"/{self._index}/_delete_by_query?refresh=true&conflicts=proceed"
            gone += int(self._ask("POST", path, query).get("deleted", 0))
        return gone

    def get(self, names: Sequence[str]) -> Mapping[str, Held]:
        """See `Index.get`."""
        found: dict[str, Held] = {}
        for source in self._having("names", names, ["held"]):
            held = held_of(source.get("held"))
            if held is not None:
                found.update(dict.fromkeys(held.names, held))
        return {name: found[name] for name in names if name in found}

    def titled(self, keys: Sequence[str]) -> Mapping[str, tuple[Held, ...]]:
        """See `Index.titled`."""
        found: dict[str, tuple[Held, ...]] = {}
        for source in self._having("title_key", keys, ["held", "title_key"]):
            held, key = held_of(source.get("held")), str(source.get("title_key"))
            if held is not None:
                found[key] = (*found.get(key, ()), held)
        return found

    def nearest(self, text: str, most: int) -> Sequence[Hit]:
        """See `Index.nearest`. The server's graph may miss a neighbour now and then."""
        if most < 1 or not text.strip():
            return ()
        (vector,) = self._vectors.vectors([text])
        numbers = numbers_of(vector)
        if not any(numbers):
            return ()
        near = {"knn": {"vector": {"vector": list(numbers), "k": most}}}
        # What it gives for a cosine is (1 + cosine) / 2.
        return [
            Hit(hit.name, max(-1.0, min(1.0, 2 * hit.score - 1))) for hit in self._hits(near, most)
        ]

    def matching(self, text: str, most: int) -> Sequence[Hit]:
        """See `Index.matching`."""
        words = " ".join(words_of(text))
        if most < 1 or not words:
            return ()
        fields = ["title^2", "abstract"]
        query = {"multi_match": {"query": words, "fields": fields, "type": "most_fields"}}
        return self._hits(query, most)

    def all(self) -> Iterator[Held]:
        """See `Index.all`: by their names."""
        after: list[Any] = []
        while True:
            body: dict[str, Any] = {
                "size": _PAGE, "_source": ["held"], "sort": [{"identity": "asc"}],
                "query": {"match_all": {}},
            }  # fmt: skip
            hits = self._search(body | ({"search_after": after} if after else {}))
            if not hits:
                return
            after = hits[-1].get("sort", [])
            found = (held_of(hit["_source"].get("held")) for hit in hits)
            yield from (held for held in found if held is not None)
            if not after:
                return

    def size(self) -> int:
        """See `Index.size`."""
        return int(self._ask("GET", f"/{self._index}/_count").get("count", 0))

    def note(self, name: str) -> str:
        """See `Index.note`."""
        found = self._ask("GET", f"/{self._index}-notes/_doc/{_id(name)}")
        source = found.get("_source")
        return str(source.get("said", "")) if isinstance(source, dict) else ""

    def keep_note(self, name: str, text: str) -> None:
        """See `Index.keep_note`."""
        path = f"/{self._index}-notes/_doc/{_id(name)}?refresh=true"
        self._ask("PUT", path, {"name": name, "said": text})

    def known_vectors(self, texts: Sequence[str]) -> Mapping[str, bytes]:
        """Those of the texts that are embedded already."""
        keys = {self._key(text): text for text in dict.fromkeys(texts)}
        known = self._known(list(keys))
        return {keys[key]: array("f", numbers).tobytes() for key, numbers in known.items()}

    def _put(self, works: Sequence[Held]) -> int:
        keys = [self._key(embedded_text(held.paper)) for held in works]
        known = self._known(keys)
        new = {
            k: embedded_text(h.paper) for k, h in zip(keys, works, strict=True) if k not in known
        }
        made = self._vectors.vectors(list(new.values()))
        known |= {key: list(numbers_of(one)) for key, one in zip(new, made, strict=True)}
        kept = {_id(held.names[0]) for held in works}
        names = list(dict.fromkeys(name for held in works for name in held.names))
        lines: list[Mapping[str, Any]] = [
            {"delete": {"_index": self._index, "_id": id_}}
            for id_ in dict.fromkeys(self._ids(names))
            if id_ not in kept
        ]
        for held, key in zip(works, keys, strict=True):
            lines.append({"index": {"_index": self._index, "_id": _id(held.names[0])}})
            lines.append(_document(held, key, known[key]))
        body = "".join(json.dumps(line) + "\n" for line in lines)
        done = self._server.send("POST", "/_bulk?refresh=true", body, "application/x-ndjson")
        _whole(done)
        return len(new)

    def _known(self, keys: Sequence[str]) -> dict[str, list[float]]:
        sources = self._having("text_key", keys, ["text_key", "vector"])
        return {
            str(source["text_key"]): source["vector"]
            for source in sources
            if len(source.get("vector", ())) == self._vectors.size
        }

    def _ids(self, names: Sequence[str]) -> Iterator[str]:
        for part in _parts(names):
            body = {"size": _WINDOW, "_source": False, "query": {"terms": {"names": part}}}
            yield from (str(hit["_id"]) for hit in self._search(body))

    def _having(
        self, field: str, values: Sequence[str], wanted: Sequence[str]
    ) -> Iterator[Mapping[str, Any]]:
        for part in _parts(values):
            body = {"size": _WINDOW, "_source": list(wanted), "query": {"terms": {field: part}}}
            yield from (hit["_source"] for hit in self._search(body))

    def _hits(self, query: Mapping[str, Any], most: int) -> Sequence[Hit]:
        body = {"size": most, "_source": ["identity"], "query": query}
        return [
            Hit(str(hit["_source"]["identity"]), float(hit["_score"])) for hit in self._search(body)
        ]

    def _search(self, body: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        found = self._ask("POST", f"/{self._index}/_search", body).get("hits")
        hits = found.get("hits", []) if isinstance(found, dict) else []
        return [hit for hit in hits if isinstance(hit, dict)]

    def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        """The answer; nothing where the index is not there yet."""
        self._look()
        text = "" if body is None else json.dumps(body)
        return self._server.send(method, path, text) or {}

    def _look(self) -> None:
        """See once whose vectors an index that is there holds."""
        if self._there:
            return
        found = self._server.send("GET", f"/{self._index}/_mapping")
        if found is None:
            return
        inner = found.get(self._index, {})
        meta = inner.get("mappings", {}).get("_meta", {}) if isinstance(inner, dict) else {}
        if meta != self._meta():
            raise NoIndex(
                "of another kind",
                message=f"{self.name} holds no corpus of this version and model",
                hint="Name another index; it is made when something is put into it.",
            )
        self._there = True

    def _make(self) -> None:
        self._look()
        if not self._there:
            body = json.dumps({
                "settings": {"index": {"knn": True}},
                "mappings": {"_meta": self._meta(), "dynamic": False, "properties": self._fields()},
            })  # fmt: skip
            # Somebody else may make it at the same time: then it is there.
            self._server.send("PUT", f"/{self._index}", body, accepts=(400,))
            self._look()

    def _meta(self) -> Mapping[str, str]:
        return {"form": FORM, "vectors": self._vectors.identity}

    def _fields(self) -> Mapping[str, Any]:
        text = {"type": "text", "analyzer": "english"}
        method = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
        vector = {"type": "knn_vector", "dimension": self._vectors.size, "method": method}
        named = ("identity", "names", "title_key", "text_key")
        return {
            "title": text, "abstract": text, "vector": vector,
            **{name: {"type": "keyword"} for name in named},
            "held": {"type": "object", "enabled": False},
        }  # fmt: skip

    def _key(self, text: str) -> str:
        told = f"{self._vectors.identity}\n{text}"
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _document(held: Held, key: str, vector: Sequence[float]) -> Mapping[str, Any]:
    return {
        "identity": held.names[0],
        "names": list(held.names),
        "title": held.paper.title,
        "title_key": title_key(held.paper.title),
        "abstract": held.paper.abstract,
        "text_key": key,
        "vector": list(vector),
        "held": held_json(held),
    }


def _whole(done: Mapping[str, Any] | None) -> None:
    """Raises NoIndex where a bulk request was not carried out in all its parts."""
    items = (done or {}).get("items", [])
    for item in items if isinstance(items, list) else []:
        for action, told in item.items():
            if told.get("status", 500) >= 300 and not (
                action == "delete" and told["status"] == 404
            ):
                why = (told.get("error") or {}).get("reason", told.get("status"))
                raise NoIndex(
                    "refused works",
                    message=f"the server did not take a work: {why}",
                    hint="Look at its log; what it took before stays.",
                )


def _id(name: str) -> str:
    """A document's id: names may be longer than the server takes."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()


def _parts(values: Sequence[str]) -> Iterator[list[str]]:
    for start in range(0, len(values), _TERMS):
        yield list(values[start : start + _TERMS])
