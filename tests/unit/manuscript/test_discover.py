import time

import pytest

from reviser.errors import NoConclusion
from reviser.manuscript.discover import candidates, main_file
from reviser.manuscript.files import Memory
from reviser.manuscript.generated import is_lfs_pointer, written_by

DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"


def project(**files: str) -> Memory:
    names = {name.replace("__", "/") + ".tex": text for name, text in files.items()}
    return Memory({name: text.encode() for name, text in names.items()})


def doc(words: int = 30, extra: str = "", document_class: str = "article") -> str:
    return (DOC % (extra + " tide" * words)).replace("article", document_class)


def test_the_only_document_is_the_paper() -> None:
    assert main_file(project(odd=doc(), chapter="Some words.")) == "odd.tex"


@pytest.mark.parametrize(
    ("files", "main"),
    [
        ({"main": doc(), "other": doc()}, "main.tex"),
        ({"main": doc(), "diff": doc(40)}, "main.tex"),
        ({"oceans": doc(400, "\\bibliography{refs}"), "template": doc(900)}, "oceans.tex"),
        ({"a": doc(900, document_class="beamer"), "b": doc(100)}, "b.tex"),
        ({"letter_to_editor": doc(200), "waves": doc(200)}, "waves.tex"),
        ({"paper": doc(), "old__paper": doc(60)}, "paper.tex"),
        ({"x": doc(3000, "\\bibliography{r}"), "thesis": doc(3)}, "x.tex"),
        ({"fig__wave": doc(9, document_class="standalone"), "z": doc(10)}, "z.tex"),
    ],
)
def test_the_likeliest_document_wins(files: dict[str, str], main: str) -> None:
    assert main_file(project(**files)) == main


def test_a_document_that_another_inputs_is_not_the_paper() -> None:
    files = project(book=doc(5, "\\input{main}"), main=doc(500))
    assert main_file(files) == "book.tex"


def test_documents_that_input_each_other_still_give_one() -> None:
    files = project(a=doc(50, "\\input{b}"), b=doc(5, "\\include{a}"))
    assert main_file(files) == "a.tex"


def test_commented_openings_do_not_count() -> None:
    files = project(a="%" + doc().replace("\n", "\n%"), b=doc(1))
    assert main_file(files) == "b.tex"


def test_words_of_inputs_count_for_the_document() -> None:
    files = project(one=doc(3, "\\input{sections/all}"), two=doc(30), sections__all="swell " * 900)
    assert main_file(files) == "one.tex"


def test_a_document_whose_class_stands_elsewhere_is_found() -> None:
    files = project(
        paper="\\input{head}\\begin{document}Foam.\\end{document}", head="\\documentclass{book}"
    )
    assert main_file(files) == "paper.tex"


def test_only_the_folder_asked_for_is_searched() -> None:
    files = project(main=doc(900), drafts__two=doc(9))
    assert main_file(files, folder="drafts") == "drafts/two.tex"


def test_no_document_is_no_conclusion_and_lists_what_there_is() -> None:
    with pytest.raises(NoConclusion) as caught:
        main_file(project(intro="Just words.", method="More words."))
    assert "intro.tex, method.tex" in caught.value.hint
    with pytest.raises(NoConclusion):
        main_file(Memory({}))


def test_a_named_document_is_taken_as_it_is() -> None:
    assert main_file(project(main=doc(900), reply=doc(9)), named="reply.tex") == "reply.tex"


@pytest.mark.parametrize(
    "part",
    ["Just a part.", "% !TeX root = ../main.tex\nA part.", "%!TEX root=../main\nA part."],
)
def test_a_named_part_leads_to_its_paper(part: str) -> None:
    files = project(main=doc(9, "\\input{parts/one}"), slides=doc(9), parts__one=part)
    assert main_file(files, named="parts/one.tex") == "main.tex"


def test_a_named_subfile_leads_to_its_paper() -> None:
    part = "\\documentclass[../main.tex]{subfiles}\\begin{document}Kelp.\\end{document}"
    files = project(main=doc(9), parts__one=part)
    assert main_file(files, named="parts/one.tex") == "main.tex"


def test_a_named_part_of_nothing_is_read_alone() -> None:
    assert main_file(project(main=doc(), loose="Words."), named="loose.tex") == "loose.tex"


@pytest.mark.parametrize("name", ["gone.tex", "../x.tex", "/etc/passwd", ".git/x.tex"])
def test_a_named_file_that_cannot_be_read_says_why(name: str) -> None:
    with pytest.raises(NoConclusion, match=r"no such file|not read"):
        main_file(project(main=doc()), named=name)


@pytest.mark.parametrize(
    "text",
    [
        "\\documentclass" + " " * 200_000,
        "\\input{" * 50_000,
        "\\documentclass[" + "x" * 200_000,
        "%" * 200_000,
        "\\import{" + " " * 100_000,
    ],
)
def test_hostile_openings_cost_little(text: str) -> None:
    begun = time.process_time()
    candidates(project(a=text, b=doc()))
    written_by("a.tex", text, lambda name: False)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("%% LyX 2.3.6 created this file.  For more info, see x.\n", "LyX"),
        ("% Options for packages loaded elsewhere\n\\PassOptionsToPackage{}", "pandoc"),
        ("% Created 2026-01-02 Fri 10:00\n% Intended LaTeX compiler: pdflatex\n", "Org"),
        (
            "\\documentclass{article}\\usepackage[]{graphicx}\n\\newenvironment{knitrout}{}{}",
            "knitr",
        ),
        ("% This file was automatically generated from results.csv\n", "program"),
        ("%% Auto-generated, 12 May\n\\newcommand{\\n}{3}", "program"),
        ("% DO NOT EDIT\n", "program"),
        ("\ufeff% This file is generated by make tables.\n", "program"),
        ("Automatically generated by Mendeley Desktop 1.19\n@book{a,}", "Mendeley"),
    ],
)
def test_generated_files_are_recognised(text: str, by: str) -> None:
    assert by in written_by("x.tex", text, lambda name: False)


@pytest.mark.parametrize(
    "text",
    [
        "\\documentclass{article}\n%% The code below is generated by the tool at example.org.\n",
        "% automatically generated code is discussed in section 2\nText.",
        "Samples are automatically generated by the model.\n",
        "% do not edit the numbers in table 2 without asking\n",
        "",
    ],
)
def test_hand_written_files_stay_editable(text: str) -> None:
    assert written_by("x.tex", text, lambda name: False) == ""


def test_a_source_of_the_same_stem_is_what_should_be_edited() -> None:
    there = {"paper/x.Rnw"}.__contains__
    assert "paper/x.Rnw" in written_by("paper/x.tex", "Text.", there)
    assert written_by("paper/x.bib", "", there) == ""


def test_lfs_pointers_are_recognised() -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"
    assert is_lfs_pointer(pointer)
    assert "LFS" in written_by("refs.bib", pointer, lambda name: False)
