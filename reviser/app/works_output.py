"""What was found of the works that a paper cites: as data, and for people."""

from collections.abc import Sequence
from typing import TypedDict

from reviser.app.page import Page, Piece, Style
from reviser.literature.resolve import Resolved
from reviser.literature.sources import Text
from reviser.pipeline.gathering import Gathered, Outcome
from reviser.text.printable import many, printable


class WorkReport(TypedDict):
    """A cited work that was looked for. `found` is how ("DOI", "arXiv id", "title"), empty where
    it was not; `abstract_from` and `full_from` name who gave a text, empty where nobody did (the
    bibliography's own fields are not told here); `why` says why there is none, or why it was not
    found; `silent` are sources that did not answer."""

    key: str
    found: str
    title: str
    authors: list[str]
    year: int | None
    venue: str
    doi: str
    arxiv: str
    abstract_from: str
    full_from: str
    why: str
    silent: list[str]


def works_data(gathered: Gathered) -> list[WorkReport]:
    """All that were looked up, in the order in which they are cited, then other texts at hand."""
    looked = {outcome.wanted.key.lower(): outcome for outcome in gathered.outcomes}
    keys = [
        *(o.wanted.key for o in gathered.outcomes),
        *(k for k in gathered.texts if k not in looked),
    ]
    return [
        _work(key, looked.get(key.lower()), gathered.texts.get(key.lower(), Text())) for key in keys
    ]


def _work(key: str, outcome: Outcome | None, held: Text) -> WorkReport:
    paper = outcome.paper if isinstance(outcome, Resolved) else None
    return {
        "key": key,
        "found": outcome.how if isinstance(outcome, Resolved) else "",
        "title": paper.title if paper is not None else "",
        "authors": [" ".join(filter(None, (a.given, a.family))) for a in paper.authors]
        if paper
        else [],
        "year": paper.year if paper is not None else None,
        "venue": paper.venue if paper is not None else "",
        "doi": paper.doi if paper is not None else "",
        "arxiv": paper.arxiv if paper is not None else "",
        "abstract_from": held.abstract_from if held.abstract else "",
        "full_from": (held.full_from or "own files") if held.sections else "",
        "why": held.why_none,
        "silent": [] if outcome is None else [str(one) for one in outcome.silent],
    }


def add_works(page: Page, works: Sequence[WorkReport]) -> None:
    """What was found of each, a line for each."""
    page.heading("Cited works")
    for work in works:
        page.add(
            Piece(printable(work["key"]), Style.PLACE),
            f"  {printable(_told(work))}",
            indent=2,
            hang=6,
        )
    held = sum(bool(work["abstract_from"] or work["full_from"]) for work in works)
    page.add(f"{held} of {many(len(works), 'work')} have a text beside the bibliography.", indent=2)


def _told(work: WorkReport) -> str:
    said: list[str] = []
    if work["found"]:
        name = work["doi"] or (f"arXiv:{work['arxiv']}" if work["arxiv"] else "")
        year = f" ({work['year']})" if work["year"] is not None else ""
        said.append(f'"{work["title"]}"{year}{f", {name}" if name else ""}, by {work["found"]}')
    if work["abstract_from"]:
        said.append(f"abstract from {work['abstract_from']}")
    if work["full_from"]:
        said.append(f"full text from {work['full_from']}")
    if work["why"]:
        said.append(work["why"])
    return "; ".join(said)
