import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.text.diff import Change, Part, hunks, patch, words

LINES = st.text(alphabet="ab\n\r ", max_size=60)


def rebuilt(parts, kept):
    return "".join(part.text for part in parts if part.change in (Change.SAME, kept))


@given(LINES, LINES)
def test_words_join_to_both_texts(before, after):
    parts = words(before, after)
    assert rebuilt(parts, Change.LOST) == before
    assert rebuilt(parts, Change.GAINED) == after


@given(LINES, LINES, st.integers(0, 3))
def test_hunks_put_onto_the_old_text_give_the_new(before, after, context):
    old = before.split("\n")
    lines = [f"{line}\n" for line in old[:-1]] + ([old[-1]] if old[-1] else [])
    result, cursor = [], 0
    for hunk in hunks(before, after, context=context):
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        assert start >= cursor
        result += lines[cursor:start]
        taken = [p.text for p in hunk.lines if p.change is not Change.GAINED]
        assert lines[start : start + hunk.old_count] == taken
        result += [p.text for p in hunk.lines if p.change is not Change.LOST]
        cursor = start + hunk.old_count
    assert "".join([*result, *lines[cursor:]]) == after


def test_one_word_is_changed():
    assert words(r"as \cite{a,b} say", r"as \cite{a} say") == (
        Part(Change.SAME, r"as \cite{a"),
        Part(Change.LOST, ",b"),
        Part(Change.SAME, "} say"),
    )


def test_equal_texts_have_no_hunk_and_no_patch():
    assert hunks("a\nb", "a\nb") == ()
    assert patch("x.tex", b"a\n", b"a\n") == b""


def test_distant_changes_are_two_hunks_and_near_ones_one():
    text = "".join(f"{n}\n" for n in range(40))
    far = text.replace("5\n", "five\n", 1).replace("30\n", "thirty\n")
    near = text.replace("10\n", "ten\n").replace("15\n", "fifteen\n")
    assert [h.header for h in hunks(text, far)] == ["@@ -3,7 +3,7 @@", "@@ -28,7 +28,7 @@"]
    assert [h.header for h in hunks(text, near)] == ["@@ -8,12 +8,12 @@"]


@pytest.mark.parametrize("name", ["main.tex", "my paper.tex", 'a"b.tex', "ünïcode/é.tex"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"one\r\ntwo\r\nthree\r\n", b"one\r\n2\r\nthree\r\n"),
        (b"one\ntwo", b"one\n2"),
        (b"one\ntwo\n", b"one\ntwo"),
        (b"caf\xe9 \xff\nx\n", b"caf\xe9!\nx\n"),
        (b"a\rb\rc\n", b"a\rB\rc\n"),
        (b"", b"new\n"),
        (b"gone\n", b""),
    ],
)
def test_git_takes_the_patch_and_its_reverse(tmp_path, name, before, after):
    target = tmp_path / name
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(before)
    git_apply(tmp_path, patch(name, before, after))
    assert target.read_bytes() == after
    git_apply(tmp_path, patch(name, after, before))
    assert target.read_bytes() == before


def git_apply(folder: Path, diff: bytes) -> None:
    command = ["git", "-c", "core.autocrlf=false", "apply", "--unidiff-zero", "-"]
    done = subprocess.run(command, cwd=folder, input=diff, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_a_huge_line_is_still_compared_quickly():
    before = "word " * 50_000
    after = before[:1000] + "WORD" + before[1000:]
    assert rebuilt(words(before, after), Change.GAINED) == after
