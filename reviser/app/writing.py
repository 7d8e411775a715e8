"""Put a report where it is wanted: on the terminal, or whole and at once into a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from shlex import quote

import click

from reviser.adapters.files import below_repository, write_all
from reviser.app.page import Page, page_for, show
from reviser.errors import UsageError
from reviser.text.printable import printable

# `--output main.tex` is a slip of the hand: what it would cost is somebody's work.
_PAPER = frozenset({".tex", ".ltx", ".bib", ".bbl", ".sty", ".cls", ".bst", ".pdf"})


def page_to(output: str | None) -> Page:
    """An empty page for the report: as wide as the terminal, unlimited for a file or a pipe."""
    return Page() if _is_file(output) else page_for(sys.stdout)


def write_page(page: Page, output: str | None) -> None:
    """Write a page of lines to the terminal or to the file `output`."""
    if output is not None and _is_file(output):
        write_file(output, page.plain.encode("utf-8", "backslashreplace"))
    else:
        show(page, sys.stdout)


def write_text(text: str, output: str | None) -> None:
    """Write a text for machines to the standard output or to the file `output`."""
    if output is not None and _is_file(output):
        write_file(output, text.encode("utf-8", "backslashreplace"))
    else:
        sys.stdout.write(text)
        sys.stdout.flush()


def destination(name: str) -> None:
    """Raise UsageError where `write_file` could not or must not write; asked before any work."""
    if not _is_file(name):
        return
    path = Path(name)
    if path.suffix.lower() in _PAPER and path.exists():
        raise UsageError(
            f"{path} is a file of a paper, and nothing is written over it",
            hint="Give the report or patch a name of its own.",
        )
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    if path.is_dir():
        raise UsageError(f"{path} is a folder", hint="Name a file in it.")


def write_file(name: str, data: bytes) -> None:
    """Write a file whole or not at all; "-" is the standard output."""
    if name == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    destination(name)
    path = Path(name)
    if path.exists() and not path.is_file():  # a device or a pipe: /dev/null, >(command)
        with path.open("wb") as stream:
            stream.write(data)
        return
    path = path.resolve()  # a link that was named on the command line is meant
    write_all(path.parent, {path.name: data})
    click.echo(f"written to {printable(name)}", err=True)


def write_patch(name: str, made: Callable[[str], bytes], root: Path) -> str:
    """Write a patch of the paper at `root` and return the command that applies it.

    `made` gets the path from the top of the git repository to `root`: `git apply` silently
    passes over files that are named otherwise.
    """
    below = below_repository(root)
    write_file(name, made(below))
    top = root.parents[below.count("/") - 1] if below else root
    file = "-" if name == "-" else str(Path(name).absolute())
    if Path.cwd() == top:
        file, there = name, ""
    else:
        there = f"-C {quote(str(top))} "
    return f"git {there}apply {quote(file)}"


def _is_file(output: str | None) -> bool:
    return output not in {None, "", "-"}
