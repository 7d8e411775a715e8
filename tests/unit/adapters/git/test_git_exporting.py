import pytest

from reviser.adapters.git import exporting
from reviser.adapters.git.exporting import export, reads, tree
from reviser.errors import UsageError


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_bytes_are_as_committed(remote, tmp_path):
    given = {
        "main.tex": b"one\r\ntwo\xff\n",
        "parts/a.tex": b"no end",
        "empty.bib": b"",
        "run.tex": ("100755", b"x\n"),
        "plot.tikz": b"\\draw;\n",
        "sources/key.pdf": b"%PDF\0\0",
        ".gitattributes": b"*.tex text eol=lf filter=x ident\n",
        "lfs.bib": b"version https://git-lfs.github.com/spec/v1\n",
    }
    commit = remote.commit(given)
    done = export(remote.folder, commit, tmp_path / "out")
    written = files(tmp_path / "out")
    assert written == {n: c[1] if isinstance(c, tuple) else c for n, c in given.items()}
    assert done.files == tuple(sorted(given))
    assert done.refused == {}
    assert not (tmp_path / "out" / "run.tex").stat().st_mode & 0o111


def test_pictures_programs_and_our_own_folder_stay(remote, tmp_path):
    commit = remote.commit(
        {
            "main.tex": b"x",
            "a.png": b"x",
            "B.JPG": b"x",
            "data": b"\0binary",
            ".reviser/cache/results": b"x",
            "x/.Reviser/record.json": b"{}",
        }
    )
    assert export(remote.folder, commit, tmp_path / "out").files == ("main.tex",)
    assert list(files(tmp_path / "out")) == ["main.tex"]


def test_a_caller_can_want_less(remote, tmp_path):
    commit = remote.commit({"main.tex": b"x", "other/a.tex": b"x"})
    done = export(
        remote.folder, commit, tmp_path / "out", wanted=lambda p: reads(p) and "other" not in p
    )
    assert done.files == ("main.tex",)


def test_links_and_other_repositories_are_refused(remote, tmp_path):
    (tmp_path / "secret").write_text("secret")
    commit = remote.commit(
        {
            "main.tex": ("120000", b"../secret"),
            "sub.tex": ("160000", "12" * 20),
            "ok.tex": b"x",
            "folder": ("120000", b".."),
        }
    )
    done = export(remote.folder, commit, tmp_path / "out")
    assert done.files == ("ok.tex",)
    assert done.refused == {
        "main.tex": "a symbolic link",
        "folder": "a symbolic link",
        "sub.tex": "another repository (a submodule)",
    }
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["ok.tex"]


def hostile(remote, names):
    """A commit with names that git itself would not let through."""
    held = remote.blob(b"x")
    lines = b"".join(
        b"100644 " + name.encode("utf-8", "surrogateescape") + b"\0" + bytes.fromhex(held)
        for name in sorted(names)
    )
    made = remote.git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", given=lines)
    return remote.git("commit-tree", made, "-m", "x")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("..", "outside"),
        ("../up.tex", "outside"),
        ("/etc/x.tex", "absolute"),
        (".git/config", "git"),
        (".GIT/hooks/x", "git"),
        ("git~1/x.tex", "git"),
        ("a\\..\\b.tex", "outside"),
        ("a\\b.tex", "plain name"),
        ("C:x.tex", "absolute"),
        ("./x.tex", "plain name"),
        ("a//x.tex", "plain name"),
        ("x" * 2000 + ".tex", "too long"),
        ("x" * 300 + ".tex", "cannot be written"),
    ],
)
def test_names_that_lead_elsewhere(remote, tmp_path, name, why):
    commit = hostile(remote, ["ok.tex", name])
    done = export(remote.folder, commit, tmp_path / "out")
    assert done.files == ("ok.tex",)
    assert why in done.refused[name]
    assert list(files(tmp_path / "out")) == ["ok.tex"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "remote.git"]


def test_names_that_some_file_system_takes_for_one_another(remote, tmp_path):
    commit = remote.commit(
        {
            "A.tex": b"1",
            "a.tex": b"2",
            "\u00e9.tex": b"3",
            "e\u0301.tex": b"4",
            "Part": b"5",
            "part/x.tex": b"6",
        }
    )
    done = export(remote.folder, commit, tmp_path / "out")
    assert len(done.files) == 3
    assert all("collides" in why for why in done.refused.values())
    assert set(done.files) | set(done.refused) == {e.path for e in tree(remote.folder, commit)}


def test_twice_the_same_name(remote, tmp_path):
    commit = hostile(remote, ["x.tex", "x.tex"])
    assert export(remote.folder, commit, tmp_path / "out").files == ("x.tex",)


def test_odd_names_survive(remote, tmp_path):
    names = {"my paper.tex", "line\nbreak.tex", 'quo"te.tex', "中.tex", "tab\t.tex", "-x.tex"}
    done = export(remote.folder, remote.commit(dict.fromkeys(names, b"x")), tmp_path / "out")
    assert set(done.files) == set(files(tmp_path / "out")) == names


def test_limits(remote, tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "FILE_LIMIT", 100)
    monkeypatch.setattr(exporting, "OTHER_LIMIT", 10)
    commit = remote.commit(
        {
            "main.tex": b"x" * 50,
            "big.tex": b"x" * 101,
            "big.dat": b"x" * 11,
            "small.dat": b"x" * 10,
            "deep/a.tex": b"x" * 40,
            "deep/er/b.tex": b"x" * 40,
        }
    )
    done = export(remote.folder, commit, tmp_path / "all")
    assert done.files == ("deep/a.tex", "deep/er/b.tex", "main.tex", "small.dat")
    assert set(done.refused) == {"big.tex", "big.dat"}
    done = export(remote.folder, commit, tmp_path / "two", count=2)
    assert done.files == ("deep/a.tex", "main.tex")
    done = export(remote.folder, commit, tmp_path / "bytes", total=95)
    assert done.files == ("deep/a.tex", "main.tex")
    assert done.refused["deep/er/b.tex"] == "the files are too large together"


def test_only_an_empty_folder_is_written_to(remote, tmp_path):
    commit = remote.commit({"main.tex": b"x"})
    (tmp_path / "out").mkdir()
    export(remote.folder, commit, tmp_path / "out")
    with pytest.raises(UsageError, match="not empty"):
        export(remote.folder, commit, tmp_path / "out")


def test_a_damaged_repository_is_told(remote, tmp_path):
    commit = remote.commit({"main.tex": b"x" * 1000})
    held = remote.git("rev-parse", f"{commit}:main.tex")
    path = remote.folder / "objects" / held[:2] / held[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(UsageError, match="git"):
        export(remote.folder, commit, tmp_path / "out")


def test_the_tree_names_modes_and_sizes(remote):
    commit = remote.commit({"a": b"123", "b": ("120000", b"a"), "c": ("160000", "12" * 20)})
    told = [(e.path, e.mode, e.size, e.regular) for e in tree(remote.folder, commit)]
    assert told == [
        ("a", "100644", 3, True),
        ("b", "120000", 1, False),
        ("c", "160000", None, False),
    ]
    with pytest.raises(UsageError, match="no revision"):
        tree(remote.folder, "nothing")
