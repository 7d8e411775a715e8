import pytest
from small_paper import put, reading

from reviser.revise.atoms import Atom, read_atoms, text_atoms
from reviser.revise.balance import imbalance
from reviser.revise.change import Change
from reviser.revise.commands import FORBIDDEN, harmless_macros
from reviser.revise.words import charged, numbers, opposite
from reviser.text.edit import Purpose, apply
from reviser.text.source import Span


def of(body: str, *kinds: str) -> list[str]:
    """The words of the atoms of these kinds in a paper with this body, in reading order."""
    paper = reading(body).manuscript
    whole = Span(0, len(paper.sources["main.tex"].text))
    found = [*read_atoms(paper, "main.tex"), *text_atoms(paper, "main.tex", whole)]
    start = paper.sources["main.tex"].text.index(body)
    inside = [a for a in found if start <= a.start and a.stop <= start + len(body)]
    return [a.words for a in sorted(inside, key=lambda a: a.start) if a.kind in kinds]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It takes 12~ms.", ["12 ms"]),
        ("It rose by 5\\% to 1,200.5 kg.", ["5 \\%", "1,200.5 kg"]),
        ("From 10--20, or -0.3.", ["10", "-20", "-0.3"]),
        ("In 2019, ten papers.", ["2019"]),
        ("At 3:45, a 4\\,GHz chip", ["3:45", "4 GHz"]),
        ("The 5 sailors", ["5"]),
        ("none here", []),
    ],
)
def test_numbers_carry_sign_and_unit(text: str, expected: list[str]) -> None:
    assert [found.words for found in numbers(text)] == expected


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("Not", "negation"),
        ("doesn't", "negation"),
        ("may", "modality"),
        ("seven", "number"),
        ("decreased", "direction"),
        ("only", "quantifier"),
        ("house", None),
    ],
)
def test_words_that_carry_a_claim(word: str, kind: str | None) -> None:
    assert charged(word) == kind


def test_opposites_differ_by_a_prefix() -> None:
    assert opposite("stable", "unstable")
    assert opposite("Insignificant", "significant")
    assert not opposite("table", "stable")
    assert not opposite("is", "this")


def test_running_text_is_blind_to_what_is_no_prose() -> None:
    body = "One~\\cite[p.~7]{a2020} $n = 3$ % 4 not\n\\verb|5 no| in \\ref{one} and six."
    assert of(body, "number", "negation") == ["one", "six"]
    assert of(body, "citation key") == ["a2020"]
    assert of(body, "citation") == ["cite p.~7"]
    assert of(body, "math") == ["$n = 3$"]
    assert of(body, "comment") == ["% 4 not"]


@pytest.mark.parametrize(
    ("body", "quoted"),
    [
        ("It is ``so and so'' here.", ["``so and so''"]),
        ("It is \\enquote{so {and} so} here.", ["\\enquote{so {and} so}"]),
        ('It is "so" and “thus” here.', ['"so"', "“thus”"]),
        ("An ``open end\n\nand no more''.", []),
        ("\\begin{quote}\nSo and so.\n\\end{quote}", ["\\begin{quote} So and so. \\end{quote}"]),
    ],
)
def test_quotations(body: str, quoted: list[str]) -> None:
    assert of(body, "quotation") == quoted


def test_bibliography_atoms_cover_every_line() -> None:
    bib = "@string{x = {X}}\n\n@misc{a, title = {On a}, year = 2001}\nstray\n"
    paper = reading("Nothing.", bib).manuscript
    assert [(a.kind, a.words) for a in read_atoms(paper, "refs.bib")] == [
        ("text between entries", "@string{x = {X}}"),
        ("entry type", "misc"),
        ("entry", "a"),
        ("entry key", "a"),
        ("field", "title = {On a}"),
        ("field", "year = 2001"),
        ("text between entries", "stray"),
    ]


def test_differences_name_what_went_and_what_came_where() -> None:
    paper = reading("We saw 5 cats and 6 dogs~\\cite{a}.")
    edit = put(paper.manuscript, "5 cats and 6", "6 cats and 5", purpose=Purpose.POINT)
    after = paper.reread(apply(paper.manuscript.sources, [edit]))
    change = Change(paper.manuscript, after, edit)
    assert sorted(str(d) for d in change.differences) == [
        "number '5' gained",
        "number '5' lost",
        "number '6' gained",
        "number '6' lost",
    ]
    assert all(d.at.span.overlaps(edit.replacements[0].at.span) for d in change.differences)


def test_atoms_outside_the_edit_move_along() -> None:
    paper = reading("A word. Then 7 not~\\cite{a} $x$.\n\nMay 8 \\ref{one} be.")
    edit = put(paper.manuscript, "word", "plain word", purpose=Purpose.POINT)
    after = paper.reread(apply(paper.manuscript.sources, [edit]))
    assert [str(d) for d in Change(paper.manuscript, after, edit).differences] == [
        "word 'plain' gained"
    ]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("{a {b} \\{ c}", {}),
        ("{a", {"{": 1}),
        ("a}", {"}": 1}),
        ("\\begin{a} { \\end{a}", {"{": 1}),
        ("\\begin{a}\\end{b}", {"\\begin{a}": 1, "\\end{b}": 1}),
        ("}" * 1000 + "{" * 1000, {"{": 1000, "}": 1000}),
    ],
)
def test_imbalance(text: str, problems: dict[str, int]) -> None:
    assert imbalance(text) == problems


def test_macros_that_hide_a_primitive_are_not_harmless() -> None:
    source = (
        "\\newcommand{\\good}{fine}\\newcommand{\\bad}{\\input{x}}"
        "\\newcommand{\\worse}{\\bad}\\let\\other\\input\\newcommand{\\ring}{\\ring}"
    )
    paper = reading(source).manuscript
    names = harmless_macros(paper.macros, [paper.text(macro.body) for macro in paper.macros])
    assert "good" in names
    assert "ring" in names
    assert names.isdisjoint({"bad", "worse", "other"})
    assert names.isdisjoint(FORBIDDEN)


def test_atoms_sort_by_place() -> None:
    assert Atom(1, 2, "b", "") < Atom(2, 3, "a", "")
