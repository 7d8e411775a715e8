import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rendered import BREAK, rendered

from reviser.deliver.markdown import (
    address,
    clip,
    code,
    escaped,
    fence,
    inline,
    link,
    permalink,
    shown_lines,
    word_diff,
)
from reviser.text.diff import Change, Part
from reviser.text.printable import printable, printable_line

NASTY = [
    "@everyone", "@org/team", "a@b.org", "#123", "GH-12", "gh-7", "owner/repo#1", "user@0123456",
    "https://evil.example/x", "http://", "ftp://a.b", "www.evil.example", "mailto:a@b.org", "://",
    "<script>", "</summary>", "<!--", "-->", "<img src=x>", "&lt;", "&#64;all", "|", "\\|", "\\",
    "`", "``", "```", "~~~", "~~x~~", "**b**", "_e_", "[a](b)", "![a](b)", "[x]: http://a.b",
    "[^1]", "[ ]", "# h", "- l", "+ l", "1. l", "2) l", "> q", "===", "---", "***", "    c", "\t",
    "\n", "\n\n", "\r", "\u202e", "\u200b", "\x00", "\x1b[31m", "$x$", "$$", "$`x`$", ":smile:",
    "GHSA-aaaa-bbbb-cccc", "CVE-2020-1234", "0123456789abcdef0123456789abcdef01234567", "deadbeef",
    "::add-mask::x", "\\cite{a_b}", "\ud800", "é", " ", "x", "!", "^", "=", ".", "5",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(NASTY) | st.text(max_size=3), max_size=8).map("".join)
HARMLESS = {"p", "span"}
# What GitHub's filters look for in the text of a page, outside of code.
LIVE = re.compile(
    r"@[\w-]|#\d|\bGH-\d|GHSA-\w|CVE-\d|://|www\.|:[\w+-]+:|[0-9a-f]{7}|\$", re.IGNORECASE
)


def alive(document):
    """What a filter would act on; a dollar in an element of its own is none."""
    return [
        found[0]
        for text, inside in document.texts
        if "code" not in inside and not (text == "$" and inside[-1] == "span")
        for found in LIVE.finditer(text)
    ]


def plain(text):
    return text.replace(BREAK, "")


@given(TEXT)
@example("1")
@example("=")
def test_inline_text_shows_as_it_is_and_does_nothing(text):
    put, shown = inline(text), printable(text)
    assert "\n" not in put
    for before, after in (("", ""), ("before\n", ""), ("> ", ""), ("See ", " there"), ("- ", "")):
        document = rendered(f"{before}{put}{after}\n")
        assert set(document.tags) <= HARMLESS | {">": {"blockquote"}, "-": {"ul", "li"}}.get(
            before.strip(), set()
        )
        around = before if before.strip().isalpha() else "", after
        assert plain(document.text).strip() == f"{around[0]}{shown}{around[1]}".strip()
        assert alive(document) == []
        assert document.links == []


@given(TEXT, TEXT)
def test_a_cell_holds_its_text(text, other):
    table = f"| a | b |\n|---|---|\n| {inline(text)} | {code(other)} |\n| x | y |\n"
    document = rendered(table)
    assert len(document.cells) == 6
    assert plain(document.cells[2]) == printable(text)
    assert document.cells[3].strip() == printable(other)
    assert document.cells[4:] == ["x", "y"]
    assert alive(document) == []
    assert document.links == []
    assert set(document.tags) <= HARMLESS | {"table", "thead", "tbody", "tr", "th", "td", "code"}


@given(TEXT, TEXT)
@example("", "mailto:a@b.org|")
def test_a_code_span_holds_its_text(text, other):
    document = rendered(f"see {code(text)} and `x` {code(other)}.\n")
    assert [c.strip() for c in document.codes] == [printable(text), "x", printable(other)]
    assert set(document.tags) <= HARMLESS | {"code"}


@given(st.lists(TEXT.map(lambda t: re.sub("[\r\n\x00\ud800]", "", t)), max_size=6))
def test_a_fence_holds_exactly_its_lines(lines):
    document = rendered(f"before\n\n{fence(lines, 'suggestion')}\nafter\n")
    assert document.tags == ["p", "pre", "code", "p"]
    assert ("class", "language-suggestion") in document.attributes or (
        "lang", "suggestion") in document.attributes  # fmt: skip
    assert document.codes == ["".join(f"{line}\n" for line in lines)]
    assert "after" in document.texts[-2 if document.texts[-1][0] == "\n" else -1][0]


@given(TEXT, TEXT, TEXT)
def test_changed_words_show_as_they_are_and_do_nothing(head, middle, tail):
    document = rendered(f"{word_diff([f'{head} {tail}'], [f'{head} {middle} {tail}'])}\n\nafter\n")
    assert set(document.tags) <= HARMLESS | {"blockquote", "del", "strong"}
    assert alive(document) == []
    assert document.links == []


def test_only_the_changed_words_of_a_long_line_are_shown():
    line = " ".join(f"word{n}" for n in range(100))
    told = word_diff([line], [line.replace("word50", "sentence")])
    assert told == (
        "> … word45 word46 word47 word48 word49 <del>word50</del><strong>sentence</strong>"
        " word51 word52 word53 word54 word55 …"
    )
    assert word_diff(["a b", "same", "c d"], ["a x", "same", "c y"]) == (
        "> a <del>b</del><strong>x</strong>\n>\n> c <del>d</del><strong>y</strong>"
    )


def test_spaces_of_a_line_are_kept():
    assert escaped("a  b ") == "a  b "
    assert rendered(escaped("a\nb")).text.strip() == "a<U+000A>b"


@pytest.mark.parametrize(
    ("text", "put"),
    [
        ("ask @alice", "ask @&#8203;alice"),
        (r"\cite{a_b}", r"\\cite{a\_b}"),
        ("see fig:net and 10.1145/329", None),
        ("https://a.b", "https:<span></span>//a.b"),
        (":tada: 3292500", ":<span></span>tada: 329250<span></span>0"),
        ("1. first", r"1\. first"),
        ("a plain sentence, with (some) marks; nothing else.", None),
    ],
)
def test_escapes(text, put):
    assert inline(text) == (put or text)


def test_lines_of_a_difference_are_fit_to_be_looked_at():
    parts = [Part(Change.LOST, "a\x1b[31m\r\n"), Part(Change.GAINED, "x" * 5000)]
    lines = shown_lines(parts)
    assert lines[0] == "-a<U+001B>[31m"
    assert len(lines[1]) == 1001
    assert printable_line("a\tb") == "a    b"


@given(st.text(), st.integers(1, 30))
def test_clipped_text_is_no_longer_than_asked(text, most):
    assert len(clip(text, most)) <= most
    assert clip(text, len(text) + 1) == text


def test_permalinks():
    found = permalink("https://github.com", "o/r", "f" * 40, "a b/ü#?%.tex", (3, 5))
    assert found == f"https://github.com/o/r/blob/{'f' * 40}/a%20b/%C3%BC%23%3F%25.tex#L3-L5"
    assert permalink("https://github.com/", "o/r", "f", "x.tex", (3, 3)).endswith("/x.tex#L3")
    assert permalink("https://github.com", "o/r", "f", "x.md", (3, 3)).endswith("/x.md?plain=1#L3")
    assert permalink("https://github.com", "o/r", "f", "caf\udce9.tex").endswith("caf%E9.tex")
    assert permalink("javascript:x", "o/r", "f", "x.tex") == ""
    assert address("https://github.com") == "https://github.com"


@given(TEXT, TEXT)
def test_links_lead_where_they_should_or_nowhere(label, path):
    to = permalink("https://github.com", "o/r", "f", f"a{path}b", (1, 2))
    document = rendered(f"| a |\n|---|\n| {link(code(label), to)} |\n")
    assert document.links == [to]
    assert plain(document.cells[1]).strip() == printable(label)
    assert rendered(link("x", path)).links in ([], [path])


def test_no_link_to_what_is_no_page():
    assert link("x", "") == link("x", "javascript:alert(1)") == link("x", "https://a b") == "x"
