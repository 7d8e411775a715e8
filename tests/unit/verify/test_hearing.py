"""A verifier reads the abstract first, and the full text where that is silent."""

from collections.abc import Collection, Mapping, Sequence

from cited_papers import WordEmbedder, paper
from small_field import ENTRIES, SENTENCES

from reviser.literature.sources import Section, Text
from reviser.ports import Entailed, Unjudged
from reviser.verify.claim import claims
from reviser.verify.entail import verify
from reviser.verify.evidence import works
from reviser.verify.hearing import More
from reviser.verify.model import Label, Support

SAID = "Worn bearings of our mill are loud."
FULL = Text(
    sections=(
        Section("Introduction", "Mills are old. Their bearings wear in all weathers."),
        Section("4 Results", f"Oil was cheap that year. {SAID} The miller complained of it."),
    ),
    full_from="noise.pdf",
)


class Reader:
    """A verifier that finds a claim borne out where the words it knows stand in the premise."""

    name = "reader"

    def __init__(self, *, contradicts: bool = False, mute: bool = False) -> None:
        self.asked: list[str] = []
        self.always: Entailed | None = None
        self._known = Entailed(0.1, 0.99) if contradicts else Entailed(0.9, 0.0)
        self._mute = mute

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed | Unjudged]:
        self.asked += [premise for premise, _ in pairs]
        return [self._answer(premise) for premise, _ in pairs]

    def _answer(self, premise: str) -> Entailed | Unjudged:
        if self.always is not None:
            return self.always
        if SAID not in premise:
            return Entailed(0.1, 0.0)
        return Unjudged("the purse is empty") if self._mute else self._known


class Shelf:
    """Brings full texts, and keeps what it was asked for."""

    def __init__(self, texts: Mapping[str, Text]) -> None:
        self.asked: list[tuple[str, ...]] = []
        self._texts = texts

    def __call__(self, keys: Collection[str]) -> Mapping[str, Text]:
        self.asked.append(tuple(keys))
        return {key: self._texts[key] for key in keys if key in self._texts}


def heard(
    reader: Reader, texts: Mapping[str, Text] | None = None, more: More | None = None
) -> dict[str, Support]:
    made = paper(*SENTENCES, entries=ENTRIES)
    found = verify(
        made,
        claims(made),
        works(made, texts or {}),
        embedder=WordEmbedder(),
        entailment=reader,
        more=more,
    )
    return {support.key: support for support in found}


def test_the_full_text_is_read_where_the_abstract_is_silent() -> None:
    reader = Reader()
    support = heard(reader, {"noise": FULL})["noise"]
    assert support.label is Label.SUPPORTED
    assert support.passages[0].place == 'source text of noise, noise.pdf, section "4 Results"'
    assert "quoted sentences of its full text" in support.why
    assert "its abstract is silent (0.10)" in support.why
    # Every abstract first, and then the one full text; no text is asked about twice.
    assert len(reader.asked) == len(SENTENCES) + 1
    assert SAID in reader.asked[-1]
    assert not any(SAID in premise for premise in reader.asked[:-1])


def test_an_abstract_that_says_it_is_enough() -> None:
    shelf, reader = Shelf({"noise": FULL}), Reader()
    reader.always = Entailed(0.9, 0.0)
    assert heard(reader, more=shelf)["noise"].label is Label.SUPPORTED
    assert shelf.asked == []


def test_texts_are_fetched_for_the_silent_only_and_once() -> None:
    shelf = Shelf({})
    made = paper(*SENTENCES, *SENTENCES[:1], entries=ENTRIES)
    for _ in range(2):
        verify(
            made,
            claims(made),
            works(made, {"noise": FULL}),
            embedder=WordEmbedder(),
            entailment=Reader(),
            more=shelf,
        )
    assert "noise" not in shelf.asked[0]
    assert len(shelf.asked) == 2
    assert shelf.asked[0] == shelf.asked[1] == tuple(sorted(set(shelf.asked[0])))
    fetched = heard(Reader(), more=Shelf({"noise": FULL}))
    assert fetched == heard(Reader(), {"noise": FULL})


def test_silence_and_contradiction_in_a_full_text_say_where_they_were_read() -> None:
    against = heard(Reader(contradicts=True), {"noise": FULL})["noise"]
    assert against.label is Label.CONTRADICTED
    assert against.passages[0].where == "source text"
    other = Text(sections=(Section("", "The mill stood by a river. Flour was ground in it."),))
    silent = heard(Reader(), {"noise": other})["noise"]
    assert silent.label is Label.SILENT
    assert {p.where for p in silent.passages} == {"source text"}
    assert {p.where for p in heard(Reader())["noise"].passages} == {"abstract"}


def test_a_text_that_nobody_judged_leaves_the_question_open() -> None:
    support = heard(Reader(mute=True), {"noise": FULL})["noise"]
    assert (support.label, support.why) == (Label.UNCHECKED, "the purse is empty")


def test_a_text_in_another_language_is_not_read() -> None:
    german = "Das alte Lager war laut und der Müller ist nicht erfreut gewesen über das Geräusch. "
    reader = Reader()
    text = Text(sections=(Section("", german * 4),))
    assert heard(reader, more=Shelf({"noise": text}))["noise"].label is Label.SILENT
    assert len(reader.asked) == len(SENTENCES)


def test_a_verifier_that_is_not_sure_neither_supports_nor_contradicts() -> None:
    said = {}
    for entails, contradicts in ((0.59, 0.0), (0.60, 0.0), (0.1, 0.94), (0.1, 0.95)):
        reader = Reader()
        reader.always = Entailed(entails, contradicts)
        said[entails, contradicts] = heard(reader)["noise"].label
    assert list(said.values()) == [
        Label.SILENT, Label.SUPPORTED, Label.SILENT, Label.CONTRADICTED,
    ]  # fmt: skip
