"""The prompts of a run: those that come along, and an operator's own in their place."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from reviser.app.settings import nearest
from reviser.errors import SettingsError, UsageError
from reviser.prompts import FOLDER, LARGEST, Prompt, read_prompt
from reviser.templates import template, template_text

SUFFIX = ".md"


def prompts_of(folder: str | None) -> Callable[[str, str], Prompt]:
    """Gives a prompt by its id and the name of its replies' class: of the operator's `folder`
    where it has one, else the bundled one.

    All of the folder's prompts are read now. Raises UsageError where there is no such folder,
    SettingsError, naming the file, for one that is none, that takes the place of nothing, or that
    has other variables or another reply than the one whose place it takes. What it returns raises
    SettingsError for a prompt that is not there.
    """
    own = _own(Path(folder).expanduser()) if folder is not None else {}
    known = dict(own)

    def prompt(name: str, reply: str) -> Prompt:
        if name not in known:
            known[name] = bundled(name)
        found = known[name]
        if found.reply != reply:
            raise SettingsError(f"the prompt {name!r} has replies {found.reply!r}, not {reply!r}")
        return found

    return prompt


def bundled(name: str) -> Prompt:
    """The prompt `name` as it comes along. Raises SettingsError when there is none."""
    if name not in names():
        raise SettingsError(f"there is no prompt {name!r}")
    file = f"{FOLDER}/{name}{SUFFIX}"
    text = template_text(file)
    return read_prompt(text, id=name, reply=_reply(text), where=file)


def names() -> tuple[str, ...]:
    """The ids of the bundled prompts, sorted."""
    files = [entry.name for entry in template(FOLDER).iterdir()]
    return tuple(sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX)))


def _own(folder: Path) -> Mapping[str, Prompt]:
    if not folder.is_dir():
        raise UsageError(f"--templates: there is no folder {folder}")
    found = {}
    for file in sorted((folder / FOLDER).glob(f"*{SUFFIX}")):
        if file.stem not in names():
            close = nearest(file.stem, names())
            meant = f"Did you mean {close}{SUFFIX}? " if close else ""
            raise SettingsError(
                f"{file}: there is no prompt {file.stem!r} whose place it could take",
                hint=f"{meant}The prompts are: {', '.join(names())}.",
            )
        found[file.stem] = _in_place_of(bundled(file.stem), file)
    return found


def _in_place_of(there: Prompt, file: Path) -> Prompt:
    own = read_prompt(_text(file), id=there.id, reply=there.reply, where=str(file), own=True)
    if own.vars != there.vars:
        odd = ", ".join(sorted(own.vars ^ there.vars))
        raise SettingsError(
            f"{file}: its variables differ from those of the prompt it replaces in: {odd}",
            hint=f"Use all of {', '.join(sorted(there.vars))}, and no others.",
        )
    return own


def _reply(text: str) -> str:
    """What a bundled prompt says its replies are."""
    front = tomllib.loads(text.split("+++", 2)[1])
    return str(front["reply"])


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise SettingsError(f"{path}: a prompt has at most {LARGEST:,} bytes")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: it cannot be read: {error}") from error
