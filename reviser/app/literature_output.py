"""What a search, an expansion and a corpus come to, for people, programs and bibliographies."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from reviser.app.collecting import Collected
from reviser.app.page import Page, Piece, Style
from reviser.app.searching import Expanded, Searched, Status
from reviser.latex.bibkeys import key_for
from reviser.latex.bibstyle import Style as BibStyle
from reviser.literature.filter import Judged
from reviser.literature.index import Held
from reviser.literature.paper import Paper
from reviser.literature.paper_json import held_json
from reviser.text.printable import many, printable, shortened
from reviser.verify.entries import entry_text, known, lacking

SEARCH = "reviser.literature.search/1"
EXPAND = "reviser.literature.expand/1"
STATUS = "reviser.literature.status/1"
_LONGEST = 110


def search_page(page: Page, found: Searched) -> None:
    """A line for each work, best first; with a helper's word those that matter first."""
    if found.judged is None:
        for held in found.works:
            _work(page, held.paper)
    else:
        names = {"Relevant": found.judged.relevant, "Undecided": found.judged.undecided}
        for heading, judged in names.items():
            if judged:
                page.heading(heading)
            for one in judged:
                _work(page, one.paper)
                if one.relevant is None:
                    page.add(Piece(printable(one.why), Style.FAINT), indent=8, hang=8)
        page.gap()
        dropped = len(found.judged.irrelevant)
        page.add(f"{many(dropped, 'work')} judged not to matter to the topic")
    page.gap()
    for silent in found.silent:
        page.add(f"not searched: {printable(silent)}")
    page.add(f"{many(len(found.works), 'work')} of {printable(found.corpus)}")


def search_data(found: Searched) -> dict[str, Any]:
    """The same for programs; `works` can be read by 'literature add'."""
    data: dict[str, Any] = {
        "schema": SEARCH,
        "topic": found.topic,
        "corpus": found.corpus,
        "works": [held_json(held) for held in found.works],
        "silent": list(found.silent),
    }
    if found.judged is not None:
        lists = (found.judged.relevant, found.judged.irrelevant, found.judged.undecided)
        data["judged"] = [_judged_json(one) for judged in lists for one in judged]
    return data


def bibtex(works: Sequence[Held]) -> tuple[str, tuple[str, ...]]:
    """Entries for works under keys of their own, and why each of the others has none."""
    style = BibStyle()
    taken: set[str] = set()
    entries: list[str] = []
    left_out: list[str] = []
    for held in works:
        paper = held.paper
        if missing := lacking(paper):
            left_out.append(f"{paper.title}: {paper.source} does not give {missing}")
            continue
        key = key_for(known(paper), style.scheme, taken)
        text = entry_text(paper, key, style)
        if text is None:
            left_out.append(f"{paper.title}: it has letters that TeX is not sure to have")
            continue
        taken.add(key.lower())
        entries.append(text)
    return "\n\n".join(entries) + ("\n" if entries else ""), tuple(left_out)


def expand_page(page: Page, found: Expanded) -> None:
    """A line for each search: what it was for, what came, what was new, what came of it."""
    steps = found.expansion.steps
    for number, step in enumerate(steps, start=1):
        style = Style.FAINT if number <= found.before else Style.PLAIN
        came = ", ".join(f"{printable(name)} {count}" for name, count in step.found)
        silent = "; ".join(map(printable, step.silent))
        said = f"{came}: {many(step.new, 'new paper')}, {step.total} in all"
        page.add(Piece(printable(step.keyword), style), indent=0)
        page.add(Piece(said if came else "nobody answered", style), indent=4, hang=4)
        if silent:
            page.add(Piece(f"silent: {silent}", style), indent=4, hang=4)
    page.gap()
    page.add(
        f"{many(len(found.expansion.names), 'paper')} on this topic; "
        f"it ended because {printable(found.expansion.stopped)}"
    )
    page.add(f"{many(found.size, 'work')} in {printable(found.corpus)}")


def expand_data(found: Expanded) -> dict[str, Any]:
    """The record of the expansion, all of its steps included."""
    data = asdict(found.expansion)
    return {"schema": EXPAND, **data, "before": found.before, "corpus": found.corpus,
            "size": found.size}  # fmt: skip


def collected_page(page: Page, found: Collected) -> None:
    """What became of the works of each file."""
    for name, added in found.files:
        said = [f"{many(added.new, 'work')} new", f"{added.more} known better",
                f"{added.known} known"]  # fmt: skip
        if added.odd:
            said.append(f"{added.odd} left out, for they have the identifier of another work")
        if added.nameless:
            said.append(f"{added.nameless} left out, for they have no title")
        page.add(f"{printable(name)}: {', '.join(said)}", hang=4)
    page.add(
        f"{many(found.embedded, 'text')} embedded; {many(found.size, 'work')} in "
        f"{printable(found.corpus)}"
    )


def status_page(page: Page, found: Status) -> None:
    """What is in a corpus."""
    page.add(f"{many(found.works, 'work')} in {printable(found.corpus)}")
    if not found.works:
        return
    page.add(f"{found.abstracts} with an abstract, {found.identified} with a DOI or arXiv id, "
             f"{found.notices} retracted or under concern", hang=4)  # fmt: skip
    if found.waiting:
        page.add(f"{found.waiting} not embedded yet: found by words alone", hang=4)
    if found.size:
        page.add(f"{found.size / 1e6:.1f} MB")
    page.gap()
    for via, count in found.brought:
        page.add(f"{count:>7}  {printable(via)}", hang=9)


def status_data(found: Status) -> dict[str, Any]:
    """The same for programs."""
    return {"schema": STATUS, **asdict(found), "brought": dict(found.brought)}


def _work(page: Page, paper: Paper) -> None:
    first = paper.authors[0].family if paper.authors else "?"
    more = " et al." if len(paper.authors) > 1 else ""
    cited = f", cited {paper.cited_by:,}" if paper.cited_by is not None else ""
    gone = f"  [{paper.notice.kind}]" if paper.notice is not None else ""
    title = shortened(printable(paper.title), _LONGEST)
    page.add(f"{paper.year or '----'}  {title}{printable(gone)}", hang=6)
    about = f"{printable(first)}{more}{cited}; {printable(paper.identity)}"
    page.add(Piece(shortened(about, _LONGEST), Style.FAINT), indent=6, hang=6)


def _judged_json(one: Judged) -> dict[str, Any]:
    return {"work": one.paper.identity, "relevant": one.relevant, "why": one.why,
            "closeness": round(one.closeness, 4)}  # fmt: skip
