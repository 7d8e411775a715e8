"""What our procedure costs beside the published one, on the same paper and the same scripted model.

A paper of some 20,000 tokens and 20 points, of which 14 lead to a better text and 6 to a worse one.
The model knows which; it grades with noise, as models do. Tokens are counted as `budget` does, over
every question of either procedure.
"""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from reviser.asking import Unusable
from reviser.budget import Limits, Metered, Purse, tokens_in, tokens_of
from reviser.evaluate.procedures import Tried, tried
from reviser.evaluate.variants import PUBLISHED, REVISER, Variant
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Bench, Reviewing
from reviser.pipeline.checking import Judges, Options, check
from reviser.pipeline.plan import Plan
from reviser.ports import ChatReply, ChatRequest, Entailed, Token
from reviser.review.model import Dimension
from reviser.roles import Role, Roles
from tests.benchmarks.bars import Bar, at_least, at_most
from tests.fakes.judges import BETTER, WORSE, SeeingJudge
from tests.fakes.roles import OneByOne, bundled
from tests.unit.revise.judged_paper import long_paper

GOOD, BAD = 14, 6
SEEDS = 3
NOISE = 0.05
"""Standard deviation of one grade by token probabilities."""
WHOLE_NOISE = 0.5
"""Standard deviation of an overall rating from 1 to 10, before it is rounded."""
CONTEXT = 32_000
_FENCED = re.compile(r"<<<([\w-]+) ([0-9a-f]{16})\n(.*?)\n\2 \1>>>", re.DOTALL)
_CASE = re.compile(r"\b(?:In|For|With) case (\d+)\b")


class NoTape:
    """Nothing is kept: each procedure pays for all it asks."""

    def get(self, request: ChatRequest) -> None:
        return None

    def put(self, request: ChatRequest, reply: ChatReply) -> None:
        pass


class Same:
    """An embedder to which every text is on topic, and no two points alike."""

    name = "same"

    def similarities(self, rows: list[str], columns: list[str]) -> list[list[float]]:
        return [[1.0 if row == column else 0.6 for column in columns] for row in rows]


class Silent:
    """A verifier that finds nothing against anything."""

    name = "silent"

    def judge(self, pairs: list[tuple[str, str]]) -> list[Entailed]:
        return [Entailed(0.9, 0.0) for _ in pairs]


def planted(text: str) -> str:
    """The text in the words that the judge of the tests knows."""
    better = text.replace("For case", f"In {BETTER} case")
    return better.replace("With case", f"In {WORSE} case")


@dataclass
class Model:
    """Writes, reviews and grades by the truth. `points` are the numbers of the sentences that a
    review names, each with whether the new wording is the better one."""

    judge: SeeingJudge
    points: dict[int, bool]
    seed: int
    paper: Manuscript
    name: str = "scripted"
    asked: list[str] = field(default_factory=list)

    def expect(self, requests: object) -> None:
        """Everything may be asked."""

    def complete(self, request: ChatRequest) -> ChatReply:
        prompt = request.prompt.partition("/")[0]
        fenced = {m[1]: m[3] for m in _FENCED.finditer(request.messages[1].text)}
        answer: Callable[[dict[str, str], ChatRequest], str | ChatReply] = getattr(
            self, prompt.replace("-", "_")
        )
        said = answer(fenced, request)
        reply = (
            said if isinstance(said, ChatReply) else ChatReply(said, "stop", self.name, 0, 0, 0.0)
        )
        return replace(reply, tokens_in=tokens_in(request), tokens_out=tokens_of(reply.text))

    def _draw(self, request: ChatRequest) -> Random:
        return Random(f"{self.seed} {request.seed} {request.messages[1].text}")  # noqa: S311

    def review_paper(self, fenced: dict[str, str], request: ChatRequest) -> str:
        text = planted(next(fenced[name] for name in ("paper", "text", "part") if name in fenced))
        truth = text.count(BETTER) - text.count(WORSE)
        rating = 5.5 + 0.1 * truth + self._draw(request).gauss(0, WHOLE_NOISE)
        remark = {"text": "Some sentences do not say what they are about.", "quote": ""}
        mark = {"why": "It is clear in most places.", "score": 3}
        return json.dumps(
            {
                "summary": "A paper that goes through cases one by one and says what holds.",
                "strengths": [remark],
                "weaknesses": [remark],
                "questions": [],
                "soundness": mark,
                "presentation": mark,
                "contribution": mark,
                "rating": min(10, max(1, round(rating))),
                "confidence": 4,
            }
        )

    def decompose_review(self, fenced: dict[str, str], request: ChatRequest) -> str:
        points = []
        for sentence in re.findall(r"In case \d+ [^.]*\.", fenced["part"]):
            number = int(_CASE.search(sentence)[1])  # type: ignore[index]
            if number in self.points:
                points.append(
                    {
                        "of": "W1",
                        "quote": sentence,
                        "message": f"Say what case {number} is about.",
                        "dimension": "synthesis",
                        "severity": "note",
                        "action": "rewrite sentence",
                        "needs": "",
                    }
                )
        return json.dumps({"points": points[:12]})

    def decide_points(self, fenced: dict[str, str], request: ChatRequest) -> str:
        names = list(dict.fromkeys(re.findall(r"\bP\d+\b", fenced["points"])))
        return json.dumps(
            {
                "decisions": [
                    {
                        "point": name,
                        "choice": "revise",
                        "why": "It is right.",
                        "instruction": "Say what the case is about.",
                        "rebuttal": "",
                    }
                    for name in names
                ]
            }
        )

    def replan_points(self, fenced: dict[str, str], request: ChatRequest) -> str:
        return json.dumps({"steps": []})

    def write_sentence(self, fenced: dict[str, str], request: ChatRequest) -> str:
        old = fenced["sentence"].strip()
        number = int(_CASE.search(old)[1])  # type: ignore[index]
        word = "For" if self.points.get(number) else "With"
        return json.dumps({"sentence": _CASE.sub(rf"{word} case \1", old, count=1)})

    def score_passage(self, fenced: dict[str, str], request: ChatRequest) -> ChatReply:
        text = planted(fenced["passage"])
        truth, draw = self.judge.truth(text), self._draw(request)
        members = json.loads(request.schema)["properties"]
        tokens, parts = [Token("{", (("{", 0.0),))], []
        for name in members:
            value = truth[Dimension(name.replace("_", " "))] + draw.gauss(0, NOISE)
            tokens += digits(name, min(4.99, max(1.01, value)), first=not parts)
            parts.append(name)
        tokens.append(Token("}", (("}", 0.0),)))
        text = "".join(token.text for token in tokens)
        return ChatReply(text, "stop", self.name, 0, 0, 0.0, tokens=tuple(tokens))

    def compare_passages(self, fenced: dict[str, str], request: ChatRequest) -> str:
        one, other = (
            sum(self.judge.truth(planted(fenced[name])).values()) for name in ("first", "second")
        )
        ahead = (one - other) / 5 + self._draw(request).gauss(0, 0.1)
        word = "neither" if abs(ahead) < 0.1 else "first" if ahead > 0 else "second"
        return json.dumps({"better": word})


def digits(name: str, value: float, *, first: bool) -> list[Token]:
    """A member whose digit has the probabilities that give this expected value."""
    low = int(value)
    high = value - low
    lead = f'{"" if first else ", "}"{name}": '
    chances = ((str(low), math.log(max(1e-9, 1 - high))), (str(low + 1), math.log(max(1e-9, high))))
    said = str(low if high < 0.5 else low + 1)
    return [Token(lead, ((lead, 0.0),)), Token(said, chances)]


def run(variant: Variant, seed: int) -> tuple[Tried, set[int], Model]:
    """One procedure; the numbers of the sentences that it changed for good."""
    paper = long_paper(seed=1)
    manuscript = paper.manuscript
    judges = Judges(Same(), Silent())
    options = Options()
    draw = Random(f"points {seed}")  # noqa: S311
    cases = [m for s in manuscript.sentences if (m := re.match(r"In case (\d+)", s.plain))]
    chosen = draw.sample([int(case[1]) for case in cases if int(case[1]) % 8 == 2], GOOD + BAD)
    model = Model(
        SeeingJudge(manuscript, seed),
        {n: at < GOOD for at, n in enumerate(chosen)},
        seed,
        manuscript,
    )
    purse = Purse(Limits(), lambda: 0.0)
    meter = Metered(model, purse.account("scripted", None), NoTape(), lambda _: None)
    helper = Role("helper", meter, bundled, OneByOne(), CONTEXT)
    bench = Bench(Roles(replace(helper, part="writer"), helper), Plan(), asked=purse.asked)
    work = Reviewing(check(manuscript, options, judges), options, judges, paper.reread)
    found = tried(variant, work, bench, lambda _: Unusable("not asked"), evaluator="")
    kept = {
        int(match[1])
        for change in found.changes
        for part in change
        for match in _CASE.finditer(manuscript.sources[part[0]].text[part[1] - 3 : part[1] + 20])
    }
    return found, kept & set(model.points), model


def measure(seeds: int = SEEDS) -> list[Bar]:
    """What ours costs beside the published one, and what each of them keeps."""
    shares, missed, bad, good, theirs_bad = list[float](), 0, 0, 0, 0
    calls = list[tuple[int, int]]()
    for seed in range(seeds):
        ours, mine, model = run(REVISER, seed)
        theirs, other, _ = run(PUBLISHED, seed)
        right = {number for number, is_good in model.points.items() if is_good}
        shares.append(ours.tokens / theirs.tokens)
        calls.append((ours.calls, theirs.calls))
        missed += len((other & right) - mine)
        good += len(mine & right)
        bad += len(mine - right)
        theirs_bad += len(other - right)
    told = f"{seeds} seeds; calls " + ", ".join(f"{one} and {other}" for one, other in calls)
    return [
        at_most("tokens of a review run, of the published one's", max(shares), 0.4, told),
        at_most(
            "good edits that only the published one keeps", missed, 0, f"it keeps {theirs_bad} bad"
        ),
        at_least("good edits kept", good / (seeds * GOOD), 0.8, f"{good} of {seeds * GOOD}"),
        at_most("bad edits kept", bad / (seeds * BAD), 0.05, f"{bad} of {seeds * BAD}"),
    ]
