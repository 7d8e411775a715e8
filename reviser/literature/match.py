"""Whether a work that a source describes is the work that a bibliography entry means.

The match is strict: one wrong work in a paper's evidence does more harm than ten that are missing.
Title, first author and year must agree together. What is decided here where bibliographies differ:

- A preprint and its published version are one work (title and authors the same), up to
  `preprint_years` apart; any other work may be one year off, no more.
- A thesis is not the paper of the same title, a book not the article or chapter of the same title:
  their texts differ. Editions and reprints years apart are refused as well.
- An erratum, a comment, a reply and a numbered part are works of their own.
- A very short title needs the first author on both sides; a title that many works bear
  ("Introduction", "Editorial") the venue as well.
"""

from dataclasses import dataclass
from enum import StrEnum

from reviser.literature.merging import is_preprint
from reviser.literature.names import agree, folded, is_collective
from reviser.literature.paper import Author, Paper
from reviser.literature.sources import Wanted
from reviser.literature.spelling import ARTICLES, JOINTS, tells_apart, turns_round
from reviser.literature.titles import Kinship, Likeness, likeness


@dataclass(frozen=True, slots=True)
class Strictness:
    """The thresholds, chosen on one half of tests/benchmarks/titles and reported on the other.

    `slips` is the share of a title's words that may be misspelt. `part_words` is how many words
    with meaning the part in common needs where one title lacks its subtitle or its head, and
    `part_alone` how many where nobody but the first author agrees (below `few_words` the year must
    be the same too). `alone_words` is how
    many a title needs to be enough without authors. `preprint_years` is how far the two years of a
    preprint and its published version may lie apart. Below `unlike`, two titles are of two works.
    """

    slips: float = 0.34
    part_words: int = 1
    part_alone: int = 2
    few_words: int = 3
    alone_words: int = 6
    preprint_years: int = 6
    unlike: float = 0.45


STRICT = Strictness()
MOST_NAMED = 20
MOST_COMPARED = 100
"""Authors of an entry and of a work that are compared: some works have thousands."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a match rests on. `title` is the likeness of the titles in [0, 1]; `years` how many
    years they are apart and `first_author` whether the surnames agree, None where one lacks it."""

    title: float = 0.0
    years: int | None = None
    first_author: bool | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """Whether two descriptions are of one work, and why, as a clause for a reader."""

    accepted: bool
    why: str
    figures: Figures = Figures()


class Standing(StrEnum):
    """What a work found under an entry's identifier is to the entry."""

    SAME = "the work that is meant"
    UNSURE = "perhaps the work that is meant"
    OTHER = "another work"


_COMMON = frozenset(
    {
        "introduction", "editorial", "preface", "foreword", "conclusion", "conclusions", "index",
        "discussion", "summary", "commentary", "letter", "reply", "overview", "contents", "news",
        "reviews", "obituary", "appendix", "bibliography", "references", "notes", "abstracts",
        "prologue", "epilogue", "afterword", "acknowledgments", "perspective", "perspectives",
    }
)  # fmt: skip
_THESES = frozenset({"phdthesis", "mastersthesis", "thesis"})
_BOOKS = frozenset({"book", "mvbook", "proceedings", "collection", "mvcollection", "reference"})
_PAPERS = frozenset({"article", "inproceedings", "conference", "incollection", "inbook"})
_MOST_YEARS = 1


def match(wanted: Wanted, paper: Paper, strictness: Strictness = STRICT) -> Match:
    """Whether `paper` is the work `wanted`, by title, authors, year and kind; identifiers do not
    count. Where it cannot be sure it refuses. Raises nothing."""
    titles = likeness(wanted.title, paper.title)
    years = _years(wanted, paper)
    people = _People.of(wanted, paper)
    figures = Figures(titles.ratio, years, people.first)
    for refusal in (
        _title_refused(titles, people, years, strictness),
        _kind_refused(wanted, paper),
        _authors_refused(titles, people, years, strictness),
        _years_refused(wanted, paper, titles, people, strictness),
        _too_common(wanted, paper, titles),
    ):
        if refusal:
            return Match(False, refusal, figures)
    beside = [] if people.first is None else ["the same first author"]
    if years is not None:
        beside.append("the same year" if not years else f"{_counted(years)} apart")
    return Match(True, ", ".join([titles.kinship.value, *beside]), figures)


def standing(wanted: Wanted, paper: Paper, strictness: Strictness = STRICT) -> Standing:
    """What `paper`, which a source has under the DOI or arXiv id of `wanted`, is to the entry.

    An identifier with the title or with the first author and a title that is near is enough. It is
    another work only when neither title nor any author agrees, and it is not the volume in which
    the work stands.
    """
    if not wanted.title or not paper.title:
        return Standing.SAME
    titles = likeness(wanted.title, paper.title)
    people = _People.of(wanted, paper)
    extra = tells_apart(titles.apart)
    if titles.kinship is not Kinship.OTHER and not extra:
        return Standing.UNSURE if people.first is False and not people.shared else Standing.SAME
    near = titles.ratio >= (1 + strictness.unlike) / 2
    if near and people.first and not extra and not turns_round(titles.apart):
        return Standing.SAME
    apart = titles.ratio < strictness.unlike and people.first is False and not people.shared
    return Standing.OTHER if apart and not contains(wanted, paper) else Standing.UNSURE


def contains(wanted: Wanted, paper: Paper) -> bool:
    """Whether one may be the volume in which the other stands: its DOI is then no other work's."""
    one, other = wanted.kind.lower(), paper.kind.lower()
    if (one in _PAPERS and other in _BOOKS) or (one in _BOOKS and other in _PAPERS):
        return True
    pairs = ((wanted.venue, paper.title), (paper.venue, wanted.title))
    return any(one and other and likeness(one, other).ratio > STRICT.unlike for one, other in pairs)


@dataclass(frozen=True, slots=True)
class _People:
    """`first` tells whether the first authors agree, None where one side names nobody; `shared`
    is how many of the entry's authors are among the work's, and `all_named` how many could be."""

    first: bool | None
    shared: int
    could: int

    @classmethod
    def of(cls, wanted: Wanted, paper: Paper) -> "_People":
        named, known = wanted.authors[:MOST_NAMED], paper.authors[:MOST_COMPARED]
        if named and known and not _is(named[0], known[0]):
            # A collaboration may stand before, behind or instead of those who speak for it.
            named = tuple(name for name in named if not is_collective(name))
            known = tuple(author for author in known if not is_collective(author.family))
        if not named or not known:
            return cls(None, 0, 0)
        first = _is(named[0], known[0])
        shared = sum(any(_is(name, author) for author in known) for name in named)
        if first is False:
            among = any(_is(named[0], author) for author in known[1:])
            # In another order, and no less than that: the first of each is among the others'.
            first = among and any(_is(name, known[0]) for name in named[1:])
        return cls(first, shared, min(len(named), len(known)))


def _is(name: str, author: Author) -> bool | None:
    return agree(name, author.family, author.given)


def _title_refused(
    titles: Likeness, people: _People, years: int | None, strictness: Strictness
) -> str:
    if titles.kinship is Kinship.SAME:
        return ""
    if titles.kinship is Kinship.OTHER:
        words = ", ".join(dict.fromkeys(titles.apart[:6]))
        return f"the titles differ in '{words}'" if words else "the titles differ"
    if titles.kinship is Kinship.SPELLING:
        fits = titles.slips <= strictness.slips * len(titles.common)
        return "" if fits and people.first else "the titles differ in their spelling"
    return _part_refused(titles, people, years, strictness)


def _part_refused(
    titles: Likeness, people: _People, years: int | None, strictness: Strictness
) -> str:
    """Why titles of which one is a part of the other are not taken for one; "" where they are."""
    if word := tells_apart(titles.apart):
        return f"only one title has '{word}'"
    if not people.first:
        return "the titles differ by a part, and the authors do not settle it"
    alone = people.shared < 2 and people.could > 1
    least = strictness.part_alone if alone or people.could < 2 else strictness.part_words
    common = _meaning(titles.common)
    if common < least or (common < strictness.few_words and years != 0):
        return "too little of the titles is the same"
    return ""


def _kind_refused(wanted: Wanted, paper: Paper) -> str:
    one, other = wanted.kind.lower(), paper.kind.lower()
    for family, name in ((_THESES, "a thesis"), (_BOOKS, "a book")):
        if (one in family and other in (_THESES | _BOOKS | _PAPERS) - family) or (
            other in family and one in (_THESES | _BOOKS | _PAPERS) - family
        ):
            return f"only one of them is {name}"
    return ""


def _authors_refused(
    titles: Likeness, people: _People, years: int | None, strictness: Strictness
) -> str:
    if people.first:
        return ""
    if people.first is False:
        return "the first authors differ"
    enough = titles.kinship is Kinship.SAME and _meaning(titles.common) >= strictness.alone_words
    if enough and years is not None and years <= _MOST_YEARS:
        return ""
    return "nobody is named whom the authors could be compared with"


def _years_refused(
    wanted: Wanted, paper: Paper, titles: Likeness, people: _People, strictness: Strictness
) -> str:
    years = _years(wanted, paper)
    if years is None:
        few = _meaning(titles.common) < strictness.few_words
        return "the title is short and a year is missing" if few else ""
    if years <= _MOST_YEARS:
        return ""
    before_print = _is_preprint(wanted) or is_preprint(paper)
    certain = (
        titles.kinship is Kinship.SAME
        and people.first
        and people.shared >= min(2, people.could)
        and _meaning(titles.common) >= strictness.few_words
    )
    if before_print and certain and years <= strictness.preprint_years:
        return ""
    return f"they are {_counted(years)} apart"


def _too_common(wanted: Wanted, paper: Paper, titles: Likeness) -> str:
    meaning = [word for word in titles.common if word not in ARTICLES | JOINTS]
    if not _COMMON.issuperset(meaning):
        return ""
    known = bool(wanted.venue and paper.venue)
    if known and folded(wanted.venue) == folded(paper.venue) and _years(wanted, paper) == 0:
        return ""
    return "too many works have this title"


def _years(wanted: Wanted, paper: Paper) -> int | None:
    if wanted.year is None or paper.year is None:
        return None
    return abs(wanted.year - paper.year)


def _is_preprint(wanted: Wanted) -> bool:
    return is_preprint(
        Paper("", "", wanted.title, venue=wanted.venue, doi=wanted.doi, arxiv=wanted.arxiv)
    )


def _meaning(words: tuple[str, ...]) -> int:
    """How many words there are besides articles and prepositions."""
    return sum(word not in ARTICLES and word not in JOINTS for word in words)


def _counted(years: int) -> str:
    return "1 year" if years == 1 else f"{years} years"
