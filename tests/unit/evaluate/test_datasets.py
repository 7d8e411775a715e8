"""The forms in which published sets are distributed, on rows of our own in their shape."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.app.choices import DATASETS
from reviser.evaluate.datasets import apart, read_dataset


def rows(*objects: object) -> list[bytes]:
    return [json.dumps(one).encode() + b"\n" for one in objects]


CORPUS = rows(
    {"doc_id": 7, "title": "Owls", "abstract": ["Owls hunt at night.", "They fly in silence."]},
    {"doc_id": 8, "title": "", "abstract": ["Hens lay eggs.", " "]},
)


def test_scifact_claims_meet_their_documents() -> None:
    claims = rows(
        {"id": 1, "claim": "Owls are silent.", "cited_doc_ids": [7, 8],
         "evidence": {"7": [{"sentences": [1], "label": "SUPPORT"}]}},
        {"id": 2, "claim": "Hens give milk.", "cited_doc_ids": [8],
         "evidence": {"8": [{"sentences": [0], "label": "CONTRADICT"}]}},
        {"id": 3, "claim": "Bats see.", "cited_doc_ids": [9], "evidence": {}},
    )  # fmt: skip
    read = read_dataset("scifact", claims, CORPUS)
    assert [(p.id, p.truth, p.title) for p in read.pairs] == [
        ("1-7", "supported", "Owls"), ("1-8", "silent", ""), ("2-8", "contradicted", ""),
    ]  # fmt: skip
    assert read.pairs[1].passages == ("Hens lay eggs.",)
    assert [row.line for row in read.wrong] == [3]


def test_citation_integrity_loses_its_citation_marks() -> None:
    claims = rows(
        {"id": 0, "claim": "Owls are quiet [<|multi_cit|>], as hens are not (<|cit|>).",
         "cited_doc_ids": [7], "evidence": {"7": [{"sentences": [0], "label": "NOT_ACCURATE"}]}},
        {"id": 1, "claim": "Owls hunt <|other_cit|>.", "doc_ids": [7],
         "evidence": {"7": [{"sentences": [0], "label": "IRRELEVANT"}]}},
    )  # fmt: skip
    read = read_dataset("citation-integrity", claims, CORPUS)
    assert [p.claim for p in read.pairs] == ["Owls are quiet, as hens are not.", "Owls hunt."]
    assert [p.truth for p in read.pairs] == ["contradicted", "silent"]


def test_wice_does_not_tell_silence_from_denial() -> None:
    said = [
        {"label": label, "claim": f"Claim {label}.", "evidence": ["(meta data) TITLE: Page", "A b"],
         "meta": {"id": label}}
        for label in ("supported", "partially_supported", "not_supported")
    ]  # fmt: skip
    read = read_dataset("wice", rows(*said))
    assert [p.truth for p in read.pairs] == ["supported", "unsupported", "unsupported"]
    assert read.pairs[0].passages == ("Page", "A b")


def test_healthver_is_a_table() -> None:
    table = (
        b"id,evidence,claim,label,topic_ip,question\n"
        b'1,"Masks help, they say. Gloves do not.",Masks help,Supports,1,q\n'
        b"2,Masks help.,Masks harm,Refutes,1,q\n"
        b"3,Masks help.,Cats purr,Neutral,1,q\n"
        b"4,Masks help.,Cats purr,Perhaps,1,q\n"
    )
    read = read_dataset("healthver", table.splitlines(keepends=True))
    assert [p.truth for p in read.pairs] == ["supported", "contradicted", "silent"]
    assert read.pairs[0].passages == ("Masks help, they say.", "Gloves do not.")
    assert len(read.wrong) == 1


@pytest.mark.parametrize("form", ["csv", "json"])
def test_aggrefact_is_a_table_or_lines(form: str) -> None:
    lines = (
        [b"dataset,doc,claim,label\n", b"X,Owls hunt. Hens lay.,Owls hunt,1\n", b"X,a b,c,2\n"]
        if form == "csv"
        else rows(
            {"dataset": "X", "doc": "Owls hunt. Hens lay.", "claim": "Owls hunt", "label": 1},
            {"dataset": "X", "doc": "a b", "claim": "c", "label": 2},
        )
    )
    read = read_dataset("aggrefact", lines)
    assert [(p.truth, p.passages) for p in read.pairs] == [
        ("supported", ("Owls hunt.", "Hens lay."))
    ]
    assert len(read.wrong) == 1


def test_a_claim_that_comes_twice_has_two_names() -> None:
    one = {"dataset": "X", "doc": "Owls hunt.", "claim": "Owls hunt", "label": 1}
    read = read_dataset("aggrefact", rows(one, one | {"label": 0}))
    assert len({p.id for p in read.pairs}) == len(read.pairs) == 2


def test_pairs_of_a_known_text_are_left_out() -> None:
    one = {"dataset": "X", "doc": "Owls hunt.", "claim": "Owls hunt", "label": 1}
    known = read_dataset("aggrefact", rows(one)).pairs
    both = read_dataset("aggrefact", rows(one | {"claim": "Owls"}, one | {"doc": "Hens."})).pairs
    assert [p.passages for p in apart(both, known)] == [("Hens.",)]


def test_there_is_no_other_set() -> None:
    with pytest.raises(ValueError, match="no set is called"):
        read_dataset("fever", [b"{}"])


@given(st.sampled_from(DATASETS), st.lists(st.binary(max_size=60), max_size=5))
def test_any_bytes_are_read(name: str, lines: list[bytes]) -> None:
    read = read_dataset(name, lines, lines)
    assert all(pair.claim.strip() for pair in read.pairs)
