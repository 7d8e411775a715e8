"""The runner of GitHub Actions: what it tells a step, and what a step can tell it.

Rules: docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

import json
import re
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TextIO

from reviser.errors import UsageError
from reviser.text.printable import printable

MOST = 10
"""How many annotations of a level GitHub shows for one step; it drops the rest."""
SUMMARY_LIMIT = 1024 * 1024  # bytes of a step's summary; a longer one is not shown at all
_EVENT_LIMIT = 25 * 1024 * 1024  # bytes; GitHub caps a payload there
_CUT = "\n\n(cut off: a summary holds 1 MiB)\n"
_REPOSITORY = re.compile(r"[A-Za-z0-9-]{1,100}/[A-Za-z0-9._-]{1,100}")
_OUTPUT = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

Level = Literal["notice", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Event:
    """Why the workflow runs: the event's name and its payload, as GitHub sent it."""

    name: str
    payload: Mapping[str, Any]


def command(name: str, message: str, properties: Mapping[str, str] | None = None) -> str:
    """A workflow command as one line, without its end. Nothing in `message` or in a property can
    end it or begin another."""
    given = ",".join(f"{key}={_property(value)}" for key, value in (properties or {}).items())
    return f"::{name}{' ' if given else ''}{given}::{_data(message)}"


class Runner:
    """The runner that started this process with `environment`; commands go to `stream`, which must
    be the standard output that it reads. Outside of Actions nothing is written anywhere else."""

    def __init__(self, environment: Mapping[str, str], stream: TextIO) -> None:
        self._environment = environment
        self._stream = stream
        self._given: Counter[Level] = Counter()

    @property
    def present(self) -> bool:
        """Whether this is a step of a workflow at all."""
        return self._environment.get("GITHUB_ACTIONS") == "true"

    @property
    def repository(self) -> str:
        """The repository the workflow runs in, "owner/name"; raises UsageError outside of one."""
        name = self._wanted("GITHUB_REPOSITORY")
        if not _REPOSITORY.fullmatch(name):
            raise UsageError(f"GITHUB_REPOSITORY is {name!r}, which is not owner/name")
        return name

    @property
    def server_url(self) -> str:
        """The forge's address for people."""
        return self._or("GITHUB_SERVER_URL", "https://github.com").rstrip("/")

    @property
    def api_url(self) -> str:
        """The forge's address for programs."""
        return self._or("GITHUB_API_URL", "https://api.github.com").rstrip("/")

    @property
    def run_id(self) -> int | None:
        """The number of this workflow run."""
        told = self._environment.get("GITHUB_RUN_ID", "")
        return int(told) if told.isascii() and told.isdigit() else None

    @property
    def run_url(self) -> str:
        """Where people find this workflow run and its artifacts, "" outside of one."""
        if self.run_id is None:
            return ""
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}"

    @property
    def actor(self) -> str:
        """The login of whoever caused the run, "" where nobody is told."""
        return self._environment.get("GITHUB_ACTOR", "")

    @property
    def sha(self) -> str:
        """The commit the workflow runs on: for a pull request a merge, not its head."""
        return self._environment.get("GITHUB_SHA", "")

    @property
    def ref(self) -> str:
        """The full name of the ref the workflow runs on ("refs/heads/main")."""
        return self._environment.get("GITHUB_REF", "")

    def event(self) -> Event:
        """Why the workflow runs. Raises UsageError when the runner does not say."""
        name = self._wanted("GITHUB_EVENT_NAME")
        path = Path(self._wanted("GITHUB_EVENT_PATH"))
        try:
            with path.open("rb") as file:
                content = file.read(_EVENT_LIMIT + 1)
        except OSError as error:
            raise UsageError(f"the event's payload cannot be read: {error.strerror}") from error
        if len(content) > _EVENT_LIMIT:
            raise UsageError(f"the event's payload is larger than {_EVENT_LIMIT // 1024**2} MB")
        try:
            payload = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise UsageError("the event's payload is no JSON") from error
        if not isinstance(payload, dict):
            raise UsageError("the event's payload is no JSON object")
        return Event(name, payload)

    def output(self, name: str, value: str) -> None:
        """Set an output of the step. Whatever `value` holds, it sets no other one."""
        if not _OUTPUT.fullmatch(name):
            raise ValueError(f"{name!r} is no name of an output")
        end = f"end_{secrets.token_hex(16)}"
        while end in value:
            end = f"end_{secrets.token_hex(16)}"
        self._append("GITHUB_OUTPUT", f"{name}<<{end}\n{value}\n{end}\n")

    def job_summary(self, markdown: str) -> None:
        """Add to the page of the run; what is beyond 1 MiB with all that the step added is cut
        off, since GitHub would show nothing."""
        path = self._environment.get("GITHUB_STEP_SUMMARY")
        if not path:
            return
        there = Path(path).stat().st_size if Path(path).exists() else 0
        room = SUMMARY_LIMIT - there
        content = _bytes(f"{markdown}\n")
        if len(content) > room:
            kept = content[: max(room - len(_CUT), 0)].decode("utf-8", "ignore")
            markdown = f"{kept}{_CUT}" if kept else ""
        self._append("GITHUB_STEP_SUMMARY", f"{markdown}\n" if len(content) <= room else markdown)

    def mask(self, secret: str) -> None:
        """Have the runner hide a secret in all that is logged from now on."""
        for line in secret.splitlines():
            if line.strip():
                self._say(command("add-mask", line))

    def annotate(
        self, level: Level, message: str, *, title: str = "", path: str = "", lines: tuple[int, int]
    ) -> bool:
        """Put a message on the lines (first, last) of a file; False, and nothing, when GitHub
        would drop it."""
        self._given[level] += 1
        if self._given[level] > MOST:
            return False
        self._say(annotation(level, message, title=title, path=path, lines=lines))
        return True

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        """Fold what is printed meanwhile under a title."""
        self._say(command("group", printable(title)))
        try:
            yield
        finally:
            self._say(command("endgroup", ""))

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let the runner take nothing printed meanwhile for a command: for a paper's words."""
        word = secrets.token_hex(16)
        self._say(command("stop-commands", word))
        try:
            yield
        finally:
            self._say(f"::{word}::")

    def _wanted(self, name: str) -> str:
        value = self._environment.get(name, "")
        if not value:
            raise UsageError(
                f"{name} is not set", hint="This runs as a step of a GitHub Actions workflow."
            )
        return value

    def _or(self, name: str, otherwise: str) -> str:
        return self._environment.get(name, "") or otherwise

    def _append(self, variable: str, text: str) -> None:
        path = self._environment.get(variable)
        if not path:
            return
        try:
            with Path(path).open("ab") as file:
                file.write(_bytes(text))
        except OSError as error:
            raise UsageError(f"{variable} cannot be written: {error.strerror}") from error

    def _say(self, line: str) -> None:
        self._stream.write(f"{line}\n")
        self._stream.flush()


def annotation(
    level: Level,
    message: str,
    *,
    title: str = "",
    path: str = "",
    lines: tuple[int, int],
    column: int | None = None,
) -> str:
    """The command that puts a message on the lines (first, last) of a file; `column` only where
    they are one line."""
    properties = {"file": path, "line": str(lines[0]), "endLine": str(lines[1]), "title": title}
    if column is not None and lines[0] == lines[1]:
        properties["col"] = str(column)
    said = "\n".join(printable(line) for line in message.split("\n"))
    return command(level, said, {name: value for name, value in properties.items() if value})


def _data(text: str) -> str:
    """Escaped as the runner unescapes a command's message."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _bytes(text: str) -> bytes:
    """UTF-8; half a character of a paper in some other encoding becomes a question mark."""
    return text.encode("utf-8", "replace")
