"""Looking up what a paper cites: what is asked, what is held, and what is said of the rest."""

import re
from dataclasses import replace

from test_pipeline import JUDGES, TOPICS, reading

from reviser.adapters.workers import Threads
from reviser.literature.match import Match
from reviser.literature.paper import Author, Paper
from reviser.literature.resolve import Resolved
from reviser.literature.sources import Section, Silent, Text, Wanted, text_of, unheard
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.pipeline.checking import Options, check
from reviser.pipeline.gathering import cited_entries, gather, told
from reviser.ports import Entailed
from reviser.verify.model import Label

WORKERS = Threads(4)
PAPERS = tuple(
    Paper(
        source="Shelf",
        id=key,
        title=f"On {key}",
        authors=(Author(f"Author{key}", "Ann"),),
        year=2001,
        doi=f"10.1000/{key}",
        abstract=f"{words}. {words}, they say.",
        open_text=f"https://example.org/{key}.pdf",
    )
    for key, words in TOPICS
)


class Shelf:
    """A source that has some works, by DOI and by title, and keeps what it was asked."""

    def __init__(self, papers=PAPERS, name="Shelf"):
        self.name = name
        self.papers = [replace(paper, source=name) for paper in papers]
        self.asked = []

    def by_id(self, wanted):
        self.asked += [("id", one.key) for one in wanted]
        return [tuple(p for p in self.papers if one.doi and p.doi == one.doi) for one in wanted]

    def by_title(self, wanted):
        self.asked += [("title", one.key) for one in wanted]
        return [tuple(p for p in self.papers if p.title == one.title) for one in wanted]

    def search(self, query, most):
        return ()


class Down(Shelf):
    def by_id(self, wanted):
        return [Silent(self.name, "unreachable") for _ in wanted]

    by_title = by_id


class Stopped(Shelf):
    """Somebody presses Ctrl-C while it is asked for titles."""

    def by_title(self, wanted):
        raise KeyboardInterrupt


class Library:
    def __init__(self, sections=()):
        self.asked = []
        self.sections = sections

    def place_of(self, paper):
        return paper.source if paper.open_text else ""

    def text(self, paper):
        self.asked.append(paper.id)
        return self.sections


def bare(change=lambda text: text):
    """The paper without abstracts."""
    texts = {path: source.text for path, source in reading().manuscript.sources.items()}
    entries = re.sub(r"  abstract = .*\n", "", texts["refs.bib"])
    return Reading(
        Memory({"main.tex": texts["main.tex"].encode(), "refs.bib": change(entries).encode()})
    ).manuscript


def checked(manuscript, gathered, entailment=None):
    judges = replace(
        JUDGES,
        sources=gathered.texts,
        more=gathered.more,
        gathered=gathered,
        entailment=entailment,
    )
    return check(manuscript, Options(), judges)


def test_looked_up_abstracts_give_the_verdicts_that_the_authors_own_give():
    paper = bare()
    found = checked(paper, gather(paper, [Shelf()], WORKERS))
    own = check(reading().manuscript, Options(), JUDGES)
    assert [replace(s, passages=()) for s in found.supports] == [
        replace(s, passages=()) for s in own.supports
    ]
    assert [[p.text for p in s.passages] for s in found.supports] == [
        [p.text for p in s.passages] for s in own.supports
    ]
    assert {p.place for s in found.supports for p in s.passages} == {
        f"abstract of {key}, Shelf" for key, _ in TOPICS
    }
    assert found.holdings.sentence == "evidence: 8 of 8 cited works have text (8 Shelf)"


def test_a_silent_source_accuses_nobody_and_says_why():
    paper = bare()
    found = checked(paper, gather(paper, [Down()], WORKERS))
    assert {s.label for s in found.supports} == {Label.UNCHECKED}
    assert {s.why for s in found.supports} == {"Shelf unreachable"}
    assert found.live == ()
    assert found.coverage.not_checked == (("Shelf unreachable", 8),)
    assert found.holdings.sentence == ("evidence: 0 of 8 cited works have text; Shelf unreachable")


def test_sources_that_are_silent_for_one_reason_are_told_together():
    silent = [
        Silent("A", "unreachable"),
        Silent("B", "was not asked: stopped"),
        Silent("C", "unreachable"),
        Silent("D", "was not asked: stopped"),
        Silent("E", "needs a key"),
        Silent("A", "unreachable"),
    ]
    assert unheard(silent) == (
        "A and C unreachable; B and D were not asked: stopped; E needs a key"
    )


def test_what_one_source_lacks_another_may_have():
    paper = bare()
    known = [p for p in PAPERS if p.id != "bees"]
    without = [replace(p, abstract="") for p in PAPERS]
    found = checked(paper, gather(paper, [Shelf(known), Shelf(without, "Other")], WORKERS))
    whys = {s.key: s.why for s in found.supports if s.label is Label.UNCHECKED}
    assert whys == {"bees": "no abstract in Shelf, Other"}
    half = checked(paper, gather(paper, [Down(name="Down"), Shelf(known)], WORKERS))
    whys = {s.key: s.why for s in half.supports if s.label is Label.UNCHECKED}
    assert whys == {"bees": "Down unreachable"}


def test_sources_are_named_in_one_order_whichever_was_asked_first():
    shelves = [Shelf((), "B"), Shelf((), "A"), Shelf((), "D"), Shelf((), "C")]
    nowhere = gather(bare(), shelves, WORKERS, own=[Shelf((), "own.bib")])
    first = [shelf.asked[-1] for shelf in shelves]
    assert len(set(first)) > 1
    assert {t.why_none for t in nowhere.texts.values()} == {"not found in own.bib, B, A, D, C"}
    mute = [replace(paper, abstract="") for paper in PAPERS]
    shelves = [Shelf(mute, "B"), Shelf((), "A"), Shelf(mute, "D")]
    without = gather(bare(), shelves, WORKERS)
    assert {t.why_none for t in without.texts.values()} == {"no abstract in B, A, D"}
    assert len({outcome.why for outcome in nowhere.outcomes}) == 1


def test_nothing_is_asked_about_what_nobody_cites_or_what_is_spared():
    def extra(entries):
        return entries + "@book{idle, author={A B}, title={On idling}, year={2001}}\n"

    shelf, paper = Shelf(), bare(extra)
    gather(paper, [shelf], WORKERS, spared={"cats"})
    assert {key for _, key in shelf.asked} == {key for key, _ in TOPICS} - {"cats"}
    assert list(cited_entries(paper)) == [key for key, _ in TOPICS]


def test_ctrl_c_keeps_what_came_and_asks_nothing_more():
    paper = bare(lambda text: re.sub(r"(On (\w+)\},)", r"\1 doi={10.1000/\2},", text, count=5))
    library = Library((Section("", "Never read."),))
    sources = [Shelf(PAPERS[:5]), Stopped(name="Late")]
    gathered = gather(paper, sources, WORKERS, full_texts=library)
    assert gathered.stopped
    assert {key for key, text in gathered.texts.items() if text.abstract} == {
        key for key, _ in TOPICS[:5]
    }
    found = checked(paper, gathered)
    whys = {s.why for s in found.supports if s.label is Label.UNCHECKED}
    assert all("Late" in why and why.endswith("not asked: stopped") for why in whys)
    assert found.live == ()
    assert library.asked == []


def test_open_texts_are_read_for_works_without_any_other_text():
    paper = bare()
    papers = [replace(p, abstract="") if p.id == "bees" else p for p in PAPERS]
    words = dict(TOPICS)["bees"]
    library = Library((Section("Results", f"{words}. It is so."),))
    gathered = gather(paper, [Shelf(papers)], WORKERS, full_texts=library)
    assert library.asked == ["bees"]
    found = checked(paper, gathered)
    (bees,) = (s for s in found.supports if s.key == "bees")
    assert bees.label is Label.ON_TOPIC
    assert bees.passages[0].place == 'source text of bees, Shelf, section "Results"'
    assert set(gathered.more(["cats", "bees", "none"])) == {"cats", "bees"}
    gathered.more(["cats"])
    assert library.asked == ["bees", "cats"]


class Reader:
    """A verifier that is sure of what a full text says, and of nothing else."""

    name = "reader"

    def __init__(self):
        self.asked = []

    def judge(self, pairs):
        self.asked += pairs
        return [
            Entailed(0.9 if "Experts certainly agree" in premise else 0.1, 0.0)
            for premise, _ in pairs
        ]


def test_a_full_text_is_fetched_where_an_abstract_is_silent_and_nowhere_else():
    words = dict(TOPICS)["bees"]
    saying = [
        p if p.id == "bees" else replace(p, abstract=f"{p.abstract} Experts certainly agree.")
        for p in PAPERS
    ]
    library, reader = (
        Library((Section("4 Dances", f"{words}. Experts certainly agree."),)),
        Reader(),
    )
    gathered = gather(bare(), [Shelf(saying)], WORKERS, full_texts=library)
    assert library.asked == []
    found = checked(bare(), gathered, reader)
    assert library.asked == ["bees"]
    assert len(reader.asked) == len(TOPICS) + 1
    assert {s.label for s in found.supports} == {Label.SUPPORTED}
    (bees,) = (s for s in found.supports if s.key == "bees")
    assert bees.passages[0].section == "4 Dances"
    assert "its abstract is silent" in bees.why
    assert checked(bare(), gathered, reader).supports == found.supports
    assert library.asked == ["bees"]


def test_a_silent_full_text_is_a_finding_and_a_silent_abstract_is_not():
    library = Library((Section("", "Of other matters it says much. It never dances."),))
    shelf = [Shelf(PAPERS)]
    abstract = checked(bare(), gather(bare(), shelf, WORKERS), Reader())
    assert {s.label for s in abstract.supports} == {Label.SILENT}
    assert abstract.live == ()
    full = checked(bare(), gather(bare(), shelf, WORKERS, full_texts=library), Reader())
    assert {f.rule for f in full.live} == {"citation-silent"}
    assert len(full.live) == len(TOPICS)


def test_texts_at_hand_come_before_open_ones():
    paper = bare()
    papers = [replace(p, abstract="") for p in PAPERS]
    texts = {key: text_of(f"{words}. It is so.") for key, words in TOPICS[:7]}
    library = Library()
    gathered = gather(paper, [Shelf(papers)], WORKERS, texts=texts, full_texts=library)
    assert library.asked == ["bees"]
    held = checked(paper, gathered).holdings
    assert held.by == (("own files", 7),)


def test_progress_ends_with_all_works():
    class Seen:
        def __init__(self):
            self.steps = []

        def step(self, what, done, total):
            self.steps.append((done, total))

    seen = Seen()
    gather(bare(), [Shelf(), Shelf(name="Other")], WORKERS, progress=seen)
    assert seen.steps[0] == (0, 8)
    assert seen.steps[-1] == (8, 8)
    assert [done for done, _ in seen.steps] == sorted(done for done, _ in seen.steps)
    assert (8, 8) not in seen.steps[:-1]


def test_a_work_whose_abstract_somebody_silent_may_have_is_not_said_to_have_none():
    bare = replace(PAPERS[0], abstract="")
    found = Resolved(Wanted("bees"), bare, "DOI", Match(True, "the same title"))
    silent = replace(found, silent=(Silent("B", "unreachable"),))
    assert told(Text(), found, ("A", "B")).why_none == "no abstract in A, B"
    assert told(Text(), silent, ("A", "B")).why_none == "B unreachable"


def test_a_work_that_stands_in_the_list_only_is_not_looked_up():
    files = {path: source.text for path, source in bare().sources.items()}
    entry = "@book{idle, author={A B}, title={On idling}, year={2001}}\n"
    main = files["main.tex"].replace("\\bibliography", "\\nocite{idle}\\bibliography")
    paper = Reading(
        Memory({"main.tex": main.encode(), "refs.bib": (files["refs.bib"] + entry).encode()})
    ).manuscript
    assert "idle" in paper.entry_of
    assert "idle" not in cited_entries(paper)


def test_a_work_is_looked_up_with_what_its_parent_lends_it():
    def lent(entries):
        changed = entries.replace("year = {2001}", "crossref = {whole}", 1)
        return changed + "@proceedings{whole, title={Beasts}, year={1999}, editor={E. F.}}\n"

    class Noting(Shelf):
        def by_title(self, wanted):
            self.wanted = list(wanted)
            return super().by_title(wanted)

    shelf, paper = Noting(), bare(lent)
    assert "crossref" in paper.sources["refs.bib"].text
    gather(paper, [shelf], WORKERS)
    assert sum(one.year == 1999 for one in shelf.wanted) == 1


def test_ctrl_c_while_texts_are_read_keeps_what_came():
    class Interrupted(Library):
        def text(self, paper):
            self.asked.append(paper.id)
            raise KeyboardInterrupt

    paper, library = bare(), Interrupted()
    without = Shelf([replace(p, abstract="") for p in PAPERS])
    found = gather(paper, [without], WORKERS, full_texts=library)
    count = len(library.asked)
    assert found.more is not None
    assert found.more([key for key, _ in TOPICS]) == {}
    assert len(library.asked) == count
