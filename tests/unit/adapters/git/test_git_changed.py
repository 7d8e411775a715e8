import subprocess

import pytest

from reviser.adapters.git.changed import changed_lines
from reviser.adapters.git.run import version
from reviser.errors import UsageError


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(name, "A")
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "a@example.org")
    run(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "main.tex").write_text("".join(f"line {n}\n" for n in range(1, 21)))
    (tmp_path / "old.tex").write_text("x\n")
    run(tmp_path, "add", "-A")
    run(tmp_path, "commit", "-qm", "start")
    return tmp_path


def run(folder, *arguments):
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def replace(path, before, after):
    path.write_text(path.read_text().replace(before, after))


def test_nothing_changed(repository):
    assert changed_lines(repository, "HEAD") == {}


def test_changed_added_removed_and_unknown_lines(repository):
    replace(repository / "main.tex", "line 3\n", "line three\nand more\n")
    replace(repository / "main.tex", "line 10\n", "")
    (repository / "new.tex").write_text("new\n")
    (repository / "old.tex").unlink()
    assert changed_lines(repository, "HEAD") == {
        "main.tex": ((3, 4), (10, 11)),
        "new.tex": ((1, 10**9),),
    }


def test_a_renamed_file_has_changed_only_where_it_was_edited(repository):
    run(repository, "mv", "main.tex", "paper.tex")
    replace(repository / "paper.tex", "line 3\n", "line three\n")
    assert changed_lines(repository, "HEAD") == {"paper.tex": ((3, 3),)}


def test_lines_that_look_like_headers_are_content(repository):
    replace(repository / "main.tex", "line 3\n", "++ b/evil.tex\n@@ -1 +1,900 @@\n")
    assert changed_lines(repository, "HEAD") == {"main.tex": ((3, 4),)}


@pytest.mark.parametrize(
    "name", ["my paper.tex", "é中.tex", 'quo"te.tex', "b/b.tex", "tab\there.tex"]
)
def test_odd_names(repository, name):
    path = repository / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("a\nb\n")
    run(repository, "add", "-A")
    run(repository, "commit", "-qm", "odd")
    path.write_text("a\nB")
    assert changed_lines(repository, "HEAD") == {name: ((2, 2),)}


def test_paths_are_relative_to_the_papers_root(repository):
    folder = repository / "paper"
    folder.mkdir()
    (folder / "a.tex").write_text("a\n")
    run(repository, "add", "-A")
    run(repository, "commit", "-qm", "paper")
    (folder / "a.tex").write_text("b\n")
    (folder / "c.tex").write_text("c\n")
    replace(repository / "main.tex", "line 3\n", "x\n")
    assert changed_lines(folder, "HEAD") == {"a.tex": ((1, 1),), "c.tex": ((1, 10**9),)}


def test_three_dots_mean_where_the_branch_left(repository):
    run(repository, "checkout", "-qb", "work")
    replace(repository / "main.tex", "line 3\n", "mine\n")
    run(repository, "commit", "-qam", "mine")
    run(repository, "checkout", "-q", "main")
    replace(repository / "main.tex", "line 15\n", "theirs\n")
    run(repository, "commit", "-qam", "theirs")
    run(repository, "checkout", "-q", "work")
    assert changed_lines(repository, "main") == {"main.tex": ((3, 3), (15, 15))}
    assert changed_lines(repository, "main...") == {"main.tex": ((3, 3),)}


@pytest.mark.parametrize("base", ["no-such-branch", "", "...", "--output=x", "-x", "HEAD:main.tex"])
def test_a_base_that_is_no_revision(repository, base):
    with pytest.raises(UsageError, match="git knows no revision"):
        changed_lines(repository, base)
    assert not (repository / "x").exists()


def test_outside_a_repository(tmp_path):
    with pytest.raises(UsageError, match="could not say what changed"):
        changed_lines(tmp_path, "HEAD")


def test_programs_named_in_the_repositorys_settings_do_not_run(repository):
    trap = f"touch {repository}/ran; false"
    for key in (
        "core.fsmonitor",
        "diff.external",
        "core.pager",
        "diff.t.textconv",
        "diff.t.command",
    ):
        run(repository, "config", key, trap)
    (repository / ".gitattributes").write_text("*.tex diff=t\n")
    replace(repository / "main.tex", "line 3\n", "x\n")
    assert changed_lines(repository, "HEAD")["main.tex"] == ((3, 3),)
    assert not (repository / "ran").exists()


def test_no_git(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert version() is None
    with pytest.raises(UsageError, match="git is not installed"):
        changed_lines(tmp_path, "HEAD")


def test_version():
    assert "git version" in (version() or "")
