"""A real TeX on copies of papers, some of which mean harm. Skipped where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reviser.adapters.files import Folder
from reviser.adapters.tex.run import TeX
from reviser.ports import Typeset
from reviser.revise.compile import differs

needs_tex = pytest.mark.skipif(
    shutil.which("pdflatex") is None or shutil.which("bibtex") is None,
    reason="no TeX is installed (.ci/run installs one on Debian)",
)

MAIN = r"""\documentclass{article}
\begin{document}
\section{Salt}\label{salt}
Salt melts, see \ref{salt} and \ref{gone} and \cite{gray} and \cite{lost}. \foo
\input{sec/b}
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
OLD = ("reference gone is undefined", "citation lost is undefined",
       "main.tex: Undefined control sequence. \\foo", "no entry lost")  # fmt: skip


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    root = tmp_path / "paper"
    (root / "sec").mkdir(parents=True)
    (root / "main.tex").write_text(MAIN)
    (root / "sec" / "b.tex").write_text("Ice floats.\n")
    (root / "refs.bib").write_text(
        "@book{gray, title={T}, author={A B}, year=2000, publisher={P}}\n"
    )
    return root


@contextmanager
def engine(paper: Path, *, main: str = "main.tex", timeout: float = 60.0) -> Iterator[TeX]:
    made = TeX(Folder(paper), main, timeout=timeout)
    try:
        yield made
    finally:
        made.close()


def contents(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


@needs_tex
def test_a_paper_with_faults_and_what_edits_add(paper: Path) -> None:
    kept = contents(paper)
    with engine(paper) as tex:
        assert "TeX" in tex.name
        before = tex.typeset({})
        assert before == Typeset(OLD)
        good = tex.typeset({"sec/b.tex": b"Ice floats, as \\cite{gray} says in \\ref{salt}.\n"})
        assert good == before
        for text, new in (
            (b"Ice $x floats.\n\n", "Missing $ inserted"),
            (b"See \\ref{nowhere}.\n", "reference nowhere is undefined"),
            (b"See \\cite{nobody}.\n", "citation nobody is undefined"),
            (b"Ice \\fluats.\n", "sec/b.tex: Undefined control sequence. \\fluats"),
            (b"\\begin{itemize}\\item Ice.\n", "ended by"),
            (b"\\label{salt}", "label salt is defined twice"),
        ):
            after = tex.typeset({"sec/b.tex": text})
            assert any(new in fault for fault in differs(before, after)), (text, after)
        assert tex.typeset({}) == before, "nothing stays of an edit"
        work = tex._folder
        assert work is not None
    assert not work.exists()
    assert contents(paper) == kept


@needs_tex
def test_a_run_says_the_same_first_and_later(paper: Path) -> None:
    edit = {"main.tex": MAIN.replace("Salt melts", "Brine \\cite{gray} melts").encode()}
    with engine(paper) as later:
        later.typeset({})
        warm = later.typeset(edit)
    with engine(paper) as fresh:
        cold = fresh.typeset(edit)
    assert differs(cold, warm) == differs(warm, cold) == ()


HARM = "HARM"
"""Stands for a file that must not appear."""
HOSTILE = {
    "shell": f"\\immediate\\write18{{touch {HARM}}}",
    "piped": f'\\input{{|"touch {HARM}"}}',
    "openout": f"\\newwrite\\o\\immediate\\openout\\o={HARM} \\immediate\\write\\o{{x}}",
    "openout above": "\\newwrite\\o\\immediate\\openout\\o=../../above \\immediate\\write\\o{x}",
    "openout hidden": "\\newwrite\\o\\immediate\\openout\\o=.hidden \\immediate\\write\\o{x}",
    "read": "\\newread\\i\\openin\\i=/etc/passwd \\ifeof\\i\\else\\foundit\\fi",
    "read above": "\\newread\\i\\openin\\i=../../../../../etc/passwd \\ifeof\\i\\else\\foundit\\fi",
    "input": "\\input{/etc/passwd}",
    "log that names a command": "\\immediate\\write-1{Writing index file x$(touch "
    f'{HARM}).idx}}\\newwrite\\o\\immediate\\openout\\o="x$(touch {HARM}).idx"',
}


@needs_tex
@pytest.mark.parametrize("name", HOSTILE)
def test_a_paper_can_do_no_harm(paper: Path, name: str) -> None:
    kept = contents(paper.parent)
    harm = paper.parent / "harm"
    rc = f"$pdflatex = 'touch {harm}';"
    (paper / "latexmkrc").write_text(rc)
    (paper / ".latexmkrc").write_text(rc)
    (paper / "texmf.cnf").write_text("shell_escape = t\nopenout_any = a\n")
    with engine(paper, timeout=20) as tex:
        hostile = HOSTILE[name].replace(HARM, str(harm)) + "\n"
        found = tex.typeset({"sec/b.tex": hostile.encode()})
        assert not any("\\foundit" in fault for fault in found.faults)
        assert not harm.exists()
        folder = tex._folder
        assert folder is not None
        assert not (folder / "above").exists()
        assert not list(folder.rglob(".hidden"))
    changed = {n: c for n, c in contents(paper.parent).items() if kept.get(n) != c}
    assert changed.keys() == {"paper/latexmkrc", "paper/.latexmkrc", "paper/texmf.cnf"}


@needs_tex
def test_a_paper_that_never_ends_is_ended(paper: Path) -> None:
    with engine(paper, timeout=2) as tex:
        found = tex.typeset({"sec/b.tex": b"\\def\\x{\\x}\\x"})
    assert found.why == "it took more than 2 seconds"


@needs_tex
def test_a_paper_that_writes_without_end_is_ended(paper: Path) -> None:
    flood = b"\\def\\x{\\message{" + b"flood " * 200 + b"}\\x}\\x"
    with engine(paper, timeout=60) as tex:
        found = tex.typeset({"sec/b.tex": flood})
    assert "ended by signal" in found.why or "took more than" in found.why


@needs_tex
def test_a_paper_that_stops_tex_is_not_typeset(paper: Path) -> None:
    with engine(paper) as tex:
        assert "gave up" in tex.typeset({"sec/b.tex": b"\\input{nothing-there}"}).why


def test_names_that_lead_out_or_read_as_code_are_not_used(paper: Path) -> None:
    with engine(paper) as tex:
        for name in ("../x.tex", "/etc/x.tex"):
            assert "no file of the project" in tex.typeset({name: b""}).why
    with engine(paper, main="x$(id).tex") as tex:
        assert "may read as code" in tex.typeset({}).why
    with engine(paper, main="none.tex") as tex:
        assert tex.typeset({}).why == "none.tex is not there"


def test_what_is_not_there_or_not_run_is_told(paper: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with engine(paper) as tex:
        lua = tex.typeset({"main.tex": b"% !TeX program = lualatex\n" + MAIN.encode()})
    assert "LuaTeX" in lua.why
    monkeypatch.setenv("PATH", "")
    with engine(paper) as tex:
        assert tex.typeset({}).why == "pdflatex is not installed"
        assert tex.name == "pdflatex"


def test_links_out_of_the_project_are_not_followed(paper: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("secret")
    (paper / "s.tex").symlink_to(tmp_path / "secret.tex")
    with engine(paper) as tex:
        tex.typeset({})
        assert tex._folder is None or not (tex._folder / "project" / "s.tex").exists()
