"""What a new draft can rest on: passages of the works that are cited around it, nearest first."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder
from reviser.revise.citing import writable
from reviser.text.visible import visible
from reviser.verify.evidence import SOURCE_TEXT, Work
from reviser.verify.languages import readable
from reviser.verify.model import Passage

MOST = 12
"""Passages that are shown."""
PER_WORK = 3
"""Of one work."""
LEAST = 0.25
"""The cosine below which a passage has nothing to do with the text."""
LONGEST = 600
"""Characters of a passage; a longer one is no sentence."""


@dataclass(frozen=True, slots=True)
class Found:
    """The passages nearest to a text, in the order of their works, so that the same ones are the
    same whatever found them; and what was withheld, as (key, why)."""

    passages: tuple[Passage, ...]
    withheld: tuple[tuple[str, str], ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the works they are from."""
        return tuple(dict.fromkeys(passage.key for passage in self.passages))

    def words(self, keys: Collection[str]) -> str:
        """All that is shown of the works with these keys."""
        return " ".join(p.text for p in self.passages if p.key in keys)

    @property
    def text(self) -> str:
        """The passages as a model is shown them, by works."""
        said = (f"[{k}] {' '.join(p.text for p in self.passages if p.key == k)}" for k in self.keys)
        return "\n".join(said) or "(none)"

    @property
    def told(self) -> tuple[str, ...]:
        """Each passage, and what was withheld, as a record tells it."""
        shown = (f"{p.key}, {p.where}: {p.text}" for p in self.passages)
        return (*shown, *(f"withheld from {key}: {why}" for key, why in self.withheld))


class Shelf:
    """The works of a paper's bibliography that a writer may be shown.

    Text that gives orders to its reader is withheld; `works` is what `verify.evidence.works` reads.
    """

    def __init__(
        self, manuscript: Manuscript, works: Mapping[str, Work], embedder: Embedder
    ) -> None:
        self._manuscript = manuscript
        self._embedder = embedder
        self._works = works
        self._safe: dict[str, tuple[tuple[Passage, ...], tuple[tuple[str, str], ...]]] = {}

    def cited_in(self, section: int) -> tuple[str, ...]:
        """The keys cited in a section's own text, in reading order, as the bibliography spells
        them."""
        sentences = (s for s in self._manuscript.sentences if s.section == section)
        numbers = dict.fromkeys(number for s in sentences for number in s.citations)
        return self.known(k.name for n in numbers for k in self._manuscript.citations[n].keys)

    def cited_in_paragraph(self, paragraph: int) -> tuple[str, ...]:
        """The keys cited in a paragraph, likewise."""
        sentences = (s for s in self._manuscript.sentences if s.paragraph == paragraph)
        numbers = dict.fromkeys(number for s in sentences for number in s.citations)
        return self.known(k.name for n in numbers for k in self._manuscript.citations[n].keys)

    def all(self) -> tuple[str, ...]:
        """The keys of the whole bibliography."""
        return self.known(work.key for work in self._works.values())

    def nearest(
        self,
        texts: Sequence[str],
        keys: Sequence[str],
        *,
        most: int = MOST,
        per_work: int = PER_WORK,
        least: float = LEAST,
    ) -> Found:
        """The passages of these works that are nearest to any of the texts, from a cosine of
        `least` on."""
        offered: list[Passage] = []
        withheld: list[tuple[str, str]] = []
        for key in keys:
            passages, left = self._shown(key)
            offered += passages
            withheld += left
        asked = [text for text in texts if text.strip()]
        if not offered or not asked:
            return Found((), tuple(withheld))
        rows = self._embedder.similarities(asked, [passage.text for passage in offered])
        scores = [max(column) for column in zip(*rows, strict=True)]
        order = sorted(range(len(offered)), key=lambda n: (-scores[n], n))
        chosen: list[int] = []
        for number in order:
            of_work = sum(offered[one].key == offered[number].key for one in chosen)
            if scores[number] >= least and of_work < per_work and len(chosen) < most:
                chosen.append(number)
        return Found(tuple(offered[number] for number in sorted(chosen)), tuple(withheld))

    def name(self, key: str) -> str:
        """How a reader knows the work, "" where its name gives orders or it is unknown."""
        work = self._works.get(key.lower())
        return "" if work is None or gives_orders(work.name) else work.name

    def known(self, names: Iterable[str]) -> tuple[str, ...]:
        """The works that have a readable text and a key that can be written, each once."""
        works = (self._works.get(name.lower()) for name in dict.fromkeys(names))
        usable = (w for w in works if w is not None and w.passages and readable(w))
        return tuple(dict.fromkeys(work.key for work in usable if writable(work.key)))

    def _shown(self, key: str) -> tuple[tuple[Passage, ...], tuple[tuple[str, str], ...]]:
        if key not in self._safe:
            self._safe[key] = _safe(self._works[key.lower()])
        return self._safe[key]


def _safe(work: Work) -> tuple[tuple[Passage, ...], tuple[tuple[str, str], ...]]:
    """The passages that may be shown, and what is withheld: an abstract or note with an order in it
    as a whole, and of a long text the sentence with its neighbours."""
    ordering = [
        number
        for number, passage in enumerate(work.passages)
        if gives_orders(passage.text) or gives_orders(visible(passage.text))
    ]
    spoilt = {work.passages[number].where for number in ordering} - {SOURCE_TEXT}
    near = {number + step for number in ordering for step in (-1, 0, 1)}
    shown = tuple(
        passage
        for number, passage in enumerate(work.passages)
        if passage.where not in spoilt and number not in near and len(passage.text) <= LONGEST
    )
    places = dict.fromkeys(work.passages[number].where for number in ordering)
    withheld = tuple((work.key, f"a sentence of its {where} gives orders") for where in places)
    if gives_orders(" ".join(passage.text for passage in shown)):
        return (), (*withheld, (work.key, "its text gives orders"))
    return shown, withheld
