import pytest

from reviser.errors import StaleEdit
from reviser.text.edit import Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Source, Span

TIDE = Source("a.tex", "The tide rises.\r\nThe tide falls.\r\n")


def edit(*parts: tuple[int, str, str], path: str = "a.tex", name: str = "e1") -> Edit:
    replacements = tuple(
        Replacement(Place(path, Span(start, start + len(before))), before, after)
        for start, before, after in parts
    )
    return Edit(name, "rule", replacements, Purpose.RULE_FIX, "because")


def changed(*edits: Edit, source: Source = TIDE) -> str:
    return apply({source.path: source}, edits)[source.path].text


def test_only_the_span_changes() -> None:
    assert changed(edit((9, "rises", "turns"))) == "The tide turns.\r\nThe tide falls.\r\n"


def test_edits_speak_of_the_text_before_all_of_them() -> None:
    first, second = edit((4, "tide", "wave")), edit((26, "falls", "breaks"), name="e2")
    assert changed(first, second) == changed(second, first)
    assert "wave rises.\r\nThe tide breaks." in changed(first, second)


def test_several_files_change_together_and_others_do_not_appear() -> None:
    sources = {name: Source(name, "old") for name in ("a", "b", "c")}
    result = apply(sources, [edit((0, "old", "new"), path="a"), edit((0, "old", ""), path="c")])
    assert {name: source.text for name, source in result.items()} == {"a": "new", "c": ""}


def test_an_insertion_beside_a_replacement_is_no_overlap() -> None:
    assert changed(edit((4, "", "high "), (4, "tide", "water"))).startswith("The high water rises")


def test_paths_are_named_once() -> None:
    assert edit((0, "T", "t"), (4, "t", "T")).paths == ("a.tex",)


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ([edit((9, "falls", "x"))], r"a\.tex:1: the text has changed under edit e1"),
        ([edit((26, "rises", "x"))], r"a\.tex:2: the text has changed"),
        ([edit((9_000, "far", "x"))], r"a\.tex:3: the text has changed"),
        ([edit((9, "rises", "x")), edit((11, "s", "y"), name="e2")], "e2 overlaps another edit"),
        ([edit((0, "The", "x"), path="gone.tex")], "no such file for edit e1"),
    ],
)
def test_stale_edits_are_refused_whole(edits: list[Edit], says: str) -> None:
    with pytest.raises(StaleEdit, match=says):
        apply({"a.tex": TIDE}, edits)


def test_letters_that_the_encoding_lacks_are_refused() -> None:
    source = Source.decode("a.tex", "прилив".encode("cp1251"), declared="cp1251")
    with pytest.raises(StaleEdit, match="cp1251 lacks"):
        apply({"a.tex": source}, [edit((0, "п", "é"))])
    assert apply({"a.tex": source}, [edit((0, "п", "П"))])["a.tex"].encode()[:1] == b"\xcf"
