"""Labelled pairs: what is read, what the verdicts make of it, and the figures that follow."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.evaluate.pair_report import report_pairs, three_way
from reviser.evaluate.pairs import TRUTHS, JudgedPair, Pair, WrongRow, judge_pairs, read_pairs
from reviser.ports import Entailed
from reviser.verify.model import Label

SAMPLE = Path(__file__).with_name("pairs.jsonl")


class Words:
    """Texts are as near as the share of words they have in common."""

    name = "words in common"

    def similarities(
        self, rows: Sequence[str], columns: Sequence[str]
    ) -> Sequence[Sequence[float]]:
        sets = [[frozenset(t.lower().strip(".").split()) for t in ts] for ts in (rows, columns)]
        return [[len(a & b) / max(1, len(a | b)) for b in sets[1]] for a in sets[0]]


class Oracle:
    """Knows three claims."""

    name = "oracle"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed]:
        known = {"Throttling": Entailed(0.97, 0.01), "House": Entailed(0.01, 0.98)}
        return [known.get(claim.split()[0], Entailed(0.2, 0.3)) for _, claim in pairs]


def sample() -> tuple[tuple[Pair, ...], tuple[WrongRow, ...]]:
    with SAMPLE.open("rb") as lines:
        return read_pairs(lines)


def test_rows_are_read_and_wrong_ones_named_by_line() -> None:
    pairs, wrong = sample()
    assert [pair.id for pair in pairs] == [
        "cats-1", "cats-2", "cats-3", "pumps-1", "pumps-2", "pumps-3", "none",
    ]  # fmt: skip
    assert pairs[5].title == ""
    assert [row.line for row in wrong] == [9, 10, 11, 12, 13, 14]
    said = " | ".join(row.why for row in wrong)
    for word in ("seen before", "'maybe'", "claim", "passages", "JSON object", "not JSON"):
        assert word in said


def test_a_row_needs_no_id_and_no_title() -> None:
    row = b'{"claim": "a", "passages": ["b", " "], "label": "silent", "title": null}'
    pairs, wrong = read_pairs([b"\n", row])
    assert pairs == (Pair("line 2", "a", "", ("b",), "silent"),)
    assert not wrong


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.text(max_size=40).map(
                lambda t: json.dumps({"claim": t, "passages": [t], "label": t, "title": t}).encode()
            ),
        )
    )
)
def test_any_line_is_a_pair_or_a_wrong_row(lines: list[bytes]) -> None:
    pairs, wrong = read_pairs(lines)
    assert len(pairs) + len(wrong) == sum(bool(line.strip()) for line in lines)


def test_deep_nesting_is_a_wrong_row() -> None:
    assert read_pairs([b"[" * 100_000])[1] == (WrongRow(1, "not JSON"),)


def test_without_a_verifier_only_the_topic_is_judged() -> None:
    judged = judge_pairs(sample()[0], Words())
    said = {j.pair.id: j.said for j in judged}
    assert said["pumps-2"] is Label.OFF_TOPIC
    assert said["pumps-1"] is Label.ON_TOPIC
    assert said["none"] is Label.UNCHECKED
    assert {j.entails for j in judged} == {None}
    report = report_pairs(judged, sample()[1], embedder="words", verifier=None)
    assert not any("macro-F1" in rate.name for rate in report.rates)
    rates = {rate.name: rate for rate in report.rates}
    false = rates["false accusations: supported, called off topic or contradicted"]
    assert (false.interval.value, false.count) == (0.0, 2)
    answered = rates["answered: something was said of the pair"]
    assert answered.interval.value == pytest.approx(6 / 7)
    off = rates["silent, called off topic"]
    assert (off.interval.value, off.count) == (pytest.approx(1 / 3), 3)
    assert rates["AUROC of closeness, supported against silent"].interval.value == 1.0
    assert len(report.skipped) == 6
    assert sum(count for *_, count in report.confusion) == 7


def test_with_a_verifier_every_figure_is_there() -> None:
    pairs = sample()[0]
    judged = judge_pairs(pairs, Words(), Oracle())
    by_id = {j.pair.id: j for j in judged}
    assert by_id["pumps-1"].said is Label.SUPPORTED
    assert by_id["pumps-1"].entails == 0.97
    assert by_id["cats-1"].said is Label.SILENT
    assert by_id["pumps-2"].entails is None, "off topic, so the verifier was not asked"
    report = report_pairs(judged, (), embedder="words", verifier="oracle")
    rates = {rate.name: rate.interval.value for rate in report.rates}
    right = sum(three_way(j.said) == j.pair.truth for j in judged)
    assert rates["accuracy, no answer counts as wrong"] == pytest.approx(right / 7)
    assert rates["AUROC of contradiction, contradicted against the others"] == pytest.approx(
        (1.0 * 4 + 3.0) / 8  # cats-2 is above all four others, pumps-3 above two and level twice
    )
    assert sum(row.count for row in report.table) == 6
    assert report.table[-1].share_true == 1.0


def judged_as(truth: str, said: Label) -> JudgedPair:
    return JudgedPair(Pair(f"{truth} {said}", "claim", "", (truth, said), truth), said, 0.5, 0.5)


def test_false_accusations_are_those_of_supported_pairs_alone() -> None:
    said = (Label.OFF_TOPIC, Label.CONTRADICTED, Label.SILENT, Label.SUPPORTED)
    judged = [judged_as(truth, label) for truth in TRUTHS for label in said]
    report = report_pairs(judged, (), embedder="e", verifier="v")
    rates = {rate.name: rate for rate in report.rates}
    false = rates["false accusations: supported, called off topic or contradicted"]
    assert (false.interval.value, false.count) == (0.5, 4)
    assert rates["not supported, called supported"].interval.value == 0.25
    # supported 1 of 4, contradicted 1, silent 2 (off topic is silence), unsupported all but one
    assert rates["accuracy, no answer counts as wrong"].interval.value == pytest.approx(7 / 16)
    # 1 of 4 supported ones, 9 of 12 others
    assert rates["balanced accuracy, supported or not"].interval.value == pytest.approx(0.5)


def test_what_no_verdict_answers_is_no_class() -> None:
    assert {three_way(label) for label in Label} == {*TRUTHS[:3], "no answer"}
