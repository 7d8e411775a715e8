"""Turn whatever ends a run into words and an exit code, in this one place."""

import contextlib
import errno
import os
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn

import click

from reviser.app.choices import FAIL_ON
from reviser.app.version import version
from reviser.errors import ReviserError, UsageError

if TYPE_CHECKING:
    from reviser.findings import Finding

CLEAN, FOUND, USAGE, NO_CONCLUSION, BUG, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 3, 70, 130, 141
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
REPORT = (
    "This is a bug in reviser, not in your paper. Please open an issue in reviser's repository "
    "with the lines above"
)


def exit_code(findings: "Iterable[Finding]", fail_on: str) -> int:
    """1 if a finding that nobody silenced is at least as bad as `fail_on`, else 0."""
    if fail_on == "never":
        return CLEAN
    worst = FAIL_ON.index(fail_on)
    bad = any(f.suppressed is None and f.severity.rank <= worst for f in findings)
    return FOUND if bad else CLEAN


class Outcome:
    """A context that sees how the work inside ends, and exits the process accordingly.

    A context manager and not an `except` clause: nothing is caught and swallowed, since every
    ending is shown and leaves through `sys.exit`.
    """

    def __enter__(self) -> None:
        """Let paper text pass that the stream cannot spell; `LC_ALL=C` must not crash a check."""
        # Closed by whoever started us (`>&-`): the exit code alone speaks then.
        sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
        sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="backslashreplace")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Say what happened on the error stream; lets nothing pass but a clean exit."""
        match error:
            case None | SystemExit():
                return
            case BrokenPipeError():
                self.closed_pipe()
            case KeyboardInterrupt() | click.Abort():
                click.echo("interrupted; nothing more was written", err=True)
                sys.exit(INTERRUPTED)
            case click.ClickException():
                error.show()
                sys.exit(USAGE)
            case ReviserError():
                _tell(error)
                sys.exit(error.exit_code)
            case OSError() if error.errno in _FULL:
                # What is still in the stream's buffer would fail once more at exit.
                self.silence()
                _tell(UsageError(f"the report cannot be written ({error.strerror})"))
                sys.exit(USAGE)
            case FileNotFoundError() if _homeless():
                _tell(UsageError("the present folder is gone", hint="Go to one that exists."))
                sys.exit(USAGE)
            case _:
                traceback.print_exception(kind, error, trace)
                click.echo(f"\n{REPORT} (reviser {version()}).", err=True)
                sys.exit(BUG)

    @staticmethod
    def closed_pipe() -> NoReturn:
        """Leave as a program does whose reader has gone (`reviser check | head`)."""
        Outcome.silence()
        sys.exit(CLOSED_PIPE)

    @staticmethod
    def silence() -> None:
        """Send what is left to nowhere: Python would complain once more as it flushes at exit."""
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _homeless() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _tell(error: ReviserError) -> None:
    # The start of the command line waits for nothing that reads papers.
    from reviser.app.ticking import clear_line
    from reviser.text.printable import printable

    clear_line()
    click.echo(f"error: {printable(str(error))}", err=True)
    for line in error.hint.splitlines():
        click.echo(f"  {printable(line)}", err=True)
