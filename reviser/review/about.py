"""What a paper is about, in its own title and abstract, as it is compared with other papers."""

from dataclasses import dataclass

from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript, Sentence
from reviser.review.shown import shown
from reviser.text.visible import visible

_MOST_SENTENCES = 12
"""Of an abstract, or of the beginning of a paper that has none."""


@dataclass(frozen=True, slots=True)
class About:
    """Title and abstract in plain words, either empty where there is none."""

    title: str
    abstract: str

    @property
    def text(self) -> str:
        """Both as one text."""
        return f"{self.title}. {self.abstract}" if self.title else self.abstract


def about(manuscript: Manuscript) -> About:
    """The title and the abstract, without sentences that are hidden or give orders to a reader; the
    first sentences of the text stand in for an abstract that is not there."""
    title = _said(manuscript, [s for s in _of(manuscript, "title") if s.section == 0][:1])
    abstract = _said(manuscript, _of(manuscript, "abstract"))
    return About(title, abstract or _said(manuscript, _of(manuscript, "body")))


def _of(manuscript: Manuscript, kind: str) -> list[Sentence]:
    return [sentence for sentence in manuscript.sentences if sentence.kind == kind]


def _said(manuscript: Manuscript, sentences: list[Sentence]) -> str:
    said = [
        visible(sentence.plain)
        for sentence in sentences[:_MOST_SENTENCES]
        if not gives_orders(sentence.plain)
        and visible(shown(manuscript, sentence.at).text) == visible(manuscript.text(sentence.at))
    ]
    return " ".join(said)
