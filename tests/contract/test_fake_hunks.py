"""The fake's own reader of diffs agrees with unidiff."""

from hypothesis import given, settings
from hypothesis import strategies as st
from unidiff import PatchSet

from tests.fakes.github.hunks import follow, read_diff
from tests.fakes.github.store import Entry, Signature, Store

ME = Signature("Me", "me@localhost", 1_700_000_000)
NAMES = ["a.tex", "in it/b c.tex", "ü.tex", 'q"uote.tex', "tab\there.tex", "back\\slash.bib"]
TEXTS = st.lists(st.sampled_from("abcde"), max_size=30).map(lambda t: "".join(f"{x}\n" for x in t))
TREES = st.dictionaries(
    st.sampled_from(NAMES),
    st.tuples(TEXTS, st.sampled_from(["", "no line end", "\r\n"])).map(lambda p: p[0] + p[1]),
)


def commits(store, *trees):
    """Two trees as two commits."""
    made = []
    for number, tree in enumerate(trees):
        gone = {} if number == 0 else dict.fromkeys(trees[0].keys() - tree.keys())
        changes = {path: text.encode() for path, text in tree.items()} | gone
        made.append(
            store.commit(changes, parents=tuple(made), message="m", author=ME, committer=ME)
        )
    return made


def shown_by_unidiff(data):
    """The lines of each file as (mark, old number, new number)."""
    # unidiff splits at every kind of line end; only git's counts here.
    patch = PatchSet(data.decode().replace("\r\n", "\n"))
    return {
        file.path: [
            (line.line_type, line.source_line_no or 0, line.target_line_no or 0)
            for hunk in file
            for line in hunk
            if line.line_type != "\\"
        ]
        for file in patch
    }


@settings(max_examples=25, deadline=None)
@given(before=TREES, after=TREES)
def test_the_same_lines_are_shown(tmp_path_factory, before, after):
    store = Store(tmp_path_factory.mktemp("law") / "x.git")
    old, new = commits(store, before, after)
    data = store.diff(old, new)
    files = read_diff(data)
    told = shown_by_unidiff(data)
    mine = [[(s.mark.decode(), s.old, s.new) for s in f.shown] for f in files if f.shown]
    assert mine == [lines for lines in told.values() if lines]
    for file in files:
        assert file.path in after or file.status == "removed"
        assert file.old_path in before or file.status == "added"
        for shown in file.shown:
            left = shown.mark == b"-"
            number = shown.old if left else shown.new
            text = before[file.old_path] if left else after[file.path]
            assert file.at("LEFT" if left else "RIGHT", number) == shown
            line = file.raw[shown.position][1:].decode().removesuffix("\n")
            assert line == text.split("\n")[number - 1]


@settings(max_examples=25, deadline=None)
@given(before=TEXTS, after=TEXTS)
def test_followed_lines_are_the_same_lines(tmp_path_factory, before, after):
    store = Store(tmp_path_factory.mktemp("law") / "x.git")
    old, new = commits(store, {"a.tex": before}, {"a.tex": after})
    where = follow(store, old, new, "a.tex")
    assert where is not None
    one, two = before.splitlines(), after.splitlines()
    went = [where(line) for line in range(1, len(one) + 1)]
    kept = [line for line in went if line is not None]
    assert kept == sorted(set(kept))
    assert all(
        one[line - 1] == two[there - 1] for line, there in enumerate(went, 1) if there is not None
    )
    changed = shown_by_unidiff(store.diff(old, new)).get("a.tex", [])
    lost = {number for mark, number, _ in changed if mark == "-"}
    assert {line for line, there in enumerate(went, 1) if there is None} == lost


def test_renames_and_binaries(tmp_path):
    store = Store(tmp_path / "x.git")
    text = "".join(f"line {n}\n" for n in range(30))
    first = {"a b.tex": text, "x.bin": "\0one", "gone": "x\n", "mode.sh": "same\n"}
    old, _ = commits(store, first, first)
    new = store.commit(
        {
            "a b.tex": None,
            "c d.tex": text.encode(),
            "x.bin": b"\0two",
            "gone": None,
            "mode.sh": Entry(b"same\n", "100755"),
        },
        parents=(old,),
        message="m",
        author=ME,
        committer=ME,
    )
    told = {f.path: (f.status, f.old_path, f.binary, f.patch) for f in
            read_diff(store.diff(old, new))}  # fmt: skip
    assert told == {
        "c d.tex": ("renamed", "a b.tex", False, None),
        "x.bin": ("modified", "x.bin", True, None),
        "gone": ("removed", "gone", False, "@@ -1 +0,0 @@\n-x"),
        "mode.sh": ("modified", "mode.sh", False, None),
    }
