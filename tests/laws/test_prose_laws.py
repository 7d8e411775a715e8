"""Laws of prose and sentences, for any text whatever."""

from bisect import bisect_right
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.latex.language import detect
from reviser.latex.prose import blocks
from reviser.latex.sentences import split
from reviser.latex.tex import read_tex
from reviser.text.source import Source

MARKUP = r"""\section{ \emph{ \footnote{ \caption{ \cite{a} \citet[p.3]{b} \ref{x} \begin{itemize}
    \end{itemize} \item \item[a] \begin{tabular}{l} \end{tabular} \begin{figure} \end{figure}
    \begin{tikzpicture} \end{tikzpicture} \[ \] $ $x.$ $5\%$ $$ { } [ ] \\ \ % ~ \'e \"{o} \c \'
    -- `` '' \verb| | \url{a%b} \title{ \begin{document} \end{document} \iffalse \fi \m \m{}
    \newcommand{\m}{Mine} \begin{abstract} \end{abstract} \input{f} \textcolor{red}{ \ldots &
    word Word e.g. ends. Fig. (see. A) 日本。 é ￼"""
PIECES = (*MARKUP.split(), "\u00a0", "\n", "\n\n", "\r\n", " ", "% note\n", "\\ ")
TEX = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=40).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEX)
def test_sentences_of_any_file_are_sane(text: str) -> None:
    source = Source("a.tex", text)
    found = blocks(read_tex(source), source)
    assert sorted(found, key=lambda block: block.at) == list(found)
    for block in found:
        assert block.sentences
        assert block.at.start == block.sentences[0].at.start
        assert block.at.stop == block.sentences[-1].at.stop
        for one, other in pairwise(block.sentences):
            assert one.at.stop <= other.at.start
        for sentence in block.sentences:
            assert sentence.text.strip() == sentence.text != ""
            assert sentence.at.stop <= len(text)
            firsts = [run[0] for run in sentence.runs]
            assert firsts[0] == 0
            previous = sentence.at.start
            for offset in range(len(sentence.text)):
                first, start = sentence.runs[bisect_right(firsts, offset) - 1]
                assert previous <= start + offset - first < sentence.at.stop
                previous = start + offset - first


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            (
                "Oaks",
                "grow",
                "and",
                "fall",
                "\\emph{now}",
                "{so}",
                "trees.",
                "It",
                "\n",
                " ",
                "  ",
                "{\\em is}",
                "3.5",
                "--",
                "a\\_b",
            )
        ),
        max_size=40,
    )
)
def test_letters_come_from_where_they_stand(words: list[str]) -> None:
    text = " ".join(words)
    source = Source("a.tex", text)
    for block in blocks(read_tex(source), source):
        for sentence in block.sentences:
            firsts = [run[0] for run in sentence.runs]
            for offset, char in enumerate(sentence.text):
                first, start = sentence.runs[bisect_right(firsts, offset) - 1]
                if char.isalnum():
                    assert text[start + offset - first] == char
                if sentence.balanced:
                    inside = text[sentence.at.start : sentence.at.stop].replace("\\_", "")
                    assert inside.count("{") == inside.count("}")


@given(
    st.text(
        alphabet=st.one_of(st.characters(), st.sampled_from('.!?()[]1 \nAa\u3002\u00a0"')),
        max_size=80,
    )
)
def test_sentences_tile_the_text_but_for_blanks(text: str) -> None:
    spans = split(text)
    previous = 0
    for span in spans:
        assert not text[previous : span.start].strip()
        assert text[span.start : span.stop].strip() == text[span.start : span.stop] != ""
        previous = span.stop
    assert not text[previous:].strip()


@given(st.text(max_size=200))
def test_any_text_has_a_language_or_none(text: str) -> None:
    assert detect(text) in {
        "",
        "en",
        "de",
        "fr",
        "es",
        "it",
        "pt",
        "nl",
        "ru",
        "uk",
        "zh",
        "ja",
        "ko",
    }
