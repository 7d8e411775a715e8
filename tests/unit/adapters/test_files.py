import os
import stat
from pathlib import Path

import pytest

from reviser.adapters import files as module
from reviser.adapters.files import Folder, below_repository, locate, write_all
from reviser.errors import StaleEdit, UsageError
from reviser.ports import Refused


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    root = tmp_path / "paper"
    (root / "sections").mkdir(parents=True)
    (root / "main.tex").write_bytes(b"main")
    (root / "sections" / "intro.tex").write_bytes(b"intro\r\n")
    (tmp_path / "secret.tex").write_bytes(b"secret")
    return root


def why(answer: object) -> str:
    assert isinstance(answer, Refused), answer
    return answer.why


def test_a_read_only_file_is_not_replaced(paper: Path) -> None:
    (paper / "main.tex").chmod(0o444)
    with pytest.raises(UsageError, match=r"main\.tex: not written, because it is read-only"):
        write_all(paper, {"main.tex": b"new", "sections/intro.tex": b"new"})
    assert (paper / "main.tex").read_bytes() == b"main"
    assert (paper / "sections/intro.tex").read_bytes() == b"intro\r\n"


def test_patches_count_from_the_top_of_the_repository(paper: Path) -> None:
    assert below_repository(paper) == ""
    (paper.parent / ".git").mkdir()
    assert below_repository(paper) == "paper/"
    (paper / ".git").mkdir()
    assert below_repository(paper) == ""


def test_reads_exact_bytes(paper: Path) -> None:
    assert Folder(paper).read("sections/intro.tex") == b"intro\r\n"


def test_missing_files_and_folders_are_none(paper: Path) -> None:
    project = Folder(paper)
    for name in ("nothing.tex", "no/such/place.tex", "main.tex/inside", "sections", "x" * 400):
        assert project.read(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../secret.tex",
        "sections/../../secret.tex",
        ".git/config",
        "sub/.GIT/config",
        ".git. /config",
        "GIT~1/config",
        "..\\secret.tex",
        "~/notes.tex",
        "C:/x.tex",
        "a\0b",
        "",
        "a/" * 600,
    ],
)
def test_names_outside_the_project_are_refused(paper: Path, name: str) -> None:
    assert why(Folder(paper).read(name))


def test_surrogates_that_no_file_name_has_are_just_missing(paper: Path) -> None:
    assert Folder(paper).read("\ud800.tex") is None


def test_links_are_refused_even_inside_the_project(paper: Path) -> None:
    (paper / "link.tex").symlink_to(paper / "main.tex")
    (paper / "outside").symlink_to(paper.parent, target_is_directory=True)
    project = Folder(paper)
    assert "symbolic link" in why(project.read("link.tex"))
    assert "symbolic link" in why(project.read("outside/secret.tex"))
    assert list(project.names()) == ["main.tex", "sections/intro.tex"]


def test_a_fifo_is_refused_without_waiting(paper: Path) -> None:
    os.mkfifo(paper / "pipe.tex")
    project = Folder(paper)
    assert "regular" in why(project.read("pipe.tex"))
    assert "pipe.tex" not in project.names()


def test_a_file_over_the_limit_is_refused(paper: Path) -> None:
    (paper / "big.tex").write_bytes(b"x" * 101)
    assert Folder(paper, size_limit=101).read("big.tex") == b"x" * 101
    assert "larger than 100 bytes" in why(Folder(paper, size_limit=100).read("big.tex"))


def test_names_leave_out_what_is_no_paper(paper: Path) -> None:
    for folder in (".git", ".reviser", "node_modules", "my-env"):
        (paper / folder).mkdir()
        (paper / folder / "x.tex").write_bytes(b"")
    (paper / "my-env" / "pyvenv.cfg").write_bytes(b"")
    (paper / ".reviser-0123.tmp").write_bytes(b"")
    assert list(Folder(paper).names()) == ["main.tex", "sections/intro.tex"]


def test_names_are_bounded_and_the_asked_folder_comes_first(paper: Path) -> None:
    for number in range(20):
        (paper / f"{number}.tex").write_bytes(b"")
    assert list(Folder(paper, first="sections", count_limit=1).names()) == ["sections/intro.tex"]
    assert len(Folder(paper, count_limit=7).names()) == 7


def test_an_unreadable_root_has_no_names(tmp_path: Path) -> None:
    assert list(Folder(tmp_path / "gone").names()) == []
    assert Folder(tmp_path / "gone").read("main.tex") is None


def test_root_is_the_repository_around_the_file(paper: Path) -> None:
    (paper.parent / ".git").mkdir()
    found = locate(paper / "sections" / "intro.tex")
    assert (found.root, found.named) == (paper.parent.resolve(), "paper/sections/intro.tex")
    assert locate(paper).folder == "paper"


@pytest.mark.parametrize(
    ("name", "text", "marks"),
    [
        ("reviser.toml", "", True),
        ("pyproject.toml", "[tool.reviser]\n", True),
        ("pyproject.toml", "[tool.other]\n", False),
    ],
)
def test_settings_mark_the_root(paper: Path, name: str, text: str, marks: bool) -> None:
    (paper / name).write_text(text)
    found = locate(paper / "sections")
    assert found.root == (paper.resolve() if marks else (paper / "sections").resolve())


def test_without_marks_a_file_climbs_while_tex_files_stand_above(tmp_path: Path) -> None:
    deep = tmp_path / "top" / "book" / "chapters"
    deep.mkdir(parents=True)
    (deep / "one.tex").write_bytes(b"")
    (deep.parent / "book.tex").write_bytes(b"")
    found = locate(deep / "one.tex")
    assert (found.root, found.named) == (deep.parent.resolve(), "chapters/one.tex")


def test_what_is_no_paper_is_a_usage_error(paper: Path) -> None:
    (paper / "notes.doc").write_bytes(b"")
    for path in (paper / "gone.tex", paper / "notes.doc"):
        with pytest.raises(UsageError):
            locate(path)


def test_writing_keeps_mode_bits_and_leaves_nothing_behind(paper: Path) -> None:
    (paper / "main.tex").chmod(0o640)
    write_all(paper, {"main.tex": b"new", "sections/more/deep.tex": b"deep"})
    assert (paper / "main.tex").read_bytes() == b"new"
    assert stat.S_IMODE((paper / "main.tex").stat().st_mode) == 0o640
    assert (paper / "sections" / "more" / "deep.tex").read_bytes() == b"deep"
    assert not list(paper.rglob(".reviser-*"))


@pytest.mark.parametrize("name", ["../x.tex", "/srv/x", ".git/hooks/pre-commit", "a/./b", "a//b"])
def test_nothing_is_written_outside(paper: Path, name: str) -> None:
    with pytest.raises(UsageError):
        write_all(paper, {"main.tex": b"new", name: b"evil"})
    assert (paper / "main.tex").read_bytes() == b"main"
    assert not list(paper.rglob(".reviser-*"))


def test_nothing_is_written_through_links(paper: Path) -> None:
    (paper / "link.tex").symlink_to(paper.parent / "secret.tex")
    (paper / "up").symlink_to(paper.parent, target_is_directory=True)
    for name in ("link.tex", "up/secret.tex"):
        with pytest.raises(UsageError):
            write_all(paper, {"main.tex": b"new", name: b"evil"})
    assert (paper.parent / "secret.tex").read_bytes() == b"secret"
    assert (paper / "main.tex").read_bytes() == b"main"


def test_a_changed_file_stops_the_whole_write(paper: Path) -> None:
    expected = {"main.tex": b"main", "sections/intro.tex": b"something else"}
    with pytest.raises(StaleEdit):
        write_all(paper, dict.fromkeys(expected, b"new"), expected=expected)
    assert (paper / "main.tex").read_bytes() == b"main"
    assert not list(paper.rglob(".reviser-*"))


def test_a_failed_rename_brings_the_originals_back(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (paper / "main.tex").chmod(0o600)
    real = os.rename

    def failing(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        if target == "zeta.tex":
            raise OSError(28, "No space left on device")
        real(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(module.os, "rename", failing)
    changes = {"main.tex": b"1", "new/fresh.tex": b"2", "zeta.tex": b"3"}
    with pytest.raises(UsageError, match=r"zeta\.tex.*No space"):
        write_all(paper, changes)
    assert (paper / "main.tex").read_bytes() == b"main"
    assert stat.S_IMODE((paper / "main.tex").stat().st_mode) == 0o600
    assert sorted(p.name for p in paper.iterdir()) == ["main.tex", "sections"]
