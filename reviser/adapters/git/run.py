"""Run git without a shell, without anybody's settings, and without the network."""

import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from reviser.errors import UsageError

SECONDS = 60.0
_COMPLAINT = 10_000  # bytes of what git says when it fails
# The repository's own settings could name programs to run; these are switched off by name.
_QUIET = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=true",
    "gc.auto=0",
    "maintenance.auto=false",
)


def version() -> str | None:
    """What `git --version` says, None without git."""
    try:
        return text(run(["git", "--version"], Path.cwd()).stdout).strip()
    except UsageError:
        return None


def command(folder: Path, *arguments: str) -> list[str]:
    """A git command line for the repository around `folder`."""
    settings = [part for setting in _QUIET for part in ("-c", setting)]
    return ["git", "--no-pager", "-C", str(folder), *settings, *arguments]


def run(
    line: Sequence[str],
    folder: Path,
    *,
    seconds: float = SECONDS,
    more: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run it to its end. `more` is added to an environment that is otherwise empty but for PATH.

    Raises UsageError when git is missing or has not ended after `seconds`.
    """
    try:
        return subprocess.run(  # noqa: S603 - no shell, fixed program, guarded arguments
            line,
            cwd=folder,
            env={**_environment(), **(more or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError as error:
        raise _missing() from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"git did not answer within {seconds:g} seconds") from error


@contextmanager
def streamed(
    line: Sequence[str], folder: Path, *, given: IO[bytes] | None = None, seconds: float = SECONDS
) -> Iterator[IO[bytes]]:
    """Its output while it comes, to be read to the end; `given` is a file that it reads.

    It is stopped when the block is left by an exception. Raises UsageError when git is missing,
    fails, or has not ended after `seconds`: output that was cut off is never taken for all.
    """
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(  # noqa: S603 - no shell, fixed program, guarded arguments
                line,
                cwd=folder,
                env=_environment(),
                stdin=given or subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except FileNotFoundError as error:
            raise _missing() from error
        clock = threading.Timer(seconds, process.kill)
        clock.daemon = True
        clock.start()
        with process:
            try:
                if process.stdout is not None:
                    yield process.stdout
            except BaseException:
                process.kill()
                raise
            finally:
                clock.cancel()
            ended = process.wait()
        if ended < 0:
            raise UsageError(f"git did not answer within {seconds:g} seconds")
        if ended:
            complaints.seek(0)
            raise UsageError(f"git failed: {first_line(complaints.read(_COMPLAINT))}")


def text(raw: bytes) -> str:
    """Bytes that git printed as text that gives the same bytes back."""
    return raw.decode("utf-8", "surrogateescape")


def first_line(raw: bytes) -> str:
    """The first thing git said on its error stream."""
    said = text(raw).strip().splitlines()
    return said[0] if said else "no reason given"


def _environment() -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        # A partial clone would go and get what it lacks; git before 2.44 knows only the second.
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
    }


def _missing() -> UsageError:
    return UsageError("git is not installed", hint="It tells what changed and fetches commits.")
