"""Faults of what a sentence says of a work: a number, a negation, an author's name.

Few papers repeat a number of an abstract, so a sentence of the abstract is restated behind a
citation of its work, word for word but for the fault; what the evidence states is then certain.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence

from reviser.evaluate.citing import Cited, literal
from reviser.evaluate.fault import FaultKind, Planned
from reviser.latex.elements import BibEntry, Citation, CitationForm
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Replacement
from reviser.text.source import Place, Span

Evidence = Mapping[str, Sequence[str]]
"""The sentences known of each work, by its key in lower case."""

EACH = 2
"""Faults of each kind in one injection, where the paper has room for them."""
_TEX_SIGNS = frozenset("\\{}$&#_^~<>|\"`'")
_LENGTHS = range(60, 260)
"""Characters of a sentence that is restated: neither a fragment nor a run-on."""


def plan_wording(
    manuscript: Manuscript,
    pool: Sequence[Cited],
    evidence: Evidence,
    *,
    draw: random.Random,
    taken: set[int],
    first_group: int,
) -> list[Planned]:
    """Up to `EACH` faults of each kind, in sentences not in `taken`; those used are added to it.

    Groups are numbered from `first_group`. A kind whose evidence is nowhere stated is left out.
    """
    order = list(pool)
    draw.shuffle(order)
    spoilers: tuple[tuple[FaultKind, Callable[[str, str], str | None]], ...] = (
        (FaultKind.NUMBER, _other_number),
        (FaultKind.NEGATION, _affirmed),
        (FaultKind.RESTATED, lambda sentence, _: sentence),
    )
    planned = _names(manuscript, order, taken, first_group)
    used: set[str] = set()
    for kind, spoil in spoilers:
        for _ in range(EACH):
            found = _restated(manuscript, order, evidence, taken=taken, used=used, spoil=spoil)
            if found is None:
                break
            sentence, key, said = found
            group = first_group + len(planned)
            end = manuscript.sentences[sentence].at.span.stop
            written = f" {said.rstrip('. ')}~\\cite{{{key}}}."
            at = Place(manuscript.sentences[sentence].at.path, Span(end, end))
            lead = written.rindex("{") + 1
            planned.append(Planned(kind, group, Replacement(at, "", written), end, lead, key, key))
            taken.add(sentence)
            used.add(said)
    return planned


def _restated(
    manuscript: Manuscript,
    order: Sequence[Cited],
    evidence: Evidence,
    *,
    taken: set[int],
    used: set[str],
    spoil: Callable[[str, str], str | None],
) -> tuple[int, str, str] | None:
    """A sentence to write behind, the key to cite, and what to write there."""
    for sentence, key in order:
        if sentence in taken or not _has_room(manuscript, sentence):
            continue
        known = evidence.get(key.name.lower(), ())
        everything = " ".join(known)
        for passage in known:
            if len(passage) not in _LENGTHS or _TEX_SIGNS.intersection(passage):
                continue
            said = spoil(passage, everything)
            if said is not None and said not in used and passage.isascii():
                return sentence, key.name, said.replace("%", "\\%")
    return None


def _has_room(manuscript: Manuscript, index: int) -> bool:
    """Whether another sentence can follow this one: prose, ended by a full stop, literal."""
    sentence = manuscript.sentences[index]
    facts = manuscript.facts_of.get(sentence.at.path)
    text = manuscript.sources[sentence.at.path].text
    end = sentence.at.span.stop
    free = facts is not None and not facts.untouchable
    return (
        free and sentence.kind == "body" and text[end - 1 : end] == "." and text[end:].strip() != ""
    )


def _other_number(sentence: str, everything: str) -> str | None:
    """The sentence with its first plain number changed to one the evidence does not hold."""
    for match in re.finditer(r"\d+", sentence):
        before, behind = sentence[: match.start()][-1:], sentence[match.end() :][:1]
        if len(match[0]) > 6 or before not in {"", " "} or behind not in {" ", "%"}:
            continue
        if len(match[0]) == 4 or int(match[0]) < 11:
            continue  # a year, or a count that reads as a word
        changed = str(int(match[0]) * 2 + 3)
        if changed not in everything:
            return sentence[: match.start()] + changed + sentence[match.end() :]
    return None


def _affirmed(sentence: str, _: str) -> str | None:
    """The sentence without its "not", where what is left reads as English."""
    for denied, affirmed in ((" is not ", " is "), (" are not ", " are "), (" can not ", " can "),
                             (" cannot ", " can "), (" may not ", " may ")):  # fmt: skip
        if sentence.count(denied) == 1 and " not only " not in sentence:
            return sentence.replace(denied, affirmed)
    return None


def _names(
    manuscript: Manuscript, order: Sequence[Cited], taken: set[int], first_group: int
) -> list[Planned]:
    """Write another author's surname and "et al." before a citation of a single key."""
    single = {c.keys[0].at: c for c in manuscript.citations if _stands_alone(manuscript, c)}
    planned: list[Planned] = []
    for sentence, key in order:
        citation = single.get(key.at)
        if len(planned) >= EACH or sentence in taken or citation is None:
            continue
        mine = manuscript.entry_of[key.name.lower()].get("author").lower()
        other = next(
            (
                name
                for _, rival in order
                if (name := _surname(manuscript.entry_of[rival.name.lower()]))
                and name.lower() not in mine
                and mine
            ),
            None,
        )
        if other is None:
            continue
        start = citation.at.span.start
        at = Place(citation.at.path, Span(start, start))
        change = Replacement(at, "", f"{other} et al.~")
        group = first_group + len(planned)
        planned.append(
            Planned(FaultKind.NAME, group, change, key.at.span.start, 0, key.name, key.name)
        )
        taken.add(sentence)
    return planned


def _stands_alone(manuscript: Manuscript, citation: Citation) -> bool:
    """Whether the citation prints a mark for one key and a word stands right before it."""
    if citation.form is not CitationForm.PARENTHETICAL or len(citation.keys) != 1:
        return False
    at = citation.at
    before = manuscript.sources[at.path].text[: at.span.start]
    spaced = before.endswith((" ", "~")) and before.rstrip(" ~")[-1:].isalpha()
    inside = citation.keys[0].at.path == at.path and at.span.covers(citation.keys[0].at.span)
    return spaced and inside and not citation.notes and literal(manuscript, citation.keys[0])


def _surname(entry: BibEntry) -> str:
    """The first author's surname where it is one plain ASCII word of five letters or more."""
    first = entry.get("author").split(" and ")[0]
    name = first.split(",")[0] if "," in first else first.split(" ")[-1]
    plain = name.isascii() and name.isalpha() and name.istitle() and len(name) > 4
    return name if plain and ("," in first or " " in first) else ""
