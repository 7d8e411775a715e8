"""BibTeX and TeX themselves take the entries that we write of hostile works."""

import shutil
import subprocess
from pathlib import Path

import pytest

from reviser.latex.bibstyle import style_of
from reviser.literature.paper import Author, Paper
from reviser.text.source import Source
from reviser.verify.entries import entry_text

needs_tex = pytest.mark.skipif(
    shutil.which("pdflatex") is None or shutil.which("bibtex") is None,
    reason="no TeX here",
)
HOUSES = {
    "braces": "@article{a2001,\n  title = {A},\n  author = {Ann Lee},\n  year = 2001\n}\n",
    "quotes": '@article{a2001,\n  title = "An {ABC}",\n  author = "Lee, A.",\n  year = "2001"\n}\n',
    "utf8": "@article{a2001,\n  title = {Été},\n  author = {Ann Lee},\n  year = 2001\n}\n",
}
TITLES = (
    r"100% of C# & _all_ $5 ~ ^ {x} \input{/etc/passwd} <b> | \"quoted\" @home",
    "BERT, $O(n^2)$ and $\\alpha$-divergence of the ℓ-norm: 50 °C",
    "}, evil = {1} @string{x = {y}}",
    "Žižek, Łódź, Ångström, garçon, ñandú, œuvre, naïve, Erdős",
    "ALL CAPITALS IN THE WHOLE OF A TITLE",
    "%%% \\end{document} \\def\\x{} ^^5cinput",
)
MAIN = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\begin{document}
\nocite{*}
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
        text=True,
        errors="replace",
    )
    return done.stdout


@needs_tex
@pytest.mark.parametrize("house", HOUSES)
def test_tex_takes_what_we_write(house: str, tmp_path: Path) -> None:
    style = style_of(Source("refs.bib", HOUSES[house]))
    entries = [
        entry_text(
            Paper(
                source="S",
                id=str(number),
                title=title,
                authors=(Author("O'Neil & Söns"), Author("van der Nest, Jr.", "Zoë and Co")),
                year=2001,
                venue=title,
                kind=("article", "inproceedings", "book")[number % 3],
                pages="1–9",
                volume="1 & 2",
                doi="10.1007/978-3_14",
            ),
            f"key{number}",
            style,
        )
        for number, title in enumerate(TITLES)
    ]
    assert None not in entries
    text = HOUSES[house] + "\n" + "\n\n".join(entry or "" for entry in entries) + "\n"
    (tmp_path / "refs.bib").write_text(text, encoding="utf-8")
    (tmp_path / "main.tex").write_text(MAIN, encoding="utf-8")
    pdflatex = ("pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "main")
    run(*pdflatex, folder=tmp_path)
    said = run("bibtex", "main", folder=tmp_path)
    assert "error" not in said.lower(), said
    bbl = (tmp_path / "main.bbl").read_text(encoding="utf-8", errors="replace")
    assert bbl.count("\\bibitem") == 1 + len(TITLES)
    log = run(*pdflatex, folder=tmp_path)
    assert "\n! " not in log, log[log.index("\n! ") :][:600]
    assert "Output written" in log
