"""Write the workflows that let reviser work on pull requests into a paper's repository."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from reviser.adapters.files import Folder, write_all
from reviser.errors import UsageError
from reviser.templates import template_text

ACTION = "OWNER/reviser@0000000000000000000000000000000000000000"
"""Where the action is to be had. A placeholder: there is no public repository yet."""
TAG = "v0.1.0"
_FOLDER = ".github/workflows"
_REFERENCE = re.compile(r"[A-Za-z0-9-]+(?:/[A-Za-z0-9._-]+)+@[0-9a-f]{40}")


def write_workflows(
    path: Path, kinds: Sequence[str], *, action: str | None, force: bool
) -> tuple[Path, ...]:
    """Put the workflows of these kinds into the repository around the paper at `path`.

    Returns their files. Raises UsageError outside a repository, for an `action` that is not
    pinned by a full hash, and where a file is there already, unless `force`.
    """
    if action is not None and not _REFERENCE.fullmatch(action):
        raise UsageError(
            f"--action-ref {action}: not of the form OWNER/NAME@HASH",
            hint="Pin the action by the 40 digits of a commit: a tag can be moved by others.",
        )
    top, paper = _repository(path)
    files = {f"{_FOLDER}/{_name(kind)}": workflow(kind, paper, action) for kind in kinds}
    for name in files:
        if Folder(top).read(name) is not None and not force:
            raise UsageError(
                f"{top / name} is already there", hint="--force writes a fresh one over it."
            )
    write_all(top, {name: text.encode() for name, text in files.items()})
    return tuple(top / name for name in files)


def workflow(kind: str, paper: str, action: str | None) -> str:
    """The workflow as it is written for a paper at `paper` from the repository's top."""
    text = template_text(f"workflows/{kind}.yml")
    text = text.replace('path: "."', f"path: {json.dumps(paper or '.')}")
    return text if action is None else text.replace(f"{ACTION} # {TAG}", action)


def _name(kind: str) -> str:
    return "reviser.yml" if kind == "pull-request" else f"reviser-{kind}.yml"


def _repository(path: Path) -> tuple[Path, str]:
    """The top of the repository, and the way from there to the paper."""
    try:
        found = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path}: there is no such file or folder") from error
    for folder in (found, *found.parents):
        with suppress(OSError):
            if (folder / ".git").exists():
                inside = found.relative_to(folder).as_posix()
                return folder, "" if inside == "." else inside
    raise UsageError(
        f"{path} lies in no git repository",
        hint="Run `git init` first, or name a folder inside the paper's clone.",
    )
