"""No rule accuses a paper whose bibliography stands in itself or in a section of references."""

from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.review.reference_rules import no_bibliography, undefined_citation, unreadable

PAPER = r"""\documentclass{article}
\begin{filecontents}{own.bib}
@article{Here, title = {A Title}, author = {A. Bo}, journal = {J}, year = 2000}
\end{filecontents}
\begin{document}
Said \cite{here} and \cite{gone}.
\bibliographystyle{plain}
\bibliography{own}
\end{document}
"""


def test_a_carried_bibliography_defines_keys_as_bibtex_compares_them() -> None:
    paper = load(Memory({"main.tex": PAPER.encode()}))
    assert [*no_bibliography(paper), *unreadable(paper)] == []
    assert [raised.finding.quote for raised in undefined_citation(paper)] == ["gone"]
