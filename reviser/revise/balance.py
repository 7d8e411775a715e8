"""Whether groups and environments close, counted without the scanner, so that both must err."""

import re
from collections import Counter

_PIECE = re.compile(r"\\(?:begin|end)[ \t]*\{([^{}\\\n]{0,60})\}|\\[^A-Za-z@]|[{}]")


def imbalance(text: str) -> Counter[str]:
    """What does not close in `text` (comments and verbatims blanked): how often each.

    A brace that crosses an environment's border counts as well.
    """
    problems: Counter[str] = Counter()
    waiting: list[str] = []
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece == "{" or piece.startswith("\\b"):
            waiting.append("{" if piece == "{" else f"\\begin{{{match[1].strip()}}}")
        elif piece == "}" or piece.startswith("\\e"):
            opener = "{" if piece == "}" else f"\\begin{{{match[1].strip()}}}"
            closer = "}" if piece == "}" else f"\\end{{{match[1].strip()}}}"
            if waiting and waiting[-1] == opener:
                waiting.pop()
            elif opener in waiting[-_FAR:]:
                while waiting[-1] != opener:
                    problems[waiting.pop()] += 1
                waiting.pop()
            else:
                problems[closer] += 1
    problems.update(waiting)
    return problems


_FAR = 200  # how far back an opener is looked for: hostile nesting must not cost its square
