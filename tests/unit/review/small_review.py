"""A paper and a review of it as literals, and replies about them in few words."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from reviser.findings import Severity
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.ports import ChatRequest
from reviser.review.model import (
    Action,
    Dimension,
    Grade,
    Mark,
    Point,
    Remedy,
    Review,
    Scorecard,
)
from reviser.review.treatable import section_at
from reviser.text.source import Place, Span

BODY = r"""\begin{abstract}
We survey how pumps are controlled and what that costs.
\end{abstract}
\section{Introduction}\label{sec:intro}
Pumps move water in every house \cite{a}. They were studied for a hundred years \cite{b}. % quiet
Valves waste energy, which nobody has measured in the field.

Motors are cheap now. Drives are cheap too, and they are sold in every shop.

\section{Methods}
We compare valves with drives. Each was tried for 30 days, and
the loss was $x = 3$ watts.
\begin{equation}
  y = 2 x
\end{equation}
\begin{table}
\caption{Losses of all the pumps that were tried.}
\begin{tabular}{ll} valve & 30 \\ drive & 3 \\ \end{tabular}
\end{table}

\subsection{Limits}
The rig was small. The water was clean.

\section{Results}
Drives lose less than valves in all but two of the rigs. The drives were new. Each was tried once.
"""
BIB = "@misc{a, title = {On a}, year = 2001}\n@misc{b, title = {On b}, year = 2002}\n"

REVIEW = Review(
    summary="A survey of pumps.",
    soundness=Mark(3, "fair"),
    presentation=Mark(2, "uneven"),
    contribution=Mark(3, "useful"),
    strengths=("It is short.",),
    weaknesses=(
        "The introduction lists works without relating them.",
        "The number of rigs is never given.",
    ),
    questions=("Were the drives new?",),
    rating=6,
    confidence=3,
    model="scripted",
    scorecard=Scorecard(
        (
            Grade(Dimension.COVERAGE, 3, why="thin", plan="Say what was not covered."),
            Grade(Dimension.STRUCTURE, 4),
        ),
        "scripted",
    ),
)


def manuscript(body: str = BODY, **more: str) -> Manuscript:
    """The paper, in English however short; `more` are other .tex files by their stems."""
    main = (
        "\\documentclass{article}\n\\title{On pumps}\n\\begin{document}\n\\maketitle\n"
        f"{body}\\bibliography{{refs}}\n\\end{{document}}\n"
    )
    files = {"main.tex": main, "refs.bib": BIB}
    files |= {f"{stem}.tex": text for stem, text in more.items()}
    memory = Memory({name: text.encode() for name, text in files.items()})
    return replace(Reading(memory).manuscript, language="en")


def at(paper: Manuscript, words: str, path: str = "main.tex") -> Place:
    """Where words stand that stand once in the file."""
    text = paper.sources[path].text
    assert text.count(words) == 1, f"{words!r} stands {text.count(words)} times"
    start = text.index(words)
    return Place(path, Span(start, start + len(words)))


def said(quote: str, **other: str) -> dict[str, str]:
    """A point in a reply to decompose-review."""
    usual = {
        "of": "W1",
        "quote": quote,
        "message": f"Say more about {quote[:20]}.",
        "dimension": "synthesis",
        "severity": "warning",
        "action": "rewrite sentence",
        "needs": "",
    }
    return {**usual, **other}


def points(*rows: Mapping[str, str]) -> Callable[[ChatRequest], str]:
    """A helper that says the same of every part."""
    return lambda _: json.dumps({"points": rows})


def point(
    paper: Manuscript,
    words: str,
    *,
    path: str = "main.tex",
    id: str = "",  # noqa: A002 - the point's own name
    rule: str = "review-coverage",
    message: str = "",
    severity: Severity = Severity.NOTE,
    action: Action | None = Action.REWRITE_SENTENCE,
    dimension: Dimension = Dimension.COVERAGE,
    needs: str = "",
) -> Point:
    """A point on words that stand once in the file."""
    place = at(paper, words, path)
    return Point(
        id=id or f"id-{place.span.start}-{rule}",
        rule=rule,
        message=message or f"Say more about {words}.",
        quote=words,
        place=place,
        section=section_at(paper, place),
        lines=paper.lines(place),
        dimension=dimension,
        severity=severity,
        remedy=Remedy.AUTHOR if action is None else Remedy.TOOL,
        action=action,
        needs=needs,
    )
