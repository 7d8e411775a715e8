"""A long paper made of plain sentences, and edits that make it better, worse, longer or finer."""

import json
import re
from dataclasses import replace
from random import Random

from reviser.manuscript.model import Manuscript
from reviser.revise.controls import FINER, HOLLOW
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Span
from tests.fakes.judges import BETTER, WORSE
from tests.unit.revise.small_paper import REFS, Paper, reading

_WHO = (
    "the model",
    "this method",
    "an encoder",
    "the corpus",
    "a reader",
    "the parser",
    "each run",
)
_DOES = ("shows", "improves", "uses", "provides", "needs", "allows", "finds", "changes", "keeps")
_WHAT = (
    "many small parts", "a clear way to rank them", "the same results again", "very large tables",
    "several new problems", "an important idea", "only some of the words", "the main approach",
)  # fmt: skip
_WHEN = ("while it is used", "in most areas", "when data are few", "as others found", "at night")


def long_paper(sections: int = 8, paragraphs: int = 12, seed: int = 1) -> Paper:
    """A paper of some 20,000 tokens, counted as `budget` does, with the usual number of sections.

    Every sentence is another one, and every third has a citation.
    """
    draw = Random(f"paper {seed}")  # noqa: S311
    number = 0
    parts = []
    for section in range(sections):
        if section:
            parts.append(f"\\section{{Part {section}}}")
        for _ in range(paragraphs):
            sentences = []
            for _ in range(8):
                number += 1
                words = " ".join(draw.choice(row) for row in (_WHO, _DOES, _WHAT, _WHEN))
                cite = f"~\\cite{{{draw.choice('abcdef')}}}" if number % 3 == 0 else ""
                sentences.append(f"In case {number} {words}{cite}.")
            parts.append(" ".join(sentences))
    return reading("\n\n".join(parts), REFS)


def paragraph_numbers(paper: Manuscript) -> list[int]:
    """The paragraphs of running text, by their indices."""
    return [n for n, paragraph in enumerate(paper.paragraphs) if paragraph.kind == "body"]


def edit(paper: Manuscript, paragraph: int, kind: str, name: str = "") -> Edit:
    """An edit of one paragraph: `better`, `worse`, `padding`, `style`, or `nothing` (a word that
    stands for another just like it)."""
    place = paper.paragraphs[paragraph].at
    sentences = [s for s in paper.sentences if s.paragraph == paragraph]
    at = sentences[1].at
    old = paper.text(at)
    stop = at.span.stop
    if kind in {"better", "worse"}:
        new = old.replace("In case", f"In {BETTER if kind == 'better' else WORSE} case", 1)
    elif kind == "nothing":
        new = old.replace("In case", "In the case of", 1)
    elif kind == "style":
        at = Place(place.path, Span(sentences[0].at.span.start, sentences[-1].at.span.stop))
        old = paper.text(at)
        new = re.sub(r"[a-z]+", lambda match: FINER.get(match[0], match[0]), old)
    elif kind == "padding":
        at, old = Place(place.path, Span(stop, stop)), ""
        new = "".join(f" {HOLLOW[(paragraph + n) % len(HOLLOW)]}" for n in range(2))
    else:
        raise ValueError(kind)
    part = Replacement(at, old, new)
    return Edit(name or f"{kind} {paragraph}", "review-synthesis", (part,), Purpose.POINT, "why")


def of(one: Edit, purpose: Purpose) -> Edit:
    """The same edit for another purpose."""
    return replace(one, purpose=purpose)


def grades(*scores: float) -> str:
    """A reply with these five whole numbers."""
    names = ("coverage", "structure", "relevance", "synthesis", "critical_analysis")
    return json.dumps(dict(zip(names, scores, strict=True)))
