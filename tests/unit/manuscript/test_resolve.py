import pytest

from reviser.manuscript.files import Memory, Overlay, normal
from reviser.manuscript.resolve import Found, Index, Lost, quick_includes, uncommented
from reviser.ports import Refused

NAMES = (
    "main.tex",
    "sec/intro.tex",
    "sec/intro",
    "sec/data.txt",
    "Refs.bib",
    "lib/far.bib",
    "a/two.bib",
    "b/two.bib",
    "my.sty",
)


@pytest.fixture
def index() -> Index:
    return Index(Memory(dict.fromkeys(NAMES, b"")))


@pytest.mark.parametrize(
    ("target", "folders", "name"),
    [
        ("sec/intro", ("",), "sec/intro.tex"),
        ("sec/intro.tex", ("",), "sec/intro.tex"),
        ("intro", ("", "sec"), "sec/intro.tex"),
        ("./sec/../sec/data.txt", ("",), "sec/data.txt"),
        ("../main", ("sec",), "main.tex"),
    ],
)
def test_tex_files_are_found_as_tex_looks_for_them(
    index: Index, target: str, folders: tuple[str, ...], name: str
) -> None:
    assert index.tex(target, folders) == Found(name)


def test_an_exact_name_in_a_later_folder_beats_another_case_in_an_earlier_one() -> None:
    index = Index(Memory({"Intro.tex": b"", "sec/intro.tex": b""}))
    assert index.tex("intro", ("", "sec")) == Found("sec/intro.tex")


def test_another_case_is_read_with_a_remark(index: Index) -> None:
    found = index.bibliography("refs", ("",))
    assert isinstance(found, Found)
    assert found.name == "Refs.bib"
    assert "Refs.bib" in found.remark


def test_another_unicode_form_is_read() -> None:
    index = Index(Memory({"re\u0301sume\u0301.tex": b""}))
    found = index.tex("r\xe9sum\xe9", ("",))
    assert isinstance(found, Found)
    assert found.remark


def test_the_only_bib_of_that_name_is_taken_from_anywhere(index: Index) -> None:
    found = index.bibliography("far", ("",))
    assert isinstance(found, Found)
    assert found.name == "lib/far.bib"
    assert found.remark
    assert isinstance(index.bibliography("two", ("",)), Lost)


@pytest.mark.parametrize("target", ["../x", "/etc/x", ".git/x", "sec/../../x", "~/x"])
def test_names_outside_are_lost_with_the_reason(index: Index, target: str) -> None:
    for lost in (index.tex(target, ("",)), index.bibliography(target, ("",))):
        assert isinstance(lost, Lost)
        assert "not read" in lost.why


def test_missing_and_empty_names_are_lost(index: Index) -> None:
    assert index.tex("gone", ("",)) == Lost("there is no such file")
    assert index.tex(" ", ("",)) == Lost("no file is named")
    assert index.style("my", ".sty", ("",)) == Found("my.sty")


def test_quick_look_sees_includes_and_no_comments() -> None:
    text = "\\input{a} \\input b\n%\\input{no}\n\\include{ c }\\import{d/}{e}\\% \\subfile{f}"
    assert quick_includes(uncommented(text)) == (
        ("", "a"),
        ("", "b"),
        ("", "c"),
        ("", "f"),
        ("d/", "e"),
    )


@pytest.mark.parametrize(
    ("name", "folded"),
    [("a/./b//c", "a/b/c"), ("a/../b", "b"), ("../a", "../a"), ("a/../../b", "../b"), ("/a", "/a")],
)
def test_normal_names(name: str, folded: str) -> None:
    assert normal(name) == folded


def test_an_overlay_changes_and_adds_without_touching_what_is_below() -> None:
    below = Memory({"a": b"1", "b": b"2"})
    above = Overlay(below, {"b": b"new", "c": b"3"})
    assert [above.read(n) for n in ("a", "b", "c", "d")] == [b"1", b"new", b"3", None]
    assert list(above.names()) == ["a", "b", "c"]
    assert below.read("b") == b"2"
    assert isinstance(above.read("../a"), Refused)
    assert isinstance(below.read(".git/config"), Refused)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a % b\nc", "a \nc"),
        ("a \\% b % c\r\nd", "a \\% b \r\nd"),
        ("a \\\\% b", "a \\\\"),
        ("a \\\\\\% b", "a \\\\\\% b"),
        ("%a%b\n%c", "\n"),
        ("%\\\n\\%", "\n\\%"),
        ("", ""),
        ("100\\%%", "100\\%"),
    ],
)
def test_comments_go_and_percent_signs_stay(text: str, left: str) -> None:
    assert uncommented(text) == left
