import pytest
from small_paper import Paper, put, reading

from reviser.revise.additions import announced
from reviser.revise.atoms import CITATION, CITATION_KEY, NEGATION, NUMBER
from reviser.revise.change import Change
from reviser.revise.checks import refusals
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Span

PAPER = reading("Words are plentiful~\\cite{a,b}. Letters are rare. They count.")


def adding(paper: Paper, after: str, text: str, *more: Replacement, **changed: object) -> Edit:
    """The edit that puts `text` in after the words `after`, which stand once."""
    main = paper.manuscript.sources["main.tex"].text
    assert main.count(after) == 1
    spot = main.index(after) + len(after)
    part = Replacement(Place("main.tex", Span(spot, spot)), "", text)
    purpose = changed.pop("purpose", Purpose.POINT)
    return Edit("e", "review-coverage", (part, *more), purpose, "", **changed)  # type: ignore[arg-type]


def change_of(paper: Paper, edit: Edit) -> Change:
    sources = paper.manuscript.sources
    return Change(paper.manuscript, paper.reread({**sources, **apply(sources, [edit])}), edit)


def told(paper: Paper, edit: Edit) -> Edit:
    return announced(edit, paper.manuscript, change_of(paper, edit).after)


def refused(paper: Paper, edit: Edit) -> list[str]:
    return [refusal.check for refusal in refusals(change_of(paper, edit))]


def test_what_a_new_sentence_gains_is_announced_at_its_place() -> None:
    edit = told(PAPER, adding(PAPER, "rare.", " They are not above 7\\%~\\citep{d}."))
    spot = edit.replacements[0].at
    assert {(a.kind, a.gained) for a in edit.allows if a.kind != "direction"} == {
        (NEGATION, "not"), (NUMBER, "7 \\%"), ("command", "\\%"), (CITATION_KEY, "d"),
    }  # fmt: skip
    assert all(a.at == spot and a.lost is None for a in edit.allows)


def test_a_citation_by_the_papers_own_command_is_announced_and_passes() -> None:
    edit = told(PAPER, adding(PAPER, "rare.", " Few of them are read~\\cite{d,e}."))
    assert [a.gained for a in edit.allows if a.kind == CITATION_KEY] == ["d", "e"]
    assert [a.gained for a in edit.allows if a.kind == CITATION] == ["cite"]
    assert refused(PAPER, edit) == []


def test_what_an_edit_says_of_itself_is_dropped() -> None:
    edit = adding(PAPER, "rare.", " They are of many sorts.")
    own = (Allowed(NUMBER, edit.replacements[0].at, None, "7"),)
    bragging = Edit("e", "r", edit.replacements, Purpose.POINT, "", own)
    assert NUMBER not in {a.kind for a in told(PAPER, bragging).allows}


@pytest.mark.parametrize("purpose", [Purpose.CLAIM_REWRITE, Purpose.OUTLINE, Purpose.RULE_FIX])
def test_other_purposes_are_left_as_they_are(purpose: Purpose) -> None:
    edit = adding(PAPER, "rare.", " They are not many.", purpose=purpose)
    assert told(PAPER, edit) is edit


def test_beside_an_insertion_the_old_sentences_may_be_reworded_but_lose_nothing() -> None:
    words = put(PAPER.manuscript, "plentiful", "copious").replacements[0]
    edit = told(PAPER, adding(PAPER, "rare.", " They are not read~\\cite{d}.", words))
    assert refused(PAPER, edit) == []
    lost = put(PAPER.manuscript, "~\\cite{a,b}", "").replacements[0]
    edit = told(PAPER, adding(PAPER, "{a,b}.", " They are not read~\\cite{a,b}.", lost))
    assert "keeps_citations" in refused(PAPER, edit)


def test_two_insertions_may_stand_in_one_edit_but_not_at_one_place() -> None:
    second = adding(PAPER, "count.", " They are not read~\\cite{d}.").replacements[0]
    edit = told(PAPER, adding(PAPER, "rare.", " Nobody has 9 of them~\\cite{e}.", second))
    assert refused(PAPER, edit) == []
    third = adding(PAPER, "rare.", " They are not read~\\cite{d}.").replacements[0]
    edit = told(PAPER, adding(PAPER, "rare.", " Nobody has 9 of them~\\cite{e}.", third))
    assert edit.allows == ()
    assert "keeps_citations" in refused(PAPER, edit)


@pytest.mark.parametrize(
    "text",
    [
        "They are not read.",  # sticks to the sentence before
        " they are not read.",  # begins in the middle
        " They are not read",  # does not end
        " Not so.",  # a fragment
        " They are not read. And",  # a sentence and a half
        "\n \nThey are not read.",  # a paragraph
        " They are not read. \\section{Two} They are not here.",
    ],
)
def test_what_is_no_whole_sentence_announces_nothing(text: str) -> None:
    assert told(PAPER, adding(PAPER, "rare.", text)).allows == ()


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("Words are many. Letters are few. \\cite{c} So it is.", "few."),
        ("Words \\emph{are many.} So it is.", "many."),
        ("Words are many says Smith et al. So it is.", "Words"),
        ("\\begin{figure}Words are many.\\caption{All.}\\end{figure}", "many."),
        ("Words\\footnote{They are many.} are here.", "many."),
        ("Words are many", "many"),
    ],
)
def test_at_other_places_nothing_is_announced(body: str, after: str) -> None:
    paper = reading(body)
    assert told(paper, adding(paper, after, " They are not read~\\cite{d}.")).allows == ()


def test_a_sentence_without_anything_protected_must_be_whole_as_well() -> None:
    paper = reading("Words are many. \\cite{c} So it is.")
    edit = told(paper, adding(paper, "many.", " Such is the way."))
    assert refused(paper, edit) == ["adds_whole_sentences_only"]
    assert refused(PAPER, told(PAPER, adding(PAPER, "rare.", " Such is the way."))) == []


def test_words_may_be_put_into_a_sentence() -> None:
    assert refused(PAPER, adding(PAPER, "are plentiful", " here")) == []
