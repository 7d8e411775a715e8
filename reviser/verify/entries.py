"""A published work as an entry of one .bib file: which type, which fields, what stands in them.

All that is written comes from a literature service, so from strangers: it is escaped, bounded, and
limited to what tells which work is meant. Abstracts, notes, keywords and addresses of others are
never taken over.
"""

import re
import unicodedata

from reviser.latex.bibcompose import Value, composed
from reviser.latex.bibescape import UNWRITABLE, escaped, folded
from reviser.latex.bibkeys import Known
from reviser.latex.bibstyle import Style, venue_key
from reviser.literature.paper import Author, Paper
from reviser.verify.words import word_set

LONGEST_TITLE = 400
LONGEST_NAME = 120
LONGEST_VENUE = 250
LONGEST_DETAIL = 40
"""Characters of a volume, a number or pages."""
MOST_AUTHORS = 60
"""Names that are written; a longer list ends with "others"."""

_KINDS = frozenset(
    {
        "article", "inproceedings", "book", "incollection", "inbook", "phdthesis",
        "mastersthesis", "techreport", "misc", "proceedings",
    }
)  # fmt: skip
_SYNONYMS = {
    "conference": "inproceedings", "online": "misc", "unpublished": "misc", "thesis": "phdthesis",
    "report": "techreport", "electronic": "misc", "preprint": "misc", "www": "misc",
}  # fmt: skip
_HOLDER = {
    "article": "journal", "inproceedings": "booktitle", "incollection": "booktitle",
    "inbook": "booktitle", "phdthesis": "school", "mastersthesis": "school",
    "techreport": "institution", "book": "publisher", "proceedings": "publisher",
}  # fmt: skip
"""The field that says where a work of this kind was published."""
_PROCEEDINGS = re.compile(
    r"\b(?:proc(?:eedings|\.)?|conference|workshop|symposium|neurips|nips|icml|iclr|acl|emnlp|naacl"
    r"|cvpr|iccv|eccv|aaai|ijcai|kdd|sigir|chi|www)\b",
    re.IGNORECASE,
)
_ARXIV_VENUE = re.compile(r"arxiv|^corr\b", re.IGNORECASE)
_PAGES = re.compile(
    r"([A-Za-z]{0,3}[\d.:]{1,12}[A-Za-z]?)(?:\s*[-–—]+\s*([A-Za-z]{0,3}[\d.:]{1,12}[A-Za-z]?))?"
)
_SAFE_DOI = re.compile(r"10\.\d{4,9}/[A-Za-z0-9._;()/:+-]{1,180}")
_SAFE_ARXIV = re.compile(r"\d{4}\.\d{4,5}|[a-z-]{1,16}/\d{7}")
_LETTERS = re.compile(r"[^\W\d_]")
_ACRONYM = re.compile(r"\w*[A-Z]\w*[A-Z]\w*|\w*[a-z]\w*[A-Z]\w*|\w*\d\w*[A-Z]\w*")
_CORE = re.compile(r"(\W*)([A-Za-z0-9][A-Za-z0-9-]*)(\W*)")
_SPLITS_NAME = re.compile(r",|\band\b", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][\w-]{0,40}")
_COMMAND = re.compile(r"\\(?![&%#_$])|[$%~^]")
_SMALL = word_set("a an the on of in for to and with from by at as is are or via")


def kind_of(paper: Paper) -> str:
    """The entry type under which the work is entered."""
    kind = _SYNONYMS.get(paper.kind.lower(), paper.kind.lower())
    venue = "" if _ARXIV_VENUE.search(paper.venue) else paper.venue.strip()
    if kind in {"", "article", "misc"} and not venue:
        return "preprint" if paper.arxiv else "misc"
    if kind in {"", "misc"}:
        return "inproceedings" if _PROCEEDINGS.search(venue) else "article"
    return kind if kind in _KINDS else "misc"


def known(paper: Paper) -> Known:
    """What its key may be made of."""
    families = tuple(folded(a.family, LONGEST_NAME) for a in paper.authors if a.family.strip())
    return Known(families, str(paper.year or ""), folded(paper.title, LONGEST_TITLE))


def lacking(paper: Paper) -> str:
    """What an entry needs and the source does not say, or ""."""
    if not _LETTERS.search(paper.title):
        return "a title"
    if not any(_LETTERS.search(author.family) for author in paper.authors):
        return "an author"
    if not (paper.doi or paper.arxiv or paper.id):
        return "an identity"
    if paper.year is None or not 1500 <= paper.year <= 2999:
        return "a year"
    return ""


def entry_text(paper: Paper, key: str, style: Style) -> str | None:
    """The entry, which nothing may be `lacking` of; None where it has letters that neither the
    file nor TeX is sure to have."""
    kind = kind_of(paper)
    values = [Value("title", _title(paper.title, style)), Value("author", _authors(paper, style))]
    if kind == "preprint":
        kind, published = _preprint(paper.arxiv, style)
    else:
        published = _published(paper, kind, style)
    dated = style.gives(kind, "date") and not style.gives(kind, "year")
    values.append(Value("date" if dated else "year", str(paper.year)))
    values += [*published, *_identified(paper, kind, style)]
    if any(UNWRITABLE in value.text for value in values):
        return None
    return composed(style, kind, key, [value for value in values if value.text or value.raw])


def _title(title: str, style: Style) -> str:
    text = folded(title, LONGEST_TITLE)
    words = text.split()
    if len(words) > 2 and text == text.upper() and len(_LETTERS.findall(text)) > 14:
        text = " ".join(_lowered(word, first=not n) for n, word in enumerate(words))
    if not style.protects or style.shapes.get("title") == "double" or "$" in text:
        return _said(text, style)
    return " ".join(_protected(word, style) for word in text.split(" "))


def _lowered(word: str, *, first: bool) -> str:
    """A word of a title that is all in capitals."""
    small = word.lower()
    return small if small in _SMALL and not first else small[:1].upper() + small[1:]


def _protected(word: str, style: Style) -> str:
    """The word, an acronym in braces, which keep BibTeX from writing it small."""
    core = _CORE.fullmatch(word)
    if core is None or not _ACRONYM.fullmatch(core[2].replace("-", "")):
        return _said(word, style)
    return f"{_said(core[1], style)}{{{core[2]}}}{_said(core[3], style)}"


def _authors(paper: Paper, style: Style) -> str:
    names = [_name(author, style) for author in paper.authors if _LETTERS.search(author.family)]
    more = ["others"] if len(names) > MOST_AUTHORS else []
    return " and ".join([*names[:MOST_AUTHORS], *more])


def _name(author: Author, style: Style) -> str:
    """One name of a list, so that BibTeX takes it for one, and its parts for what they are."""
    family, given = folded(author.family, LONGEST_NAME), folded(author.given, LONGEST_NAME)
    last, first = _said(family, style), _said(given, style)
    if not given:
        return f"{{{last}}}" if " " in last or "," in last else last
    if style.initials:
        first = " ".join(_initial(part, style) for part in given.split())
    if _SPLITS_NAME.search(family):
        last = f"{{{last}}}"
    if _SPLITS_NAME.search(given):
        first = f"{{{first}}}"
    if style.last_first or " " in family:
        return f"{last}, {first}"
    return f"{first} {last}"


def _initial(part: str, style: Style) -> str:
    """ "J." of John, "J.-P." of Jean-Paul, and initials as they are."""
    if part.endswith("."):
        return _said(part, style)
    return "-".join(f"{_said(bit[0], style)}." for bit in part.split("-") if bit)


def _published(paper: Paper, kind: str, style: Style) -> list[Value]:
    """Where it appeared, and the details that the file gives of such works."""
    found: list[Value] = []
    holder = _HOLDER.get(kind, "howpublished")
    venue = folded(paper.venue or ("" if kind != "book" else paper.publisher), LONGEST_VENUE)
    if holder in {"publisher", "school", "institution"} and paper.publisher:
        venue = folded(paper.publisher, LONGEST_VENUE)
    if holder == "journal" and style.gives(kind, "journaltitle"):
        holder = "journaltitle"
    if venue and not _ARXIV_VENUE.search(venue):
        own = style.venues.get(venue_key(venue), "")
        found.append(_own_value(holder, own) or Value(holder, _said(venue, style)))
    for name, text in (
        ("volume", paper.volume), ("number", paper.number), ("publisher", paper.publisher)
    ):  # fmt: skip
        if name != holder and text.strip() and style.gives(kind, name):
            most = LONGEST_VENUE if name == "publisher" else LONGEST_DETAIL
            found.append(Value(name, _said(folded(text, most), style)))
    pages = _PAGES.fullmatch(folded(paper.pages, LONGEST_DETAIL))
    if pages is not None and style.gives(kind, "pages"):
        first, last = pages[1], pages[2]
        found.append(Value("pages", f"{first}{style.dashes}{last}" if last else first))
    return found


def _preprint(arxiv: str, style: Style) -> tuple[str, list[Value]]:
    """Entry type and fields of a work that is on arXiv alone, as the file enters such works."""
    if not _SAFE_ARXIV.fullmatch(arxiv):
        return "misc", []
    if style.preprint == "corr":
        return "article", [Value("journal", "CoRR"), Value("volume", f"abs/{arxiv}")]
    if style.preprint == "eprint":
        biblatex = "eprinttype" in style.spelt and "archiveprefix" not in style.spelt
        archive = Value("eprinttype", "arxiv") if biblatex else Value("archiveprefix", "arXiv")
        return "misc", [Value("eprint", arxiv), archive]
    journal = "journaltitle" if style.gives("article", "journaltitle") else "journal"
    return "article", [Value(journal, f"arXiv preprint arXiv:{arxiv}")]


def _identified(paper: Paper, kind: str, style: Style) -> list[Value]:
    """Its DOI, and an address that is made of that or of its arXiv id: no other is believed."""
    found: list[Value] = []
    name = paper.doi if _SAFE_DOI.fullmatch(paper.doi) else ""
    address = f"https://doi.org/{name}" if name else ""
    if name and style.gives(kind, "doi"):
        found.append(Value("doi", address if style.doi_address else name))
    if not address and _SAFE_ARXIV.fullmatch(paper.arxiv):
        address = f"https://arxiv.org/abs/{paper.arxiv}"
    if address and style.gives(kind, "url"):
        found.append(Value("url", address))
    return found


def _own_value(name: str, raw: str) -> Value | None:
    """A value that the file has already, for once more: the name of a string, or a text in which
    nothing but signs is escaped."""
    if _NAME.fullmatch(raw):
        return Value(name, "", raw)
    inside = raw[1:-1]
    if raw[:1] + raw[-1:] not in {"{}", '""'} or _COMMAND.search(inside) or '"' in inside:
        return None
    return Value(name, inside)


def _said(text: str, style: Style) -> str:
    """A folded text escaped; `UNWRITABLE` stands for letters without a form."""

    def keeps(char: str) -> bool:
        return style.beyond_ascii and _is_latin(char)

    return escaped(text, keeps=keeps)


def _is_latin(char: str) -> bool:
    return char.isalpha() and unicodedata.name(char, "").startswith("LATIN")
