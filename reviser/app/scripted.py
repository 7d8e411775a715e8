"""A chat model that reads its replies from a file: the loop can be shown without any model.

It goes the way of every other model (roles, prompts, checks of replies, budget, gate), and it is
called canned wherever its name is printed. It knows one paper, and its judge goes by rules: the
paper's own sentences in their order and with their citations are worth as much as they are, new
sentences as much as the file says.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from reviser.asking import Sampling
from reviser.budget import Limits, Metered, Price, Purse
from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Bench
from reviser.ports import ChatReply, ChatRequest, Item, Progress, Result
from reviser.prompts import FOLDER, Prompt, read_prompt
from reviser.roles import Role, Roles
from reviser.templates import template_text
from reviser.verify.chat_entailment import PROMPT as VERIFY
from reviser.verify.chat_entailment import SENTENCES, ChatEntailment, Opinion

NAME = "canned replies"
FILE = "demo-replies.toml"

_FENCE = re.compile(r"<<<(\w+) ([0-9a-f]{16})\n(.*?)\n\2 \1>>>", re.DOTALL)
_NAMED = re.compile(r"\[(P\d+)\] (.*?)(?=\[P\d+\] |\Z)", re.DOTALL)
_NUMBERED = re.compile(r"(?:^|\s)\((\d+)\) ")
_CITES = re.compile(r"~?\\cite[a-z]*\*?(?:\[[^\]]*\])*\{[^{}]*\}")
_DIMENSIONS = ("coverage", "structure", "relevance", "synthesis", "critical_analysis")
_BASE = 3


class CannedReplies:
    """Says what the file has for a question about `paper`; it asks nobody. `admit` counts."""

    def __init__(
        self, script: Mapping[str, Any], paper: Manuscript, admit: Callable[[], None]
    ) -> None:
        self._script = script
        self._admit = admit
        sentences = [paper.text(sentence.at) for sentence in paper.sentences]
        self._order = {_bare(text): number for number, text in enumerate(sentences)}
        self._citing = {_bare(text): len(_CITES.findall(text)) for text in sentences}
        self._says: Mapping[str, Callable[[Mapping[str, str]], object]] = {
            "review-paper": self._review,
            "decompose-review": self._points,
            "decide-points": self._decisions,
            "replan-points": lambda _: {"steps": []},
            "write-sentence": self._sentence,
            "write-paragraph": self._paragraph,
            "verify-support": self._opinion,
            "score-passage": lambda told: self._grades(told["passage"]),
            "grade-paper": lambda told: self._grades(" ".join(told.values())),
            "compare-passages": self._choice,
        }

    @property
    def name(self) -> str:
        """What is printed beside all that it says."""
        return NAME

    def complete(self, request: ChatRequest) -> ChatReply:
        """The reply to a request; an empty one where the file has none."""
        self._admit()
        text = self.reply(request.prompt.partition("/")[0], request.messages[1].text)
        return ChatReply(text, "stop", NAME, 0, 0, 0.0)

    def reply(self, prompt: str, question: str) -> str:
        """What is said to a question with the prompt of this id."""
        told = {name: value for name, _, value in _FENCE.findall(question)}
        say = self._says.get(prompt)
        return "" if say is None else json.dumps(say(told))

    def _all_points(self) -> Sequence[Mapping[str, Any]]:
        return [point for review in self._script["review"] for point in review["point"]]

    def _review(self, told: Mapping[str, str]) -> object:
        review = next(r for r in self._script["review"] if r.get("when", "") in told["paper"])
        return {
            "summary": review["summary"],
            **{
                name: [{"text": text, "quote": quote} for text, quote in review[name]]
                for name in ("strengths", "weaknesses")
            },
            "questions": review["questions"],
            **{
                name: {"why": review[name][1], "score": review[name][0]}
                for name in ("soundness", "presentation", "contribution")
            },
            "rating": review["rating"],
            "confidence": review["confidence"],
        }

    def _points(self, told: Mapping[str, str]) -> object:
        review = next(
            r
            for r in self._script["review"]
            if all(w in told["review"] for w, _ in r["weaknesses"])
        )
        found = [
            {
                "of": point["of"],
                "quote": point["quote"],
                "message": point["message"],
                "dimension": point["dimension"],
                "severity": point["severity"],
                "action": point["action"],
                "needs": point.get("needs", ""),
            }
            for point in review["point"]
            if point["quote"] in told["part"]
        ]
        return {"points": found}

    def _decisions(self, told: Mapping[str, str]) -> object:
        made = []
        for name, text in _NAMED.findall(told["points"]):
            point = next((p for p in self._all_points() if p["message"] in text), None)
            if point is not None:
                made.append({
                    "point": name,
                    "choice": point["choice"],
                    "why": point["why"],
                    "instruction": point.get("instruction", ""),
                    "rebuttal": point.get("rebuttal", ""),
                })  # fmt: skip
        return {"decisions": made}

    def _sentence(self, told: Mapping[str, str]) -> object:
        point = next((p for p in self._all_points() if p["message"] in told["task"]), None)
        return {"sentence": point["sentence"]} if point is not None else {}

    def _paragraph(self, told: Mapping[str, str]) -> object:
        point = next((p for p in self._all_points() if p["message"] in told["task"]), None)
        if point is None:
            return {}
        last = max(map(int, _NUMBERED.findall(told["sentences"])))
        new = {"after": last, "text": point["new"], "cites": point["cites"]}
        return {"sentences": [], "new": [new]}

    def _opinion(self, told: Mapping[str, str]) -> object:
        for one in self._script["opinion"]:
            if one["when"] in told["claim"] and one["quote"] in told["work"]:
                yes = "yes" if one["grade"] >= 4 else "no"
                return {"quote": one["quote"], "grade": one["grade"], "supports": yes}
        return {"quote": "", "grade": 3, "supports": "no"}

    def _grades(self, text: str) -> Mapping[str, int]:
        """Levels from 1 to 5: three for the paper's own text, less where its sentences are out of
        order, lost a citation or stand beside empty ones, more for what the file prizes."""
        flat = _bare(text)
        known = sorted(
            (flat.index(words), number, words)
            for words, number in self._order.items()
            if words and words in flat
        )
        grades = dict.fromkeys(_DIMENSIONS, _BASE)
        for worth in self._script["worth"]:
            if worth["when"] in flat:
                for dimension in worth["dimensions"]:
                    grades[dimension] += 1
        if any(later < earlier for (_, earlier, _), (_, later, _) in pairwise(known)):
            grades["structure"] -= 1
            grades["synthesis"] -= 1
        if sum(self._citing[words] for _, _, words in known) > len(_CITES.findall(text)):
            grades["coverage"] -= 1
            grades["critical_analysis"] -= 1
        prized = sum(len(w["when"]) for w in self._script["worth"] if w["when"] in flat)
        foreign = len(flat) - sum(len(words) + 1 for _, _, words in known) - 2 * prized
        if foreign > max(80, len(flat) // 8):
            grades["relevance"] -= 1
            grades["structure"] -= 1
        return grades

    def _choice(self, told: Mapping[str, str]) -> object:
        first, second = (sum(self._grades(told[name]).values()) for name in ("first", "second"))
        better = "first" if first > second else "second" if second > first else "neither"
        return {"better": better}


def _bare(text: str) -> str:
    """The words without citations and line ends."""
    return " ".join(_CITES.sub("", text).split())


class _Unkept:
    """A tape that keeps nothing: what is canned need not be."""

    def get(self, _: ChatRequest) -> ChatReply | None:
        return None

    def put(self, request: ChatRequest, reply: ChatReply) -> None:
        pass


class _InTurn:
    """`Workers` without threads: nothing waits for a network here."""

    def each(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        told: Callable[[int], None] | None = None,
    ) -> Sequence[Result]:
        """`work` of every item; it is over before anybody could look."""
        del told
        return [work(item) for item in items]


def script() -> Mapping[str, Any]:
    """The bundled replies."""
    return tomllib.loads(template_text(FILE))


def canned_bench(paper: Manuscript, progress: Progress | None = None) -> Bench:
    """Who reviews and rewrites `paper`, the bundled one, without any model."""
    purse = Purse(Limits(), lambda: 0.0)
    account = purse.account(NAME, Price(0, 0))
    model = Metered(
        CannedReplies(script(), paper, account.admit), account, _Unkept(), lambda _: None
    )

    def prompt(name: str, reply: str) -> Prompt:
        return read_prompt(template_text(f"{FOLDER}/{name}.md"), id=name, reply=reply, where=name)

    def role(part: str) -> Role:
        return Role(part, model, prompt, _InTurn(), context=32_000)

    verifier = ChatEntailment(
        model,
        prompt(VERIFY, Opinion.__name__),
        _InTurn(),
        sampling=Sampling(),
        context=32_000,
        addressed=gives_orders,
        progress=progress,
    )
    return Bench(
        roles=Roles(role("writer"), role("helper")),
        verifier=verifier,
        sentences=SENTENCES,
        asked=purse.asked,
    )
