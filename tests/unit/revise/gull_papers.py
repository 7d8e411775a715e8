"""Papers of one paragraph for the tests of what writes."""

from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript

HEAD = """\\documentclass{article}
\\newcommand{\\gull}{\\textsc{Gull}}
\\begin{document}
\\section{Diet}\\label{sec:diet}

"""
TAIL = """

\\section{End}\\label{sec:end}
This is the end of the paper on the food of gulls.
\\bibliographystyle{plain}
\\bibliography{refs}
\\end{document}
"""
REFS = """@article{may1, author = {May, Ann}, title = {Gulls and Fish}, year = {2019},
  abstract = {We study the food of gulls on rocky shores over ten years. Most gulls eat fish that
  they catch themselves in shallow water. Only 12 percent of the birds feed on refuse.}}
@article{roe_2, author = {Roe, Bob}, title = {Seabirds in Winter}, year = {2020},
  abstract = {Seabirds change their food in winter when the sea is rough and cold. They may then
  eat snails and mussels from the shore.}}
@article{poe3, author = {Poe, Cy}, title = {Crows}, year = {2021}}
"""


def reading(passage: str, *, newline: str = "\n", refs: str = REFS) -> Reading:
    """The paper with `passage` as a paragraph of its section, read."""
    text = (HEAD + passage + TAIL).replace("\n", newline)
    return Reading(Memory({"main.tex": text.encode(), "refs.bib": refs.encode()}))


def paper(passage: str, *, newline: str = "\n", refs: str = REFS) -> Manuscript:
    """The manuscript of `reading`."""
    return reading(passage, newline=newline, refs=refs).manuscript


def paragraph_of(manuscript: Manuscript, words: str) -> int:
    """The number of the first paragraph that holds `words`."""
    return next(n for n, p in enumerate(manuscript.paragraphs) if words in manuscript.text(p.at))
