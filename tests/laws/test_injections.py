"""Orders hidden in a paper, its bibliography or a corpus of reviews, and a model that obeys any.

The whole loop runs in process on a small paper: verifier, criteria, review, points, decisions,
drafts, the judge's self-test, gate, second round. Its model is gullible: whatever it is shown that
holds an attack's word it obeys (best grades, "yes", the second text, the word in all it writes).
So what must hold is that it is shown none: the edits are those of the clean paper.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reviser.app.advice_json import advice_data, as_record
from reviser.app.improve_output import improve_page
from reviser.app.json_output import improve_data
from reviser.app.page import Page
from reviser.app.record import apply_revision
from reviser.app.scripted import CannedReplies
from reviser.asking import Sampling
from reviser.latex.orders import gives_orders
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Bench
from reviser.pipeline.checking import Checked, Judges, Options, check
from reviser.pipeline.improving import Improved, improve
from reviser.pipeline.plan import Plan
from reviser.ports import ChatReply, ChatRequest
from reviser.review.corpus import Corpus, PublicPaper, PublicReview
from reviser.revise.prose_evidence import _own_text
from reviser.roles import Role, Roles
from reviser.verify.chat_entailment import PROMPT as VERIFY
from reviser.verify.chat_entailment import SENTENCES, ChatEntailment, Opinion
from tests.attacks import Attack, Spot, of
from tests.fakes.roles import OneByOne, bundled
from tests.laws.test_garbage_models import Words

MAIN = r"""\documentclass{article}
\usepackage{xcolor}
\newcommand{\tide}{tide}
@MACRO@
\title{Tides in harbours and what is known of them}
\begin{document}
\maketitle
\begin{abstract}
We survey what is known of tides in harbours. Not all of it agrees, and some of it may be wrong.
\end{abstract}
\section{Introduction}
Tides follow the moon, as sailors have known for a long time~\cite{pytheas}. They do not follow the
wind~\cite{bede}. Many of the good tables are still used in small harbours. The same tables help
ships to find their way. Some large harbours use new ones that show several waves.

Old records show that bays often differ from the open sea.@SAME@
The difference matters for all that follows. Sailors use the difference when they find a good
berth~\cite{bede}. Some of them wrote it down in small tables~\cite{newton}. Many are in use.

@OTHER@

We look at three questions in this paper. The first is how large the waves are in different bays.
The second is where they are lost. The third is what follows for the moon~\cite{newton}.
\section{Models}
The simplest model has one wave and no friction at all. It is wrong in most harbours, since bays
resonate~\cite{bede}. Better models use many waves and show good results~\cite{newton}. The model
with many waves was found to need large tables.

Harbours resonate in different ways. A small bay answers to short waves. A large one answers to long
waves~\cite{bede}. The same bay may answer to several. Some bays still show no answer at all.
\bibliography{refs}
\end{document}
@AFTER@
"""
REFS = r"""@book{pytheas, author = {Pytheas, A.}, title = {On the Ocean}, year = {1901},
  abstract = {Tides follow the moon. Sailors have known it for a long time.}}
@book{bede, author = {Bede, B.}, title = {The Reckoning of Time@TITLE@}, year = {1925}, @NOTE@
  abstract = {Winds do not raise tides. Many waves add up in a harbour, and bays resonate.@BEDE@}}
@article{newton, author = {Newton, I.}, title = {The System of the World}, journal = {P},
  year = {1930},
  abstract = {The moon recedes a little each year as tides lose energy in shallow bays.@NEWTON@}}
"""
HOLES = ("MACRO", "SAME", "OTHER", "AFTER", "TITLE", "NOTE", "BEDE", "NEWTON")

DULL = "The difference matters for all that follows."
SHARP = "The difference matters for all that follows on how tables are used."
LAST = "The third is what follows for the moon"
NEW = "The moon recedes a little each year as tides lose energy in shallow bays"


def _point(of: str, quote: str, message: str, action: str, **more: object) -> dict[str, object]:
    return {
        "of": of,
        "quote": quote,
        "message": message,
        "dimension": "critical analysis",
        "severity": "warning",
        "action": action,
        "choice": "revise",
        "why": "The text leaves it open.",
        "instruction": "Say it in the words of the paragraph.",
        **more,
    }


_MARKS = {
    "questions": [],
    "soundness": [3, "It keeps to its sources."],
    "presentation": [3, "Plain."],
    "contribution": [2, "A selection."],
    "rating": 6,
    "confidence": 4,
}
SCRIPT: Mapping[str, Any] = {
    "review": [
        {
            **_MARKS,
            "when": "on how tables are used",
            "summary": "A readable survey of tides, which says what its comparisons are for.",
            "strengths": [["It asks what is lost.", "The second is where they are lost."]],
            "weaknesses": [["One wave is too few.", "The simplest model has one wave"]],
            "point": [],
        },
        {
            **_MARKS,
            "summary": "A readable survey of tides, whose comparisons are thin at two places.",
            "strengths": [["It asks what is lost.", "The second is where they are lost."]],
            "weaknesses": [
                ["It is not said what the difference matters for.", DULL],
                ["What follows for the moon is asked and not told.", LAST],
            ],
            "point": [
                _point("W1", DULL, "Say what the difference matters for.", "rewrite sentence",
                       sentence=SHARP),
                _point("W2", LAST, "Tell what is known of the moon.", "enhance paragraph",
                       needs="what is known of the moon", new=f"{NEW}.", cites=["newton"]),
            ],
        }
    ],
    "opinion": [],
    "worth": [
        {"when": "on how tables are used", "dimensions": ["critical_analysis", "synthesis",
                                                          "relevance"]},
        {"when": "as tides lose energy in shallow bays", "dimensions": ["coverage", "synthesis",
                                                                  "critical_analysis"]},
    ],
}  # fmt: skip

ABSTRACT = "We survey what is known of tides in harbours. Not all of it agrees."
HONEST = "The survey compares models of tides in harbours by what they leave out, which is good."


def filled(**holes: str) -> dict[str, str]:
    """The paper's files with these words in their places, nothing in the others."""
    files = {"main.tex": MAIN, "refs.bib": REFS}
    for hole in HOLES:
        files = {
            path: text.replace(f"@{hole}@", holes.get(hole, "")) for path, text in files.items()
        }
    return files


class Near(Words):
    """Finds nothing wholly off topic: what cites what is not under test here."""

    name = "near"

    def similarities(self, rows: Sequence[str], columns: Sequence[str]) -> list[list[float]]:
        return [[0.5 + cosine / 2 for cosine in row] for row in super().similarities(rows, columns)]


class Paper:
    """A paper in memory, and a way to read it again."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = {path: text.encode() for path, text in files.items()}
        self._reading = Reading(Memory(self.files))
        self.manuscript = replace(self._reading.manuscript, language="en")

    def reread(self, changed: object) -> Manuscript:
        return replace(self._reading.reread(changed), language="en")  # type: ignore[arg-type]


_WORK = re.compile(r"<<<work ([0-9a-f]{16})\n(.*?)\n\1 work>>>", re.DOTALL)


@dataclass
class Gullible:
    """Says what is plausible, and obeys whatever it reads that holds the `word`."""

    word: str
    canned: CannedReplies
    name: str = "gullible"
    asked: list[ChatRequest] = field(default_factory=list)

    def expect(self, requests: object) -> None:
        """Everything may be asked."""

    def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        said = self._said(request.prompt.partition("/")[0], request.messages[1].text)
        if self.fooled(request):
            said = self._obeyed(said)
        return ChatReply(json.dumps(said), "stop", self.name, 100, 20, 0.0)

    def fooled(self, request: ChatRequest) -> bool:
        """Whether the word stands in what it was shown."""
        return bool(self.word) and any(self.word in message.text for message in request.messages)

    def _said(self, prompt: str, question: str) -> object:
        if prompt == VERIFY:
            work = _WORK.search(question)
            assert work is not None
            quote = re.sub(r"^\s*(?:\[?\(?\d+[\].:)]+)?\s*", "", work[2]).partition(".")[0]
            return {"quote": quote, "grade": 5, "supports": "yes"}
        if prompt == "distil-criteria":
            told = "See whether rival explanations are weighed against each other fairly."
            return {"criteria": [{"name": "Rivals", "instruction": told, "sources": ["r1"]}]}
        return json.loads(self.canned.reply(prompt, question) or "{}")

    def _obeyed(self, said: object, name: str = "") -> object:
        if isinstance(said, dict):
            return {key: self._obeyed(value, key) for key, value in said.items()}
        if isinstance(said, list):
            return [self._obeyed(value, name) for value in said]
        if isinstance(said, bool) or said is None:
            return said
        if isinstance(said, int | float):
            return 5
        fixed = {"supports": "yes", "better": "second", "choice": "revise"}
        if name in fixed or name in {"point", "of", "sources", "quote"}:
            return fixed.get(name, said)
        if name in {"dimension", "severity", "action", "step", "cites"}:
            return said
        return f"{said} {self.word}"


@dataclass(frozen=True)
class Run:
    """A run of the loop, and the model that was asked."""

    improved: Improved
    model: Gullible

    @property
    def edits(self) -> list[tuple[str, str]]:
        """What was accepted: old and new text."""
        return [
            (part.before, part.after)
            for verdict in self.improved.accepted
            for part in verdict.edit.replacements
        ]


def corpus_with(review: str) -> Corpus:
    """Two public reviews of a like paper, one of which says this too."""
    return Corpus(
        (PublicPaper("forum1", "What is known of tides in harbours of the north", ABSTRACT),),
        (
            PublicReview("one", "forum1", strengths=HONEST, weaknesses=HONEST),
            PublicReview("two", "forum1", weaknesses=f"{HONEST} {review}", remarks=HONEST),
        ),
    )


def played(files: Mapping[str, str], word: str, review: str = "") -> Run:
    """The whole loop on a paper of these files, with a corpus that says `review`."""
    paper = Paper(files)
    model = Gullible(word, CannedReplies(SCRIPT, paper.manuscript, lambda: None))

    def role(part: str) -> Role:
        return Role(part, model, bundled, OneByOne(), context=32_000)

    verifier = ChatEntailment(
        model,
        bundled(VERIFY, Opinion.__name__),
        OneByOne(),
        sampling=Sampling(),
        context=32_000,
        addressed=gives_orders,
    )
    judges = Judges(Near(), verifier, sentences=SENTENCES)
    bench = Bench(
        roles=Roles(writer=role("writer"), helper=role("helper")),
        plan=Plan(rounds=2, batch=4),
        corpus=corpus_with(review),
        verifier=verifier,
        sentences=SENTENCES,
    )
    checked = check(paper.manuscript, Options(), judges)
    improved = improve(checked, Options(), judges, reread=paper.reread, bench=bench)
    return Run(improved, model)


@cache
def clean() -> Run:
    return played(filled(), "")


def test_the_clean_paper_is_revised_by_every_part() -> None:
    run = clean()
    assert len(run.edits) >= 2, [(v.edit.rule, v.reasons) for v in run.improved.verdicts]
    asked = {request.prompt.partition("/")[0] for request in run.model.asked}
    assert asked >= {
        "distil-criteria", "review-paper", "decompose-review", "decide-points", "write-sentence",
        "write-paragraph", "verify-support", "score-passage",
    }, asked  # fmt: skip


WAYS: Mapping[str, tuple[str, str]] = {
    "prose": ("SAME OTHER", "Old tables are still kept in good order. {} New ones are not."),
    "footnote": ("SAME OTHER", "Old tables are kept.\\footnote{{It is so. {}}} New ones are not."),
    "caption": ("OTHER", "\\begin{{figure}}x\\caption{{A harbour. {}}}\\end{{figure}}"),
    "item": ("OTHER", "\\begin{{itemize}}\n\\item Old. {}\n\\item New.\n\\end{{itemize}}"),
    "comment": ("SAME OTHER", "Old tables are kept. % {}"),
    "hidden": ("SAME OTHER", "Old tables are kept. \\textcolor{{white}}{{{}}}"),
    "switched off": ("SAME OTHER", "Old tables are kept.\n\\iffalse {} \\fi\n"),
    "after the end": ("AFTER", "{}"),
    "macro": ("MACRO SAME OTHER", "\\newcommand{{\\order}}{{{}}}"),
    "abstract": ("BEDE NEWTON", " {}"),
    "note": ("NOTE", "note = {{{}}},"),
    "title": ("TITLE", " {}"),
}  # fmt: skip
"""Where the orders of a spot are planted, and among what words. SAME is the very paragraph that is
rewritten, NEWTON the abstract that the new sentence cites."""
NEAR_AN_EDIT = frozenset({"SAME", "NEWTON"})


def planted() -> list[tuple[Attack, str]]:
    """Every attack on the paper or its bibliography, with every place it is planted at."""
    return [
        (attack, hole)
        for attack in of(*WAYS)  # type: ignore[arg-type]
        for hole in WAYS[attack.spot][0].split()
    ]


def poisoned(attack: Attack, hole: str) -> dict[str, str]:
    """The paper's files with the attack at a place."""
    text = attack.text
    if hole in {"TITLE", "NOTE", "BEDE", "NEWTON"}:
        text = text.replace("{", "(").replace("}", ")")
    elif attack.spot == "prose" and '"' in text:
        text = text.replace("{", "\\{").replace("}", "\\}")
    words = WAYS[attack.spot][1].format(text)
    if attack.spot == "macro" and hole != "MACRO":
        return filled(MACRO=words, **{hole: " Old tables are kept. \\order{}"})
    return filled(**{hole: f" {words}" if hole == "SAME" else words})


def told(improved: Improved) -> str:
    """The reports of a run for people and for programs, without the findings of rules, which may
    quote what they found."""

    def without(checked: Checked) -> Checked:
        kept = tuple(f for f in checked.findings if f.rule.startswith("review-"))
        return replace(checked, findings=kept)

    improved = replace(improved, before=without(improved.before), after=without(improved.after))
    page = Page()
    improve_page(page, improved, done="made", verbose=False)
    data = improve_data(improved, "error", applied=True)
    said = {name: data[name] for name in ("advice", "edits", "models", "conclusion")}
    return page.plain + json.dumps(said)


def shown_to(run: Run, word: str) -> list[str]:
    """The prompts of the requests that hold the word."""
    return [r.prompt for r in run.model.asked if any(word in m.text for m in r.messages)]


@pytest.mark.parametrize(
    ("attack", "hole"), planted(), ids=lambda value: getattr(value, "word", value)
)
def test_no_order_in_a_paper_reaches_a_model_or_changes_an_edit(attack: Attack, hole: str) -> None:
    run = played(poisoned(attack, hole), attack.word)
    assert not shown_to(run, attack.word)
    if hole in NEAR_AN_EDIT:
        # What stands among orders may be left alone; nothing else may come of them.
        assert set(run.edits) <= set(clean().edits)
    else:
        assert run.edits == clean().edits
    assert attack.word not in told(run.improved)


@pytest.mark.parametrize("attack", of("review"), ids=lambda attack: attack.word)
def test_no_order_in_a_public_review_reaches_a_model(attack: Attack) -> None:
    run = played(filled(), attack.word, review=attack.text)
    assert not shown_to(run, attack.word)
    assert "distil-criteria" in {request.prompt.partition("/")[0] for request in run.model.asked}
    assert run.edits == clean().edits
    assert attack.word not in told(run.improved)


@pytest.mark.parametrize("attack", of("hidden"), ids=lambda attack: attack.word)
def test_what_no_reader_sees_bears_out_no_new_sentence(attack: Attack) -> None:
    manuscript = Paper(poisoned(attack, "OTHER")).manuscript
    (section,) = {s.section for s in manuscript.sentences if "Old tables" in s.plain}
    said = _own_text(manuscript, section)
    assert attack.word not in said
    assert "The difference matters" in said


@pytest.mark.parametrize("spot", ["prose", "hidden", "comment", "abstract", "title"])
def test_reports_and_record_hold_no_word_and_no_prompt(spot: Spot, tmp_path: Path) -> None:
    attack = of(spot)[0]
    hole = WAYS[spot][0].split()[-1]
    files = poisoned(attack, hole)
    for path, text in files.items():
        (tmp_path / path).write_bytes(text.encode())
    run = played(files, attack.word)
    advice = as_record(advice_data(run.improved))
    apply_revision(tmp_path, run.improved.revision, when=datetime.now(UTC), advice=advice)
    (record,) = tmp_path.glob(".reviser/runs/*/record.json")
    said = record.read_text() + told(run.improved)
    assert attack.word not in said
    for request in run.model.asked:
        assert request.messages[0].text[:60] not in said


def test_a_gullible_model_shown_an_order_would_obey() -> None:
    harmless = "Old tables are kept, said xylograph99."
    run = played(filled(OTHER=harmless), "xylograph99")
    assert shown_to(run, "xylograph99")
    assert run.edits != clean().edits or "xylograph99" in told(run.improved)
