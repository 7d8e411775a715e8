"""Whatever the files hold, a paper is read, its bytes come back, and its parts lie within it."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.app.inspect import report
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading

PIECES = st.lists(
    st.sampled_from(
        (
            b"\\documentclass{article}",
            b"\\begin{document}",
            b"\\end{document}",
            b"\\section{Salt}",
            b"Salt is old~\\cite{a}. It is \\citet[p.~3]{b,c} who said so.\n\n",
            b"\\input{b}",
            b"\\input b ",
            b"\\include{../c}",
            b"\\import{d/}{e}",
            b"\\bibliography{r,\\jobname}",
            b"\\footnote{As $x$ shows \\citep{a}.}",
            b"\\newcommand{\\me}[1]{\\cite{#1}}\\me{a}",
            b"\\begin{figure}\\caption{Foam \\cite{a}}\\label{f}\\end{figure}",
            b"\\iffalse \\cite{no}",
            b"\\fi",
            b"{",
            b"}",
            b"$",
            b"% reviser: ignore[x] y\n",
            b"\r\n",
            b"\r",
            b"\xef\xbb\xbf",
            b"\xe9",
            b"\x00",
            "漢字。".encode(),
            b"@book{a, title = {Brine},",
            b"\\begin{thebibliography}{1}\\bibitem{a} Foam.",
            b"version https://git-lfs.github.com/spec/v1\n",
            b"\\usepackage[cp1251]{inputenc}",
        )
    ),
    max_size=12,
).map(b"".join)
FILES = st.fixed_dictionaries(
    {"a.tex": PIECES},
    optional=dict.fromkeys(("b.tex", "d/e.tex", "r.bib", "a.bbl", "a.bib"), PIECES),
)


@settings(deadline=None)
@given(FILES, PIECES)
def test_any_files_are_read_and_read_again(files: dict[str, bytes], after: bytes) -> None:
    reading = Reading(Memory(files), main="a.tex")
    manuscript = reading.manuscript
    for path, source in manuscript.sources.items():
        assert source.encode() == files[path]
    for part in (*manuscript.sentences, *manuscript.citations, *manuscript.sections):
        assert part.at.span.stop <= len(manuscript.sources[part.at.path].text)
    for sentence in manuscript.sentences:
        for index in sentence.citations:
            assert sentence.at.span.covers(manuscript.citations[index].at.span)
    json.dumps(report(manuscript))
    assert reading.reread({}) == manuscript
    assert Reading(Memory(files), main="a.tex").manuscript == manuscript
    source = manuscript.sources[manuscript.main]
    changed = type(source).decode(source.path, after, declared=None)
    reading.reread({source.path: changed})
    assert reading.reread({}) == manuscript
