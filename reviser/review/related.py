"""Works that a paper's own references cite and that it does not: missing related work.

A lead, not a fault. A work is named where several of the works that the paper cites have it among
their references, where it is at least as near to the paper's topic as half of those, and where
nothing in the bibliography could be it. What is cited everywhere (an optimiser, a statistics
package) is far from most topics, and so is left alone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from reviser.findings import Evidence, Finding, Severity, fingerprinted
from reviser.latex.orders import gives_orders
from reviser.latex.sentences import split
from reviser.literature.joining import names_of, title_key
from reviser.literature.match import match
from reviser.literature.paper import Paper
from reviser.literature.resolve import Resolved, Unresolved
from reviser.literature.sources import Wanted
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder
from reviser.review.about import about
from reviser.review.treatable import PROSE, untreatable
from reviser.text.source import Place, Span

RULE = "missing-related-work"
RULES: Mapping[str, tuple[Severity, str]] = {
    RULE: (Severity.NOTE, "a work that several of the references cite, and the paper does not"),
}
FEWEST = 3
"""References that must cite a work before it is named."""
MOST_LOOKED_UP = 40
"""Works whose titles are asked for in a run."""
MOST = 5
"""Works that are named in a run."""
LEAST = 0.4
"""The cosine with the paper's topic that a work needs at least."""
ALIKE = 0.85
"""Likeness of titles from which an entry of the bibliography could be the work."""
_KNOWN = 5
"""References with an abstract from which their median closeness is a measure."""
_LONGEST = 300
_MOST_NAMED = 6
_FEWEST_WORDS = 5
_BIBLIOGRAPHY = re.compile(
    r"\\(?:(?:bibliography|printbibliography)(?![A-Za-z@])|begin\{thebibliography\})"
)
_SECTION = re.compile(
    r"\b(?:related (?:works?|research|literature)|(?:previous|prior|earlier|existing) (?:works?"
    r"|research|approaches|studies)|state[- ]of[- ]the[- ]art|literature (?:review|survey)"
    r"|background)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CitedTogether:
    """A work by its name in a source, and the keys of the references that cite it."""

    name: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """Such a work, looked up, with its paper. `of` is how many of the references have a list of
    references that is known."""

    paper: Paper
    by: tuple[str, ...]
    of: int


@dataclass(frozen=True, slots=True)
class Missing:
    """A work that the paper may lack. `closeness` is its cosine with the paper's topic, and
    `usual` the median of the works that the paper cites, None where too few have an abstract."""

    known: Known
    closeness: float
    usual: float | None


def cited_together(
    outcomes: Sequence[Resolved | Unresolved], *, fewest: int = FEWEST, most: int = MOST_LOOKED_UP
) -> tuple[tuple[CitedTogether, ...], int]:
    """The works that at least `fewest` of the resolved references cite, those of most first, none
    that is itself resolved; and how many references tell what they cite. Names are "doi:…",
    "arxiv:…" or a source's name, a colon and its id."""
    by: dict[str, dict[str, None]] = {}
    own: set[str] = set()
    telling = 0
    for outcome in outcomes:
        if not isinstance(outcome, Resolved):
            continue
        own.update(names_of(outcome.paper))
        telling += bool(outcome.paper.cites)
        said_by = outcome.source_of("cites") or outcome.paper.source
        for cited in outcome.paper.cites:
            name = cited if cited.startswith(("doi:", "arxiv:")) else f"{said_by}:{cited}"
            by.setdefault(name, {})[outcome.wanted.key] = None
    found = [
        CitedTogether(name, tuple(keys))
        for name, keys in by.items()
        if len(keys) >= fewest and name not in own
    ]
    found.sort(key=lambda one: (-len(one.by), one.name))
    return tuple(found[:most]), telling


def missing_works(
    manuscript: Manuscript,
    known: Sequence[Known],
    outcomes: Sequence[Resolved | Unresolved],
    wanted: Sequence[Wanted],
    embedder: Embedder,
    *,
    fewest: int = FEWEST,
    most: int = MOST,
) -> tuple[Missing, ...]:
    """The works among `known` that the paper may lack, the most telling first: by how many of its
    references cite a work, times how near it is to the topic.

    `wanted` is the whole bibliography; a work that could be in it is not missing.
    """
    ours = about(manuscript)
    if not ours.text:
        return ()
    resolved = [outcome.paper for outcome in outcomes if isinstance(outcome, Resolved)]
    absent = [
        one
        for one in _each_once(known)
        if len(one.by) >= fewest
        and one.paper.notice is None
        and title_key(one.paper.title) != title_key(ours.title)
        and not gives_orders(f"{one.paper.title}. {one.paper.abstract}")
        and not _present(one.paper, resolved, wanted)
    ]
    if not absent:
        return ()
    cited = [paper for paper in resolved if paper.abstract]
    papers = [*(one.paper for one in absent), *cited]
    (cosines,) = embedder.similarities([ours.text], [_text(paper) for paper in papers])
    usual = median(cosines[len(absent) :]) if len(cited) >= _KNOWN else None
    floor = max(LEAST, usual if usual is not None else LEAST)
    found = [
        Missing(one, cosine, usual)
        for one, cosine in zip(absent, cosines, strict=False)
        if cosine >= floor
    ]
    found.sort(key=lambda one: (-len(one.known.by) * one.closeness, one.known.paper.identity))
    return tuple(found[:most])


def _each_once(known: Sequence[Known]) -> list[Known]:
    """Works under several names made one, with all who cite it."""
    kept: list[Known] = []
    for one in known:
        names = set(names_of(one.paper))
        for number, other in enumerate(kept):
            if names & set(names_of(other.paper)):
                by = tuple(dict.fromkeys((*other.by, *one.by)))
                kept[number] = replace(other, by=by)
                break
        else:
            kept.append(one)
    return kept


def _present(paper: Paper, resolved: Sequence[Paper], wanted: Sequence[Wanted]) -> bool:
    """Whether something in the bibliography is, or could be, this work."""
    names = set(names_of(paper))
    if any(names & set(names_of(other)) for other in resolved):
        return True
    key = title_key(paper.title)
    if any(title_key(other.title) == key for other in resolved):
        return True
    return any(
        (paper.doi and one.doi == paper.doi)
        or (paper.arxiv and one.arxiv == paper.arxiv)
        or title_key(one.title) == key
        or match(one, paper).figures.title >= ALIKE
        for one in wanted
    )


def _text(paper: Paper) -> str:
    return f"{paper.title}. {paper.abstract}".strip(". ")


def findings_of(
    manuscript: Manuscript, missing: Sequence[Missing], embedder: Embedder
) -> tuple[Finding, ...]:
    """A note for each work, at the section on related work, else where the bibliography is put in,
    else at the first citation; () where the paper has none of these."""
    place = _place(manuscript)
    if place is None:
        return ()
    ours = about(manuscript).text
    return tuple(_finding(manuscript, place, one, ours, embedder) for one in missing)


def offered(missing: Finding) -> str:
    """The name of the work that a finding of this rule speaks of."""
    return missing.evidence[0].text if missing.evidence else ""


def paragraph_for(manuscript: Manuscript, missing: Finding) -> Place | None:
    """The sentence beside which the work that a finding speaks of would be told: the first of the
    paragraph of running prose that cites most of the works that cite it, in the section the
    finding stands at where there is one; None where no paragraph cites any."""
    by = {evidence.key.lower() for evidence in missing.evidence if evidence.key}
    here = {
        number
        for number, section in enumerate(manuscript.sections)
        if section.heading is not None and section.heading.at == missing.place
    }
    cited: dict[int, set[str]] = {}
    first: dict[int, Place] = {}
    for sentence in manuscript.sentences:
        if sentence.kind not in PROSE or untreatable(manuscript, sentence.at):
            continue
        first.setdefault(sentence.paragraph, sentence.at)
        keys = {k.name.lower() for c in sentence.citations for k in manuscript.citations[c].keys}
        cited.setdefault(sentence.paragraph, set()).update(keys & by)
    ranked = sorted(
        (manuscript.paragraphs[n].section not in here, -len(keys), n)
        for n, keys in cited.items()
        if keys
    )
    return first[ranked[0][2]] if ranked else None


def _finding(
    manuscript: Manuscript, place: Place, one: Missing, ours: str, embedder: Embedder
) -> Finding:
    paper, by = one.known.paper, one.known.by
    citing = ", ".join(by[:_MOST_NAMED]) + (
        f" and {len(by) - _MOST_NAMED} more" if len(by) > _MOST_NAMED else ""
    )
    message = (
        f"{len(by)} of the works this paper cites cite {named(paper)}, and it does not ({citing}). "
        "See whether it belongs here; nothing is wrong if it does not."
    )
    usual = f", that of the works cited here is {one.usual:.2f} in the middle" if one.usual else ""
    measured = (
        f"{len(by)} of {one.known.of} references whose own references are known cite it; its "
        f"cosine with the paper's topic is {one.closeness:.2f}{usual} ({embedder.name})"
    )
    evidence = [Evidence(named(paper), "not in the bibliography")]
    if nearest := _nearest(paper.abstract, ours, embedder):
        evidence.append(Evidence(nearest, f"its abstract, {paper.source}"))
    evidence += [Evidence(paper.title[:_LONGEST], f"references of {key}") for key in by]
    finding = Finding(
        RULE, place, paper.identity, message, Severity.NOTE, tuple(evidence), measured=measured
    )
    # All stand at one place: it is the work that tells them apart from run to run.
    (signed,) = fingerprinted([finding])
    return replace(signed, quote=manuscript.text(place))


def named(paper: Paper) -> str:
    """How a reader knows a work: `Smith et al. (2020), "Title", doi:10.1/x`."""
    first = paper.authors[0].family if paper.authors else ""
    who = f"{first} et al." if len(paper.authors) > 1 else first
    year = f" ({paper.year})" if paper.year is not None else ""
    title = f'"{paper.title[:_LONGEST]}"'
    said = f"{who}{year}, {title}" if who else f"{title}{year}"
    return f"{said}, {paper.identity}" if paper.doi or paper.arxiv else said


def _nearest(abstract: str, ours: str, embedder: Embedder) -> str:
    """The sentence of an abstract that is nearest to the paper's topic, "" without one."""
    sentences = [abstract[span.start : span.stop].strip() for span in split(abstract)]
    sentences = [s for s in sentences if len(s.split()) >= _FEWEST_WORDS and len(s) <= _LONGEST]
    if not sentences:
        return ""
    (cosines,) = embedder.similarities([ours], sentences)
    return max(zip(cosines, sentences, strict=True))[1]


def _place(manuscript: Manuscript) -> Place | None:
    for section in manuscript.sections:
        if section.heading is not None and _SECTION.search(section.title):
            return section.heading.at
    for stretch in reversed(manuscript.stretches):
        source = manuscript.sources[stretch.path]
        for use in reversed(list(_BIBLIOGRAPHY.finditer(source[stretch.span]))):
            start = stretch.span.start + use.start()
            at = Place(stretch.path, Span(start, stretch.span.start + use.end()))
            if not any(c.at.path == at.path and c.at.span.covers(at.span)
                       for c in manuscript.comments):  # fmt: skip
                return at
    return manuscript.citations[0].at if manuscript.citations else None
