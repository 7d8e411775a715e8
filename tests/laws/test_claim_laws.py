"""Whatever a sentence looks like, its citations are shared out among claims, each exactly once."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.latex.elements import Citation, CitationForm, Key
from reviser.literature.cleaning import abstract_of
from reviser.manuscript.model import Manuscript, OffsetMap, Paragraph, Section, Sentence
from reviser.text.source import Place, Source, Span
from reviser.verify.claim import claims
from reviser.verify.evidence import surnames
from reviser.verify.leads import denied, named_before, system_before
from reviser.verify.numbers import numbers

WORDS = st.sampled_from(
    ["we", "use", "BERT", "and", "show", "that", "wear,", "while", ";", "(see", "e.g.", "grows",
     "Lee", "et al.", "12%", "not", ")", "[0,1]", "such as", "in", "Größe", "\ud800", ".", ","]
)  # fmt: skip
FORMS = st.sampled_from(list(CitationForm))
PARTS = st.lists(st.one_of(WORDS, st.tuples(FORMS, st.integers(0, 4))), max_size=24)
KINDS = st.sampled_from(["body", "caption", "footnote", "cell", "item", "title", "abstract"])


def written(parts: list[str | tuple[CitationForm, int]], kind: str) -> Manuscript:
    text, plain = "", ""
    runs: dict[int, int] = {}
    citations: list[Citation] = []
    for part in parts:
        runs[len(plain)] = len(text)
        if isinstance(part, str):
            text += part + " "
            plain += part + " "
            continue
        form, count = part
        start = len(text)
        keys = []
        text += "\\cite{"
        for number in range(count):
            keys.append(Key(f"k{number}", Place("a", Span(len(text), len(text) + 2))))
            text += f"k{number},"
        text += "} "
        citations.append(
            Citation(Place("a", Span(start, len(text) - 1)), "cite", form, tuple(keys))
        )
        plain += "Authors " if form is CitationForm.TEXTUAL else "[1] "
    at = Place("a", Span(0, len(text)))
    offsets = OffsetMap(tuple(sorted(runs.items())) or ((0, 0),))
    sentence = Sentence(at, plain, offsets, 0, 0, kind, tuple(range(len(citations))))
    return Manuscript(
        "a", {"a": Source("a", text)}, (), (Section("", 0, at, None, None),),
        (Paragraph(at, 0, kind),), (sentence,), tuple(citations),
        *((),) * 11, "en",
    )  # fmt: skip


@given(parts=PARTS, kind=KINDS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_each_shown_citation_is_in_one_claim(
    parts: list[str | tuple[CitationForm, int]], kind: str
) -> None:
    paper = written(parts, kind)
    shown = [
        number
        for number, citation in enumerate(paper.citations)
        if citation.form is not CitationForm.UNSEEN and citation.keys
    ]
    for per in ("group", "sentence"):
        found = claims(paper, per)  # type: ignore[arg-type]
        assert sorted(c for claim in found for c in claim.citations) == shown
        for claim in found:
            assert paper.sentences[0].at.span.covers(claim.at.span)
            for citation in claim.citations:
                assert claim.at.span.covers(paper.citations[citation].at.span)
            assert list(claim.keys) == list(
                dict.fromkeys(k.name for c in claim.citations for k in paper.citations[c].keys)
            )


@given(text=st.text(max_size=400))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_readers_of_free_text_take_anything(text: str) -> None:
    abstract_of(text)
    surnames(text)
    numbers(text)
    denied(text)
    system_before(text)
    named_before(text, frozenset({"lee"}))
