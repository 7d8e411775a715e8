import os
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from reviser.adapters.files import Folder
from reviser.errors import NoConclusion
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading, load
from reviser.manuscript.model import Manuscript

PAPERS = Path(__file__).parents[2] / "papers"
NAMES = sorted(folder.name for folder in PAPERS.iterdir() if folder.is_dir())


def paper(name: str) -> Manuscript:
    return load(Folder(PAPERS / name))


def one(text: str, **others: str) -> Manuscript:
    files = {name.replace("__", "."): body.encode() for name, body in others.items()}
    body = f"\\documentclass{{article}}\\begin{{document}}\n{text}\n\\end{{document}}\n"
    return load(Memory({"main.tex": body.encode(), **files}))


def keys(manuscript: Manuscript) -> list[str]:
    return [key.name for citation in manuscript.citations for key in citation.keys]


@pytest.mark.parametrize("name", NAMES)
def test_every_file_comes_back_byte_for_byte(name: str) -> None:
    manuscript = paper(name)
    for path, source in manuscript.sources.items():
        assert source.encode() == (PAPERS / name / path).read_bytes()
    assert {f.path for f in manuscript.files} == set(manuscript.sources)


@pytest.mark.parametrize("name", NAMES)
def test_every_part_lies_in_its_file(name: str) -> None:
    manuscript = paper(name)
    parts = [
        *manuscript.sections,
        *manuscript.paragraphs,
        *manuscript.sentences,
        *manuscript.citations,
        *manuscript.labels,
        *manuscript.references,
        *manuscript.floats,
        *manuscript.footnotes,
        *manuscript.math,
        *manuscript.comments,
        *manuscript.skipped,
        *manuscript.macros,
        *manuscript.entries,
        *manuscript.unparsed,
    ]
    for part in parts:
        assert part.at.span.stop <= len(manuscript.sources[part.at.path].text)
    for sentence in manuscript.sentences:
        for index in sentence.citations:
            assert sentence.at.span.covers(manuscript.citations[index].at.span)


def test_includes_are_followed_where_they_stand() -> None:
    manuscript = paper("tides")
    assert manuscript.main == "main.tex"
    assert [f.path for f in manuscript.files] == [
        "main.tex",
        "sections/intro.tex",
        "sections/ports.tex",
        "sections/deep/harmonics.tex",
        "sections/deep/nodes.tex",
        "sections/results.tex",
        "main.bib",
        "lib/second.bib",
        "tidemacros.sty",
    ]
    assert keys(manuscript) == [
        "marsh1911",
        "quill1987",
        "otter2004",
        "otter2004",
        "marsh1911",
        "otter2004",
        "marsh1911",
        "quill1987",
        "Marsh1911",
        "quill1987",
        "otter2004",
        "quill1987",
        "unseen2001",
    ]
    assert manuscript.unparsed == ()
    assert manuscript.bibliography == ("main.bib", "lib/second.bib")
    assert [e.key for e in manuscript.entries] == [
        "marsh1911",
        "quill1987",
        "otter2004",
        "unseen2001",
    ]
    assert manuscript.entry_of["marsh1911"].get("journal") == "Journal of Harbour Lore"
    assert manuscript.language == "en"


def test_sections_nest_across_files() -> None:
    manuscript = paper("tides")
    assert [(s.title, s.level, s.parent) for s in manuscript.sections] == [
        ("", -1, None),
        ("Introduction", 2, None),
        ("Methods", 2, None),
        ("Harmonics", 3, 2),
        ("Results", 2, None),
    ]
    after = next(s for s in manuscript.sentences if s.plain.startswith("After the include"))
    assert manuscript.sections[after.section].title == "Harmonics"  # as TeX numbers it
    methods = manuscript.sections[2]
    assert manuscript.text(methods.at).startswith("\\section{Methods}")
    assert manuscript.text(methods.at).endswith("\\bibliography{\\jobname,lib/second}\n")


def test_citations_belong_to_the_innermost_sentence() -> None:
    manuscript = paper("tides")
    held = {
        manuscript.citations[c].at.span.start: s.kind
        for s in manuscript.sentences
        if s.at.path == "sections/intro.tex"
        for c in s.citations
    }
    assert sorted(held.values()) == ["body", "body", "body", "footnote"]
    caption = next(s for s in manuscript.sentences if s.kind == "caption")
    assert len(caption.citations) == 1


def test_byte_order_marks_and_mixed_line_ends() -> None:
    manuscript = paper("crlf")
    assert {f.path: f.newline for f in manuscript.files} == {
        "main.tex": "crlf",
        "part.tex": "mixed",
        "refs.bib": "crlf",
    }
    assert keys(manuscript) == ["reed1999", "reed1999"]
    assert [e.key for e in manuscript.entries] == ["reed1999"]


@pytest.mark.parametrize(
    ("name", "codec", "language", "word"),
    [("latin1", "latin-1", "fr", "écrite"), ("cp1251", "cp1251", "ru", "записана")],
)
def test_encodings_declared_in_the_main_file_hold_for_all(
    name: str, codec: str, language: str, word: str
) -> None:
    manuscript = paper(name)
    assert {f.encoding for f in manuscript.files} == {codec}
    assert manuscript.language == language
    assert any(word in s.plain for s in manuscript.sentences)
    assert len(manuscript.entries) == 1


def test_cycles_are_cut_and_reported() -> None:
    manuscript = paper("cycle")
    said = [s.plain for s in manuscript.sentences]
    assert said == [
        "First the main file speaks.",
        "The ring speaks.",
        "The link speaks.",
        "The link ends.",
        "The ring ends.",
        "Then it speaks again.",
    ]
    assert [u.why for u in manuscript.unparsed if "itself" in u.why] == [
        "ring: it includes itself, so this include is not followed",
        "main: it includes itself, so this include is not followed",
    ]


def test_what_is_broken_is_named_and_the_rest_is_read() -> None:
    manuscript = paper("broken")
    whys = "\n".join(u.why for u in manuscript.unparsed)
    assert "gone: there is no such file" in whys
    assert "../outside: not read, because it is outside the project" in whys
    assert "/etc/hostname: not read, because absolute paths" in whys
    assert ".git/config: not read, because it belongs to git" in whys
    assert "\\unknownpath/file: its name is built by macros" in whys
    assert "nowhere: there is no such file" in whys
    assert "nothing is read from the network" in whys
    assert keys(manuscript) == ["one"]


def test_a_typeset_bibliography_stands_in_for_a_lost_one() -> None:
    manuscript = paper("typeset")
    assert [e.key for e in manuscript.entries] == ["brine", "foam"]
    assert manuscript.bibliography == ("ms.bbl",)
    facts = manuscript.facts_of["ms.bbl"]
    assert (facts.role, bool(facts.untouchable)) == ("bbl", True)
    assert any("lost" in u.why for u in manuscript.unparsed)


def test_styles_bring_macros_and_are_untouchable() -> None:
    manuscript = paper("tides")
    assert manuscript.facts_of["tidemacros.sty"].untouchable
    assert manuscript.facts_of["main.tex"].untouchable == ""


def test_generated_parts_and_lfs_pointers_are_recognised() -> None:
    manuscript = one(
        "\\input{table}\\input{big}\\bibliography{refs}",
        table__tex="% This file was automatically generated.\nSome cells.",
        big__tex="version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
        refs__bib="version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
    )
    assert "generated" in manuscript.facts_of["table.tex"].untouchable
    assert [u.why for u in manuscript.unparsed] == [
        "big: it is a git LFS pointer, its content is not here",
        "refs: it is a git LFS pointer, not the bibliography",
    ]


def test_another_case_on_disk_is_read_and_reported() -> None:
    manuscript = one("\\input{Part}\\bibliography{REFS}", part__tex="Words.", refs__bib="@book{a,}")
    assert {"part.tex", "refs.bib"} <= set(manuscript.sources)
    assert len([u for u in manuscript.unparsed if "on disk" in u.why]) == 2


def test_files_that_tex_brings_are_not_missing() -> None:
    text = "\\input{glyphtounicode}\\input xy\n\\IfFileExists{notes}{\\input{notes}}{}Text."
    assert one(text).unparsed == ()


def test_a_file_included_twice_is_read_once() -> None:
    manuscript = one("\\input{a}\\input{a}", a__tex="\\label{x}Once.")
    assert len(manuscript.labels) == 1
    assert manuscript.unparsed == ()


def test_a_bibliography_can_be_named() -> None:
    files = Memory(
        {
            "m.tex": b"\\documentclass{a}\\begin{document}\\cite{b}\n\\bibliography{x}",
            "x.bib": b"@book{a,}",
            "own/y.bib": b"@book{b,}",
        }
    )
    assert [e.key for e in load(files, bib=["own/y.bib"]).entries] == ["b"]
    assert "z: there is no such file" in [u.why for u in load(files, bib=["z"]).unparsed]


def test_macros_of_included_files_build_paths() -> None:
    manuscript = one(
        "\\input{paths}\\input{\\where/deep}\\bibliography{\\refs}",
        paths__tex="\\newcommand{\\where}{.}\\def\\refs{lib}",
        deep__tex="Deep words.",
        lib__bib="@book{a,}",
    )
    assert "deep.tex" in manuscript.sources
    assert len(manuscript.entries) == 1


def test_nothing_to_read_is_no_conclusion() -> None:
    with pytest.raises(NoConclusion):
        load(Memory({"notes.txt": b"x"}))


def test_rereading_sees_changes_and_equals_a_fresh_reading() -> None:
    reading = Reading(Folder(PAPERS / "tides"))
    source = reading.manuscript.sources["sections/intro.tex"]
    changed = replace(source, text=source.text.replace("\\seen{marsh1911}", "\\seen{quill1987}"))
    again = reading.reread({changed.path: changed})
    data = {
        name: (PAPERS / "tides" / name).read_bytes() for name in Folder(PAPERS / "tides").names()
    }
    assert again == load(Memory({**data, changed.path: changed.encode()}))
    assert keys(again)[0] == "quill1987"
    assert reading.reread({}) == reading.manuscript


def test_rereading_learns_changed_macros() -> None:
    reading = Reading(Folder(PAPERS / "tides"))
    main = reading.manuscript.sources["main.tex"]
    changed = replace(
        main, text=main.text.replace("\\newcommand{\\seen}[1]{\\citep[see][]{#1}}", "")
    )
    assert len(keys(reading.reread({"main.tex": changed}))) == len(keys(reading.manuscript)) - 1


@pytest.mark.parametrize("name", NAMES)
def test_damaged_papers_never_crash(name: str) -> None:
    data = {path: (PAPERS / name / path).read_bytes() for path in Folder(PAPERS / name).names()}
    main = paper(name).main
    chance = random.Random(7)  # noqa: S311 - reproducible damage, not a secret
    for _ in range(12):
        damaged = {path: _damaged(text, chance) for path, text in data.items()}
        manuscript = load(Memory(damaged), main=main)
        for path, source in manuscript.sources.items():
            assert source.encode() == damaged[path]


def _damaged(data: bytes, chance: random.Random) -> bytes:
    kind = chance.randrange(5)
    position = chance.randrange(len(data) + 1)
    if kind == 0:
        return data[:position]
    if kind == 1:
        return data[:position] + data[position + chance.randrange(40) :]
    if kind == 2:
        return data[:position] + chance.randbytes(6) + data[position:]
    if kind == 3:
        mark = chance.choice(
            [b"{", b"}", b"$", b"%", b"\\begin{x}", b"\\", b"\\end{document}", b"["]
        )
        return data[:position] + mark + data[position:]
    return data


@pytest.mark.parametrize(
    "body",
    [
        "{" * 100_000,
        "\\input{main}" * 3_000,
        "\\footnote{" * 20_000,
        "\\section{a}\n" * 10_000,
        "a " * 100_000,
        "\\cite{" * 30_000,
        "%\n" * 100_000,
    ],
)
def test_hostile_papers_cost_bounded_time(body: str) -> None:
    begun = time.process_time()
    one(body)
    assert time.process_time() - begun < 5


def test_a_style_that_rebuilds_cite_leaves_it_a_citation() -> None:
    style = (
        "\\def\\cite{\\@ifnextchar[{\\@tempswa}{}}\\def\\ref#1{\\@setref#1}\\newcommand{\\own}{so}"
    )
    manuscript = one("\\usepackage{odd}As shown \\cite{a} in \\ref{b}.", odd__sty=style)
    assert keys(manuscript) == ["a"]
    assert [r.names[0].name for r in manuscript.references] == ["b"]
    assert "odd.sty" in manuscript.sources


def test_a_publishers_class_is_no_part_of_the_paper() -> None:
    long = "\\def\\cite#1{}" + "% internals\n" * 4_000
    text = "\\documentclass{big}\\begin{document}A \\cite{a}.\\end{document}"
    manuscript = load(Memory({"m.tex": text.encode(), "big.cls": long.encode()}))
    assert list(manuscript.sources) == ["m.tex"]
    assert keys(manuscript) == ["a"]


def test_an_included_file_may_end_the_document() -> None:
    text = "\\documentclass{a}\\begin{document}\\input{rest}"
    files = {"m.tex": text.encode(), "rest.tex": b"Last words.\n\\end{document}\n"}
    whys = [u.why for u in load(Memory(files)).unparsed if u.at.path == "rest.tex"]
    assert whys == []


def test_a_subimport_starts_from_the_file_it_stands_in() -> None:
    files = {
        "m.tex": b"\\documentclass{a}\\begin{document}\\import{a/}{b}\\end{document}",
        "a/b.tex": b"\\subimport{c/}{d}",
        "a/c/d.tex": b"Deep words.",
        "c/d.tex": b"Shallow words.",
    }
    assert [s.plain for s in load(Memory(files)).sentences] == ["Deep words."]


def test_strings_of_one_bibliography_hold_in_the_next() -> None:
    manuscript = one(
        "\\bibliography{x,y}", x__bib='@string{q = "Quay"}', y__bib="@book{a, publisher = q}"
    )
    assert manuscript.entries[0].get("publisher") == "Quay"


def test_a_typeset_bibliography_adds_only_what_is_unknown() -> None:
    manuscript = one(
        "\\bibliography{x,lost}",
        x__bib="@book{A, title = {Brine}}",
        main__bbl="\\begin{thebibliography}{1}\\bibitem{a} Brine. \\bibitem{b} Foam."
        "\\end{thebibliography}",
    )
    assert [(e.key, e.kind) for e in manuscript.entries] == [("A", "book"), ("b", "bibitem")]


def test_a_footnote_within_a_sentence_keeps_its_citation() -> None:
    manuscript = one("Salt\\footnote{So says \\citet{b}.} is old \\cite{a}.")
    held = {
        manuscript.citations[c].keys[0].name: s.kind
        for s in manuscript.sentences
        for c in s.citations
    }
    assert held == {"a": "body", "b": "footnote"}


def test_a_section_holds_its_subsections() -> None:
    manuscript = one("\\section{A}\nx\n\\subsection{B}\ny\n\\section{C}\nz")
    texts = [manuscript.text(s.at).split() for s in manuscript.sections[1:]]
    assert texts[0] == ["\\section{A}", "x", "\\subsection{B}", "y"]
    assert texts[1] == ["\\subsection{B}", "y"]


@pytest.mark.parametrize(("limit", "value"), [("FILE_LIMIT", 3), ("TOTAL_LIMIT", 300)])
def test_a_paper_beyond_the_limits_is_read_as_far_as_they_go(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(f"reviser.manuscript.gather.{limit}", value)
    parts = {f"p{n}__tex": f"Part {n}." + " " * 60 for n in range(6)}
    manuscript = one("".join(f"\\input{{p{n}}}" for n in range(6)), **parts)
    lost = [u.why for u in manuscript.unparsed]
    assert 2 <= len(lost) <= 4
    assert all("the paper is too large" in why for why in lost)
    assert len(manuscript.sources) == 7 - len(lost)


def test_a_bibliography_that_the_paper_carries_is_read_where_it_stands() -> None:
    carried = "@article{here, title = {A Title}, author = {A. Bo}, journal = {J}, year = 2000}"
    head = f"\\begin{{filecontents*}}[overwrite]{{own.bib}}\n{carried}\n\\end{{filecontents*}}\n"
    manuscript = one(f"{head}Said \\cite{{here}}.\n\\bibliography{{own}}")
    assert [entry.key for entry in manuscript.entries] == ["here"]
    assert manuscript.text(manuscript.entries[0].at) == carried
    assert manuscript.unparsed == ()


def test_a_bibliography_on_disk_goes_before_one_that_the_paper_carries() -> None:
    head = "\\begin{filecontents}{own.bib}\n@misc{inside, title={T}}\n\\end{filecontents}\n"
    manuscript = one(f"{head}\\bibliography{{own}}", own__bib="@misc{outside, title={T}}")
    assert [entry.key for entry in manuscript.entries] == ["outside"]


@pytest.mark.parametrize("opening", ["\\begin{refsection}[far,far2]", "\\newrefsection[far,far2]"])
def test_the_bibliographies_of_a_reference_section_are_read(opening: str) -> None:
    files = {"far__bib": "@misc{a, title={T}}", "far2__bib": "@misc{b, title={U}}"}
    manuscript = one(f"{opening} Said \\cite{{a,b}}.", **files)
    assert [entry.key for entry in manuscript.entries] == ["a", "b"]


@pytest.mark.parametrize(
    "written",
    [
        "\\input\n part",
        '\\input"part"',
        "\\makeatletter\\@input{part}\\makeatother",
        "\\makeatletter\\@@input part \\makeatother",
        "\\newcommand{\\here}{.}\\input\\here/part ",
        "\\input part\\relax",
    ],
)
def test_files_are_asked_for_in_many_ways(written: str) -> None:
    assert keys(one(written, part__tex="Said \\cite{inner}.")) == ["inner"]


def test_what_lies_behind_a_link_or_a_pipe_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\input{link}\\input{pipe}\\end{document}"
    )
    (tmp_path / "other.txt").write_text("\\cite{outside}")
    (tmp_path / "link.tex").symlink_to(tmp_path / "other.txt")
    os.mkfifo(tmp_path / "pipe.tex")
    manuscript = load(Folder(tmp_path))
    assert [part.why.partition(": ")[2] for part in manuscript.unparsed] == [
        "not read, because it is reached through a symbolic link",
        "not read, because it is not a regular file",
    ]
    assert keys(manuscript) == []
