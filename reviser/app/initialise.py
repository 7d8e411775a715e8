"""Write the commented settings file beside a paper."""

from pathlib import Path

from reviser.adapters.files import Folder, write_all
from reviser.app.settings import SETTINGS_FILE
from reviser.errors import UsageError
from reviser.templates import template_text


def initialise(root: Path, *, force: bool) -> Path:
    """Put the settings file into the paper's root; its path.

    Raises UsageError when there is one already (or something else of that name), unless `force`.
    """
    target = root / SETTINGS_FILE
    if Folder(root).read(SETTINGS_FILE) is not None and not force:
        raise UsageError(f"{target} is already there", hint="--force writes a fresh one over it.")
    write_all(root, {SETTINGS_FILE: template_text(SETTINGS_FILE).encode()})
    return target
