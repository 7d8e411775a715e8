"""The templates of attribute trees: those that come along, and an operator's own in their place."""

from collections.abc import Mapping
from pathlib import Path

from reviser.app.settings import nearest
from reviser.errors import SettingsError, UsageError
from reviser.literature.attribute_templates import (
    FOLDER,
    KINDS,
    LARGEST,
    SUFFIX,
    Template,
    bundled_templates,
    read_template,
)


def attribute_templates(folder: str | None) -> Mapping[str, Template]:
    """The template of each kind of work: of the operator's `folder` where it has one, else the
    bundled one.

    Raises UsageError where there is no such folder, SettingsError, naming the file, for one that
    is no template or takes the place of none.
    """
    found = dict(bundled_templates())
    if folder is None:
        return found
    own = Path(folder).expanduser()
    if not own.is_dir():
        raise UsageError(f"--templates: there is no folder {own}")
    for file in sorted((own / FOLDER).glob(f"*{SUFFIX}")):
        if file.stem not in KINDS:
            close = nearest(file.stem, KINDS)
            meant = f"Did you mean {close}{SUFFIX}? " if close else ""
            raise SettingsError(
                f"{file}: there is no kind of work {file.stem!r} whose template it could be",
                hint=f"{meant}The kinds are: {', '.join(KINDS)}.",
            )
        found[file.stem] = read_template(_text(file), kind=file.stem, where=str(file), own=True)
    return found


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise SettingsError(f"{path}: a template has at most {LARGEST:,} bytes")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: it cannot be read: {error}") from error
