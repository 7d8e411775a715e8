"""Published sets of labelled pairs, each in the form its authors distribute it in.

Shapes: SciFact (Wadden et al. 2020) and Citation-Integrity (Sarol et al. 2024) are claims with
document ids and a corpus beside them; WiCE (Kamoi et al. 2023) is JSON Lines with the sentences of
an article; HealthVer (Sarrouti et al. 2021) is CSV; LLM-AggreFact (Tang et al. 2024) is a table of
documents with a binary label, here as CSV or JSON Lines.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reviser.evaluate.pairs import Pair, WrongRow, read_pairs
from reviser.latex.sentences import split

OWN = "pairs"
LONGEST = 20_000_000
"""Characters of a field of a table: some documents are whole books."""
WITH_CORPUS = frozenset({"scifact", "citation-integrity"})

_LABELS: Mapping[str, str] = {
    "support": "supported", "supports": "supported", "supported": "supported",
    "accurate": "supported", "contradict": "contradicted", "contradicts": "contradicted",
    "refute": "contradicted", "refutes": "contradicted", "refuted": "contradicted",
    "not_accurate": "contradicted", "neutral": "silent", "nei": "silent", "irrelevant": "silent",
    "not_supported": "unsupported", "partially_supported": "unsupported",
}  # fmt: skip
_MARK = re.compile(r"\s*[\[(]?\s*<\|(?:\w+_)?cit\|>[\d,;\s–-]*[\])]?")
"""Where Citation-Integrity's claims have a citation; what the mark says is not the claim's."""
_META = re.compile(r"^\(meta data\)\s*(?:TITLE:\s*)?")

Rows = Iterator[tuple[int, Any]]


@dataclass(frozen=True, slots=True)
class Read:
    """The pairs of a file, and the rows (by line, 1-based) that are none."""

    pairs: tuple[Pair, ...]
    wrong: tuple[WrongRow, ...]


def read_dataset(name: str, lines: Iterable[bytes], corpus: Iterable[bytes] = ()) -> Read:
    """The pairs of a file of the set `name`: "pairs" (our own form), "scifact", "wice",
    "citation-integrity", "healthver" or "aggrefact"; `corpus` holds the documents where the set
    keeps them apart. Raises ValueError for another name."""
    if name == OWN:
        return Read(*read_pairs(lines))
    if name in WITH_CORPUS:
        documents = _documents(corpus)
        return _collected(_json_rows(lines), lambda row: _claims(row, documents))
    if name == "wice":
        return _collected(_json_rows(lines), _wice)
    kept = list(lines)
    first = next((line for line in kept if line.strip()), b"")
    rows = _json_rows(kept) if first.lstrip()[:1] == b"{" else _csv_rows(kept)
    tables = {"healthver": _healthver, "aggrefact": _aggrefact}
    if name not in tables:
        raise ValueError(f"no set is called {name}")
    return _collected(rows, tables[name])


def apart(pairs: Iterable[Pair], known: Iterable[Pair]) -> tuple[Pair, ...]:
    """The pairs whose cited text is in none of `known`, on which something was fitted."""
    seen = {pair.source for pair in known}
    return tuple(pair for pair in pairs if pair.source not in seen)


def _collected(rows: Rows, pairs_of: Callable[[Any], list[Pair] | str]) -> Read:
    found: dict[str, Pair] = {}
    wrong: list[WrongRow] = []
    for number, row in rows:
        try:
            made = pairs_of(row) if isinstance(row, dict) else str(row)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            made = f"not in the set's form ({type(error).__name__}: {str(error)[:60]})"
        if isinstance(made, str):
            wrong.append(WrongRow(number, made))
            continue
        for pair in made:
            name = pair.id if pair.id not in found else f"{pair.id}#{number}"
            found[name] = Pair(name, pair.claim, pair.title, pair.passages, pair.truth)
    return Read(tuple(found.values()), tuple(wrong))


def _json_rows(lines: Iterable[bytes]) -> Rows:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield number, json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                yield number, "not JSON"


def _csv_rows(lines: Iterable[bytes]) -> Rows:
    """The rows of a table; what comes behind a row that cannot be read is lost with it."""
    csv.field_size_limit(LONGEST)
    text = (line.decode("utf-8-sig", "replace") for line in lines)
    reader = csv.DictReader(text)
    try:
        for row in reader:
            yield reader.line_num, dict(row)
    except csv.Error as error:
        yield reader.line_num, f"no table from here on ({error})"


def _documents(corpus: Iterable[bytes]) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """Title and sentences by document id."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for _, row in _json_rows(corpus):
        if not isinstance(row, dict) or not isinstance(row.get("abstract"), list):
            continue
        title, sentences = row.get("title"), row["abstract"]
        if all(isinstance(text, str) for text in sentences):
            said = tuple(text for text in sentences if text.strip())
            found[str(row.get("doc_id"))] = (title if isinstance(title, str) else "", said)
    return found


def _claims(
    row: Mapping[str, Any], documents: Mapping[str, tuple[str, tuple[str, ...]]]
) -> list[Pair] | str:
    """A claim with each document it cites; no evidence in a document is silence of it."""
    claim = _MARK.sub("", row["claim"]).strip()
    evidence = row.get("evidence") or {}
    ids = [str(one) for one in row.get("cited_doc_ids") or row.get("doc_ids") or evidence]
    pairs = []
    for document in ids:
        if document not in documents:
            return f"its document {document[:40]} is not in the corpus"
        title, sentences = documents[document]
        said = evidence.get(document) or []
        labels = {_LABELS[one["label"].lower()] for one in said}
        if len(labels) > 1:
            return f"its document {document[:40]} has two labels"
        truth = labels.pop() if labels else "silent"
        pairs.append(_pair(f"{row['id']}-{document}", claim, sentences, truth, title))
    return pairs


def _wice(row: Mapping[str, Any]) -> list[Pair]:
    sentences = tuple(_META.sub("", text) for text in row["evidence"])
    meta = row.get("meta") or {}
    name = str(meta.get("id") or row["claim"])
    return [_pair(name, row["claim"], sentences, _LABELS[row["label"]])]


def _healthver(row: Mapping[str, Any]) -> list[Pair]:
    name = f"{row.get('id')}:{row['claim'][:60]}"
    return [_pair(name, row["claim"], _sentences(row["evidence"]), _LABELS[row["label"].lower()])]


def _aggrefact(row: Mapping[str, Any]) -> list[Pair]:
    label = int(row["label"])
    if label not in (0, 1):
        raise ValueError(f"label {label}")
    name = f"{row.get('dataset') or ''}:{row['claim'][:60]}"
    truth = "supported" if label else "unsupported"
    return [_pair(name, row["claim"], _sentences(row["doc"]), truth)]


def _pair(name: str, claim: str, sentences: Iterable[str], truth: str, title: str = "") -> Pair:
    if not claim.strip():
        raise ValueError("no claim")
    said = tuple(" ".join(text.split()) for text in sentences)
    return Pair(name, " ".join(claim.split()), title, tuple(text for text in said if text), truth)


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[span.start : span.stop] for span in split(text))
