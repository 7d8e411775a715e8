"""Works from outside the bibliography, as new entries of it: what would be written, and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from reviser.latex.bib import BibFile, aliases, insertion, read_bib
from reviser.latex.bibkeys import key_for
from reviser.latex.bibstyle import Style, style_of, venue_key
from reviser.latex.elements import BibEntry
from reviser.literature.match import match
from reviser.literature.paper import Paper
from reviser.literature.sources import Text
from reviser.literature.wanted import wanted_of
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Allowed, Replacement
from reviser.text.source import Place, Source, Span
from reviser.verify.entries import entry_text, known, lacking
from reviser.verify.evidence import Work, works

NO_BIB = "the paper has no .bib file"
NO_EDITABLE_BIB = "its .bib files cannot be edited"
NO_TEXTS: Mapping[str, Text] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Brought:
    """A work that is not in the bibliography, as the entry by which it could be cited.

    `text` is put into the file `path` at the offset `at`, where nothing is taken away; it holds
    one entry under `key` and the line ends around it. `work` is the work as verify reads it and
    `text_of` what is at hand of its text, both under `key`.
    """

    key: str
    paper: Paper
    path: str
    at: int
    text: str
    work: Work
    text_of: Text

    @property
    def replacement(self) -> Replacement:
        """The part of an edit that writes the entry."""
        return Replacement(self._place, "", self.text)

    @property
    def allowed(self) -> Allowed:
        """What an edit announces that writes the entry."""
        return Allowed("entry", self._place, None, self.key)

    @property
    def _place(self) -> Place:
        return Place(self.path, Span(self.at, self.at))


@dataclass(frozen=True, slots=True)
class Present:
    """A work that the bibliography has already, under `key`."""

    key: str
    paper: Paper


@dataclass(frozen=True, slots=True)
class Unbrought:
    """A work that no entry can be written for, and why, as the end of a sentence."""

    why: str
    paper: Paper


Bringing: TypeAlias = Brought | Present | Unbrought


def bring(
    manuscript: Manuscript,
    papers: Sequence[Paper],
    texts: Mapping[str, Text] = NO_TEXTS,
    style: Style | None = None,
) -> tuple[Brought, ...]:
    """The entries for those of `papers` that can be entered and are not there yet; see
    `bring_each`."""
    each = bring_each(manuscript, papers, texts, style)
    return tuple(dict.fromkeys(found for found in each if isinstance(found, Brought)))


def bring_each(
    manuscript: Manuscript,
    papers: Sequence[Paper],
    texts: Mapping[str, Text] = NO_TEXTS,
    style: Style | None = None,
    earlier: Sequence[Brought] = (),
) -> tuple[Bringing, ...]:
    """An entry for each work, in their order; a work that comes twice has one entry, and so has
    one that was brought `earlier`.

    `texts` are by `Paper.identity`; without one, the abstract that the source gave is read. Keys
    are new to the paper whatever their case, and to one another. The file is the editable .bib
    with most cited entries, and `style` its habits unless others are given.
    """
    target = _target(manuscript)
    if isinstance(target, str):
        return tuple(_present(manuscript, paper) or Unbrought(target, paper) for paper in papers)
    source, bib = target
    habits = style_of(source) if style is None else style
    taken = {key.lower() for entry in manuscript.entries for key in (entry.key, *aliases(entry))}
    taken |= {entry.key.lower() for entry in bib.entries}
    taken |= {key.name.lower() for citation in manuscript.citations for key in citation.keys}
    taken |= {brought.key.lower() for brought in earlier}
    done: dict[str, Bringing] = {brought.paper.identity: brought for brought in earlier}
    for paper in papers:
        if paper.identity in done:
            continue
        entry = _present(manuscript, paper) or _entered(paper, source, bib, habits, taken)
        if not isinstance(entry, tuple):
            done[paper.identity] = entry
            continue
        key, at, text = entry
        taken.add(key.lower())
        own = texts.get(paper.identity) or Text(
            abstract=paper.abstract, abstract_from=paper.source, paper=paper
        )
        work = _work(manuscript, key, text, source, own)
        done[paper.identity] = Brought(key, paper, source.path, at, text, work, own)
    return tuple(done[paper.identity] for paper in papers)


def _target(manuscript: Manuscript) -> tuple[Source, BibFile] | str:
    """The .bib file that a new entry belongs in, or why there is none."""
    cited = {key.name.lower() for citation in manuscript.citations for key in citation.keys}
    paths = [path for path in manuscript.bibliography if path.lower().endswith(".bib")]
    found: list[tuple[int, int, Source, BibFile]] = []
    for number, path in enumerate(dict.fromkeys(paths)):
        facts, source = manuscript.facts_of.get(path), manuscript.sources.get(path)
        if source is None or facts is None or facts.untouchable:
            continue
        bib = read_bib(source)
        if insertion(source, bib) is not None:
            held = sum(entry.key.lower() in cited for entry in bib.entries)
            found.append((held, -number, source, bib))
    if not found:
        return NO_EDITABLE_BIB if paths else NO_BIB
    _, _, source, bib = max(found, key=lambda one: one[:2])
    return source, bib


def _entered(
    paper: Paper, source: Source, bib: BibFile, style: Style, taken: set[str]
) -> tuple[str, int, str] | Unbrought:
    """Key, offset and text of the work's entry, or why it cannot have one."""
    if missing := lacking(paper):
        return Unbrought(f"{paper.source} does not give {missing} of it", paper)
    key = key_for(known(paper), style.scheme, taken)
    entry = entry_text(paper, key, style)
    if entry is None:
        return Unbrought("its title or a name has letters that the file cannot be sure of", paper)
    at, before = _placed(key, source, bib, style)
    text = before + entry
    return key, at, text


def _placed(key: str, source: Source, bib: BibFile, style: Style) -> tuple[int, str]:
    """Where the entry is put, and what stands before it: behind the last entry, or behind its
    neighbour in a file that is sorted by keys."""
    gap = style.gap.replace("\n", style.newline)
    if not bib.entries:
        end = insertion(source, bib)
        return end if end is not None else (len(source.text), "")
    ahead = bib.entries[-1]
    if style.is_sorted:
        smaller = [entry for entry in bib.entries if entry.key.lower() < key.lower()]
        ahead = smaller[-1] if smaller else bib.entries[-1]
    return ahead.at.span.stop, gap


def _present(manuscript: Manuscript, paper: Paper) -> Present | None:
    for entry in manuscript.entries:
        if _same(entry, paper):
            return Present(entry.key, paper)
    return None


def _same(entry: BibEntry, paper: Paper) -> bool:
    """Whether the entry is about this work: by an identifier, else by title and first author, for
    a preprint and its published version are one."""
    wanted = wanted_of(entry)
    if paper.doi and paper.doi == wanted.doi:
        return True
    if paper.arxiv and paper.arxiv == wanted.arxiv:
        return True
    if match(wanted, paper).accepted:
        return True
    return bool(wanted.title) and venue_key(wanted.title) == venue_key(paper.title)


def _work(manuscript: Manuscript, key: str, text: str, source: Source, own: Text) -> Work:
    """The new entry as verify reads it, with its abstract and full text."""
    (entry,) = read_bib(replace(source, text=text)).entries
    alone = replace(manuscript, entries=(entry,))
    return works(alone, {key.lower(): own})[key.lower()]
