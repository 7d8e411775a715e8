"""A paper on terns with four works, for the tests of what puts in sections and tables."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from reviser.latex.language import detect
from reviser.literature.paper import Author, Paper
from reviser.literature.sources import Answer
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading

PREAMBLE = "\\documentclass{article}\n"
BODY = """\\begin{document}
\\section{Introduction}\\label{sec:intro}
Terns are small seabirds that breed on beaches and eat fish~\\cite{ash}. Many works describe where
they breed and how far they fly~\\cite{birch,cedar}.

We study the terns of two islands. Section~\\ref{sec:islands} describes the islands.

\\section{Islands}\\label{sec:islands}
The islands lie far from the coast. Their beaches are narrow and wet.

\\section{Conclusion}\\label{sec:end}
Terns need wide beaches for their nests, and dunes behind them in which they also nest.
\\bibliographystyle{plain}
\\bibliography{refs}
\\end{document}
"""
REFS = """@article{ash,
  author = {Ash, Ann and Oak, Olga},
  title = {Terns on Beaches},
  journal = {Birds},
  year = {2011},
  abstract = {Terns breed on wide sandy beaches. We counted 120 nests on four beaches in spring.
    They feed their young with small fish.}
}
@article{birch,
  author = {Birch, Ben},
  title = {The Flight of Terns},
  journal = {Birds},
  year = {2015},
  abstract = {We followed terns with radio tags over two winters. They fly more than 30000 km in
    a year. They rest on the open sea.}
}
@article{cedar,
  author = {Cedar, Cleo},
  title = {Nests in the Dunes},
  journal = {Shores},
  year = {2019},
  abstract = {Terns also nest in the dunes behind beaches. We mapped nests with drones. Foxes do not
    reach the nests there.}
}
@article{dogwood,
  author = {Dogwood, Dee},
  title = {What Young Terns Eat},
  journal = {Shores},
  year = {2020},
  abstract = {Young terns eat sand eels. We filmed 14 nests on one beach in summer.}
}
"""
FOUND = Paper(
    source="Flora",
    id="F1",
    title="Terns and Storms",
    authors=(Author("Elm", "Eve"),),
    year=2022,
    venue="Birds",
    kind="article",
    doi="10.1000/elm",
    abstract="Storms wash the nests of terns away from beaches. We watched nests in nine storms.",
)


class Flora:
    """A place of search that has one work."""

    name = "Flora"

    def __init__(self, *papers: Paper) -> None:
        self.papers = papers or (FOUND,)
        self.asked: list[str] = []

    def search(self, query: str, most: int) -> Answer:
        self.asked.append(query)
        return self.papers[:most]


def reading(
    preamble: str = PREAMBLE, body: str = BODY, refs: str = REFS, newline: str = "\n"
) -> Reading:
    """The paper, read."""
    text = (preamble + body).replace("\n", newline)
    read = Reading(Memory({"main.tex": text.encode(), "refs.bib": refs.encode()}))
    assert detect(read.manuscript.sources["main.tex"].text) in {"en", ""}
    return read


SECTION = {
    "title": "Nests of terns",
    "paragraphs": [
        {
            "sentences": [
                {"text": "Terns breed on wide sandy beaches.", "cites": ["ash"]},
                {"text": "They also nest in the dunes behind beaches.", "cites": ["CEDAR"]},
                {"text": "Beaches and dunes both hold their nests.", "cites": []},
            ]
        }
    ],
}


def row(key: str, *cells: tuple[str, str, str]) -> Mapping[str, Any]:
    """A row of a reply."""
    return {"key": key, "cells": [{"column": c, "text": t, "quote": q} for c, t, q in cells]}


TABLE = {
    "caption": "Works on terns by place and method",
    "columns": ["Place", "Method"],
    "rows": [
        row(
            "ash",
            ("Place", "wide sandy beaches", "Terns breed on wide sandy beaches."),
            ("Method", "counted 120 nests", "We counted 120 nests on four beaches in spring."),
        ),
        row(
            "birch", ("Method", "radio tags", "We followed terns with radio tags over two winters")
        ),
        row(
            "cedar",
            ("Place", "dunes behind beaches", "Terns also nest in the dunes behind beaches."),
            ("Method", "mapped nests with drones", "We mapped nests with drones."),
        ),
    ],
}
TIMELINE = {
    "caption": "Works on nests of terns",
    "events": [
        {"key": "dogwood", "event": "filmed 14 nests", "quote": "We filmed 14 nests on one beach"},
        {"key": "ash", "event": "counted 120 nests", "quote": "We counted 120 nests on four"},
        {
            "key": "cedar",
            "event": "mapped nests with drones",
            "quote": "We mapped nests with drones.",
        },
    ],
}


def no_trees() -> Mapping[str, Any]:
    """A helper of whom no tree can be had, so that works are shown by their sentences."""
    return {"classify-work": lambda _: "no", "extract-attributes": lambda _: "no"}


def said(value: Any) -> Sequence[str]:
    """A reply as JSON."""
    return (json.dumps(value),)
