import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_edits import diff, replacement, sources, verdict

from reviser.deliver import suggestion as suggestions
from reviser.deliver.suggestion import Suggestion, suggest
from reviser.text.edit import Replacement, apply
from reviser.text.patch import FilePatch
from reviser.text.source import Place, Source, Span

NUMBERED = "".join(f"line {n}\n" for n in range(1, 41))


def committed(text, *wanted):
    """What GitHub makes of a file when these suggestions are committed together."""
    lines = text.split("\n")
    for one in sorted(wanted, key=lambda s: -s.first):
        assert lines[one.first - 1 : one.last] == list(one.old)
        lines[one.first - 1 : one.last] = one.new
    return "\n".join(lines)


def only(verdicts, files, patches, root=""):
    found = suggest(verdicts, files, patches, root)
    assert found.elsewhere == ()
    (one,) = found.suggestions
    return one


def why(verdicts, files, patches, root=""):
    found = suggest(verdicts, files, patches, root)
    assert found.suggestions == ()
    return [one.why for one in found.elsewhere]


def test_one_word_is_one_line():
    files = sources(main=NUMBERED)
    patches = diff("main.tex", NUMBERED.replace("line 9\n", "old\n"), NUMBERED)
    wanted = verdict(replacement(files, "main.tex", "line 10", "line ten"))
    assert only([wanted], files, patches) == Suggestion(
        "main.tex", 10, 10, ("line 10",), ("line ten",), (wanted,)
    )


def test_paths_lead_from_the_top_of_the_repository():
    files = sources(main=NUMBERED)
    wanted = verdict(replacement(files, "main.tex", "line 10", "x"))
    patches = diff("paper/main.tex", "", NUMBERED)
    assert only([wanted], files, patches, "paper/").path == "paper/main.tex"
    assert why([wanted], files, patches) == [suggestions.NOT_IN_DIFF]


def test_context_carries_a_suggestion_and_what_lies_beyond_does_not():
    files = sources(main=NUMBERED)
    patches = diff("main.tex", NUMBERED.replace("line 9\n", "old\n"), NUMBERED)
    for line, shown in ((5, False), (6, True), (12, True), (13, False)):
        wanted = verdict(replacement(files, "main.tex", f"line {line}\n", "x\n"))
        assert bool(suggest([wanted], files, patches, "").suggestions) is shown
    assert why([wanted], files, patches) == [suggestions.NOT_SHOWN]


def test_an_edit_over_two_hunks_or_files_is_never_split():
    files = sources(main=NUMBERED, other=NUMBERED)
    before = NUMBERED.replace("line 5\n", "old\n").replace("line 30\n", "old\n")
    patches = (*diff("main.tex", before, NUMBERED), *diff("other.tex", before, NUMBERED))
    first = replacement(files, "main.tex", "line 5\n", "x\n")
    far = replacement(files, "main.tex", "line 30\n", "x\n")
    beyond = replacement(files, "other.tex", "line 5\n", "x\n")
    assert why([verdict(first, far)], files, patches) == [suggestions.SEVERAL_HUNKS]
    assert why([verdict(first, beyond)], files, patches) == [suggestions.SEVERAL_FILES]


def test_two_places_of_one_hunk_are_one_range():
    files = sources(main=NUMBERED)
    wanted = verdict(
        replacement(files, "main.tex", "line 5\n", "five\n"),
        replacement(files, "main.tex", "line 7\n", ""),
    )
    one = only([wanted], files, diff("main.tex", "", NUMBERED))
    assert (one.first, one.last) == (5, 7)
    assert one.new == ("five", "line 6")


def test_whole_lines_go_without_a_new_one():
    files = sources(main=NUMBERED)
    patches = diff("main.tex", "", NUMBERED)
    for before in ("line 5\nline 6\n", "line 5\nline 6\n"):
        one = only([verdict(replacement(files, "main.tex", before, ""))], files, patches)
        assert (one.first, one.last, one.new) == (5, 6, ())
    tail = verdict(replacement(files, "main.tex", "\nline 6", ""))
    one = only([tail], files, patches)
    assert (one.first, one.last, one.new) == (6, 6, ())


def test_an_inserted_line_stands_on_its_neighbour():
    files = sources(main=NUMBERED)
    end = Replacement(Place("main.tex", Span(len(NUMBERED), len(NUMBERED))), "", "new\n")
    start = Replacement(Place("main.tex", Span(0, 0)), "", "new\n")
    patches = diff("main.tex", "", NUMBERED)
    one = only([verdict(end)], files, patches)
    assert (one.first, one.old, one.new) == (40, ("line 40",), ("line 40", "new"))
    one = only([verdict(start)], files, patches)
    assert (one.first, one.old, one.new) == (1, ("line 1",), ("new", "line 1"))


def test_a_blank_line_brings_a_neighbour_that_is_not():
    text = "a\nb\nc\n"
    files = sources(main=text)
    one = only(
        [verdict(replacement(files, "main.tex", "b", ""))], files, diff("main.tex", "", text)
    )
    assert (one.first, one.last, one.new) == (1, 2, ("a", ""))
    lonely = sources(main="b\n")
    wanted = verdict(replacement(lonely, "main.tex", "b", ""))
    assert why([wanted], lonely, diff("main.tex", "", "b\n")) == [suggestions.ONLY_BLANK]


def test_the_unended_last_line_is_left_alone():
    text = "a\nb\nc"
    files, patches = sources(main=text), diff("main.tex", "", text)
    last = verdict(replacement(files, "main.tex", "c", "d"))
    assert why([last], files, patches) == [suggestions.UNENDED]
    first = verdict(replacement(files, "main.tex", "a", "d"))
    assert only([first], files, patches).new == ("d",)
    ended = sources(main="a\nb\n")
    wanted = verdict(replacement(ended, "main.tex", "b\n", "b"))
    assert why([wanted], ended, diff("main.tex", "", "a\nb\n")) == [suggestions.UNENDED]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (Source("main.tex", "a\r\nb\r\n"), suggestions.CARRIAGE_RETURNS),
        (Source("main.tex", "a\nb\r\n"), suggestions.CARRIAGE_RETURNS),
        (Source("main.tex", "a\rb\n"), suggestions.CARRIAGE_RETURNS),
        (Source("main.tex", "a\né\n", "latin-1"), suggestions.NOT_UTF8),
        (
            Source("main.tex", "version https://git-lfs.github.com/spec/v1\noid a\n"),
            suggestions.POINTER,
        ),
        (Source("main.tex", "\ufeffa\n"), suggestions.CONTROL),
        (Source("main.tex", "a\x00\n"), suggestions.CONTROL),
    ],
)
def test_files_that_a_suggestion_would_spoil(source, said):
    files = {"main.tex": source}
    wanted = verdict(replacement(files, "main.tex", "a", "x"))
    patches = diff("main.tex", "", source.text)
    assert why([wanted], files, patches) == [said]


def test_edits_on_touching_lines_are_one_suggestion():
    files = sources(main=NUMBERED)
    patches = diff("main.tex", "", NUMBERED)
    pair = [
        verdict(replacement(files, "main.tex", "line 6\n", "six\n"), name="b", answers=("b" * 12,)),
        verdict(replacement(files, "main.tex", "line 5\n", "five\n"), name="a"),
        verdict(replacement(files, "main.tex", "line 8\n", "eight\n"), name="c"),
    ]
    found = suggest(pair, files, patches, "")
    assert [(s.first, s.last, s.new) for s in found.suggestions] == [
        (5, 6, ("five", "six")),
        (8, 8, ("eight",)),
    ]
    assert found.suggestions[0].points == ("f" * 12, "b" * 12)


def test_two_edits_of_one_place_keep_the_first():
    files = sources(main=NUMBERED)
    wanted = [
        verdict(replacement(files, "main.tex", "line 5", "x"), name="a"),
        verdict(replacement(files, "main.tex", "line 5", "y"), name="b"),
    ]
    found = suggest(wanted, files, diff("main.tex", "", NUMBERED), "")
    assert [s.verdicts for s in found.suggestions] == [(wanted[0],)]
    assert [(e.verdict, e.why) for e in found.elsewhere] == [(wanted[1], suggestions.OVERLAP)]


def test_an_edit_of_another_text_is_no_suggestion():
    files = sources(main=NUMBERED)
    stale = verdict(Replacement(Place("main.tex", Span(0, 4)), "other", "x"))
    same = verdict(replacement(files, "main.tex", "line 5", "line 5"))
    patches = diff("main.tex", "", NUMBERED)
    assert why([stale], files, patches) == [suggestions.STALE]
    assert why([same], files, patches) == [suggestions.NO_CHANGE]
    assert why([verdict()], files, patches) == [suggestions.NO_CHANGE]


def test_a_diff_of_another_head_carries_nothing():
    files = sources(main=NUMBERED)
    wanted = verdict(replacement(files, "main.tex", "line 5", "x"))
    patches = diff("main.tex", "", "one more\n" + NUMBERED)
    assert why([wanted], files, patches) == [suggestions.OTHER_DIFF]


def test_what_no_comment_could_hold_is_no_suggestion():
    files = sources(main=NUMBERED)
    wanted = verdict(replacement(files, "main.tex", "line 5", "x" * 40_000))
    assert why([wanted], files, diff("main.tex", "", NUMBERED)) == [suggestions.TOO_LONG]


def test_a_removed_file_or_one_without_lines_carries_nothing():
    files = sources(main=NUMBERED)
    wanted = verdict(replacement(files, "main.tex", "line 5", "x"))
    removed = FilePatch("main.tex", "main.tex", "removed")
    binary = FilePatch("main.tex", "main.tex", "modified", binary=True)
    assert why([wanted], files, [removed]) == [suggestions.NOT_IN_DIFF]
    assert why([wanted], files, [binary]) == [suggestions.NOT_SHOWN]


TEXT = st.lists(st.sampled_from(["a", "b", "", " ", "c d", "```"]), max_size=20).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "\n".join([*lines, ""])])
)


@st.composite
def cases(draw):
    text, before = draw(TEXT), draw(TEXT)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    parts = []
    for start, stop in zip(cuts[::2], cuts[1::2], strict=False):
        after = draw(st.sampled_from(["", "x", "\n", "x\n", "\nx", "```\n~~~\n"]))
        parts.append(Replacement(Place("main.tex", Span(start, stop)), text[start:stop], after))
    return before, text, parts, draw(st.booleans())


@given(cases())
def test_committing_suggestions_does_what_the_edits_do(case):
    before, text, parts, together = case
    files = sources(main=text)
    patches = diff("main.tex", before, text)
    wanted = (
        [verdict(*parts)] if together else [verdict(p, name=str(n)) for n, p in enumerate(parts)]
    )
    found = suggest(wanted, files, patches, "")
    told = [v for s in found.suggestions for v in s.verdicts]
    told += [e.verdict for e in found.elsewhere]
    assert sorted(v.edit.id for v in told) == sorted(v.edit.id for v in wanted)
    end = 0
    for one in found.suggestions:
        assert patches[0].shows(one.first, one.last)
        assert one.first > end
        end = one.last
        assert committed(text, one) == apply(files, (v.edit for v in one.verdicts))["main.tex"].text
        assert not one.new or any(line.strip() for line in one.new)
        if len(one.verdicts) == 1 and len(one.new) > 1 and len(one.old) > 1:
            # No line that stays as it is stands at both ends.
            assert not (one.old[0] == one.new[0] and one.old[-1] == one.new[-1])
    applied = [v.edit for s in found.suggestions for v in s.verdicts]
    if applied:
        assert committed(text, *found.suggestions) == apply(files, applied)["main.tex"].text
