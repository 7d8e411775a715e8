import pytest

from reviser.adapters.git.history import commit_of, diff, diff_size, merge_base
from reviser.errors import NoConclusion, UsageError
from reviser.text.patch import read_patch


def test_commits_and_where_they_parted(remote):
    base = remote.commit({"a.tex": b"1\n"})
    mine = remote.commit({"a.tex": b"2\n"}, parent=base, branch="mine")
    theirs = remote.commit({"a.tex": b"3\n"}, parent=base)
    assert commit_of(remote.folder, "mine") == mine
    assert commit_of(remote.folder, "mine~1") == base
    assert merge_base(remote.folder, "mine", "main") == base
    assert merge_base(remote.folder, theirs, base) == base
    alone = remote.commit({"a.tex": b"4\n"}, branch="alone")
    with pytest.raises(UsageError, match="no commit where"):
        merge_base(remote.folder, alone, "main")


@pytest.mark.parametrize("name", ["", "none", "--output=x", "main:a.tex"])
def test_names_of_nothing(remote, name):
    remote.commit({"a.tex": b"1\n"})
    with pytest.raises(UsageError, match="no revision"):
        commit_of(remote.folder, name)


def test_renames_are_found_and_settings_ignored(remote):
    remote.git("config", "diff.noprefix", "true")
    remote.git("config", "diff.context", "0")
    remote.git("config", "diff.external", "false")
    lines = "".join(f"line {n}\n" for n in range(40))
    base = remote.commit({"old.tex": lines.encode()})
    new = lines.replace("line 20\n", "zwanzig\n")
    head = remote.commit({"new.tex": new.encode()}, parent=base)
    (patch,) = read_patch(diff(remote.folder, base, head))
    assert (patch.status, patch.old_path, patch.path) == ("renamed", "old.tex", "new.tex")
    assert [hunk.header for hunk in patch.hunks] == ["@@ -18,7 +18,7 @@"]
    assert diff(remote.folder, head, head) == b""
    assert (
        diff_size(remote.folder, base, head).files,
        diff_size(remote.folder, base, head).lines,
    ) == (1, 2)


def test_a_difference_above_the_limit(remote):
    base = remote.commit({"a.tex": b"1\n"})
    head = remote.commit({"a.tex": b"word\n" * 100_000}, parent=base)
    with pytest.raises(NoConclusion, match="larger than 0 MB"):
        diff(remote.folder, base, head, most=100_000)


def test_a_difference_that_breaks_off_is_no_difference(remote):
    base = remote.commit({"a.tex": b"1\n", "b.tex": b"1\n"})
    words = "".join(f"{n * n}\n" for n in range(5000)).encode()
    head = remote.commit({"a.tex": b"2\n", "b.tex": words}, parent=base)
    held = remote.git("rev-parse", f"{head}:b.tex")
    path = remote.folder / "objects" / held[:2] / held[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(UsageError, match="git failed"):
        diff(remote.folder, base, head)
