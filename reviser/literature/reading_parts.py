"""The text of a work as a model may be shown it: without orders, in parts that fit."""

import re

from reviser.budget import tokens_of
from reviser.latex.orders import gives_orders
from reviser.latex.sentences import split
from reviser.text.visible import visible, visible_lines

SHORT = 4_000
"""Characters up to which a text with an order in it is withheld as a whole, as an abstract is."""
LONGEST = 600_000
"""Characters of a work that are looked at."""

_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def readable(text: str) -> str:
    """The text with its lines, without what nobody sees and without orders; "" where too little is
    sure to be free of them. Of a long text a sentence that gives orders is left out with its
    neighbours."""
    shown = visible_lines(text[:LONGEST])
    if not _ordering(shown):
        return shown
    if len(shown) <= SHORT:
        return ""
    kept = "\n\n".join(filter(None, map(_harmless, _BLANK_LINE.split(shown))))
    return "" if _ordering(kept) else kept


def _ordering(text: str) -> bool:
    return gives_orders(text) or gives_orders(visible(text))


def _harmless(paragraph: str) -> str:
    if not _ordering(paragraph):
        return paragraph
    plain = visible(paragraph)
    sentences = [plain[span.start : span.stop] for span in split(plain)]
    spoilt = {n + step for n, s in enumerate(sentences) if gives_orders(s) for step in (-1, 0, 1)}
    kept = " ".join(s for n, s in enumerate(sentences) if n not in spoilt)
    return "" if not spoilt or gives_orders(kept) else kept


def split_in_parts(text: str, tokens: int) -> list[str]:
    """The text in parts of at most so many tokens (`budget.tokens_of`), each ending with a
    paragraph, else with a sentence, else anywhere."""
    if tokens_of(text) <= tokens:
        return [text] if text else []
    parts: list[str] = []
    for piece, glue in _pieces(text, tokens):
        joined = f"{parts[-1]}{glue}{piece}" if parts else piece
        if parts and tokens_of(joined) <= tokens:
            parts[-1] = joined
        else:
            parts.append(piece)
    return parts


def _pieces(text: str, tokens: int) -> list[tuple[str, str]]:
    """Pieces that fit by themselves, each with what stood between it and the one before."""
    pieces: list[tuple[str, str]] = []
    for paragraph in filter(None, _BLANK_LINE.split(text)):
        if tokens_of(paragraph) <= tokens:
            pieces.append((paragraph, "\n\n"))
            continue
        glue = "\n\n"
        for span in split(paragraph):
            sentence = paragraph[span.start : span.stop]
            # A character has at most four bytes, so this many always fit.
            step = len(sentence) if tokens_of(sentence) <= tokens else max(1, 3 * tokens // 4)
            for start in range(0, len(sentence), max(1, step)):
                pieces.append((sentence[start : start + step], glue))
                glue = " " if start + step >= len(sentence) else ""
            glue = " "
    return pieces
