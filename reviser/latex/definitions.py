"""The heads of definitions: what a \\newcommand, \\def, … names and how it takes its arguments."""

import re
from dataclasses import dataclass
from functools import lru_cache

from reviser.latex.commands import DEFINERS

# Heads longer than this are not read as heads, so that hostile input costs linear time.
_LONGEST = 300
_LONGEST_DEFAULT = 200
_GAP = re.compile(r"(?:\s|%[^\r\n]*(?:[\r\n]|\Z))*")
_BRACED_NAME = re.compile(r"\{\s*\\([A-Za-z@]+|[^A-Za-z@\s])\s*\}")
_BARE_NAME = re.compile(r"\\([A-Za-z@]+|[^A-Za-z@\s])")
_EXPL_NAME = re.compile(r"\\([A-Za-z@_:]+)")
_CSNAME = re.compile(r"\\csname\s*([^\\{}%\r\n]{0,100})\\endcsname")
_PLAIN_NAME = re.compile(r"\{\s*([^\\{}%\r\n]{0,100}?)\s*\}")
_COUNT = re.compile(r"\[\s*([0-9])\s*\]")
_PARAMETER_TEXT = re.compile(r"[^{}]{0,300}")
_OPTION_PIECE = re.compile(r"[^\[\]{}\\%]+|\\[\s\S]|%[^\r\n]*|[\s\S]")
_PARAMETER = re.compile(r"#([1-9])")
_TOKEN = re.compile(r"\\(?:[A-Za-z@]+|[\s\S])|[\s\S]")

_BODIES = {
    "environment": 2,
    "document environment": 2,
    "cite command": 4,
    "multicite command": 2,
    "let": 0,
    "token": 0,
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument as the definition takes it.

    `kind` is "m" (braces or one token), "v" (letter by letter),
    "o" (brackets, may be missing), "s" (a star or another
    mark, may be missing), "d" (between `opening` and `closing`, may be missing), "r" (the same,
    required; an empty `closing` after it means up to the next brace).
    """

    kind: str
    default: str = ""
    opening: str = "["
    closing: str = "]"


@dataclass(frozen=True, slots=True)
class Head:
    """A definition's head. `body` is the offset of its first body's brace, None without one;
    `bodies` how many follow; `stop` where reading goes on when there is no body; `equal` the
    other token of a \\let, with its backslash."""

    name: str
    parameters: tuple[Parameter, ...]
    body: int | None
    bodies: int
    stop: int
    default: str | None = None
    delimited: bool = False
    environment: bool = False
    equal: str = ""
    ending: str = ""  # what a delimited \def wants after its last argument


def gap(text: str, offset: int) -> int:
    """The first offset at or after `offset` that is neither blank nor in a comment."""
    match = _GAP.match(text, offset)
    return match.end() if match else offset


def head(text: str, offset: int, command: str) -> Head | None:
    """Read the head of the definition whose command `command` ends at `offset`.

    None when no name follows, as in prose about a command.
    """
    shape = DEFINERS[command]
    at = gap(text, offset)
    if text.startswith("*", at):
        at = gap(text, at + 1)
    environment = "environ" in shape
    named = _name(text, at, command, plain=environment or shape in ("named", "column type"))
    if named is None:
        return None
    name, at = named
    if shape in ("let", "token"):
        return _let(text, name, at, shape)
    if shape in ("def", "named"):
        return _def(text, name, at)
    parameters, default, at = _parameters(text, at, shape)
    at = gap(text, at)
    body = at if text.startswith("{", at) else None
    return Head(
        name=name,
        parameters=parameters,
        body=body,
        bodies=_BODIES.get(shape, 1),
        stop=at,
        default=default,
        environment=environment,
    )


def _name(text: str, at: int, command: str, *, plain: bool) -> tuple[str, int] | None:
    if plain:
        match = _PLAIN_NAME.match(text, at)
    elif command.startswith("cs_"):
        match = _EXPL_NAME.match(text, at)
    else:
        match = (
            _CSNAME.match(text, at) or _BRACED_NAME.match(text, at) or _BARE_NAME.match(text, at)
        )
    return (match.group(1), match.end()) if match else None


def _let(text: str, name: str, at: int, shape: str) -> Head:
    if shape == "token":
        return Head(name, (), None, 0, at)
    at = gap(text, at)
    if text.startswith("=", at):
        at = gap(text, at + 1)
    token = _TOKEN.match(text, at)
    # A brace is left to the reader of groups: \let\bgroup={ is plain TeX's affair.
    if token is None or token.group() in "{}":
        return Head(name, (), None, 0, at)
    return Head(name, (), None, 0, token.end(), equal=token.group())


def _def(text: str, name: str, at: int) -> Head:
    match = _PARAMETER_TEXT.match(text, at)
    stop = match.end() if match else at
    if not text.startswith("{", stop):
        return Head(name, (), None, 1, at)
    given = _GAP.sub("", text[at:stop]) if "#" not in text[at:stop] else text[at:stop].strip()
    pieces = _PARAMETER.split(given)
    before, rest = pieces[0], pieces[2::2]
    delimited = bool(before) or any(rest)
    parameters: list[Parameter] = []
    opening = before
    for closing in rest:
        if opening or closing:
            parameters.append(Parameter("r", opening=opening, closing=closing))
        else:
            parameters.append(Parameter("m"))
        opening = ""
    return Head(
        name,
        tuple(parameters),
        stop,
        1,
        stop,
        delimited=delimited,
        ending=rest[-1] if rest else "",
    )


def _parameters(text: str, at: int, shape: str) -> tuple[tuple[Parameter, ...], str | None, int]:
    if shape.startswith("document"):
        start = gap(text, at)
        stop = _balanced(text, start, "{", "}")
        if stop is None:
            return (), None, at
        return argument_specification(text[start + 1 : stop - 1]), None, stop
    if shape in ("cite command", "multicite command"):
        stop = _balanced(text, gap(text, at), "[", "]")
        keys = Parameter("m")
        notes = (Parameter("o"), Parameter("o"), keys)
        return notes, None, at if stop is None else stop
    count = _COUNT.match(text, gap(text, at))
    if count is None:
        return (), None, at
    at = count.end()
    parameters = [Parameter("m")] * int(count.group(1))
    start = gap(text, at)
    stop = _balanced(text, start, "[", "]")
    if stop is None:
        return tuple(parameters), None, at
    default = text[start + 1 : stop - 1]
    if parameters:
        parameters[0] = Parameter("o", default=default)
    return tuple(parameters), default, stop


def _balanced(text: str, start: int, opening: str, closing: str) -> int | None:
    """One past the `closing` that answers the `opening` at `start`; None if none is near."""
    if not text.startswith(opening, start):
        return None
    depth = 0
    limit = min(len(text), start + _LONGEST)
    at = start + 1
    while at < limit:
        match = _OPTION_PIECE.match(text, at)
        if match is None:
            return None
        piece = match.group()
        if piece == closing and depth == 0:
            return match.end()
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth -= 1
            if depth < 0:
                return None
        at = match.end()
    return None


@lru_cache(maxsize=256)
def argument_specification(words: str) -> tuple[Parameter, ...]:
    """The parameters that an xparse argument specification such as "s O{x} +m" stands for."""
    found: list[Parameter] = []
    at = 0
    while at < len(words):
        letter = words[at]
        at += 1
        if letter in "mv":
            found.append(Parameter(letter))
        elif letter == "o":
            found.append(Parameter("o"))
        elif letter == "s":
            found.append(Parameter("s", opening="*"))
        elif letter == "O":
            default, at = _braced(words, at)
            found.append(Parameter("o", default=default))
        elif letter == "t":
            found.append(Parameter("s", opening=words[at : at + 1]))
            at += 1
        elif letter in "dDrR":
            marks, at = words[at : at + 2], at + 2
            default, at = _braced(words, at) if letter in "DR" else ("", at)
            found.append(Parameter(letter.lower(), default, marks[:1], marks[1:]))
        elif letter in "eE":
            _, at = _braced(words, at)
    return tuple(found)


def _braced(words: str, at: int) -> tuple[str, int]:
    at = gap(words, at)
    stop = _balanced(words, at, "{", "}")
    return ("", at) if stop is None else (words[at + 1 : stop - 1][:_LONGEST_DEFAULT], stop)
