"""Find the files that come with the program, in an installed package or in a checkout."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from reviser.errors import UsageError


def template(name: str) -> Traversable:
    """The file or folder `name` (POSIX, relative) of the bundled templates.

    A wheel carries them inside the package; a checkout and an editable install have the folder
    next to the package. Raises UsageError when neither does: the installation is incomplete.
    """
    package = files("reviser")
    for folder in (package / "_templates", package / ".." / "templates"):
        found = folder.joinpath(*name.split("/"))
        if found.is_file() or found.is_dir():
            return found
    raise UsageError(
        f"the bundled file {name!r} is missing from this installation",
        hint="Install the package again: pip install --force-reinstall reviser-bot",
    )


def template_text(name: str) -> str:
    """The text of the bundled file `name`, which is UTF-8."""
    return template(name).read_text(encoding="utf-8")
