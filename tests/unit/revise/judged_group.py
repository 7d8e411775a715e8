"""Papers and judges for tests of groups: sections with one edit each, and words on them by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviser.manuscript.model import Manuscript
from reviser.revise.evidence import Weighed
from reviser.revise.gate import Gate
from reviser.revise.verdict import MEAN, Outcome, Score
from reviser.text.edit import Edit, Purpose
from reviser.text.source import Source
from tests.unit.revise.small_paper import Paper, put, reading


def sections(count: int) -> Paper:
    """A paper with `count` sections of one sentence each, in which one word can be bettered."""
    words = [
        f"\\section{{Part {chr(65 + n)}}}\nThe word{chr(97 + n)} is plain here."
        for n in range(count)
    ]
    return reading("\n".join(words))


def edits(paper: Manuscript, count: int) -> list[Edit]:
    """One edit for each section, named by its number."""
    return [
        put(
            paper,
            "plain",
            "quiet",
            at=f"word{chr(97 + n)} is plain",
            purpose=Purpose.POINT,
            name=str(n),
        )
        for n in range(count)
    ]


@dataclass
class Judging:
    """A rubric that says what `word` says of the names of the edits, and keeps what it was asked:
    the text before, and the names."""

    word: Callable[[Sequence[str]], Outcome | float]
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def weigh(self, before: Manuscript, after: Manuscript, edits: Sequence[Edit]) -> Weighed:
        names = tuple(edit.id for edit in edits)
        self.asked.append(names)
        said = self.word(names)
        if isinstance(said, Outcome):
            return Weighed(said, (f"said of {len(names)}",))
        outcome = Outcome.ACCEPTED if said > 0 else Outcome.REJECTED
        return Weighed(outcome, (f"{said:+.2f}",), (Score(MEAN, 3.0),), (Score(MEAN, 3.0 + said),))


def vetoing(bad: Sequence[str]) -> Judging:
    """Refuses every group with a bad member, and passes every other."""
    return Judging(lambda names: Outcome.REJECTED if set(bad) & set(names) else Outcome.ACCEPTED)


def unread(paper: Paper) -> Callable[[Mapping[str, Source]], Manuscript]:
    """Reads nothing anew: for edits that change no place, where thousands are judged."""
    return lambda sources: replace(paper.manuscript, sources=dict(sources))


def fast(paper: Paper, rubric: Judging) -> Gate:
    """A gate for simulations, of which the rubric is all that counts."""
    return Gate(unread(paper), checks=(), rubric=rubric)
