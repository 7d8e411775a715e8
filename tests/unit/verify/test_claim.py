"""Which words a citation group stands for, and which groups assert nothing."""

import pytest
from cited_papers import MAIN, paper

from reviser.verify import exempt
from reviser.verify.claim import claims, plain_offset, without_marks


def texts(sentence: str) -> list[tuple[tuple[str, ...], str]]:
    return [(claim.keys, claim.text) for claim in claims(paper(sentence))]


def only(sentence: str | tuple[str, str]) -> str:
    (claim,) = claims(paper(sentence))
    return claim.exempt


def test_one_group_stands_for_its_sentence() -> None:
    sentence = r"Dense retrievers beat sparse ones on open questions~\citep{a,b}."
    assert texts(sentence) == [(("a", "b"), "Dense retrievers beat sparse ones on open questions.")]
    (claim,) = claims(paper(sentence))
    assert paper(sentence).text(claim.at) == sentence


def test_clauses_are_cut_between_groups() -> None:
    assert texts(
        r"Pumps fail under cavitation~\citep{a}, while seals fail when the shaft bends~\citep{b}."
    ) == [
        (("a",), "Pumps fail under cavitation"),
        (("b",), "seals fail when the shaft bends."),
    ]
    assert texts(
        r"Early work measured wear by hand \citep{a} and later work used sensors \citep{b}."
    ) == [
        (("a",), "Early work measured wear by hand"),
        (("b",), "later work used sensors."),
    ]


def test_a_textual_citation_is_the_subject_of_what_follows() -> None:
    assert texts(r"\citet{a} measure wear by hand, whereas \citet{b} listen to the bearing.") == [
        (("a",), "Authors measure wear by hand"),
        (("b",), "Authors listen to the bearing."),
    ]


def test_items_of_a_list_share_head_and_tail() -> None:
    found = texts(
        r"Sensors such as microphones \citep{a}, strain gauges \citep{b} and cameras \citep{c} "
        r"detect worn bearings early."
    )
    assert found == [
        (("a",), "Sensors such as microphones detect worn bearings early."),
        (("b",), "Sensors such as strain gauges detect worn bearings early."),
        (("c",), "Sensors such as cameras detect worn bearings early."),
    ]


def test_long_names_are_items_too() -> None:
    found = texts(
        r"The data are the Global Bearing Wear Archive \citep{a}, Northern Plant Failure Survey "
        r"\citep{b} and New Oil Register \citep{c} of the last decade."
    )
    assert [text.endswith("of the last decade.") for _, text in found] == [True] * 3


def test_two_leading_authors_share_what_they_did() -> None:
    assert texts(
        r"Avery et al. \citep{a} and Smith et al. \citep{b} measured the wear of seals."
    ) == [
        (("a",), "Avery et al. and Smith et al. measured the wear of seals."),
        (("b",), "Avery et al. and Smith et al. measured the wear of seals."),
    ]


def test_a_name_within_the_sentence_does_not_end_its_clause() -> None:
    found = texts(
        r"One of the first models by \citet{a} was defined as the product of load and speed "
        r"\citep{b}, made for dry bearings."
    )
    whole = (
        "One of the first models by Authors was defined as the product of load and speed, made for "
        "dry bearings."
    )
    assert found == [(("a",), whole), (("b",), whole)]


def test_adjacent_commands_are_one_group() -> None:
    assert texts(r"Bearings wear faster when dry \citep{a}, \citep{b} and \citep{c}.") == [
        (("a", "b", "c"), "Bearings wear faster when dry.")
    ]
    found = texts(r"\citeauthor{a} (\citeyear{a}) show that bearings wear faster when dry.")
    assert [keys for keys, _ in found] == [("a",)]


def test_a_sentence_can_be_one_claim() -> None:
    written = r"Pumps fail under cavitation~\citep{a}, while seals fail when shafts bend~\citep{b}."
    (claim,) = claims(paper(written), per="sentence")
    assert claim.keys == ("a", "b")
    assert claim.citations == (0, 1)
    assert "Pumps" in claim.text
    assert "seals" in claim.text


def test_nothing_is_claimed_by_nocite() -> None:
    assert claims(paper(r"Bearings wear faster when they run dry.\nocite{a}")) == ()


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        (r"Wear has many other causes in practice \citep[see][]{a}.", exempt.POINTER),
        (r"For a survey of wear in gas turbines see \citep{a}.", exempt.POINTER),
        (r"Wear of turbine blades is well covered (see e.g.\ \citep{a}).", exempt.POINTER),
        (r"All networks of this section were trained with Adam \citep{a}.", exempt.TOOL),
        (r"We implement the controller of our pump in PyTorch \citep{a}.", exempt.TOOL),
        (r"Our parser is evaluated on sentences of the Penn Treebank \citep{a}.", exempt.TOOL),
        (r"This slow kind of damage is known as fretting wear \citep{a}.", exempt.NAMED),
        (r"See also wear \citep{a}.", exempt.SHORT),
        (
            r"Wear of dry bearings has been studied for a century \citep{a,b,c,d,e,f}.",
            exempt.BACKGROUND,
        ),
        (
            ("Worn bearings under the microscope, adapted from~\\citep{a}.", "caption"),
            exempt.CREDIT,
        ),
        (("Bearing steel with chromium \\citep{a}", "cell"), exempt.CELL),
        (("The code is at https://example.org/wear \\citep{a}.", "footnote"), exempt.LINK),
    ],
)
def test_groups_that_assert_nothing_say_why(sentence: str | tuple[str, str], reason: str) -> None:
    assert only(sentence) == reason


@pytest.mark.parametrize(
    "sentence",
    [
        r"Chromium steel halves the wear of dry bearings \citep{a}.",
        r"For example, \citet{a} halve the wear of dry bearings with chromium steel.",
        r"BERT \citep{a} improves eleven language tasks by a wide margin.",
        r"It has been shown that wear grows with load \citep{a,b,c}.",
        (r"Wear grows with the load on the bearing~\citep{a}.", "caption"),
    ],
)
def test_assertions_are_not_exempt(sentence: str | tuple[str, str]) -> None:
    assert only(sentence) == ""


def test_marks_leave_no_gaps() -> None:
    assert (
        without_marks("Wear grows [1], and heat ([2]) too [3, 4].") == "Wear grows, and heat too."
    )


def test_plain_offsets_follow_the_runs() -> None:
    made = paper(r"Wear grows \citep{a} and so does heat.")
    offsets = made.sentences[0].offsets
    plain = made.sentences[0].plain
    for position, letter in enumerate(plain):
        if letter.isalpha():
            source = offsets.source(position)
            assert made.sources[MAIN].text[source] == letter
            assert plain_offset(offsets, source) == position
