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
_MODELS = frozenset({"pull-request", "commands"})
"""Workflows of which there is a kind with a model besides."""
_MODEL, _BASE_URL = 'model: "gpt-4o-mini"', 'base-url: "https://api.openai.com/v1"'
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")
_REFERENCE = re.compile(r"[A-Za-z0-9-]+(?:/[A-Za-z0-9._-]+)+@[0-9a-f]{40}")


def write_workflows(
    path: Path,
    kinds: Sequence[str],
    *,
    action: str | None,
    force: bool,
    model: str | None = None,
    base_url: str | None = None,
) -> tuple[Path, ...]:
    """Put the workflows of these kinds into the repository around the paper at `path`; those that
    ask `model`, where one is named.

    Returns their files. Raises UsageError outside a repository, for an `action` that is not
    pinned by a full hash, a model or address that cannot be one, and where a file is there
    already, unless `force`.
    """
    for option, value in (("--model", model), ("--base-url", base_url)):
        if value is not None and not _NAME.fullmatch(value):
            raise UsageError(
                f"{option} {value!r} cannot be written into a workflow",
                hint="Letters, digits and . _ : / @ + - are taken.",
            )
    if action is not None and not _REFERENCE.fullmatch(action):
        raise UsageError(
            f"--action-ref {action}: not of the form OWNER/NAME@HASH",
            hint="Pin the action by the 40 digits of a commit: a tag can be moved by others.",
        )
    top, paper = _repository(path)
    meant = [f"{one}-model" if model is not None and one in _MODELS else one for one in kinds]
    files = {
        f"{_FOLDER}/{_name(kind)}": _asking(workflow(kind, paper, action), model, base_url)
        for kind in meant
    }
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


def _asking(text: str, model: str | None, base_url: str | None) -> str:
    if model is not None:
        text = text.replace(_MODEL, f"model: {json.dumps(model)}")
    return (
        text if base_url is None else text.replace(_BASE_URL, f"base-url: {json.dumps(base_url)}")
    )


def _name(kind: str) -> str:
    """The file: a workflow with a model stands in the place of the one without."""
    plain = kind.removesuffix("-model")
    return "reviser.yml" if plain == "pull-request" else f"reviser-{plain}.yml"


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
