"""What the services have in common: how works are looked up and searched, with answers that are
kept and questions put together, and the plain values out of what somebody else's server says."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from reviser.adapters.web.addresses import Unusable, origin
from reviser.adapters.web.client import Missing, Question, Service, Web
from reviser.adapters.web.kept import Kept
from reviser.literature.cleaning import plain
from reviser.literature.notices import unmarked
from reviser.literature.paper import Paper
from reviser.literature.sources import Answer, Silent
from reviser.ports import Workers

Found: TypeAlias = Mapping[str, tuple[Paper, ...]]
"""The works for each of the things that were asked for at once; what is not in it has none."""

MOST_FOUND = 100
"""Works that a search brings at most."""
MOST_AUTHORS = 300
MOST_CITED = 2000
LONGEST_QUERY = 300
"""Characters of a title or of words that are searched for."""
YEARS = range(1400, 2101)


class Looking:
    """A service: answers what is kept, and asks for the rest in batches."""

    def __init__(
        self, web: Web, service: Service, kept: Kept, workers: Workers | None = None
    ) -> None:
        """Batches are asked for side by side where there are `workers`."""
        self._web = web
        self._service = service
        self._kept = kept
        self._workers = workers

    @property
    def name(self) -> str:
        """As it is printed."""
        return self._service.name

    def _answers(
        self,
        kind: str,
        items: Sequence[str],
        ask: Callable[[Sequence[str]], Found | Silent],
        *,
        size: int = 1,
    ) -> Mapping[str, Answer]:
        """The answer for each of the `items`, of which `ask` is given at most `size` at once; the
        empty item has none."""
        known: dict[str, Answer] = {"": ()}
        missing: list[str] = []
        # The base URL tells apart what is kept of several services.
        place = self._service.base_url
        for item in dict.fromkeys(items):
            if not item:
                continue
            kept = self._kept.papers(place, kind, item)
            if kept is None:
                missing.append(item)
            else:
                known[item] = kept
        batches = [missing[start : start + size] for start in range(0, len(missing), size)]
        for batch, said in zip(batches, self._each(ask, batches), strict=True):
            for item in batch:
                if isinstance(said, Silent):
                    known[item] = said
                else:
                    known[item] = said.get(item, ())
                    self._kept.keep_papers(said.get(item, ()), place, kind, item)
        return known

    def _in_order(
        self,
        kind: str,
        items: Sequence[str],
        ask: Callable[[Sequence[str]], Found | Silent],
        *,
        size: int = 1,
    ) -> Sequence[Answer]:
        """As `_answers`, in the order of the items."""
        found = self._answers(kind, items, ask, size=size)
        return [found[item] for item in items]

    def _searched(
        self, words: str, most: int, ask: Callable[[str, int], tuple[Paper, ...] | Silent]
    ) -> Answer:
        """At most so many works that `ask` finds for the words; without words there are none."""
        most = max(1, min(most, MOST_FOUND))

        def searched(_: Sequence[str]) -> Found | Silent:
            papers = ask(words, most)
            return papers if isinstance(papers, Silent) else {words: papers[:most]}

        return self._answers(f"search {most}", [words], searched)[words]

    def _works(
        self, question: Question, read: Callable[[bytes], tuple[Paper, ...]]
    ) -> tuple[Paper, ...] | Silent:
        """The works that answer a question, none where there is no such thing."""
        said = self._web.ask(self._service, question, read)
        return () if isinstance(said, Missing) else said

    def _each(
        self, ask: Callable[[Sequence[str]], Found | Silent], batches: Sequence[Sequence[str]]
    ) -> Sequence[Found | Silent]:
        if self._workers is None or len(batches) < 2:
            return [ask(batch) for batch in batches]
        return self._workers.each(ask, batches)


def together(answers: Sequence[Answer]) -> Answer:
    """One answer out of several about one work: what there is of it, each once; without any, why
    it may have been missed."""
    papers = [p for answer in answers if not isinstance(answer, Silent) for p in answer]
    silent = next((answer for answer in answers if isinstance(answer, Silent)), None)
    if not papers and silent is not None:
        return silent
    return tuple({(p.source, p.id): p for p in papers}.values())


def table(value: object) -> Mapping[str, object]:
    """A JSON object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def rows(value: object, most: int = 1000) -> Sequence[Mapping[str, object]]:
    """The JSON objects of a list."""
    return [item for item in listed(value)[:most] if isinstance(item, dict)]


def texts(value: object, most: int = 1000) -> Sequence[str]:
    """The texts of a list."""
    return [item for item in listed(value)[:most] if isinstance(item, str)]


def listed(value: object) -> Sequence[object]:
    """A JSON list, an empty one for anything else."""
    return value if isinstance(value, list) else []


def text(value: object, longest: int = 600) -> str:
    """A text as a reader sees it, "" for anything else."""
    return plain(value, longest) if isinstance(value, str) else ""


def titled(value: object) -> tuple[str, str]:
    """A title, and the kind of notice that stands before it, "" for none."""
    return unmarked(text(value))


def number(value: object) -> int | None:
    """A number of things, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**9:
        return None
    return value


def year(value: object) -> int | None:
    """A year that a work can be of."""
    return value if isinstance(value, int) and value in YEARS else None


def web_address(value: object) -> str:
    """An address on the web, "" for anything else."""
    if not isinstance(value, str):
        return ""
    try:
        origin(value.strip())
    except Unusable:
        return ""
    return value.strip()
