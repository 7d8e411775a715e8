"""How well works are told from works that come near: labelled titles, and the whole procedure.

    python -m tests.benchmarks.matching [--errors]

The works are in tests/benchmarks/titles, written by us; many of the near ones are made up. Half of
them, by name, are for choosing thresholds (`train`), the other half for reporting (`test`).
"""

import argparse
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from reviser.literature.match import STRICT, Strictness, match
from reviser.literature.names import surnames
from reviser.literature.paper import Author, Paper
from reviser.literature.resolve import Resolved, resolve
from reviser.literature.sources import Answer, Wanted
from reviser.literature.titles import folded_title
from reviser.ports import Item, Result
from tests.benchmarks.bars import Bar, at_least

TITLES = Path(__file__).with_name("titles")
NEAR = 8
"""Works that the fake source offers for each title."""


@dataclass(frozen=True)
class Block:
    """A known work: how bibliographies write it, how sources describe it, and what comes near."""

    name: str
    asked: tuple[Wanted, ...]
    same: tuple[Paper, ...]
    other: tuple[Paper, ...]

    @property
    def half(self) -> str:
        """ "train" or "test", by the name alone."""
        return "train" if hashlib.sha256(self.name.encode()).digest()[0] % 2 else "test"


@dataclass(frozen=True)
class Truth:
    """What came of pairs: `wrong` are those taken for the same that are not, `missed` the rest."""

    right: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]
    pairs: int

    @property
    def precision(self) -> float:
        """Of what was accepted, how much is right."""
        return self.right / max(1, self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        """Of what is right, how much was accepted."""
        return self.right / max(1, self.right + len(self.missed))

    def __str__(self) -> str:
        return (
            f"{self.pairs} pairs: precision {self.precision:.1%} ({len(self.wrong)} wrong), "
            f"recall {self.recall:.1%} ({self.right} of {self.right + len(self.missed)})"
        )


@lru_cache(maxsize=1)
def blocks() -> tuple[Block, ...]:
    """All labelled works."""
    found = []
    for path in sorted(TITLES.glob("*.txt")):
        for text in path.read_text(encoding="utf-8").split("\n\n"):
            lines = [line for line in text.splitlines() if line and not line.startswith("#")]
            if lines:
                found.append(_block(lines))
    return tuple(found)


def _block(lines: Sequence[str]) -> Block:
    name = lines[0]
    asked, same, other = [], [], []
    for number, line in enumerate(lines[1:]):
        mark, rest = line[0], line[1:]
        title, who, year, venue, kind = (part.strip() for part in (*rest.split("|"), "")[:5])
        if mark == "=":
            names = surnames(" and ".join(who.split(", ")) if " and " not in who else who)
            asked.append(
                Wanted(
                    f"{name}{number}", title, names, int(year), venue, kind,
                    arxiv="1701.00001" if "arxiv" in venue.lower() else "",
                )
            )  # fmt: skip
            continue
        people = tuple(
            Author(*(part.strip() for part in (*person.split("/"), "")[:2]))
            for person in who.split(",")
            if person.strip()
        )
        paper = Paper(
            "bench", f"{name}/{number}", title, people, int(year), venue, kind,
            abstract="Known.", doi=f"10.5555/{name}.{number}",
        )  # fmt: skip
        (same if mark == "+" else other).append(paper)
    return Block(name, tuple(asked), tuple(same), tuple(other))


def pairs(half: str, strictness: Strictness = STRICT) -> Truth:
    """Every way to write a work against every description in its block."""
    right, wrong, missed, total = 0, [], [], 0
    for block in blocks():
        if half in ("all", block.half):
            for wanted in block.asked:
                for paper, same in [(p, True) for p in block.same] + [
                    (p, False) for p in block.other
                ]:
                    total += 1
                    found = match(wanted, paper, strictness)
                    told = f"{wanted.title} ({wanted.year}) | {paper.title} ({paper.year})"
                    right += found.accepted and same
                    if found.accepted and not same:
                        wrong.append(f"{told}: {found.why}")
                    elif same and not found.accepted:
                        missed.append(f"{told}: {found.why}")
    return Truth(right, tuple(wrong), tuple(missed), total)


@dataclass
class NearTitles:
    """A source that has all of the works and offers, for a title, those that share most words."""

    papers: Sequence[Paper]
    name: str = "Everything"
    _words: dict[str, frozenset[str]] = field(default_factory=dict)

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """It knows no identifiers."""
        return [() for _ in wanted]

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """The nearest, whoever wrote them."""
        return [self.search(one.title, NEAR) for one in wanted]

    def search(self, query: str, most: int) -> Answer:
        """The works that share most words with `query`."""
        words = frozenset(folded_title(query).words)

        def nearness(paper: Paper) -> float:
            if paper.title not in self._words:
                self._words[paper.title] = frozenset(folded_title(paper.title).words)
            known = self._words[paper.title]
            return -len(words & known) / max(1, len(words | known))

        return tuple(sorted(self.papers, key=nearness)[:most])


class InTurn:
    """Workers that do one thing after the other."""

    def each(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        told: Callable[[int], None] | None = None,
    ) -> Sequence[Result]:
        """`work` of every item."""
        return [work(item) for item in items]


def procedure(half: str) -> Truth:
    """Resolve every way to write every work among all the works, near ones and others."""
    chosen = [block for block in blocks() if half in ("all", block.half)]
    source = NearTitles([p for block in blocks() for p in (*block.same, *block.other)])
    homes = {p.id: block.name for block in blocks() for p in block.same}
    asked = [(block, replace(one, arxiv="")) for block in chosen for one in block.asked]
    right, wrong, missed = 0, [], []
    found = resolve([one for _, one in asked], [source], InTurn())
    for (block, one), result in zip(asked, found, strict=True):
        if isinstance(result, Resolved):
            # One work is near to several: it may have been found as another block describes it.
            fits = _family(homes.get(result.paper.id, "")) == _family(block.name) or (
                not result.paper.id.startswith(f"{block.name}/")
                and any(_described_alike(result.paper, paper) for paper in block.same)
            )
            right += fits
            if not fits:
                wrong.append(
                    f"{one.title} ({one.year}) | {result.paper.title} ({result.match.why})"
                )
        elif block.same:
            missed.append(f"{one.title} ({one.year})")
    return Truth(right, tuple(wrong), tuple(missed), len(asked))


def measure() -> list[Bar]:
    """The figures of the half that no threshold was chosen on, beside their bars."""
    bars = []
    for name, truth in (("labelled pairs", pairs("test")), ("whole procedure", procedure("test"))):
        of = f"{truth.pairs} {'pairs' if name == 'labelled pairs' else 'entries'}"
        bars.append(at_least(f"works resolved, {name}: precision", truth.precision, 0.99, of))
        bars.append(at_least(f"works resolved, {name}: recall", truth.recall, 0.9, of))
    return bars


def _described_alike(one: Paper, other: Paper) -> bool:
    return (
        folded_title(one.title).joined == folded_title(other.title).joined
        and bool(one.authors and other.authors)
        and one.authors[0].family.lower() == other.authors[0].family.lower()
        and abs((one.year or 0) - (other.year or 0)) <= 1
    )


def _family(name: str) -> str:
    """Blocks of one work under two names."""
    return {"shannon-one-of-two": "shannon-communication", "sutton-rl-new": "sutton-rl"}.get(
        name, name
    )


def main() -> None:
    """Print the figures, and with --errors every pair that went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--errors", action="store_true")
    asked = parser.parse_args()
    for half in ("train", "test", "all"):
        for name, truth in (("pairs", pairs(half)), ("procedure", procedure(half))):
            print(f"{half:5} {name:9} {truth}")
            if asked.errors and half != "all":
                for line in truth.wrong:
                    print("   wrong ", line)
                for line in truth.missed:
                    print("   missed", line)


if __name__ == "__main__":
    main()
