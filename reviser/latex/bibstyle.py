"""The habits of one .bib file: how its entries are laid out, so that one more looks like its own.

Each entry's layout is read off its exact text, and the commonest one is taken whole: a file that
was put together from several sources is followed in one of them, not in a mixture of all.
"""

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from reviser.latex.bib import BibFile, read_bib
from reviser.latex.bibkeys import DEFAULT, Known, Scheme, scheme_of
from reviser.latex.bibparts import FaultKind
from reviser.latex.elements import BibEntry, Field
from reviser.text.source import Source

_NAME_BEFORE = re.compile(
    r"(?P<lead>\s*,?\s*)(?P<name>[^\s\"#%'(),={}@]+)(?P<before>\s*)=(?P<after>\s*)"
)
_OPENING = re.compile(r"@(?P<kind>[A-Za-z]+)(?P<open>\s*[{(]\s*)")
_LINE_END = re.compile(r"\r\n|\r")
_BLANK = re.compile(r"\s+")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_ACRONYM = re.compile(r"\b[^\W\d_]*[A-Z][^\W\d_]*[A-Z]\w*|\b\w*[a-z][A-Z]\w*")
_HARMLESS = frozenset({FaultKind.UNKNOWN_STRING, FaultKind.DUPLICATE_FIELD})
"""Faults that leave an entry's layout what it is."""
_USUAL = 0.5
"""The share of a kind's entries that must give a field for it to be expected of one more."""
_FEWEST = 3
"""Entries of a kind below which the file's other entries say what is usual."""
_SORTED = 0.95
"""The share of neighbours that must be in order in a file that is kept sorted."""
_FEWEST_SORTED = 8

CANONICAL = (
    "author", "editor", "title", "booktitle", "journal", "journaltitle", "series", "volume",
    "number", "pages", "school", "institution", "publisher", "organization", "address", "location",
    "year", "date", "month", "doi", "eprint", "archiveprefix", "eprinttype", "primaryclass", "url",
)  # fmt: skip
"""The order of fields where a file shows none."""
_EXPECTED = frozenset({"volume", "number", "pages", "doi"})
"""Fields that an entry gives, beside those it must, in a file that shows no habit."""


@dataclass(frozen=True, slots=True)
class Spacing:
    """What stands around the equals sign. With `column`, the sign stands in that column counted
    from the name's start; with `value`, the value does."""

    before: str = " "
    after: str = " "
    column: int = 0
    value: int = 0

    def around(self, name: str) -> str:
        """From behind the name to before the value."""
        before, after = self.before, self.after
        if self.column:
            before = " " * max(1, self.column - len(name))
        if self.value:
            after = " " * max(1, self.value - len(name) - len(before) - 1)
        return f"{before}={after}"


@dataclass(frozen=True, slots=True)
class Layout:
    """How an entry is laid out, with line ends as "\\n": `opening` between kind and key, `lead`
    from the key to the first field's name, `between` from a value to the next name, `tail` from the
    last value to the closing delimiter. `kind` and `name` are the cases of entry types and field
    names: "lower", "Title" or "UPPER"."""

    opening: str = "{"
    lead: str = ",\n  "
    between: str = ",\n  "
    tail: str = "\n"
    kind: str = "lower"
    name: str = "lower"
    spacing: Spacing = Spacing()


@dataclass(frozen=True)
class Style:
    """The habits of a .bib file; those of a tidy one where it shows none.

    `shapes` tells by field how values are delimited: "braces", "quotes", "double" (two braces) or
    "bare"; `shape` is that of other fields. `usual` are the fields that entries of a kind mostly
    give; `before` counts how often in entries of a kind ("" for all) one field stands before
    another. `spelt` are entry types and field names in cases of their own. `protects` tells whether
    acronyms in titles stand in braces, `last_first` whether names read "Last, First", `initials`
    whether given names are shortened, `dashes` what joins pages. `preprint` says how a work on
    arXiv is entered: "journal", "eprint" or "corr". `doi_address` tells whether a DOI is given as
    an address. `venues` are raw values by the venue's folded name. `gap` stands between two
    entries. `beyond_ascii` tells whether letters beyond ASCII stand as they are.
    """

    layout: Layout = Layout()
    shape: str = "braces"
    shapes: Mapping[str, str] = dataclasses.field(default_factory=dict)
    usual: Mapping[str, frozenset[str]] = dataclasses.field(default_factory=dict)
    before: Mapping[tuple[str, str, str], int] = dataclasses.field(default_factory=dict)
    spelt: Mapping[str, str] = dataclasses.field(default_factory=dict)
    protects: bool = False
    last_first: bool = True
    initials: bool = False
    dashes: str = "--"
    preprint: str = "journal"
    doi_address: bool = False
    venues: Mapping[str, str] = dataclasses.field(default_factory=dict)
    newline: str = "\n"
    gap: str = "\n\n"
    is_sorted: bool = False
    scheme: Scheme = DEFAULT
    beyond_ascii: bool = False

    def gives(self, kind: str, name: str) -> bool:
        """Whether entries of this kind are expected to give the field."""
        return name in self.usual.get(kind, self.usual.get("", _EXPECTED))

    def ordered(self, names: Iterable[str], kind: str = "") -> list[str]:
        """Field names in the order of the file's entries of this kind, else of all its entries;
        where these show none, in the canonical one."""
        here = sorted(names, key=_canonical)

        def wins(name: str) -> int:
            return sum(self._first(name, other, kind) for other in here if other != name)

        return sorted(here, key=lambda name: -wins(name))

    def _first(self, one: str, other: str, kind: str) -> bool:
        for group in (kind, ""):
            ahead = self.before.get((group, one, other), 0) - self.before.get(
                (group, other, one), 0
            )
            if ahead:
                return ahead > 0
        return _canonical(one) < _canonical(other)


@lru_cache(maxsize=8)
def style_of(source: Source) -> Style:
    """What the entries of a .bib file have in common; the last few files are remembered."""
    bib = read_bib(source)
    sound = [
        entry
        for entry in bib.entries
        if entry.key and all(fault.kind in _HARMLESS for fault in bib.faults_at(entry.at))
    ]
    laid = [(entry, _layout(source, entry)) for entry in sound]
    layouts = Counter(layout for _, layout in laid if layout is not None)
    layout = layouts.most_common(1)[0][0] if layouts else Layout()
    like = [entry for entry, own in laid if own == layout] or sound
    fields = [(entry, field) for entry in sound for field in entry.fields]
    names = [pair for pair in fields if pair[1].name in {"author", "editor"}]
    shapes = _shapes(field for entry in like for field in entry.fields)
    overall = Counter(_shape(f.raw) for entry in like for f in entry.fields)
    quotes = overall["quotes"] > overall["braces"] + overall["double"]
    return Style(
        layout=layout,
        shape="quotes" if quotes else "braces",
        shapes=shapes,
        usual=_usual(sound),
        before=_orders(like),
        spelt=_spelt(source, sound),
        protects=_protects(sound),
        last_first=_most("," in f.text for _, f in names),
        initials=_most((_is_short(f) for _, f in names), default=False),
        dashes=_dashes(f for _, f in fields if f.name == "pages"),
        preprint=_preprint(sound),
        doi_address=_most(
            ("doi.org/" in f.text.lower() for _, f in fields if f.name == "doi"), default=False
        ),
        venues=_venues(fields),
        newline={"crlf": "\r\n", "cr": "\r"}.get(source.newline, "\n"),
        gap=_gap(source, bib),
        is_sorted=_is_sorted([entry.key for entry in bib.entries]),
        scheme=scheme_of([(entry.key, known_of(entry)) for entry in sound]),
        beyond_ascii=source.encoding == "utf-8" and not source.text.lstrip("\ufeff").isascii(),
    )


def known_of(entry: BibEntry) -> Known:
    """What an entry's key may be made of."""
    year = _YEAR.search(entry.get("year") or entry.get("date"))
    return Known(
        surnames(entry.get("author") or entry.get("editor")),
        year.group() if year else "",
        entry.get("title"),
    )


def surnames(names: str) -> tuple[str, ...]:
    """The surnames of a name list in plain text, particles included where a comma tells them."""
    found = []
    for name in re.split(r"\s+and\s+", names):
        if name.strip().lower() in {"", "others"}:
            continue
        found.append(name.split(",")[0].strip() if "," in name else name.split()[-1])
    return tuple(found)


def venue_key(name: str) -> str:
    """A venue's name for comparison."""
    return " ".join(re.findall(r"\w+", name.casefold()))


def _layout(source: Source, entry: BibEntry) -> Layout | None:
    """The layout of one entry; None where it is laid out in no one way."""
    span = entry.at.span
    opening = _OPENING.fullmatch(source.text, span.start, entry.key_at.span.start)
    if opening is None or not entry.fields:
        return None
    leads: list[str] = []
    names: list[str] = []
    around: list[tuple[str, str]] = []
    cursor = entry.key_at.span.stop
    for field in entry.fields:
        head = _NAME_BEFORE.fullmatch(source.text, cursor, field.at.span.start)
        if head is None:
            return None
        leads.append(head["lead"])
        names.append(head["name"])
        around.append((head["before"], head["after"]))
        cursor = field.at.span.stop
    spacing = _spacing(names, around)
    between = frozenset(leads[1:])
    if spacing is None or len(between) > 1:
        return None
    return Layout(
        opening=_unix(opening["open"]),
        lead=_unix(leads[0]),
        between=_unix(next(iter(between), leads[0])),
        tail=_unix(source.text[cursor : span.stop - 1]),
        kind=case_of(opening["kind"]),
        name=Counter(case_of(name) for name in names).most_common(1)[0][0],
        spacing=spacing,
    )


def _spacing(names: Sequence[str], around: Sequence[tuple[str, str]]) -> Spacing | None:
    befores, afters = {b for b, _ in around}, {a for _, a in around}
    pairs = list(zip(names, around, strict=True))
    if len(befores) == 1 and len(afters) == 1:
        return Spacing(befores.pop(), afters.pop())
    columns = {len(name) + len(before) for name, (before, _) in pairs}
    if len(columns) == 1 and len(afters) == 1:
        return Spacing("", afters.pop(), column=columns.pop())
    values = {len(name) + len(before) + 1 + len(after) for name, (before, after) in pairs}
    if len(values) == 1 and len(befores) == 1:
        return Spacing(befores.pop(), "", value=values.pop())
    return None


def case_of(word: str) -> str:
    """ "lower", "UPPER" or "Title", the last also for InProceedings."""
    if word == word.lower():
        return "lower"
    return "UPPER" if word == word.upper() else "Title"


def _unix(text: str) -> str:
    return _LINE_END.sub("\n", text)


def _shape(raw: str) -> str:
    if raw.startswith("{{") and raw.endswith("}}") and _one_group(raw[1:-1]):
        return "double"
    return "braces" if raw.startswith("{") else "quotes" if raw.startswith('"') else "bare"


def _one_group(text: str) -> bool:
    depth = 0
    for number, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return number == len(text) - 1
    return False


def _shapes(fields: Iterable[Field]) -> Mapping[str, str]:
    found: dict[str, Counter[str]] = {}
    for field in fields:
        # The name of a string is no habit that a new value could follow.
        if field.raw[:1] in {"{", '"'} or field.raw.isdecimal():
            found.setdefault(field.name, Counter())[_shape(field.raw)] += 1
    return MappingProxyType({name: votes.most_common(1)[0][0] for name, votes in found.items()})


def _usual(entries: Sequence[BibEntry]) -> Mapping[str, frozenset[str]]:
    kinds: dict[str, list[BibEntry]] = {"": list(entries)}
    for entry in entries:
        kinds.setdefault(entry.kind, []).append(entry)
    found: dict[str, frozenset[str]] = {}
    for kind, some in kinds.items():
        if len(some) < _FEWEST:
            continue
        given = Counter(name for entry in some for name in {f.name for f in entry.fields})
        found[kind] = frozenset(name for name, n in given.items() if n >= _USUAL * len(some))
    return MappingProxyType(found)


def _orders(entries: Sequence[BibEntry]) -> Mapping[tuple[str, str, str], int]:
    found: Counter[tuple[str, str, str]] = Counter()
    for entry in entries:
        names = list(dict.fromkeys(field.name for field in entry.fields))
        pairs = [(one, other) for i, one in enumerate(names) for other in names[i + 1 :]]
        found.update((kind, *pair) for kind in ("", entry.kind) for pair in pairs)
    return MappingProxyType(found)


def _spelt(source: Source, entries: Sequence[BibEntry]) -> Mapping[str, str]:
    """Entry types and field names that have capitals inside, as mostly written."""
    votes: dict[str, Counter[str]] = {}
    for entry in entries:
        opening = _OPENING.match(source.text, entry.at.span.start)
        words = [opening["kind"]] if opening else []
        cursor = entry.key_at.span.stop
        for field in entry.fields:
            head = _NAME_BEFORE.fullmatch(source.text, cursor, field.at.span.start)
            words += [head["name"]] if head else []
            cursor = field.at.span.stop
        for word in words:
            votes.setdefault(word.lower(), Counter())[word] += 1
    most = {word: count.most_common(1)[0][0] for word, count in votes.items()}
    return MappingProxyType(most)


def _protects(entries: Sequence[BibEntry]) -> bool:
    votes = [
        re.search(r"\{[^{}]*[A-Z]", field.raw[1:-1]) is not None
        for entry in entries
        for field in entry.fields
        if field.name == "title" and _shape(field.raw) != "double" and _ACRONYM.search(field.text)
    ]
    return _most(votes, default=False)


def _most(votes: Iterable[bool], *, default: bool = True) -> bool:
    some = list(votes)
    return sum(some) * 2 > len(some) if some else default


def _is_short(field: Field) -> bool:
    """Whether given names are initials."""
    words = [w for w in re.findall(r"\w+\.?", field.text) if w.lower() != "and"]
    return sum(len(w.rstrip(".")) == 1 for w in words) * 3 >= len(words) > 0


def _dashes(fields: Iterable[Field]) -> str:
    votes = Counter(m[0] for f in fields if (m := re.search(r"(?<=\d)(-{1,3}|–)(?=\d)", f.raw)))
    return votes.most_common(1)[0][0] if votes else "--"


def _preprint(entries: Sequence[BibEntry]) -> str:
    votes: Counter[str] = Counter()
    for entry in entries:
        journal = entry.get("journal") or entry.get("journaltitle")
        if "arxiv:" in journal.lower():
            votes["journal"] += 1
        elif journal.lower() == "corr":
            votes["corr"] += 1
        elif entry.get("eprint") and not journal and not entry.get("booktitle"):
            votes["eprint"] += 1
    return votes.most_common(1)[0][0] if votes else "journal"


def _venues(fields: Iterable[tuple[BibEntry, Field]]) -> Mapping[str, str]:
    votes: dict[str, Counter[str]] = {}
    for _, field in fields:
        if field.name in {"journal", "journaltitle", "booktitle"} and venue_key(field.text):
            votes.setdefault(venue_key(field.text), Counter())[_BLANK.sub(" ", field.raw)] += 1
    return MappingProxyType({name: some.most_common(1)[0][0] for name, some in votes.items()})


def _gap(source: Source, bib: BibFile) -> str:
    votes: Counter[str] = Counter()
    for one, other in pairwise(bib.entries):
        gap = _unix(source.text[one.at.span.stop : other.at.span.start])
        if gap and not gap.strip():
            votes[gap] += 1
    return votes.most_common(1)[0][0] if votes else "\n\n"


def _is_sorted(keys: Sequence[str]) -> bool:
    pairs = list(pairwise(key.lower() for key in keys))
    if len(keys) < _FEWEST_SORTED:
        return False
    return sum(one <= other for one, other in pairs) >= _SORTED * len(pairs)


def _canonical(name: str) -> tuple[int, str]:
    return (CANONICAL.index(name) if name in CANONICAL else len(CANONICAL)), name
