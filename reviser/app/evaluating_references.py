"""Measure a set of references against the one people chose: read both, count, ask, print."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from reviser.adapters.embedding import MiniLM
from reviser.app.chatting import Helped, helper_in
from reviser.app.consent import Kind
from reviser.app.keeping import cache_of, tape_in
from reviser.app.model_settings import ModelSettings
from reviser.app.opening import Opened, open_paper
from reviser.app.settings import Settings
from reviser.app.spent_output import spent_data
from reviser.budget import Asked
from reviser.errors import NoConclusion, UsageError
from reviser.evaluate.metrics import Interval
from reviser.evaluate.references import (
    ReferenceReport,
    Relevance,
    judged,
    overlap,
    semantic,
)
from reviser.latex.bib import read_bib
from reviser.latex.elements import BibEntry
from reviser.literature.cleaning import abstract_of
from reviser.literature.filter import filtered
from reviser.literature.paper import Author, Paper
from reviser.literature.paper_json import paper_of
from reviser.literature.wanted import wanted_of
from reviser.pipeline.gathering import cited_entries
from reviser.review.about import about
from reviser.roles import Role
from reviser.text.printable import many, printable
from reviser.text.source import Source

SCHEMA = "reviser.evaluate.references/1"
LARGEST = 200_000_000
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures, and what a model was asked for them, None where none was."""

    report: ReferenceReport
    asked: Asked | None


@dataclass(frozen=True, slots=True)
class _Set:
    """References as they were read; a paper's own topic, "" for a mere list."""

    papers: tuple[Paper, ...]
    topic: str = ""
    opened: Opened | None = None


def evaluate_references(
    found: Path,
    human: Path,
    topic: str,
    models: ModelSettings | None,
    settings: Callable[[Path], Settings],
) -> Measured:
    """Both sets against one another and the topic; `models` says who calls works relevant, None
    where nobody is to. The topic is that of a paper among the two where none is given.

    Raises UsageError for a file that cannot be read, NoConclusion without references or topic.
    """
    sets = [_read(path, settings) for path in (found, human)]
    for path, one in zip((found, human), sets, strict=True):
        if not one.papers:
            raise NoConclusion(f"{path}: there are no references with a title in it")
    ours, theirs = sets
    topic = topic.strip() or theirs.topic or ours.topic
    if not topic:
        raise NoConclusion(
            "it is not known what the references are about", hint="Say it: --topic 'graph networks'"
        )
    embedder = MiniLM(cache=cache_of(theirs.opened) if theirs.opened is not None else None)
    common = overlap(ours.papers, theirs.papers)
    named = (("found", common.found), ("human", common.human))
    rows = [semantic(name, papers, topic, embedder) for name, papers in named]
    helped: Helped | None = None
    if models is not None:
        folder = found.resolve().parent
        helped = helper_in(folder, tape_in(folder), models, Kind.WORKS)
        rows = [
            _judged(row, papers, topic, embedder, helped.helper)
            for row, (_, papers) in zip(rows, named, strict=True)
        ]
    judge = None if helped is None else helped.helper.name
    report = ReferenceReport(topic, common, tuple(rows), embedder.name, judge)
    return Measured(report, None if helped is None else helped.asked())


def _judged(
    row: Relevance, papers: Sequence[Paper], topic: str, embedder: MiniLM, helper: Role
) -> Relevance:
    said = filtered(topic, papers, vectors=embedder, helper=helper, nearest=len(papers))
    every = (*said.relevant, *said.irrelevant, *said.undecided)
    reasons = Counter(one.why for one in said.undecided)
    return judged(row, [one.relevant for one in every], reasons)


def _read(path: Path, settings: Callable[[Path], Settings]) -> _Set:
    """The references of a .bib, of JSON as 'literature search' writes it, or of a paper."""
    if path.suffix.lower() == ".bib":
        return _Set(_of_entries(read_bib(Source(path.name, _text(path))).entries, path.name))
    if path.suffix.lower() == ".json":
        return _Set(_of_json(_text(path), path))
    opened = open_paper(settings(path))
    entries = list(cited_entries(opened.manuscript).values())
    return _Set(_of_entries(entries, "bibliography"), about(opened.manuscript).text, opened)


def _of_entries(entries: Sequence[BibEntry], name: str) -> tuple[Paper, ...]:
    found = []
    for entry in entries:
        wanted = wanted_of(entry)
        if wanted.title:
            found.append(
                Paper(
                    name,
                    entry.key,
                    wanted.title,
                    tuple(Author(family) for family in wanted.authors),
                    wanted.year,
                    doi=wanted.doi,
                    arxiv=wanted.arxiv,
                    abstract=abstract_of(entry.get("abstract")),
                )
            )
    return tuple(found)


def _of_json(text: str, path: Path) -> tuple[Paper, ...]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: it is no JSON") from error
    rows = data.get("works") if isinstance(data, dict) else data
    if not isinstance(rows, list):
        raise UsageError(
            f"{path}: it is no list of works",
            hint="Give what 'reviser literature search --format json' writes, or a .bib.",
        )
    papers = [paper_of(row) for row in rows]
    return tuple(paper for paper in papers if paper is not None and paper.title.strip())


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{path}: it has more than {LARGEST:,} bytes")
        return path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def references_data(found: Measured) -> dict[str, Any]:
    """The report as JSON data, versioned by `schema`; works are named by identity and title."""
    report = found.report
    common = report.overlap
    shared_ours = {one.found for one in common.shared}
    shared_theirs = {one.human for one in common.shared}
    return {
        "schema": SCHEMA,
        "topic": report.topic,
        "found": len(common.found),
        "human": len(common.human),
        "common": len(common.shared),
        "doubled": {"found": common.doubled[0], "human": common.doubled[1]},
        "iou": asdict(common.iou),
        "precision": asdict(common.precision),
        "recall": asdict(common.recall),
        "relevance": [asdict(row) for row in report.relevance],
        "shared": [
            {
                "found": _named(common.found[one.found]),
                "human": _named(common.human[one.human]),
                "by": one.how,
            }
            for one in common.shared
        ],
        "only_found": [_named(p) for n, p in enumerate(common.found) if n not in shared_ours],
        "only_human": [_named(p) for n, p in enumerate(common.human) if n not in shared_theirs],
        "embedder": report.embedder,
        "judge": report.judge,
        "seed": report.seed,
        "asked": None if found.asked is None else spent_data(found.asked),
    }


def _named(paper: Paper) -> dict[str, str]:
    return {"id": paper.identity, "title": paper.title}


def references_lines(found: Measured) -> list[str]:
    """The report as lines of text: a figure, its interval, and how many works it was counted on."""
    report = found.report
    common = report.overlap
    union = len(common.found) + len(common.human) - len(common.shared)
    counted = many(len(common.found), "reference")
    chosen = f"{len(common.human)} chosen by people, {len(common.shared)} in common"
    lines = [
        f"{counted} found, {chosen}",
        "",
        f"{'figure':52} {'value':>7}  {'95% interval':15} {'of':>6}",
        _row("intersection over union", common.iou, union),
        _row("precision: found ones that people chose too", common.precision, len(common.found)),
        _row("recall: of those that people chose", common.recall, len(common.human)),
    ]
    rows = report.relevance
    lines += [_row(f"semantic relevance, {row.name}", row.semantic, row.works) for row in rows]
    lines += [
        _row(f"relevant by the model, {row.name}", row.judged, row.works - row.open)
        for row in rows
        if row.judged is not None and row.open is not None
    ]
    lines += ["", f"topic: {printable(report.topic[:200])}", f"similarity: {report.embedder}"]
    for row in report.relevance:
        if row.bare:
            lines.append(f"{row.name}: {row.bare} of {row.works} by their title alone")
        if row.open:
            why = "; ".join(f"{printable(said)} ({count})" for said, count in row.why_open)
            lines.append(f"{row.name}: {row.open} of {row.works} not decided by the model: {why}")
    if report.judge is None:
        lines.append("no model was asked for relevance (--model names one)")
    if found.asked is not None:
        lines.append(found.asked.sentence)
    if any(common.doubled):
        ours, theirs = common.doubled
        lines.append(f"stood twice: {ours} of the found ones, {theirs} of those chosen by people")
    shared = {one.human for one in common.shared}
    missed = [p for n, p in enumerate(common.human) if n not in shared]
    if missed:
        lines += ["", "Not found, first of them:"]
        lines += [f"  {printable(paper.title)}" for paper in missed[:SHOWN]]
    return lines


def _row(name: str, figure: Interval, count: int) -> str:
    if figure.value is None:
        return f"{name:52} {'-':>7}  {'':15} {count:>6}"
    bounds = f"{figure.low:.3f} to {figure.high:.3f}"
    return f"{name:52} {figure.value:7.3f}  {bounds:15} {count:>6}"
