"""What TeX and BibTeX complain of in their logs, in words that stay the same when lines move."""

import re
from collections.abc import Iterator

MOST = 2_000
"""Complaints that are told."""
_LONGEST = 300

_ERROR = re.compile(r"^(?:\./)?([^\s:!][^:\n]{0,200}):(\d+): (.+)$")
_BANG = re.compile(r"^! ?(.+)$")
_PLACE = re.compile(r"^l\.\d+ (.*)$")
_LAST_WORD = re.compile(r"(\\(?:[A-Za-z@]+|.))[^\\]*$")
_WARNING = re.compile(
    r"^(?:LaTeX|Package [\w-]+) Warning: "
    r"(?:(Reference|Citation|Hyper reference) [`']([^']{1,200})'.{0,80}? undefined"
    r"|(Label) [`']([^']{1,200})' multiply defined)"
)
_MISSING_ENTRY = re.compile(r"^Warning--I didn't find a database entry for \"(.+?)\"")
_BIB_ERROR = re.compile(r"^(.+)---line \d+ of file (.+)$")
_BIBER = re.compile(r"(?:ERROR|WARN) - (.+)$")
_NUMBERS = re.compile(r"\b(?:on input )?(?:at )?lines? \d+(?:--?\d+)?")
_FATAL = ("Fatal error occurred", "Emergency stop", "job aborted", "TeX capacity exceeded")


def faults(log: str) -> Iterator[str]:
    """The complaints in a log of TeX, written with -file-line-error on lines that are not broken.

    Errors with their file, and undefined references and citations and doubled labels once for
    each pass that is in the log; no line numbers, and of the paper's text only commands that are
    not defined.
    """
    lines = log.split("\n")
    for number, line in enumerate(lines):
        if warned := _WARNING.match(line):
            kind, name = (warned[1], warned[2]) if warned[1] else (warned[3], warned[4])
            what = "is defined twice" if warned[3] else "is undefined"
            yield _short(f"{kind.lower()} {name} {what}")
            continue
        if error := _ERROR.match(line):
            yield _short(f"{error[1]}: {_said(error[3], lines, number)}")
        elif bang := _BANG.match(line):
            yield _short(_said(bang[1], lines, number))


def bibliography_faults(log: str) -> Iterator[str]:
    """The complaints in a log of BibTeX or biber: entries that are missing or cannot be read."""
    for line in log.split("\n"):
        if missing := _MISSING_ENTRY.match(line):
            yield _short(f"no entry {missing[1]}")
        elif error := _BIB_ERROR.match(line):
            yield _short(f"{error[2]}: {error[1]}")
        elif biber := _BIBER.search(line):
            yield _short(f"biber: {_NUMBERS.sub('', biber[1]).strip()}")


def is_fatal(log: str) -> bool:
    """Whether TeX gave up."""
    return any(word in log for word in _FATAL)


def _said(message: str, lines: list[str], number: int) -> str:
    """The message; where a command is not defined, with its name, which stands further below."""
    message = _NUMBERS.sub("", message).strip()
    if not message.startswith("Undefined control sequence"):
        return message
    for line in lines[number + 1 : number + 12]:
        if place := _PLACE.match(line):
            word = _LAST_WORD.search(place[1])
            return f"{message} {word[1]}" if word else message
    return message


def _short(said: str) -> str:
    return " ".join(said.split())[:_LONGEST]
