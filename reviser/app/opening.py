"""Open the paper that the settings speak of: its folder, its files, the manuscript."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reviser.adapters.files import Folder, Project, locate
from reviser.app.choices import BASELINE_FILE
from reviser.app.settings import Settings
from reviser.errors import NoConclusion, SettingsError, UsageError
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.ports import Refused
from reviser.review.baseline import Baseline
from reviser.review.baseline import read as read_baseline
from reviser.text.source import Source


@dataclass(frozen=True, slots=True)
class Opened:
    """A paper on disk. `prefix` leads from the present folder to its root ("" or "x/y/")."""

    project: Project
    files: Folder
    reading: Reading
    prefix: str
    settings: Settings

    @property
    def manuscript(self) -> Manuscript:
        """The paper as it is on disk."""
        return self._spoken(self.reading.manuscript)

    def reread(self, changed: Mapping[str, Source]) -> Manuscript:
        """The paper as it would be read with some files changed."""
        return self._spoken(self.reading.reread(changed))

    def _spoken(self, manuscript: Manuscript) -> Manuscript:
        language = self.settings.language
        return replace(manuscript, language=language) if language else manuscript


def open_paper(settings: Settings) -> Opened:
    """Read the paper. Raises UsageError or NoConclusion when there is none to read."""
    project = locate(settings.path)
    files = Folder(project.root, first=project.folder)
    settings = replace(
        settings,
        main=_inside(project, settings, "main", settings.main) if settings.main else None,
        bib=tuple(_inside(project, settings, "bib", bib) for bib in settings.bib),
    )
    reading = Reading(
        files,
        main=settings.main or project.named,
        bib=settings.bib,
        folder=project.folder,
    )
    return Opened(project, files, reading, _prefix(project), settings)


def open_folder(settings: Settings) -> Opened:
    """As `open_paper`, but a folder without a paper is opened too, as one whose paper says nothing:
    literature can be kept before a word is written. Raises UsageError."""
    try:
        return open_paper(settings)
    except NoConclusion:
        project = locate(settings.path)
        return Opened(
            project, Folder(project.root), Reading(_Unwritten()), _prefix(project), settings
        )


class _Unwritten:
    """The files of a paper that nobody has begun."""

    def names(self) -> tuple[str, ...]:
        return ("paper.tex",)

    def read(self, name: str) -> bytes | None:
        empty = b"\\documentclass{article}\\begin{document}\\end{document}\n"
        return empty if name == "paper.tex" else None


def _inside(project: Project, settings: Settings, field: str, value: str) -> str:
    """A file of the project by its name from the root; a flag may also name it from here."""
    if field not in settings.from_file:
        try:
            here = Path(value).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            here = None
        if here is not None and here.is_relative_to(project.root):
            return here.relative_to(project.root).as_posix()
    if Folder(project.root).read(value) is None:
        said = f"{field} = {value!r} in the settings file" if field in settings.from_file else ""
        raise UsageError(
            f"{said or f'--{field} {value}'}: there is no such file in {project.root}",
            hint="Name it from the present folder or from the paper's root.",
        )
    return value


def _prefix(project: Project) -> str:
    relative = os.path.relpath(project.root, Path.cwd())
    if relative == ".":
        return ""
    # From far away the full name is easier to follow than a ladder of dots.
    shown = str(project.root) if relative.startswith("../../") else relative
    return f"{shown}/"


def sources_of(opened: Opened) -> tuple[Path, ...]:
    """The folders and files with texts of cited works; those named in the settings file lie inside
    the project. Raises SettingsError for one that does not."""
    named = opened.settings.sources
    if "sources" not in opened.settings.from_file:
        return tuple(Path(one).expanduser() for one in named)
    places = []
    for one in named:
        place = (opened.project.root / one).resolve()
        if not place.is_relative_to(opened.project.root):
            raise SettingsError(f"sources = {one!r} leads out of the paper's folder")
        places.append(place)
    return tuple(places)


def baseline_of(opened: Opened) -> Baseline | None:
    """The accepted findings: the file that is named, else the usual one where it exists."""
    named = opened.settings.baseline
    if named is not None and "baseline" not in opened.settings.from_file:
        try:
            return read_baseline(Path(named).read_text(encoding="utf-8"), where=named)
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"the baseline {named} cannot be read: {error}") from error
    name = named or BASELINE_FILE
    content = opened.files.read(name)
    if content is None and named is None:
        return None
    if content is None:
        raise SettingsError(f"there is no baseline {name}", hint="`reviser baseline` writes it.")
    if isinstance(content, Refused):
        raise SettingsError(f"the baseline {name} is not read, because {content.why}")
    return read_baseline(content.decode("utf-8", "replace"), where=name)
