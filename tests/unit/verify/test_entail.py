"""The verdicts: what each needs to be given, and what is never said."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from cited_papers import WordEmbedder, paper
from small_field import ENTRIES, SENTENCES

from reviser.literature.sources import Text, text_of
from reviser.ports import Entailed, Unjudged
from reviser.text.source import Place, Span
from reviser.verify.claim import claims
from reviser.verify.entail import is_off_topic, verify
from reviser.verify.evidence import works
from reviser.verify.model import Label, Support
from reviser.verify.relevance import Fit
from reviser.verify.thresholds import Thresholds
from reviser.verify.together import fully_supported


class Judge:
    """An entailment model that answers by what it is told, and keeps what it was asked."""

    name = "judge"

    def __init__(self, entails: float | None, contradicts: float | None, quote: str = "") -> None:
        self.answer: Entailed | Unjudged = Unjudged("no answer")
        if entails is not None:
            self.answer = Entailed(entails, contradicts, quote)
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed | Unjudged]:
        self.asked += pairs
        return [self.answer for _ in pairs]


def verdicts(
    *sentences: str | tuple[str, str],
    entries: Mapping[str, Mapping[str, str]] = ENTRIES,
    judge: Judge | None = None,
    language: str = "en",
    sources: Mapping[str, Text] | None = None,
) -> tuple[Support, ...]:
    made = paper(*sentences, entries=entries, language=language)
    return verify(
        made, claims(made), works(made, sources or {}), embedder=WordEmbedder(), entailment=judge
    )


def last(*sentences: str | tuple[str, str], **settings: object) -> Support:
    return verdicts(*SENTENCES, *sentences, **settings)[-1]  # type: ignore[arg-type]


def test_true_citations_are_on_topic_and_nothing_more() -> None:
    found = verdicts(*SENTENCES)
    assert {support.label for support in found} == {Label.ON_TOPIC}
    assert [support.key for support in found] == list(ENTRIES)[:-1]
    assert all(support.passages and support.why and support.score is not None for support in found)
    assert {support.check for support in found} == {"topic fit (shared words)"}
    # The score stands beside the name of the check; no other figure goes by that name.
    assert not any("topic fit" in support.why for support in found)


def test_the_closest_sentence_is_quoted_first() -> None:
    support = verdicts(*SENTENCES)[3]
    assert support.passages[0].text == (
        "Seals leak when the shaft bends by more than 40 micrometres."
    )


def test_a_work_of_another_field_is_off_topic() -> None:
    support = last(r"Noise of worn bearings grows with their wear~\citep{bread}.")
    assert support.label is Label.OFF_TOPIC
    assert "noise" in support.why
    assert support.score is not None
    assert support.score < 0


def test_what_the_sentence_names_is_never_off_topic() -> None:
    support = last(r"Noise of worn bearings grows with wear, by Moreau~\citep{bread}.")
    assert support.label is Label.ON_TOPIC
    assert "Moreau" in support.why


@pytest.mark.parametrize(
    ("sentence", "label", "why"),
    [
        (r"Noise of worn bearings grows~\citep{absent}.", Label.UNCHECKED, "not in the bib"),
        (r"We tested our bearings with TurboLab \citep{bread}.", Label.NOT_CHECKABLE, "tool"),
        (("Steel wear \\citep{bread}", "cell"), Label.NOT_CHECKABLE, "cell"),
        (
            r"Noise of all worn bearings in our old plant grows \citep[see][]{wear}.",
            Label.NOT_CHECKABLE,
            "pointer",
        ),
        (
            r"Der Verschleiß von Lagern nimmt ohne Öl und mit der Zeit zu~\citep{wear}.",
            Label.NOT_CHECKABLE,
            "claim is in German",
        ),
    ],
)
def test_what_is_not_compared_says_why(
    sentence: str | tuple[str, str], label: Label, why: str
) -> None:
    support = last(sentence)
    assert support.label is label
    assert why in support.why


def test_a_work_without_text_is_unchecked() -> None:
    entries = {**ENTRIES, "bare": {"title": "Noise of worn bearings", "author": "Poe, E."}}
    support = last(r"Noise of worn bearings grows with wear~\citep{bare}.", entries=entries)
    assert support.label is Label.UNCHECKED
    assert support.passages == ()


def test_a_work_in_another_language_is_not_checkable() -> None:
    german = (
        "Sauerteig ist ein Teig, der durch wilde Hefen und Bakterien aufgeht. Das Mehl aus Roggen "
        "ist besser als das aus Weizen, weil es die Bakterien länger ernährt."
    )
    entries = {**ENTRIES, "brot": {"title": "Brot", "abstract": german}}
    support = last(r"Noise of worn bearings grows with their wear~\citep{brot}.", entries=entries)
    assert support.label is Label.NOT_CHECKABLE
    assert "German" in support.why


def test_a_paper_in_another_language_accuses_nobody() -> None:
    found = verdicts(*SENTENCES, language="ru")
    assert {support.label for support in found} == {Label.NOT_CHECKABLE}


def test_letters_the_embedder_does_not_know_are_not_checkable() -> None:
    greek = (
        "Τα ρουλεμάν φθείρονται γρήγορα χωρίς λάδι και ο θόρυβος αυξάνεται με τη φθορά τους πολύ."
    )
    support = last(greek + r"~\citep{bread}", language="")
    assert support.label is Label.NOT_CHECKABLE
    entries = {**ENTRIES, "bread": {"title": "Ψωμί", "abstract": greek}}
    support = last(r"Noise of worn bearings grows with their wear~\citep{bread}.", entries=entries)
    assert support.label is Label.NOT_CHECKABLE
    assert "another language" in support.why


def test_with_few_works_only_the_plainly_unrelated_is_off_topic() -> None:
    few = {key: ENTRIES[key] for key in ("wear", "bread")}
    on, off = verdicts(
        SENTENCES[0], r"The film of oil separates the shaft~\citep{bread}.", entries=few
    )
    assert on.label is Label.ON_TOPIC
    assert off.label is Label.OFF_TOPIC
    (near,) = verdicts(r"Bearings rise slowly when cold and dry~\citep{bread}.", entries=few)
    assert near.label is Label.ON_TOPIC


def test_a_repeated_choice_within_the_field_is_the_authors() -> None:
    sentences = (
        r"Turbine blades crack after many starts of a turbine, and cracks grow~\citep{oil}.",
        r"Pumps fail under cavitation when bubbles collapse at the impeller~\citep{oil}.",
    )
    alone = last(sentences[0])
    both = verdicts(*SENTENCES, *sentences)[-2:]
    assert alone.label is Label.OFF_TOPIC
    assert {support.label for support in both} == {Label.ON_TOPIC}
    assert "other places" in both[0].why
    foreign = verdicts(*SENTENCES, *(s.replace("oil", "bread") for s in sentences))[-2:]
    assert {support.label for support in foreign} == {Label.OFF_TOPIC}


def test_a_verifier_supports_contradicts_or_is_silent() -> None:
    yes = Judge(0.9, 0.05)
    found = verdicts(*SENTENCES, judge=yes)
    assert {support.label for support in found} == {Label.SUPPORTED}
    assert {support.check for support in found} == {"entailment (judge)"}
    premise, hypothesis = yes.asked[3]
    assert premise.startswith("Bent Shafts and Seals. Seals leak when the shaft bends")
    assert hypothesis == "Seals leak when the shaft bends by more than 40 micrometres."
    assert {s.label for s in verdicts(*SENTENCES, judge=Judge(0.1, 0.97))} == {Label.CONTRADICTED}
    assert {s.label for s in verdicts(*SENTENCES, judge=Judge(0.1, 0.90))} == {Label.SILENT}
    assert {s.label for s in verdicts(*SENTENCES, judge=Judge(0.1, None))} == {Label.SILENT}


def test_a_verifier_is_not_asked_about_other_fields_or_exempt_claims() -> None:
    judge = Judge(0.9, 0.0)
    support = last(r"Noise of worn bearings grows with their wear~\citep{bread}.", judge=judge)
    assert support.label is Label.OFF_TOPIC
    assert len(judge.asked) == len(SENTENCES)


def test_a_contradiction_needs_the_same_topic() -> None:
    named = r"Noise of worn bearings grows with wear, by Moreau~\citep{bread}."
    assert last(named, judge=Judge(0.0, 0.99)).label is Label.SILENT


def test_a_full_text_may_say_it_where_an_abstract_does_not() -> None:
    text = (
        "Bread is old and loved by all people of the north. We baked it for ten years. "
        + "Rye and wheat were ground and mixed by hand every morning. " * 12
        + "Noise of worn bearings grows with the wear of the mill. "
        + "The noise of a worn bearing of the mill woke the baker. "
        + "Worn bearings and their noise need wear tests."
    )
    entries = {**ENTRIES, "bread": {"title": "Sourdough", "author": "Moreau, L."}}
    claim = r"Noise of worn bearings grows with their wear~\citep{bread}."
    support = last(claim, entries=entries, sources={"bread": text_of(text)})
    assert support.label is Label.ON_TOPIC
    assert support.passages[0].where == "source text"


def test_the_same_input_gives_the_same_verdicts() -> None:
    assert verdicts(*SENTENCES) == verdicts(*SENTENCES)


def test_nothing_to_check_is_no_crash() -> None:
    assert verdicts() == ()
    assert verdicts("No citation here at all.") == ()
    (support,) = verdicts(r"Noise of worn bearings grows with wear~\citep{wear}.", entries={})
    assert support.label is Label.UNCHECKED


def test_off_topic_needs_both_figures() -> None:
    fit = Fit(0.2, 0.5, 0.3, 0.0, 0.6, others=40, best="x")
    limits = Thresholds()
    assert is_off_topic(fit, limits)
    assert not is_off_topic(replace(fit, closeness=0.36), limits)
    assert not is_off_topic(replace(fit, distance=0.31), limits)
    assert not is_off_topic(replace(fit, distance=0.35), limits, pointer=True)
    assert not is_off_topic(replace(fit, others=4), limits)
    assert is_off_topic(replace(fit, distance=0.35), limits)
    assert not is_off_topic(replace(fit, distance=0.35, others=15), limits)
    assert is_off_topic(replace(fit, lag=0.1), limits)
    assert not is_off_topic(replace(fit, lag=0.1, distance=0.35), limits)


def test_works_are_read_together_for_full_support() -> None:
    made = paper(
        *SENTENCES, r"Worn bearings emit noise and lack oil~\citep{noise,oil}.", entries=ENTRIES
    )
    found, known = claims(made), works(made, {})

    def supports(entails: float) -> tuple[Support, ...]:
        judge = Judge(entails, 0.0)
        return verify(made, found, known, embedder=WordEmbedder(), entailment=judge)

    judge = Judge(0.9, 0.0)
    assert fully_supported(found, known, supports(0.9), judge) == frozenset(range(8))
    assert judge.asked == [], "what one work supports, all of them do"
    assert fully_supported(found, known, supports(0.1), judge) == frozenset({7})
    ((premise, _),) = judge.asked
    assert "Oil Films" in premise
    assert "Listening" in premise
    assert fully_supported(found, known, supports(0.1), Judge(0.1, 0.0)) == frozenset()
    assert fully_supported(found, known, supports(0.1), Judge(None, None)) is None


def test_what_got_no_judgement_is_unchecked_and_keeps_its_evidence() -> None:
    (support,) = verdicts(*SENTENCES[:1], judge=Judge(None, None))
    assert (support.label, support.score, support.check) == (Label.UNCHECKED, None, "none")
    assert support.why == "no answer"
    assert support.passages


def test_the_sentence_a_verifier_points_at_comes_first() -> None:
    plain = verdicts(*SENTENCES[:1], judge=Judge(0.9, 0.0))[0]
    last = plain.passages[-1]
    assert len(plain.passages) > 1
    support = verdicts(*SENTENCES[:1], judge=Judge(0.9, 0.0, quote=last.text[:20]))[0]
    assert support.passages[0] == last
    assert set(support.passages) == set(plain.passages)
    assert f'"{last.text[:20]}"' in support.why


def test_a_claim_with_hidden_words_is_not_shown_to_a_verifier() -> None:
    made = paper(*SENTENCES, entries=ENTRIES)
    found, known = claims(made), works(made, {})
    judge = Judge(0.9, 0.0)
    inside = Span(found[0].at.span.start + 2, found[0].at.span.start + 4)
    seen = verify(
        made,
        found,
        known,
        embedder=WordEmbedder(),
        entailment=judge,
        hidden=[Place(found[0].at.path, inside), Place("elsewhere.tex", found[1].at.span)],
    )
    assert [s.label for s in seen if s.claim == 0] == [Label.UNCHECKED]
    assert all(s.label is Label.SUPPORTED for s in seen if s.claim > 0)
    assert found[0].text not in {claim for _, claim in judge.asked}
