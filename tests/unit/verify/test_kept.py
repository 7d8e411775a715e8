"""Verdicts of earlier runs: said again in the same words, and asked of nobody while they hold."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from cited_papers import WordEmbedder, paper
from small_field import ENTRIES, SENTENCES
from test_entail import Judge

from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import Judges, Options, check
from reviser.text.source import Place, Span
from reviser.verify.claim import claims
from reviser.verify.evidence import Work, works
from reviser.verify.hearing import HIDDEN
from reviser.verify.keeping import Keeping
from reviser.verify.kept import QUOTED, check_of, shortened
from reviser.verify.lock import Lock, VerdictLine, read, write
from reviser.verify.model import Label, Support
from reviser.verify.recall import recalled, verify_once

WRONG = r"A microphone hears worn bearings months before they fail~\citep{bread}."
BOTH = r"A microphone hears worn bearings months before they fail~\citep{bread,shaft}."


class Nobody:
    """An embedder and a verifier that must not be asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    def similarities(
        self, rows: Sequence[str], columns: Sequence[str]
    ) -> Sequence[Sequence[float]]:
        raise AssertionError("nothing is compared")

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[object]:
        raise AssertionError("nobody is asked")


def nobody_for(judges: Judges) -> Judges:
    entailment = None if judges.entailment is None else Nobody(judges.entailment.name)
    return replace(
        judges,
        embedder=Nobody(judges.embedder.name),
        entailment=entailment,  # type: ignore[arg-type]
    )


def without_texts(made: Manuscript) -> Manuscript:
    """The paper whose bibliography holds no abstract."""
    bare = tuple(
        replace(one, fields=tuple(f for f in one.fields if f.name != "abstract"))
        for one in made.entries
    )
    return replace(made, entries=bare)


def again(keeping: Keeping) -> Keeping:
    """What a later run knows: everything through the file."""
    return Keeping(read(write(keeping.lines)))


def judged(sentence: str, judge: Judge | None, keeping: Keeping) -> tuple[Manuscript, Judges]:
    made = paper(*SENTENCES, sentence, entries=ENTRIES)
    return made, Judges(WordEmbedder(), judge, kept=keeping)


@pytest.mark.parametrize("judge", [None, Judge(0.1, 0.99), Judge(0.2, 0.1), Judge(0.9, 0.0)])
@pytest.mark.parametrize("sentence", [WRONG, BOTH])
@pytest.mark.parametrize("texts", [True, False])
def test_a_rerun_gives_the_same_result_and_asks_nobody(
    sentence: str, judge: Judge | None, texts: bool
) -> None:
    keeping = Keeping(Lock())
    made, judges = judged(sentence, judge, keeping)
    first = check(made, Options(), judges)
    assert first.supports
    later = again(keeping)
    paper_now = made if texts else without_texts(made)
    second = check(paper_now, Options(), replace(nobody_for(judges), kept=later))
    assert second.supports == first.supports
    assert second.findings == first.findings
    assert second.edits == first.edits
    assert second.figures == first.figures
    assert second.coverage == first.coverage
    assert later.uses.told == keeping.uses.new
    assert later.uses.new == 0
    assert write(later.lines) == write(keeping.lines)


def test_verdicts_of_a_verifier_hold_where_none_is_at_hand() -> None:
    keeping = Keeping(Lock())
    made, judges = judged(BOTH, Judge(0.2, 0.1), keeping)
    first = check(made, Options(), judges)
    alone = replace(nobody_for(judges), entailment=None, kept=again(keeping))
    second = check(without_texts(made), Options(), alone)
    assert second.supports == first.supports
    assert second.figures == first.figures
    assert second.coverage == first.coverage
    assert Label.SILENT in {s.label for s in second.supports}


def test_another_verifier_judges_anew() -> None:
    keeping = Keeping(Lock())
    made, judges = judged(WRONG, Judge(0.9, 0.0), keeping)
    check(made, Options(), judges)
    other = Judge(0.1, 0.0)
    other.name = "another judge"
    check(made, Options(), replace(judges, entailment=other, kept=again(keeping)))
    assert other.asked


def test_another_version_of_a_verifier_judges_anew() -> None:
    class Versioned(Judge):
        version = "weights one"

    keeping = Keeping(Lock())
    made, judges = judged(WRONG, Versioned(0.9, 0.0), keeping)
    check(made, Options(), judges)
    same, other = Versioned(0.1, 0.0), Versioned(0.1, 0.0)
    other.version = "weights two"
    check(made, Options(), replace(judges, entailment=same, kept=again(keeping)))
    check(made, Options(), replace(judges, entailment=other, kept=again(keeping)))
    assert not same.asked
    assert other.asked


def test_a_verdict_on_the_topic_does_not_stand_for_a_verifiers() -> None:
    keeping = Keeping(Lock())
    made, judges = judged(WRONG, None, keeping)
    check(made, Options(), judges)
    judge = Judge(0.9, 0.0)
    found = check(made, Options(), replace(judges, entailment=judge, kept=again(keeping)))
    assert judge.asked
    assert Label.SUPPORTED in {s.label for s in found.supports}
    # And a work of another field needs no verifier, as in a run without a lock.
    assert all("bread" not in work for work, _ in judge.asked)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda one: replace(one, passages=one.passages[1:]), id="the text"),
        pytest.param(
            lambda one: replace(one, title="Quite another work", passages=()), id="the work"
        ),
    ],
)
def test_a_verdict_ends_with_what_it_was_read_from(changed: Callable[[Work], Work]) -> None:
    made = paper(*SENTENCES, entries=ENTRIES)
    found, known = claims(made), works(made, {})
    keeping = Keeping(Lock())
    verify_once(made, found, known, kept=keeping, embedder=WordEmbedder())
    check_by = check_of("shared words", "", "", 0)
    key = found[0].keys[0].lower()
    now = {**known, key: changed(known[key])}
    line = next(one for one in keeping.lines if isinstance(one, VerdictLine))
    by = replace(check_by, topic=line.topic)
    assert (0, found[0].keys[0]) in recalled(again(keeping), found, known, by)
    told = recalled(again(keeping), found, now, by)
    assert (0, found[0].keys[0]) not in told
    assert (1, found[1].keys[0]) in told


def test_a_verdict_ends_with_the_words_of_the_claim() -> None:
    keeping = Keeping(Lock())
    made = paper(*SENTENCES, entries=ENTRIES)
    check(made, Options(), Judges(WordEmbedder(), kept=keeping))
    changed = paper(SENTENCES[0].replace(" ", " surely ", 1), *SENTENCES[1:], entries=ENTRIES)
    later = again(keeping)
    found = check(
        without_texts(changed), Options(), replace(nobody_for(Judges(WordEmbedder())), kept=later)
    )
    first, *rest = found.supports
    assert first.label is Label.UNCHECKED
    assert Label.UNCHECKED not in {s.label for s in rest if s.key in ENTRIES}


def test_a_corrected_title_with_the_same_doi_is_the_same_work() -> None:
    key = next(iter(ENTRIES))
    named = {**ENTRIES[key], "doi": "10.1000/a"}
    keeping = Keeping(Lock())
    check(
        paper(*SENTENCES, entries={**ENTRIES, key: named}),
        Options(),
        Judges(WordEmbedder(), kept=keeping),
    )

    def label(**fields: str) -> Label:
        entries = {**ENTRIES, key: {**named, **fields}}
        made = without_texts(paper(*SENTENCES, entries=entries))
        judges = replace(nobody_for(Judges(WordEmbedder())), kept=again(keeping))
        return check(made, Options(), judges).supports[0].label

    assert label() is Label.ON_TOPIC
    assert label(title="A corrected title") is Label.ON_TOPIC
    assert label(doi="https://doi.org/10.1000/A") is Label.ON_TOPIC
    assert label(doi="10.1000/b") is Label.UNCHECKED
    assert label(doi="", title=named["title"].upper()) is Label.ON_TOPIC
    assert label(doi="", title="Another title") is Label.UNCHECKED


def test_hidden_words_are_told_although_the_verdict_is_known() -> None:
    keeping = Keeping(Lock())
    made = paper(*SENTENCES, entries=ENTRIES)
    found, known = claims(made), works(made, {})
    judge = Judge(0.9, 0.0)

    def run(kept: Keeping, hidden: tuple[Place, ...]) -> tuple[Support, ...]:
        return verify_once(
            made, found, known, kept=kept, embedder=WordEmbedder(), entailment=judge, hidden=hidden
        )

    assert run(keeping, ())[0].label is Label.SUPPORTED
    at = found[0].at
    unseen = Place(at.path, Span(at.span.start, at.span.start + 1))
    told = run(again(keeping), (unseen,))
    assert (told[0].label, told[0].why) == (Label.UNCHECKED, HIDDEN)
    assert told[1].label is Label.SUPPORTED


def test_a_failure_is_not_kept() -> None:
    keeping = Keeping(Lock())
    made, judges = judged(WRONG, Judge(None, None), keeping)
    check(made, Options(), judges)
    kept = [line for line in keeping.lines if isinstance(line, VerdictLine)]
    assert {line.label for line in kept} <= {Label.OFF_TOPIC}


def test_a_line_that_quotes_what_does_not_stand_there_is_not_believed() -> None:
    keeping = Keeping(Lock())
    made, judges = judged(WRONG, None, keeping)
    check(made, Options(), judges)
    lock = read(write(keeping.lines))
    forged = [
        line.model_copy(
            update={"quote": line.quote.model_copy(update={"words": "Never said by anybody."})}
        )
        for line in lock.verdicts
        if line.quote is not None
    ]
    assert forged
    later = Keeping(replace(lock, verdicts=tuple(forged)))
    found = check(made, Options(), replace(judges, kept=later))
    assert later.uses.new == len(forged)
    assert not any("Never said" in p.text for s in found.supports for p in s.passages)


def test_a_quotation_is_short_and_cut_between_words() -> None:
    assert shortened("a few words") == "a few words"
    cut = shortened("word " * 100)
    assert len(cut) <= QUOTED
    assert cut.endswith("word …")
    assert len(shortened("x" * 1000)) <= QUOTED


def test_no_more_than_a_short_quotation_of_a_work_is_kept() -> None:
    keeping = Keeping(Lock())
    long = "Seals leak when the shaft bends by more than forty micrometres, " * 9 + "they say."
    entries = {**ENTRIES, "shaft": {**ENTRIES["shaft"], "abstract": long}}
    made = paper(*SENTENCES, entries=entries)
    check(made, Options(), Judges(WordEmbedder(), Judge(0.9, 0.0), kept=keeping))
    assert long[:300].encode() not in write(keeping.lines)
