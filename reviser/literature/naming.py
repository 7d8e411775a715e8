"""What a group of papers is about, in a few words that can be searched for."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Protocol

from pydantic import BaseModel, ConfigDict
from pydantic import Field as Member

from reviser.asking import Answered
from reviser.literature.paper import Paper
from reviser.literature.reading_parts import readable
from reviser.roles import Question, Role, cost_of
from reviser.text.visible import visible

PROMPT = "name-cluster"
SHOWN = 12
"""Papers of a group that a helper is shown."""
LONGEST = 80
"""Characters of a keyword."""
MOST_WORDS = 6
LONGEST_PHRASE = 3
"""Words of a phrase that is counted."""
_ABSTRACT = 600
_WORD = re.compile(r"[^\W\d_](?:[\w+\-]*\w)?")
_BREAK = re.compile(r"[^\w\s'’+\-]+")


class Namer(Protocol):
    """Gives each group of papers a keyword."""

    def names(
        self, groups: Sequence[Sequence[Paper]], topic: str, taken: Sequence[str]
    ) -> Sequence[str]:
        """One keyword for each group, "" where there is none; none that is `taken`."""
        ...


class Phrases:
    """A `Namer` without a model: the phrase that tells the group from the others.

    Phrases of one to three words are weighed by the share of the group's papers that have them (a
    title counts as much as its abstract), how rare they are among all papers (TF-IDF over groups,
    as in Grootendorst, BERTopic, 2022), and their length. `common` are words that no phrase has.
    """

    def __init__(self, common: Collection[str]) -> None:
        self._common = common
        self._known: dict[Paper, frozenset[str]] = {}

    def names(
        self, groups: Sequence[Sequence[Paper]], topic: str, taken: Sequence[str]
    ) -> Sequence[str]:
        """See `Namer`. Nothing is asked of anybody."""
        held = [Counter(p for paper in group for p in self._phrases(paper)) for group in groups]
        titles = [Counter(p for one in group for p in self._of(one.title)) for group in groups]
        everywhere = sum(held, Counter[str]())
        papers = sum(map(len, groups))
        chosen = {_key(topic), *map(_key, taken)}
        found: list[str] = []
        for group, phrases, titled in zip(groups, held, titles, strict=True):
            fewest = 2 if len(group) > 3 else 1
            ranked = sorted(
                (p for p, count in phrases.items() if count >= fewest and _key(p) not in chosen),
                key=lambda p: (
                    -(phrases[p] + titled[p]) / len(group) * _weight(p, everywhere[p], papers),
                    p,
                ),
            )
            found.append(ranked[0] if ranked else "")
            chosen.add(_key(found[-1]))
        return found

    def _phrases(self, paper: Paper) -> frozenset[str]:
        if paper not in self._known:
            self._known[paper] = self._of(f"{paper.title}. {paper.abstract}")
        return self._known[paper]

    def _of(self, text: str) -> frozenset[str]:
        found = set()
        for part in _BREAK.split(text.casefold()):
            words = _WORD.findall(part)
            telling = [len(word) > 2 and word not in self._common for word in words]
            for length in range(1, LONGEST_PHRASE + 1):
                for start in range(len(words) - length + 1):
                    if all(telling[start : start + length]):
                        found.add(" ".join(words[start : start + length]))
        return frozenset(found)


def _weight(phrase: str, everywhere: int, papers: int) -> float:
    rarity = math.log((1 + papers) / (1 + everywhere)) + 0.1
    return rarity * (1 + 0.5 * phrase.count(" "))


def _key(phrase: str) -> str:
    """The same for a phrase in the singular and the plural, in any case."""
    return " ".join(word.removesuffix("s") for word in phrase.casefold().split())


class Named(BaseModel):
    """The keyword of a group."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    keyword: str = Member(max_length=4 * LONGEST)


class AskedNamer:
    """A `Namer` that asks a helper, and `instead` where its answer cannot be used.

    A keyword counts if it is a few words, most of which stand in what the helper was shown: it is
    sent to literature services, and a paper that was found may have told the helper what to say.
    """

    def __init__(self, helper: Role, instead: Namer) -> None:
        self._helper = helper
        self._instead = instead

    def names(
        self, groups: Sequence[Sequence[Paper]], topic: str, taken: Sequence[str]
    ) -> Sequence[str]:
        """See `Namer`. Raises ReviserError when the endpoint answers nobody."""
        questions = [self._question(group, topic, taken) for group in groups]
        answers = self._helper.ask_each(questions)
        found = [
            visible(answer.value.keyword) if isinstance(answer, Answered) else ""
            for answer in answers
        ]
        if all(found):
            return found
        others = self._instead.names(groups, topic, [*taken, *filter(None, found)])
        return [own or other for own, other in zip(found, others, strict=True)]

    def _question(
        self, group: Sequence[Paper], topic: str, taken: Sequence[str]
    ) -> Question[Named]:
        values = {"topic": topic, "taken": "\n".join(taken), "papers": ""}

        def question(papers: str) -> Question[Named]:
            def check(named: Named) -> str:
                return _wrong(named.keyword, f"{topic} {papers}", [topic, *taken])

            return Question(PROMPT, values | {"papers": papers}, Named, check, max_tokens=200)

        shown: list[str] = []
        room = self._helper.room(question(""))
        for paper in group[:SHOWN]:
            text = readable(f"{paper.title}\n{paper.abstract[:_ABSTRACT]}")
            if not text:
                continue
            if cost_of("papers", "\n\n".join([*shown, text])) > room:
                break
            shown.append(text)
        return question("\n\n".join(shown))


def _wrong(keyword: str, shown: str, taken: Sequence[str]) -> str:
    plain = visible(keyword)
    words = [word.casefold() for word in _WORD.findall(plain)]
    if not words or len(words) > MOST_WORDS or len(plain) > LONGEST:
        return f"The keyword is not one to {MOST_WORDS} words."
    if _BREAK.search(plain):
        return "The keyword has signs in it that no search term needs."
    if _key(plain) in map(_key, taken):
        return "The keyword is one of those that were used already."
    known = set(_WORD.findall(shown.casefold()))
    stems = {word.removesuffix("s") for word in known}
    if 2 * sum(word.removesuffix("s") in stems for word in words) <= len(words):
        return "Most words of the keyword stand in none of the papers."
    return ""
