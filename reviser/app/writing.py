"""Put a report where it is wanted: on the terminal, or whole and at once into a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from shlex import quote

import click

from reviser.adapters.files import below_repository, write_all
from reviser.app.page import Page, page_for, show
from reviser.app.printable import printable
from reviser.errors import UsageError


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


def write_file(name: str, data: bytes) -> None:
    """Write a file whole or not at all; "-" is the standard output."""
    if name == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    write_all(path.parent.resolve(), {path.name: data})
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
