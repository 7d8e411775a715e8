"""Laws of the gate: it never breaks, lets nothing undeclared through, never half-applies."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.revise.atoms import Atom, read_atoms, text_atoms
from reviser.revise.evidence import Evidence, Known
from reviser.revise.gate import Gate
from reviser.revise.loop import revise
from reviser.revise.verdict import Outcome
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Span
from reviser.verify.model import Claim, Label, Support

MAIN = r"""\documentclass{article}
\newcommand{\ours}{\textsc{Ours}}
\begin{document}
\section{Words}\label{sec:words}
Words are not rare~\cite{a, b,c}; \ours{} finds 12~ms and $x - 1$ in Section~\ref{sec:words}. % why

\begin{itemize}
\item[One] It may ``hold'' for \emph{most} users~\citep[p.~3]{b}.
\end{itemize}
\begin{verbatim}
\cite{no} 5 %
\end{verbatim}
Done at 5\% and more~\cite{c,d}.
\bibliography{refs}
\end{document}
"""
REFS = "".join(f"@misc{{{key},\n  title = {{On {key}}},\n  year = 2001\n}}\n\n" for key in "abcd")
PAPER = Reading(Memory({"main.tex": MAIN.encode(), "refs.bib": REFS.encode()}))
TEXTS = {"main.tex": MAIN, "refs.bib": REFS}

PIECES = st.sampled_from(
    [
        *("a", "b", ", b", ",c", "not ", "may", "5", "\\%", "%"),
        *("{", "}", "$", "\\input{x}", "\\cite{a}", "\\cite{", "[", "]", "\n"),
        *("\n\n", "  ", "~", "\\", "\\end{itemize}", "\\begin{verbatim}", "``", "''", "x"),
        *("words", "1", "\\ours", "=", "@misc{e,", "year = 1", '"', "^^5c", "&"),
        *("\u200b"),
    ]
)
WORDS = st.lists(PIECES, max_size=3).map("".join)


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    """Any edit of one or two places, most of them foolish."""
    path = draw(st.sampled_from(["main.tex", "main.tex", "refs.bib"]))
    text = TEXTS[path]
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=4)))
    parts = []
    for start, stop in zip(cuts[::2], cuts[1::2], strict=False):
        end = min(stop, start + draw(st.integers(0, 12)))
        parts.append(Replacement(Place(path, Span(start, end)), text[start:end], draw(WORDS)))
    purpose = draw(st.sampled_from([Purpose.RULE_FIX, Purpose.POINT]))
    return Edit(draw(st.uuids()).hex, "law", tuple(parts), purpose, "")


def sifted(text: str) -> list[str]:
    """What no rule may change unannounced, found by a reader that shares nothing with the gate."""
    return re.findall(r"[^\s]", text)


@settings(max_examples=50, deadline=None)
@given(edits())
def test_an_unannounced_edit_by_a_rule_changes_blanks_at_most(edit: Edit) -> None:
    verdict = Gate(PAPER.reread).judge(PAPER.manuscript, edit)
    if verdict.outcome is not Outcome.ACCEPTED:
        return
    for path, changed in apply(PAPER.manuscript.sources, [edit]).items():
        assert sifted(changed.text) == sifted(TEXTS[path])


def spread(atoms: tuple[Atom, ...]) -> list[tuple[str, str]]:
    return [(atom.kind, " ".join(atom.words.split())) for atom in atoms]


@settings(max_examples=30, deadline=None)
@given(edits())
def test_what_passes_the_checks_keeps_the_list_of_atoms(edit: Edit) -> None:
    verdict = Gate(PAPER.reread).judge(PAPER.manuscript, edit)
    if verdict.outcome is Outcome.REJECTED:
        return
    after = PAPER.reread({**PAPER.manuscript.sources, **apply(PAPER.manuscript.sources, [edit])})
    for path in TEXTS:
        assert spread(read_atoms(after, path)) == spread(read_atoms(PAPER.manuscript, path))
        texts = [
            [
                atom
                for atom in spread(text_atoms(paper, path, Span(0, len(paper.sources[path].text))))
                if atom[0] in {"number", "negation", "modality", "quotation", "environment"}
            ]
            for paper in (PAPER.manuscript, after)
        ]
        assert texts[0] == texts[1]


def accusing(wrong: set[str]) -> Evidence:
    def known(paper) -> Known:
        claims, supports = [], []
        for number, citation in enumerate(paper.citations):
            for key in citation.keys:
                label = Label.OFF_TOPIC if key.name in wrong else Label.ON_TOPIC
                score = 0.0 if key.name in wrong else 0.5
                supports.append(Support(number, key.name, label, score, "law", ""))
            keys = tuple(key.name for key in citation.keys)
            claims.append(Claim(citation.at, "", 0, (number,), keys))
        return Known(tuple(claims), tuple(supports))

    return known


@st.composite
def repairs(draw: st.DrawFn) -> Edit:
    """A prune or a replacement of any key, well made or not."""
    citations = PAPER.manuscript.citations
    citation = citations[draw(st.integers(0, len(citations) - 1))]
    index = draw(st.integers(0, len(citation.keys) - 1))
    key = citation.keys[index]
    if draw(st.booleans()):
        new = draw(st.sampled_from("abcdz"))
        part = Replacement(key.at, key.name, new)
        allowed = Allowed("citation key", key.at, key.name, new)
        return Edit(draw(st.uuids()).hex, "law", (part,), Purpose.REPLACE, "", (allowed,))
    before = citation.keys[index - 1].at.span.stop if index else key.at.span.start
    place = Place(key.at.path, Span(before, key.at.span.stop))
    part = Replacement(place, PAPER.manuscript.text(place), "")
    allowed = Allowed("citation key", key.at, key.name, None)
    return Edit(draw(st.uuids()).hex, "law", (part,), Purpose.PRUNE, "", (allowed,))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(repairs(), edits()), max_size=5), st.sets(st.sampled_from("abcd")))
def test_a_revision_is_its_accepted_edits_applied_at_once(
    proposed: list[Edit], wrong: set[str]
) -> None:
    paper = PAPER.manuscript
    revision = revise(paper, proposed, Gate(PAPER.reread, accusing(wrong)))
    assert [verdict.edit for verdict in revision.verdicts] == proposed
    accepted = [v.edit for v in revision.verdicts if v.outcome is Outcome.ACCEPTED]
    assert revision.after == apply(paper.sources, accepted)
    assert all(verdict.reasons for verdict in revision.verdicts)
    # No citation is ever left empty, and no key is cited that has no entry.
    after = PAPER.reread({**paper.sources, **revision.after})
    assert len(after.citations) == len(paper.citations)
    assert all(citation.keys for citation in after.citations)
    assert {key.name for c in after.citations for key in c.keys} <= set("abcd")
