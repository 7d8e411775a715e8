"""Replies in a language that nobody asked for are of no use to the authors."""

from collections.abc import Iterable

from reviser.latex.language import detect
from reviser.manuscript.model import Manuscript

FOREIGN = "it is in another language than the paper"


def foreign(manuscript: Manuscript, texts: Iterable[str]) -> str:
    """Why texts about a paper cannot be used, "" where they can: they are to be in English, or in
    the paper's own language. What is too short to tell may be in any."""
    said = detect(" ".join(texts))
    return "" if said in {"", "en", manuscript.language} else FOREIGN
