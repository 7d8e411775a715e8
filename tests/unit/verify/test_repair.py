"""Findings and edits: the least that helps, and nothing where it is not certain."""

from collections.abc import Mapping, Sequence

import pytest
from cited_papers import MAIN, WordEmbedder, paper
from small_field import ENTRIES, SENTENCES
from test_entail import Judge

from reviser.literature.sources import Text, text_of
from reviser.manuscript.model import Manuscript
from reviser.ports import Entailed
from reviser.text.edit import Purpose, apply
from reviser.verify.claim import claims
from reviser.verify.entail import verify
from reviser.verify.evidence import works
from reviser.verify.repair import RULES, Repairs, Settings, repair

WRONG = r"A microphone hears worn bearings months before they fail~\citep{bread}."


def repaired(
    *sentences: str,
    entries: Mapping[str, Mapping[str, str]] = ENTRIES,
    settings: Settings = Settings(),  # noqa: B008
    judge: Judge | None = None,
    sources: Mapping[str, Text] | None = None,
    untouchable: str = "",
    editable: bool = True,
    base: Sequence[str] = SENTENCES,
) -> tuple[Manuscript, Repairs]:
    made = paper(*base, *sentences, entries=entries, untouchable=untouchable, editable=editable)
    found, known = claims(made), works(made, sources or {})
    embedder = WordEmbedder()
    supports = verify(made, found, known, embedder=embedder, entailment=judge)
    return made, repair(
        made, found, known, supports, embedder=embedder, entailment=judge, settings=settings
    )


def after(made: Manuscript, repairs: Repairs) -> str:
    """The last line of the paper with all edits applied."""
    return apply(made.sources, repairs.edits)[MAIN].text.splitlines()[-1]


def rules(repairs: Repairs) -> list[str]:
    return [finding.rule for finding in repairs.findings]


def test_a_clean_paper_has_no_findings() -> None:
    _, repairs = repaired()
    assert repairs == Repairs((), ())


def test_a_wrong_key_is_replaced_from_the_bibliography() -> None:
    made, repairs = repaired(WRONG)
    assert rules(repairs) == ["citation-off-topic"]
    (edit,) = repairs.edits
    assert after(made, repairs) == WRONG.replace("bread", "noise")
    assert edit.purpose is Purpose.REPLACE
    assert edit.answers == (repairs.findings[0].fingerprint,)
    (allowed,) = edit.allows
    assert (allowed.kind, allowed.lost, allowed.gained) == ("citation key", "bread", "noise")
    assert made.text(allowed.at) == "bread"
    assert "microphone hears the noise" in edit.evidence[-1]
    # The cited work and the chosen one are quoted, and nobody else.
    assert [e.where.rpartition(" ")[2] for e in repairs.findings[0].evidence] == ["bread", "noise"]


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ("noise,bread", "noise"),
        ("bread,noise", "noise"),
        ("noise , bread", "noise"),
        ("noise,bread,oil", "noise,oil"),
        ("noise,\n  bread", "noise"),
        ("bread,noise,turbine", "noise,turbine"),
    ],
)
def test_an_irrelevant_key_is_pruned_with_one_comma(keys: str, left: str) -> None:
    sentence = r"A microphone hears worn bearings months before they fail~\citep{KEYS}."
    made, repairs = repaired(sentence.replace("KEYS", keys))
    pruned = [e for e in repairs.edits if e.allows[0].lost == "bread"]
    assert len(pruned) == 1
    assert pruned[0].purpose is Purpose.PRUNE
    changed = apply(made.sources, pruned)[MAIN].text
    assert sentence.replace("KEYS", left) in changed


def test_several_prunings_of_one_list_do_not_overlap() -> None:
    other = {**ENTRIES, "dough": dict(ENTRIES["bread"], title="Cold Dough")}
    sentence = r"A microphone hears worn bearings months before they fail~\citep{KEYS}."
    for keys in ("bread,dough,noise", "noise,bread,dough", "bread,noise,dough"):
        made, repairs = repaired(sentence.replace("KEYS", keys), entries=other)
        assert len(repairs.edits) == 2
        assert after(made, repairs) == sentence.replace("KEYS", "noise")


def test_the_last_key_of_a_command_stays() -> None:
    sentence = (
        r"A microphone hears worn bearings months before they fail \citep{noise} \citep{bread}."
    )
    _, repairs = repaired(sentence)
    assert rules(repairs) == ["citation-off-topic"]
    assert repairs.edits == ()
    assert "only key of its command" in repairs.findings[0].message
    assert repairs.findings[0].measured.startswith("its closest sentences ")
    assert "0." not in repairs.findings[0].message


def test_a_comment_between_keys_stops_the_edit() -> None:
    sentence = (
        "A microphone hears worn bearings months before they fail~\\citep{noise,% yes\nbread}."
    )
    _, repairs = repaired(sentence)
    assert rules(repairs) == ["citation-off-topic"]
    assert repairs.edits == ()


def test_a_bibliography_mostly_without_text_gives_no_replacement() -> None:
    bare = {f"bare{n}": {"title": f"Part {n}", "author": "Poe, E."} for n in range(10)}
    base = (
        *SENTENCES,
        *(rf"Wear has been known for long in part~\citep{{{key}}}." for key in bare),
    )
    _, repairs = repaired(WRONG, entries={**ENTRIES, **bare}, base=base)
    assert rules(repairs) == ["citation-off-topic"]
    assert repairs.edits == ()
    assert "'noise'" in repairs.findings[0].message


def test_what_must_not_be_touched_is_only_reported() -> None:
    for settings in ({"untouchable": "it is generated"}, {"editable": False}):
        _, repairs = repaired(WRONG, **settings)  # type: ignore[arg-type]
        assert rules(repairs) == ["citation-off-topic"]
        assert repairs.edits == ()


def test_settings_switch_edits_off_but_not_findings() -> None:
    listed = r"A microphone hears worn bearings months before they fail~\citep{noise,bread}."
    _, repairs = repaired(listed, settings=Settings(prune=False))
    assert (rules(repairs), repairs.edits) == (["citation-off-topic"], ())
    _, repairs = repaired(WRONG, settings=Settings(repair="off"))
    assert (rules(repairs), repairs.edits, repairs.trials) == (["citation-off-topic"], (), ())


def test_an_unchecked_sibling_keeps_the_key_from_being_replaced() -> None:
    bare = {**ENTRIES, "bare": {"title": "No abstract", "author": "Poe, E."}}
    _, repairs = repaired(WRONG.replace("bread", "bread,bare"), entries=bare)
    assert rules(repairs) == ["citation-off-topic"]
    assert repairs.edits == ()


def test_no_clear_winner_is_no_edit() -> None:
    twin = {**ENTRIES, "twin": dict(ENTRIES["noise"])}
    base = (*SENTENCES, r"Noise has a typical frequency in worn bearings~\citep{twin}.")
    _, repairs = repaired(WRONG, entries=twin, base=base)
    finding = repairs.findings[0]
    assert repairs.edits == ()
    assert "'noise'" in finding.message
    assert "'twin'" in finding.message
    (trial,) = repairs.trials
    assert len(trial.shown) == 3
    assert trial.chosen is None


def test_a_key_of_the_same_sentence_is_no_candidate() -> None:
    sentence = (
        r"Noise tells of wear~\citep{noise}, and a microphone hears worn bearings months before "
        r"they fail~\citep{bread}."
    )
    _, repairs = repaired(sentence)
    assert all(edit.allows[0].gained != "noise" for edit in repairs.edits)


def test_windows_go_on_until_a_verifier_agrees() -> None:
    class Picky(Judge):
        def judge(self, pairs):  # type: ignore[no-untyped-def]
            self.asked += pairs
            return [Entailed(0.9 if "Valves" in p else 0.1, 0.0) for p, _ in pairs]

    judge = Picky(0.0, 0.0)
    _, repairs = repaired(WRONG, judge=judge, settings=Settings(candidates=10, window=2))
    trial = next(t for t in repairs.trials if t.key == "bread")
    assert trial.chosen is not None
    assert trial.chosen.key == "valve"
    assert "valve" in trial.windows[-1]
    assert all("valve" not in window for window in trial.windows[:-1])
    _, repairs = repaired(WRONG, judge=judge, settings=Settings(candidates=1, window=2))
    assert next(t for t in repairs.trials if t.key == "bread").chosen is None


def test_contradictions_are_warned_of_and_silence_only_in_full_text() -> None:
    _, repairs = repaired(judge=Judge(0.0, 0.99))
    assert set(rules(repairs)) == {"citation-contradicted"}
    _, repairs = repaired(judge=Judge(0.0, 0.0))
    assert repairs.findings == ()
    _, repairs = repaired(
        judge=Judge(0.0, 0.0), sources={"wear": text_of(ENTRIES["wear"]["abstract"])}
    )
    assert rules(repairs) == ["citation-silent"]
    assert repairs.edits == ()


def test_a_named_author_who_did_not_write_it() -> None:
    _, repairs = repaired(r"Kim et al.~\citep{wear} find that dry steel bearings wear faster.")
    (finding,) = repairs.findings
    assert finding.rule == "citation-name-mismatch"
    assert "'oil'" in finding.message
    _, repairs = repaired(r"Petrov et al.~\citep{wear} find that dry steel bearings wear faster.")
    assert rules(repairs) == ["citation-lead"]


def test_a_changed_number_is_a_note_with_the_evidence() -> None:
    _, repairs = repaired(r"Straight shafts keep seals tight for 15 years~\citep{shaft}.")
    (finding,) = repairs.findings
    assert finding.rule == "citation-lead"
    assert finding.severity.value == "note"
    assert "15 (the source says 12)" in finding.message
    assert "12 years" in finding.evidence[0].text


def test_summaries_are_short_lower_case_fragments() -> None:
    for _, summary in RULES.values():
        assert summary[0].islower()
        assert not summary.endswith(".")
        assert len(summary) <= 70


def test_findings_and_edits_are_the_same_each_time() -> None:
    assert repaired(WRONG)[1] == repaired(WRONG)[1]
    finding = repaired(WRONG)[1].findings[0]
    assert finding.fingerprint
    assert finding.quote == WRONG
    assert finding.evidence[0].where == "abstract of bread"
