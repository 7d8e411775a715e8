"""The paper at one commit: its files in a folder of their own, opened as a paper on disk is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reviser.adapters.files import Folder
from reviser.adapters.git.exporting import export
from reviser.app.opening import Opened, baseline_of, open_paper
from reviser.app.settings import FileSettings, Settings, read_settings
from reviser.errors import ReviserError, UsageError
from reviser.manuscript.files import forbidden, normal
from reviser.pipeline.checking import Lines
from reviser.review.baseline import Baseline
from reviser.text.patch import FilePatch

SettingsAt = Callable[[Path], Settings]
"""The settings of a paper at a path, settings file included."""


@dataclass(frozen=True, slots=True)
class Side:
    """One commit's paper. `top` is the folder that stands for the top of the repository; `root`
    leads from there to the project's root ("" or "x/y/"). `refused` are files of the commit that
    were not copied, with the reason."""

    commit: str
    top: Path
    root: str
    opened: Opened
    refused: Mapping[str, str]

    @property
    def file(self) -> FileSettings:
        """What the settings file of this commit says."""
        return read_settings(Folder(self.opened.project.root))

    def baseline(self) -> tuple[Baseline | None, str]:
        """The accepted findings of this commit; None and why, where they cannot be read."""
        try:
            return baseline_of(self.opened), ""
        except ReviserError as error:
            return None, str(error)


def open_side(
    repository: Path, commit: str, folder: Path, paper: str, settings_at: SettingsAt
) -> Side:
    """Copy the files of `commit` that a paper may need into `folder`, and open the paper there.

    `paper` leads from the repository's top to the paper, "" for the top itself. Raises what
    `open_paper` and the settings file raise, and UsageError where `paper` is not in the commit.
    """
    folder.mkdir(parents=True)
    exported = export(repository, commit, folder)
    # Where a checkout has its `.git`, so that the same folder is taken for the project's root.
    (folder / ".git").mkdir()
    path = folder / paper if paper else folder
    if (paper and forbidden(paper)) or not path.exists():
        raise UsageError(
            f"there is no {paper} in commit {commit[:10]}",
            hint="The path leads from the top of the repository to the paper's folder or main "
            ".tex file.",
        )
    opened = open_paper(settings_at(path))
    inside = opened.project.root.relative_to(folder.resolve()).as_posix()
    root = "" if inside == "." else f"{inside}/"
    return Side(commit, folder, root, opened, dict(exported.refused))


def named_paper(value: str) -> str:
    """A paper's path from the repository's top, tidied. Raises UsageError for one that leads out
    of the repository."""
    paper = normal(value.replace("\\", "/"))
    if paper in {"", "."}:
        return ""
    why = forbidden(paper)
    if why:
        raise UsageError(
            f"{value}: {why}", hint="Name the paper from the top of the repository: paper/main.tex"
        )
    return paper


@dataclass(frozen=True)
class Change:
    """What a pull request changed, as seen from the project's root at its head.

    `touched` are the lines of each file; `now` leads from a file's name at the merge base (from
    the repository's top) to its name at the head.
    """

    touched: Mapping[str, Lines]
    now: Mapping[str, str]

    @property
    def before(self) -> Mapping[str, str]:
        """From a file's name at the head to its name at the merge base, both from the top."""
        return {new: old for old, new in self.now.items()}


def change(patches: Sequence[FilePatch], root: str) -> Change:
    """The pull request's change to the project at `root`. A file that git calls binary counts as
    changed in every line: a paper in UTF-16 is one."""
    touched: dict[str, Lines] = {}
    for patch in patches:
        if patch.status != "removed" and patch.path.startswith(root):
            lines = ((1, 10**9),) if patch.binary else patch.touched
            touched[patch.path.removeprefix(root)] = lines
    renamed = {p.old_path: p.path for p in patches if p.status == "renamed"}
    return Change(touched, renamed)
