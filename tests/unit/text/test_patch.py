import os
import re
import subprocess
from pathlib import Path

import pytest
import unidiff
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviser.text.diff import Change, Hunk, Part, hunks, patch
from reviser.text.patch import FilePatch, UnreadablePatch, parse_hunks, read_patch

LINE = st.sampled_from(
    ["a", "b", "", " ", "-- a/x", "++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline",
     "é", "c\r", "\ttab", "\x0c", "\u2028"]
)  # fmt: skip
TEXT = st.builds(
    lambda lines, ended: "\n".join(lines) + ("\n" if ended and lines else ""),
    st.lists(LINE, max_size=25),
    st.booleans(),
)
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(folder, *arguments):
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        check=True,
    )
    return done.stdout


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    return tmp_path


def committed(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def difference(folder, *, context=3):
    git(folder, "add", "-A")
    return git(folder, "diff", "--cached", f"-U{context}", "-M", "HEAD")


def split(text):
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def rebuilt(before, found):
    """The new text: the hunks put onto the old one."""
    lines, result, cursor = split(before), [], 0
    for hunk in found:
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        result += lines[cursor:start]
        result += [p.text for p in hunk.lines if p.change is not Change.LOST]
        cursor = start + hunk.old_count
        assert lines[start:cursor] == [p.text for p in hunk.lines if p.change is not Change.GAINED]
    return "".join([*result, *lines[cursor:]])


@given(TEXT, TEXT, st.integers(0, 3))
def test_our_own_patches_are_read_as_they_were_meant(before, after, context):
    raw = patch("x.tex", before.encode(), after.encode())
    if before == after:
        assert read_patch(raw) == ()
        return
    (file,) = read_patch(raw)
    assert file.path == file.old_path == "x.tex"
    assert file.hunks == hunks(before, after)
    assert rebuilt(before, file.hunks) == after
    assert parse_hunks("\n".join(raw.decode().split("\n")[3:-1])) == file.hunks


@given(TEXT, TEXT)
def test_unidiff_reads_the_same(before, after):
    # unidiff splits lines at form feeds and the like, which git does not.
    before, after = (re.sub("[\x0c\u2028\r]", "", text) for text in (before, after))
    raw = patch("x.tex", before.encode(), after.encode())
    theirs = list(unidiff.PatchSet(raw.decode()))
    ours = read_patch(raw)
    assert len(theirs) == len(ours)
    for their, our in zip(theirs, ours, strict=True):
        told = [(h.source_start, h.source_length, h.target_start, h.target_length) for h in their]
        assert told == [(h.old_start, h.old_count, h.new_start, h.new_count) for h in our.hunks]
        for theirs_hunk, ours_hunk in zip(their, our.hunks, strict=True):
            body = [
                (line.line_type, line.value.rstrip("\n"))
                for line in theirs_hunk
                if line.line_type in " +-"
            ]
            assert body == [(p.change, p.text.rstrip("\n")) for p in ours_hunk.lines]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(TEXT.filter(bool), TEXT.filter(bool))
def test_git_is_read_as_it_means_it(repository, before, after):
    file = repository / "p q.tex"
    file.write_bytes(before.encode())
    committed(repository)
    file.write_bytes(after.encode())
    found = read_patch(difference(repository))
    bare = difference(repository, context=0).decode()
    if before == after:
        assert found == ()
        return
    assert [f.path for f in found] == ["p q.tex"]
    assert rebuilt(before, found[0].hunks) == after
    # The same lines that git itself calls changed when it shows nothing else.
    expected, left = [], 0
    for line in bare.split("\n"):
        if left:
            left -= not line.startswith("\\")
        elif told := re.match(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line):
            lost, count = (1 if told[n] is None else int(told[n]) for n in (1, 3))
            first, left = int(told[2]), lost + count
            expected.append((first, first + count - 1) if count else (max(first, 1), first + 1))
    assert found[0].touched == tuple(expected)


@pytest.mark.parametrize(
    "name", ["a b.tex", 'q"uote.tex', "tab\there.tex", "back\\slash.tex", "é ü.tex", "x b/x.tex"]
)
def test_names_come_out_of_their_quotes(repository, name):
    path = repository / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("one\n")
    committed(repository)
    path.write_text("two\n")
    path.chmod(0o755)
    (found,) = read_patch(difference(repository))
    assert (found.path, found.status) == (name, "modified")
    assert found.touched == ((1, 1),)
    committed(repository)
    path.chmod(0o644)
    assert read_patch(difference(repository)) == (FilePatch(name, name, "modified"),)
    committed(repository)
    moved = path.with_name("elsewhere.tex")
    path.rename(moved)
    (found,) = read_patch(difference(repository))
    assert (found.path, found.old_path) == (moved.relative_to(repository).as_posix(), name)
    assert found.status == "renamed"


def test_a_name_that_is_no_utf8(repository):
    raw = os.fsencode(repository) + b"/caf\xe9.tex"
    Path(os.fsdecode(raw)).write_text("x\n")
    committed(repository)
    Path(os.fsdecode(raw)).write_text("y\n")
    (found,) = read_patch(difference(repository))
    assert found.path.encode("utf-8", "surrogateescape") == b"caf\xe9.tex"


def test_every_kind_of_change(repository):
    def write(name, data):
        (repository / name).write_bytes(data)

    long = b"".join(b"line %d\n" % n for n in range(30))
    write("kept.tex", b"same\n")
    write("gone.tex", b"one\nother\nthird\n")
    write("old.tex", long)
    write("figure.png", b"\x89PNG\0\1")
    write("legacy.tex", b"caf\xe9\n")
    write("becomes-link.tex", b"text\n")
    write("emptied.tex", b"a\n")
    committed(repository)
    (repository / "gone.tex").unlink()
    (repository / "old.tex").rename(repository / "new.tex")
    write("new.tex", long.replace(b"line 7\n", b"line seven\n"))
    write("figure.png", b"\x89PNG\0\2")
    write("legacy.tex", b"caf\xe8\n")
    write("added.tex", b"a\nb")
    write("nothing.tex", b"")
    write("emptied.tex", b"")
    (repository / "becomes-link.tex").unlink()
    (repository / "becomes-link.tex").symlink_to("kept.tex")
    found = {(f.path, f.status): f for f in read_patch(difference(repository))}
    assert set(found) == {
        ("added.tex", "added"),
        ("becomes-link.tex", "removed"),
        ("becomes-link.tex", "added"),
        ("emptied.tex", "modified"),
        ("figure.png", "modified"),
        ("gone.tex", "removed"),
        ("legacy.tex", "modified"),
        ("new.tex", "renamed"),
        ("nothing.tex", "added"),
    }
    assert found["added.tex", "added"].hunks == (
        Hunk(0, 0, 1, 2, (Part(Change.GAINED, "a\n"), Part(Change.GAINED, "b"))),
    )
    assert found["added.tex", "added"].touched == ((1, 2),)
    assert found["figure.png", "modified"].binary
    assert found["becomes-link.tex", "added"].binary
    assert not found["becomes-link.tex", "added"].shows(1, 1)
    assert found["gone.tex", "removed"].touched == ()
    assert not found["gone.tex", "removed"].shows(1, 1)
    assert found["nothing.tex", "added"].hunks == ()
    assert found["emptied.tex", "modified"].touched == ((1, 1),)
    assert found["legacy.tex", "modified"].hunks[0].lines[1].text == "caf\udce8\n"
    renamed = found["new.tex", "renamed"]
    assert (renamed.old_path, renamed.touched) == ("old.tex", ((8, 8),))
    assert renamed.shows(5, 11)
    assert not renamed.shows(4, 4)
    assert not renamed.shows(11, 12)


def test_a_submodule_has_no_lines():
    raw = (
        b"diff --git a/sub b/sub\nindex 1111111..2222222 160000\n--- a/sub\n+++ b/sub\n"
        b"@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n"
        b"diff --git a/x b/x\nsimilarity index 90%\ncopy from x\ncopy to y\n"
    )
    assert read_patch(raw) == (
        FilePatch("sub", "sub", "modified", binary=True),
        FilePatch("y", "x", "added"),
    )


def test_lines_that_were_only_removed_count_their_neighbours():
    before, after = "1\n2\n3\n4\n5\n", "3\n5\n"
    (file,) = read_patch(patch("x", before.encode(), after.encode()))
    assert file.touched == ((1, 1), (1, 2))


def test_two_hunks_do_not_show_what_lies_across_them():
    before = "".join(f"{n}\n" for n in range(1, 41))
    after = before.replace("5\n", "five\n", 1).replace("30\n", "thirty\n")
    (file,) = read_patch(patch("x", before.encode(), after.encode()))
    assert file.shows(2, 8)
    assert file.shows(27, 33)
    assert not file.shows(8, 27)
    assert not file.shows(0, 3)
    assert not file.shows(8, 9)


@pytest.mark.parametrize(
    "text",
    ["@@ -1,2 +1,2 @@\n a", "@@ -1,2 +1,2 @@\n a\n", "@@ -1 +1 @@\n-a\nx", "hello", " a",
     "@@ -1,2 +1 @@\n-a\n+b\n+c"],
)  # fmt: skip
def test_what_is_cut_off_is_no_patch(text):
    with pytest.raises(UnreadablePatch):
        parse_hunks(text)


def test_what_follows_a_hunk_is_none_of_it():
    (hunk,) = parse_hunks("@@ -1 +1 @@ \\section{a}\n a\n+b")
    assert hunk.lines == (Part(Change.SAME, "a\n"),)
    assert parse_hunks("") == ()


def test_a_name_nobody_can_read_is_refused():
    with pytest.raises(UnreadablePatch, match="names a file"):
        read_patch(b"diff --git a/one b/other\nold mode 100644\nnew mode 100755\n")


def test_a_name_with_a_number_that_is_no_byte_is_still_a_name():
    raw = b'diff --git "a/\\777" "b/\\777"\nold mode 100644\nnew mode 100755\n'
    assert read_patch(raw)[0].path.encode("utf-8", "surrogateescape") == b"\xff"
