"""A point that asks for a table, from the review to the file: `improve --review`, the real client
against a server on loopback, on the bundled paper; every cell explained, every byte back.
"""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from test_review_loop import (
    PROMPTS,
    TEMPLATES,
    as_json,
    clean,
    files,
    improve,
    paper,
    run,
)

from reviser.adapters.files import Folder
from reviser.app.scripted import CannedReplies, script
from reviser.manuscript.load import Reading
from tests.fakes.openai_server import Answer, Asked, OpenAIServer, Say

__all__ = ["clean", "paper"]

MESSAGE = "Set the corpora of sentence pairs and claims side by side in a table."
POINT = {
    "of": "W4",
    "quote": "Image captions are a narrow world.",
    "message": MESSAGE,
    "dimension": "synthesis",
    "severity": "warning",
    "action": "add table",
    "needs": "corpora of labelled sentence pairs and claims: size and origin",
    "choice": "revise",
    "why": "Readers compare them anyway.",
    "instruction": "Set the corpora of labelled sentence pairs and of claims side by side.",
}


def cell(column: str, text: str, quote: str) -> dict[str, str]:
    return {"column": column, "text": text, "quote": quote}


ROWS = [
    {
        "key": "bowman2015snli",
        "cells": [
            cell("Size", "570,000 labelled sentence pairs", "of 570,000 labelled sentence pairs."),
            cell("Source", "people who were shown image captions",
                 "written by people who were shown image captions"),
        ],
    },
    {
        "key": "williams2018mnli",
        "cells": [
            cell("Size", "433,000 sentence pairs", "offers 433,000 sentence pairs annotated for"),
            # Words of another work: this cell stays empty.
            cell("Source", "altering sentences of Wikipedia",
                 "claims made by altering sentences of Wikipedia"),
        ],
    },
    {
        "key": "thorne2018fever",
        "cells": [
            cell("Size", "185,445 claims", "It consists of 185,445 claims made by altering"),
            cell("Source", "altering sentences of Wikipedia",
                 "claims made by altering sentences of Wikipedia"),
        ],
    },
]  # fmt: skip
TABLE = {
    "caption": "Labelled sentence pairs and claims",
    "columns": ["Size", "Source"],
    "rows": ROWS,
}
WORTH = "sets works side by side by size and source."


@pytest.fixture(scope="module")
def canned() -> CannedReplies:
    said: dict[str, Any] = copy.deepcopy(dict(script()))
    said["review"][1]["point"].append(POINT)
    manuscript = Reading(Folder(TEMPLATES / "demo")).manuscript
    return CannedReplies(said, manuscript, lambda: None)


def server(canned: CannedReplies, table: Any = TABLE, **graded: int) -> OpenAIServer:
    """A judge that prizes the table, a writer that gives its data, a helper that makes no trees."""

    def say(asked: Asked) -> Answer:
        prompt = PROMPTS[asked.system]
        if prompt == "write-table":
            return Say(json.dumps(table))
        if prompt in {"classify-work", "extract-attributes"}:
            return Say("I cannot say.")
        reply = canned.reply(prompt, asked.user)
        if prompt == "score-passage" and WORTH in " ".join(asked.user.split()):
            return Say(json.dumps(dict.fromkeys(json.loads(reply), graded.get("grade", 5))))
        return Say(reply)

    return OpenAIServer(say)


def test_a_table_that_a_review_asks_for_is_put_in_explained_and_taken_back(
    paper: Path, canned: CannedReplies
) -> None:
    before = files(paper)
    with server(canned) as at:
        data = as_json(improve(paper, at, "--format", "json"))
    points = {p["message"]: p for one in data["advice"]["rounds"] for p in one["points"]}
    assert points[MESSAGE]["action"] == "add table"
    assert points[MESSAGE]["fate"] == "revised", points[MESSAGE]["why"]
    text = files(paper)["sections/verification.tex"].decode()
    assert "\\begin{table}" in text
    assert "& 570,000 labelled sentence pairs & people who were shown image captions \\\\" in text
    assert "& 433,000 sentence pairs & -- \\\\" in text
    (edit,) = [e for e in data["edits"] if e["grounds"]]
    assert edit["outcome"] == "accepted"
    assert {(g["key"], g["where"]) for g in edit["grounds"]} == {
        ("bowman2015snli", "abstract"),
        ("williams2018mnli", "abstract"),
        ("thorne2018fever", "abstract"),
    }
    told = run("explain", points[MESSAGE]["id"][:6], paper)
    assert told.exit_code == 0, told.output
    flat = " ".join(told.output.split())
    assert '185,445 claims: thorne2018fever, abstract: "It consists of 185,445 claims made' in flat
    assert "cells rest on words of 3 works" in flat
    assert run("undo", paper).exit_code == 0
    assert files(paper) == before


def test_without_blocks_the_point_is_the_authors(paper: Path, canned: CannedReplies) -> None:
    with server(canned) as at:
        data = as_json(improve(paper, at, "--blocks", "0", "--format", "json"))
        asked = {PROMPTS[one.system] for one in at.asked}
    points = {p["message"]: p for one in data["advice"]["rounds"] for p in one["points"]}
    assert points[MESSAGE]["action"] is None
    assert points[MESSAGE]["fate"] == "for the authors"
    assert "write-table" not in asked


def test_a_table_that_makes_the_text_worse_is_refused(paper: Path, canned: CannedReplies) -> None:
    with server(canned, grade=1) as at:
        data = as_json(improve(paper, at, "--format", "json"))
    points = {p["message"]: p for one in data["advice"]["rounds"] for p in one["points"]}
    assert points[MESSAGE]["fate"] == "refused"
    assert "\\begin{table}" not in files(paper)["sections/verification.tex"].decode()
