"""The same result from the lock alone: no service, no model, works from outside brought again."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from test_repair_from_outside import DUNES, MARSH, SALT, TOPICS, Reader, Shelf, Words, reading

from reviser.adapters.workers import Threads
from reviser.literature.paper import Author, Paper
from reviser.literature.resolve import Unresolved
from reviser.literature.sources import Answer, Silent, Text, Wanted
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import Checked, Judges, Options, check, with_brought
from reviser.pipeline.gathering import Gathered, gather
from reviser.pipeline.improving import Improved, improve
from reviser.pipeline.locking import learned, settled, standing, with_lock
from reviser.revise.verdict import Outcome
from reviser.verify.keeping import Keeping
from reviser.verify.lock import WorkLine, read, write
from reviser.verify.model import Label
from reviser.verify.recall import check_by

WORKERS = Threads(2)
PAPERS = tuple(
    Paper(
        source="Library",
        id=key,
        title=f"On {key}",
        authors=(Author("Author", "Ann"),),
        year=2001,
        doi=f"10.1000/{key}",
        abstract=f"{words}. {words}, they say.",
    )
    for key, words in TOPICS.items()
)


class Library:
    """A source that knows works by title."""

    def __init__(self, papers: Sequence[Paper] = PAPERS, name: str = "Library") -> None:
        self.name = name
        self.papers = papers
        self.asked: list[str] = []

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        self.asked += [one.key for one in wanted]
        return [tuple(p for p in self.papers if p.doi == one.doi) for one in wanted]

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        self.asked += [one.key for one in wanted]
        return [tuple(p for p in self.papers if p.title == one.title) for one in wanted]

    def search(self, query: str, most: int) -> Answer:
        raise AssertionError("it is not searched")


class Down(Library):
    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        return [Silent(self.name, "unreachable") for _ in wanted]

    by_title = by_id


class Nobody:
    """Must not be asked anything."""

    def __init__(self, name: str) -> None:
        self.name = name

    def similarities(self, rows: object, columns: object) -> Sequence[Sequence[float]]:
        raise AssertionError("something was compared")

    def judge(self, pairs: object) -> Sequence[object]:
        raise AssertionError("somebody was asked")

    def search(self, query: str, most: int) -> Answer:
        raise AssertionError("somebody was searched")

    by_id = by_title = judge


def bare(*wrong: tuple[str, str]) -> Reading:
    """The paper without abstracts."""
    files = {path: s.text for path, s in reading(*wrong).manuscript.sources.items()}
    files["refs.bib"] = re.sub(r"  abstract = .*\n", "", files["refs.bib"])
    return Reading(Memory({path: text.encode() for path, text in files.items()}))


def again(paper: Reading, improved: Improved) -> Reading:
    """The paper as it was left."""
    files = {**paper.manuscript.sources, **improved.revision.after}
    return Reading(Memory({path: source.text.encode() for path, source in files.items()}))


class Ran(NamedTuple):
    before: Checked
    improved: Improved
    lock: bytes


ASKING = Judges(Words(), Reader(), beyond=(Shelf("Crossref", (DUNES, MARSH)),))
"""With a place that is searched."""


def quiet(*, verifier: bool = True) -> Judges:
    return Judges(
        Nobody("shared words"),
        Nobody("reader") if verifier else None,  # type: ignore[arg-type]
        beyond=(Nobody("Crossref"),) if verifier else (),
    )


def run(paper: Reading, judges: Judges, lock: bytes = b"", *sources: Library | Nobody) -> Ran:
    """As a run of `improve` does it."""
    keeping = Keeping(read(lock))
    known = settled(paper.manuscript, judges, keeping, "group")
    gathered: Gathered | None = None
    if sources:
        gathered = gather(paper.manuscript, sources, WORKERS, spared=known.spared)  # type: ignore[arg-type]
    whole = known.joined(gathered, paper.manuscript)
    texts = {} if gathered is None else gathered.texts
    judges = replace(judges, sources=texts, gathered=whole)
    judges = with_lock(judges, paper.manuscript, keeping)
    before = check(paper.manuscript, Options(), judges)
    improved = improve(before, Options(), judges, reread=paper.reread)
    papers: tuple[Manuscript, ...] = (paper.manuscript, improved.after.manuscript)
    learned(
        keeping,
        papers,
        with_brought(judges, before.brought).sources,
        () if whole is None else whole.outcomes,
        brought={one.key.lower(): one.paper for one in before.brought},
    )
    return Ran(before, improved, write(keeping.lines))


def same(one: Ran, other: Ran) -> None:
    """Everything that is told of a run, but for where the verdicts are from."""
    for a, b in ((one.before, other.before), (one.improved.after, other.improved.after)):
        assert b.supports == a.supports
        assert b.findings == a.findings
        assert b.edits == a.edits
        assert b.figures == a.figures
        assert b.coverage == a.coverage
        # Whom a run asked is its own; what there was to check against is not.
        assert b.holdings is not None
        assert a.holdings is not None
        assert replace(b.holdings, asked=()) == replace(a.holdings, asked=())
    assert other.improved.verdicts == one.improved.verdicts
    assert other.improved.revision.after == one.improved.revision.after


@pytest.mark.parametrize("verifier", [True, False])
def test_a_rerun_with_the_lock_alone_is_the_same_run(verifier: bool) -> None:
    paper = bare(("cats", SALT))
    first = run(paper, ASKING, b"", Library())
    (verdict,) = first.improved.verdicts
    assert verdict.outcome is Outcome.ACCEPTED, verdict.reasons
    assert "marshes" in first.improved.revision.after["refs.bib"].text
    second = run(paper, quiet(verifier=verifier), first.lock)
    same(first, second)
    assert second.lock == first.lock


def test_a_rerun_that_may_look_up_asks_nobody() -> None:
    paper = bare(("cats", SALT))
    first = run(paper, ASKING, b"", Library())
    second = run(paper, quiet(), first.lock, Nobody("Library"))
    same(first, second)
    assert second.lock == first.lock


def test_the_improved_paper_is_settled_too() -> None:
    paper = bare(("cats", SALT))
    first = run(paper, ASKING, b"", Library())
    better = again(paper, first.improved)
    second = run(better, quiet(), first.lock, Nobody("Library"))
    assert second.before.supports == first.improved.after.supports
    assert second.before.live == ()
    assert second.improved.revision.after == {}
    assert {s.label for s in second.before.supports} == {Label.SUPPORTED}


def test_a_search_that_found_nothing_is_not_made_again() -> None:
    paper = bare(("cats", SALT))
    nothing = replace(ASKING, beyond=(Shelf("Crossref", ()),))
    first = run(paper, nothing, b"", Library())
    assert first.before.edits == ()
    same(first, run(paper, quiet(), first.lock))
    # A place that was not searched then may know more.
    more = Shelf("arXiv", (replace(MARSH, source="arXiv"),))
    third = run(paper, replace(ASKING, beyond=(*nothing.beyond, more)), first.lock, Library())
    assert more.asked
    assert third.before.edits


def test_a_place_that_was_silent_is_searched_again() -> None:
    paper = bare(("cats", SALT))
    silent = replace(ASKING, beyond=(Shelf("Crossref", Silent("Crossref", "unreachable")),))
    first = run(paper, silent, b"", Library())
    shelf = Shelf("Crossref", (MARSH,))
    second = run(paper, replace(ASKING, beyond=(shelf,)), first.lock, Library())
    assert shelf.asked
    assert second.before.edits


def test_what_was_found_nowhere_is_not_looked_up_again_and_says_the_same() -> None:
    paper = bare()
    first = run(paper, ASKING, b"", Library(PAPERS[1:]))
    whys = {s.key: s.why for s in first.before.supports if s.label is Label.UNCHECKED}
    assert whys == {"cats": "not found in Library"}
    same(first, run(paper, quiet(), first.lock))
    same(first, run(paper, quiet(), first.lock, Nobody("Library")))


def test_silence_is_not_kept() -> None:
    paper = bare()
    first = run(paper, ASKING, b"", Down())
    assert not [line for line in read(first.lock).works if line.found or line.none]
    library = Library()
    second = run(paper, ASKING, first.lock, library)
    assert set(library.asked) == set(TOPICS)
    assert {s.label for s in second.before.supports} == {Label.SUPPORTED}


def test_how_each_work_was_found_comes_back() -> None:
    paper = bare()
    first = run(paper, ASKING, b"", Library(PAPERS[1:]))
    keeping = Keeping(read(first.lock))
    known = settled(paper.manuscript, quiet(), keeping, "group")
    assert list(known.outcomes) == list(TOPICS)
    assert known.spared == set(TOPICS)
    assert isinstance(known.outcomes["cats"], Unresolved)
    assert known.outcomes["bees"].wanted.key == "bees"
    assert set(known.earlier.values()) == {"Library"}


def test_a_changed_claim_is_judged_beside_all_works_and_the_other_verdicts_stay() -> None:
    paper = bare()
    first = run(paper, ASKING, b"", Library())
    main = paper.manuscript.sources["main.tex"].text.replace("Cats sleep", "Cats often sleep")
    bib = paper.manuscript.sources["refs.bib"].text
    changed = Reading(Memory({"main.tex": main.encode(), "refs.bib": bib.encode()}))
    library = Library()
    second = run(changed, ASKING, first.lock, library)
    # Beside fewer works it would be judged otherwise: the topic is relative to the others.
    assert set(library.asked) == set(TOPICS)
    assert second.before.recalled == 7
    fresh = run(changed, ASKING, b"", Library())
    assert [s for s in second.before.supports if s.key == "cats"] == [
        s for s in fresh.before.supports if s.key == "cats"
    ]
    alone = run(changed, quiet(), first.lock)
    open_still = [s for s in alone.before.supports if s.label is Label.UNCHECKED]
    assert [(s.key, s.why) for s in open_still] == [
        ("cats", "its text was read by an earlier run and is not at hand")
    ]


def test_abstracts_are_kept_by_licence_or_by_wish() -> None:
    paper = bare()
    open_text = replace(PAPERS[0], licence="cc-by", open_text="https://example.org/cats.pdf")
    free = [open_text, *PAPERS[1:]]
    lock = run(paper, ASKING, b"", Library(free)).lock
    assert {line.work for line in read(lock).works if line.words} == {"cats"}
    arxiv = run(paper, ASKING, b"", Library([replace(p, source="arXiv") for p in PAPERS], "arXiv"))
    assert {line.work for line in read(arxiv.lock).works if line.words} == set(TOPICS)
    # A kept abstract lets a changed claim be judged without a service.
    main = paper.manuscript.sources["main.tex"].text.replace("Cats sleep", "Cats often sleep")
    bib = paper.manuscript.sources["refs.bib"].text
    changed = Reading(Memory({"main.tex": main.encode(), "refs.bib": bib.encode()}))
    second = run(changed, replace(ASKING, beyond=()), lock)
    assert {s.label for s in second.before.supports} == {Label.SUPPORTED}


def test_no_long_stretch_of_an_abstract_is_kept_otherwise() -> None:
    lock = run(bare(), ASKING, b"", Library()).lock
    for paper in PAPERS:
        assert paper.abstract.encode() not in lock
    for line in read(lock).works:
        assert isinstance(line, WorkLine)
        assert line.abstract
        assert not line.words


def test_what_stands_to_be_judged_is_named() -> None:
    paper = bare()
    lock = run(paper, ASKING, b"", Library(PAPERS[1:])).lock
    by = check_by(ASKING.embedder, ASKING.entailment, ASKING.sentences)
    keeping = Keeping(read(lock))
    now = standing(paper.manuscript, {}, keeping, by, "group")
    assert (len(now.held), now.stale, now.missing) == (7, (), ())
    assert [pair.key for pair in now.textless] == ["cats"]
    other = replace(by, verifier="another")
    now = standing(paper.manuscript, {}, keeping, other, "group")
    assert len(now.stale) == 7
    text = Text(abstract="Quite another text, whose words are of no concern to anybody at all.")
    now = standing(paper.manuscript, {"bees": text}, keeping, by, "group")
    assert [pair.key for pair in now.stale] == ["bees"]
