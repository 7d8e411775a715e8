"""Works from outside the bibliography that a claim might cite: asked for, sifted, and read.

What comes back is a stranger's choice of strangers' works. A work stays out that was retracted,
that has no abstract, that an entry cannot be written for, or whose text tells its reader what to
do: a model is to judge it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviser.latex.orders import gives_orders
from reviser.literature.paper import Paper
from reviser.literature.sources import Answer, Searchable, Silent
from reviser.manuscript.model import Manuscript
from reviser.text.visible import visible
from reviser.verify.bringing import Brought, Present, Unbrought, bring_each
from reviser.verify.evidence import Work
from reviser.verify.languages import readable
from reviser.verify.model import Claim

LONGEST_QUERY = 300
"""Characters of a claim that are sent to a service."""
_MARK = re.compile(r"\[[\d,;\s–-]*\]|\(\s*\)")
_WORD = re.compile(r"[^\W_][\w'’-]*")
_FORMULA = "X"
"""What stands in a claim's text where the paper has mathematics."""
_REFUSED_NOTICES = frozenset({"retraction", "withdrawal"})


@dataclass(frozen=True, slots=True)
class Outside:
    """A work that was found, and the entry it would have; None where it has one already."""

    work: Work
    paper: Paper
    brought: Brought | None


@dataclass(frozen=True, slots=True)
class Found:
    """What one place had for a claim. `silent` says in words that it did not answer, else "";
    `left` tells of works that were left out, and why."""

    source: str
    works: tuple[Outside, ...] = ()
    silent: str = ""
    left: tuple[str, ...] = ()


class Beyond:
    """The places behind the bibliography, each asked once about the same words."""

    def __init__(
        self, manuscript: Manuscript, works: Mapping[str, Work], places: Sequence[Searchable]
    ) -> None:
        """Nothing is asked before the first search. `works` are those of the bibliography."""
        self._manuscript = manuscript
        self._works = works
        self._answers: dict[tuple[int, str], Answer] = {}
        self._chosen: list[Brought] = []
        self.places = tuple(places)

    @property
    def chosen(self) -> tuple[Brought, ...]:
        """The works that were taken, whose keys no other work gets."""
        return tuple(self._chosen)

    def take(self, brought: Brought) -> None:
        """Keep the entry for all that would cite the same work."""
        if brought not in self._chosen:
            self._chosen.append(brought)

    def found(self, place: int, claim: Claim, most: int) -> Found:
        """What the place with this number has on the matter of the claim, at most `most` works
        asked for."""
        source, words = self.places[place], query_of(claim)
        if not words:
            return Found(source.name)
        asked = (place, words)
        if asked not in self._answers:
            self._answers[asked] = source.search(words, most)
        answer = self._answers[asked]
        if isinstance(answer, Silent):
            return Found(source.name, silent=str(answer))
        return self._sifted(source.name, answer[:most])

    def known(self, paper: Paper) -> Brought | None:
        """The entry of a work that an earlier run chose, if it can still be brought."""
        (found,) = bring_each(self._manuscript, [paper], earlier=self._chosen)
        return found if isinstance(found, Brought) else None

    def _sifted(self, source: str, papers: Sequence[Paper]) -> Found:
        left: list[str] = []
        sound: list[Paper] = []
        for paper in papers:
            why = unfit(paper)
            if why:
                left.append(f"{_named(paper)}: {why}")
            else:
                sound.append(paper)
        works: list[Outside] = []
        for each in bring_each(self._manuscript, sound, earlier=self._chosen):
            if isinstance(each, Unbrought):
                left.append(f"{_named(each.paper)}: {each.why}")
                continue
            work = each.work if isinstance(each, Brought) else self._works.get(each.key.lower())
            if work is None or not work.passages or not readable(work):
                continue
            brought = None if isinstance(each, Present) else each
            if all(work.key != other.work.key for other in works):
                works.append(Outside(work, each.paper, brought))
        return Found(source, tuple(works), left=tuple(left))


def query_of(claim: Claim) -> str:
    """The words of a claim, without its citation marks and mathematics: what a service is told."""
    words = [w for w in _WORD.findall(_MARK.sub(" ", visible(claim.text))) if w != _FORMULA]
    query = " ".join(words)
    return query if len(query) <= LONGEST_QUERY else query[:LONGEST_QUERY].rsplit(" ", 1)[0]


def unfit(paper: Paper) -> str:
    """Why nobody should be told to cite the work, or ""."""
    if paper.notice is not None and paper.notice.kind in _REFUSED_NOTICES:
        return f"it has a notice of {paper.notice.kind}"
    text = f"{paper.title}\n{paper.abstract}"
    if gives_orders(text) or gives_orders(visible(text)):
        return "its text tells its reader what to do"
    return "" if paper.abstract.strip() else "it has no abstract there"


def _named(paper: Paper) -> str:
    return paper.identity
