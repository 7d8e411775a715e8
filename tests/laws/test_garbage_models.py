"""A garbage writer and a lying judge: whatever models say, the paper that comes out is the paper.

A thousand seeded runs over a small paper of several files, through review, points, revise or rebut,
drafts, gate and a second round, with an adversary in every part. In each the hard checks hold of
every edit that was accepted; where none was, no byte differs; and nothing crashes.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from reviser.errors import ReviserError
from reviser.findings import Severity
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Bench
from reviser.pipeline.checking import Judges, Options, check
from reviser.pipeline.improving import Improved, improve
from reviser.pipeline.plan import Plan
from reviser.ports import Entailed
from reviser.review.model import Dimension, Point, Remedy
from reviser.revise.additions import announced
from reviser.revise.batch import certify_group
from reviser.revise.change import Change
from reviser.revise.checks import refusals
from reviser.revise.draft import Draft
from reviser.revise.evidence import Known, Weighed
from reviser.revise.gate import Gate
from reviser.revise.rounds import apart
from reviser.revise.treatment import Decision, Proposal
from reviser.revise.verdict import Outcome, Revision
from reviser.roles import Role, Roles
from reviser.text.edit import Edit, Ground, Purpose, Replacement, apply
from reviser.text.source import Place, Span
from reviser.verify.claim import claims as read_claims
from reviser.verify.evidence import works
from reviser.verify.model import Label, Support
from tests.fakes.adversary import ATTACKS, MOODS, Adversary, Mood
from tests.fakes.roles import OneByOne, bundled

RUNS = 1000
RECKLESS = 100
CHUNK = 50

MAIN = r"""\documentclass{article}
\usepackage{amsmath}
\newcommand{\tool}{\textsc{Tide}}
\title{Tides and what is known of them}
\begin{document}
\maketitle
\begin{abstract}
We survey what is known of tides. Not all of it agrees, and some of it may be wrong.
\end{abstract}
\section{Introduction}\label{sec:intro}
% TODO the first paragraph is too long
Tides follow the moon, as sailors have known for more than 2000 years~\cite{pytheas}. They do not
follow the wind~\cite{bede,newton}. About 70\% of the energy is lost in shallow seas, where the
friction at the ground is large. It may be that some of it is lost elsewhere.

In this paper we look at three questions. First, how large is the loss? Second, where does it
happen? Third, what follows for the moon, whose distance grows by $3.8$ cm a year~\citep{newton}?
\input{body}
\bibliography{refs}
\end{document}
"""
BODY = r"""\section{Models}\label{sec:models}
The simplest model has one wave, $h(t) = a \cos(\omega t)$, and no friction at all. It is wrong in
most harbours, since bays resonate. Better models have many waves \citep[see][p.~4]{bede}.

\begin{equation}\label{eq:loss}
  E = \int_0^T F v \, dt
\end{equation}

Equation~\ref{eq:loss} gives the loss. \tool{} computes it for a whole sea, but ``only roughly'',
as its authors say~\cite{pytheas}. Earlier work did not reach 10 stations; ours reaches 120.
\begin{itemize}
  \item Stations in bays are often wrong by an hour.
  \item Stations in open water are never wrong by more than ten minutes\footnote{See
    Section~\ref{sec:intro}.}.
\end{itemize}
\begin{figure}
  \caption{The loss at 120 stations. Larger is worse.}\label{fig:loss}
\end{figure}
"""
REFS = r"""@book{pytheas, author = {Pytheas, A.}, title = {On the Ocean}, year = {1901},
  abstract = {Tides follow the moon. Sailors have known it for more than two thousand years.}}
@book{bede, author = {Bede, B.}, title = {The Reckoning of Time}, year = {1925},
  abstract = {Winds do not raise tides. Many waves add up in a harbour, and bays resonate.}}
@article{newton, author = {Newton, I.}, title = {The System of the World}, journal = {P},
  year = {1930}, abstract = {The distance of the moon grows. Wind has no share in the tides.}}
"""


class Words:
    """An embedder that counts words: equal texts are at 1, texts without a common word at 0."""

    name = "shared words"

    def similarities(self, rows: Sequence[str], columns: Sequence[str]) -> list[list[float]]:
        return [[self._cosine(row, column) for column in columns] for row in rows]

    def _cosine(self, one: str, other: str) -> float:
        a, b = (Counter(re.findall("[a-z]{4,}", text.lower())) for text in (one, other))
        size = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
        return sum(a[word] * b[word] for word in a) / size if size else 0.0


class Yes:
    """A verifier that finds everything supported: it stands in nobody's way."""

    name = "yes"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        return [Entailed(0.99, 0.0) for _ in pairs]


class Tides:
    """The paper, and a way to read it again."""

    def __init__(self) -> None:
        files = {"main.tex": MAIN, "body.tex": BODY, "refs.bib": REFS}
        self._reading = Reading(Memory({name: text.encode() for name, text in files.items()}))
        self.manuscript = replace(self._reading.manuscript, language="en")

    def reread(self, changed: object) -> Manuscript:
        return replace(self._reading.reread(changed), language="en")  # type: ignore[arg-type]


PAPER = Tides()
JUDGES = Judges(Words(), Yes())
CHECKED = check(PAPER.manuscript, Options(), JUDGES)


def played(seed: int, writer: Mood, helper: Mood) -> Improved:
    """A run with an adversary as writer and another as helper, judge and verifier."""

    def role(part: str, mood: Mood, salt: int) -> Role:
        model = Adversary(seed * 2 + salt, mood)
        return Role(part, model, bundled, OneByOne(), context=16_000)

    roles = Roles(writer=role("writer", writer, 0), helper=role("helper", helper, 1))
    bench = Bench(roles=roles, plan=Plan(rounds=2, batch=4), verifier=Yes())
    return improve(CHECKED, Options(), JUDGES, reread=PAPER.reread, bench=bench)


def held(revision: Revision) -> None:
    """What must hold of any run."""
    accepted = [v for v in revision.verdicts if v.outcome is Outcome.ACCEPTED]
    edits = [verdict.edit for verdict in accepted]
    assert revision.after == {
        path: source
        for path, source in apply(PAPER.manuscript.sources, edits).items()
        if path in revision.after
    }
    if not edits:
        assert not revision.after, "nothing was accepted, so nothing may differ"
        return
    for edit in edits:
        after = PAPER.reread(
            {**PAPER.manuscript.sources, **apply(PAPER.manuscript.sources, [edit])}
        )
        refused = refusals(Change(PAPER.manuscript, after, edit))
        assert not refused, (edit, refused)
    whole = PAPER.reread({**PAPER.manuscript.sources, **revision.after})
    before = PAPER.manuscript
    assert not set(whole.unparsed) - set(before.unparsed)
    labels = [label.name.name for label in whole.labels]
    old = [one.name.name for one in before.labels]
    # A new section or table has a label of its own; none goes, and none stands twice.
    assert [name for name in labels if name in old] == old
    assert len(set(labels)) == len(labels)
    assert len(whole.macros) == len(before.macros)
    known = set(before.entry_of)
    assert all(k.name.lower() in known for c in whole.citations for k in c.keys)
    for path, source in revision.after.items():
        text = source.text
        for word in (r"\input{/etc", r"\write18", r"\catcode", r"\directlua", r"\openout", "\x00"):
            assert word not in text, (path, word)


class Better:
    """A rubric that finds every edit an improvement, whatever the judge's self-test would say."""

    def weigh(self, before: Manuscript, after: Manuscript, edits: Sequence[Edit]) -> Weighed:
        return Weighed(Outcome.ACCEPTED, ("better",))


def supported(manuscript: Manuscript) -> Known:
    """Evidence that finds every claim supported by all it cites."""
    found = tuple(
        Support(number, key, Label.SUPPORTED, 0.99, "yes", "")
        for number, claim in enumerate(read_claims(manuscript, "group"))
        for key in claim.keys
    )
    return Known(read_claims(manuscript, "group"), found)


GATE = Gate(
    PAPER.reread,
    supports=supported,
    rubric=Better(),
    grounded=lambda premise, hypothesis: Entailed(0.99, 0.0),
    passages=lambda paper, key: works(paper, {})[key.lower()].passages,
)


def reckless(seed: int) -> list[Edit]:
    """Edits as no writer of ours would send them: any stretch of any file, any words for it."""
    dice = random.Random(seed)  # noqa: S311 - it must come out the same each time
    edits: list[Edit] = [blocked(dice)]
    sources = PAPER.manuscript.sources
    for number in range(4):
        path = dice.choice(sorted(sources))
        text = sources[path].text
        place = dice.choice([p.at for p in PAPER.manuscript.paragraphs])
        start, stop = place.span.start, place.span.stop
        if dice.random() < 0.3:
            start = dice.randrange(len(text))
            stop = min(len(text), start + dice.randrange(0, 80))
        else:
            path, text = place.path, sources[place.path].text
            start = dice.randint(start, stop)
            stop = dice.randint(start, stop)
        new = sabotaged(dice, text[start:stop])
        part = Replacement(Place(path, Span(start, stop)), text[start:stop], new)
        purpose = dice.choice([Purpose.POINT, Purpose.CLAIM_REWRITE, Purpose.HUMAN])
        edit = Edit(f"e{number}", "review-structure", (part,), purpose, "because")
        try:
            after = PAPER.reread({**sources, **apply(sources, [edit])})
        except ReviserError:
            edits.append(edit)
            continue
        edits.append(announced(edit, PAPER.manuscript, after))
    return edits


def blocked(dice: random.Random) -> Edit:
    """A section or a table put in somewhere, most often with something in it that must not come."""
    place = dice.choice([p.at for p in PAPER.manuscript.paragraphs if p.kind in {"body", "item"}])
    spot = place.span.stop if dice.random() < 0.8 else dice.randint(*_ends(place.span))
    text = dice.choice(BLOCKS)
    if dice.random() < 0.7:
        words = text.split(" ")
        words.insert(dice.randrange(len(words)), dice.choice([*ATTACKS, *SMALL]))
        text = " ".join(words)
    grounds = tuple(
        Ground(said, key, "abstract", dice.choice([quote, quote, "Wind has no share in this."]))
        for said, key, quote in GROUNDS
    )
    part = Replacement(Place(place.path, Span(spot, spot)), "", text)
    edit = Edit("block", "review-coverage", (part,), Purpose.POINT, "because", grounds=grounds)
    sources = PAPER.manuscript.sources
    try:
        after = PAPER.reread({**sources, **apply(sources, [edit])})
    except ReviserError:
        return edit
    return announced(edit, PAPER.manuscript, after)


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.stop


def sabotaged(dice: random.Random, text: str) -> str:
    """The text with something harmful, or something small enough to be overlooked."""
    words = text.split(" ")
    way = dice.randrange(7)
    if way == 0:
        return f"{text} {dice.choice(ATTACKS)}"
    if way == 1 and words:
        words.pop(dice.randrange(len(words)))
        return " ".join(words)
    if way == 2 and words:
        words.insert(dice.randrange(len(words)), dice.choice(SMALL))
        return " ".join(words)
    if way == 3:
        dice.shuffle(words)
        return " ".join(words)
    if way == 4:
        return (
            f"{text} This also holds for small ponds \\cite{{{dice.choice(['bede', 'nobody'])}}}."
        )
    if way == 5:
        return text.replace(dice.choice(words or ["a"]), dice.choice(SMALL), 1)
    return f"{text} Ponds were looked at as well."


BLOCKS = (
    """

\\subsection{Tides and waves}\\label{sec:tides-and-waves}

Many waves add up in a harbour~\\cite{bede}. Tides follow the moon~\\cite{pytheas}.
Both are known.""",
    """

\\section{Tides and waves}\\label{sec:tides-and-waves}

Many waves add up in a harbour~\\cite{bede}.""",
    """

Table~\\ref{tab:tides} sets works side by side by object.

\\begin{table}[t]
  \\centering
  \\caption{Works on tides by object}
  \\label{tab:tides}
  \\begin{tabular}{ll}
    \\hline
    Work & Object \\\\
    \\hline
    Pytheas~\\cite{pytheas} & tides \\\\
    Bede~\\cite{bede} & waves \\\\
    Newton~\\cite{newton} & the moon \\\\
    \\hline
  \\end{tabular}
\\end{table}""",
)
GROUNDS = (
    ("tides", "pytheas", "Tides follow the moon."),
    ("waves", "bede", "Many waves add up in a harbour"),
    ("the moon", "newton", "The distance of the moon grows."),
)
SMALL = (
    "not",
    "all",
    "may",
    "never",
    "less",
    "7",
    "$x$",
    "~",
    "%",
    "{",
    "the",
    "often",
    "\\tool{}",
)


PAIRS: tuple[tuple[Mood, Mood], ...] = tuple(
    (writer, helper) for writer in MOODS for helper in MOODS
)


@pytest.mark.parametrize("chunk", range(RUNS // CHUNK))
def test_whatever_models_say_the_paper_stays_a_paper(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        writer, helper = PAIRS[seed % len(PAIRS)]
        held(played(seed, writer, helper).revision)


@pytest.mark.parametrize("chunk", range(RECKLESS // CHUNK))
def test_whatever_is_written_and_however_it_is_judged_the_hard_checks_hold(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        edits = reckless(seed)
        draft = Draft(PAPER.manuscript.sources, dict(PAPER.manuscript.sources))
        kept, _ = apart([Proposal(DECISION, edit) for edit in edits])
        mine = [one.edit for one in kept if one.edit is not None]
        verdicts, after = certify_group(GATE, PAPER.manuscript, mine, size=4)
        draft = draft.judged(verdicts)
        assert {p: s.text for p, s in draft.now.items()} == {
            p: s.text for p, s in after.sources.items()
        }
        held(Revision(draft.start, draft.changed, draft.verdicts))


def test_the_law_is_not_empty_blocks_do_get_in() -> None:
    kept = 0
    for seed in range(RECKLESS):
        edit = blocked(random.Random(seed))  # noqa: S311 - it must come out the same each time
        verdict, after = GATE.certify(PAPER.manuscript, edit)
        if verdict.outcome is Outcome.ACCEPTED:
            kept += 1
            assert len(after.sections) + len(after.floats) == LARGER
    assert kept >= 3


LARGER = len(PAPER.manuscript.sections) + len(PAPER.manuscript.floats) + 1
DECISION = Decision(
    Point(
        "0" * 12,
        "review-structure",
        "better",
        "Tides",
        Place("main.tex", Span(0, 1)),
        0,
        (1, 1),
        Dimension.STRUCTURE,
        Severity.NOTE,
        Remedy.TOOL,
    ),
    True,
    "because",
)
