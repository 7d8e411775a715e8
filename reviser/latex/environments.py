"""Learning which of a paper's own environments and macros open and close which environments."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviser.latex.commands import WELL_KNOWN_ENVIRONMENTS
from reviser.latex.definitions import Head
from reviser.latex.scan import Scan, scan
from reviser.latex.structure import KIND_BITS, UNCLOSED, Kind, Lexicon

_END = re.compile(r"\\end\s*\{([^{}\\%$#\r\n]*)\}")
_BEGIN = re.compile(r"\\begin\s*\{([^{}\\%$#\r\n]*)\}")
_FIRST_WORD = re.compile(r"\s*(?:\\VerbatimEnvironment\s*)?\\([A-Za-z@]+)")
_WORD = re.compile(r"\\([A-Za-z@]+)")
_DELIMITS = re.compile(r"\\(?:begin|end|\[|\])|\$\$")
_MOST_STEPS = 6


@dataclass(slots=True)
class EnvironmentLesson:
    """The paper's own environments by name, each with the one it opens at bottom."""

    names: dict[str, str] = field(default_factory=dict)


def learn_environments(
    lexicon: Lexicon,
    environments: Mapping[str, Sequence[tuple[str, ...]]],
    commands: Mapping[str, Sequence[tuple[Head, str]]],
) -> tuple[EnvironmentLesson, Lexicon]:
    """What the bodies of `environments` and of `commands` open and close."""
    opened: dict[str, str] = {}
    verbatims = dict(lexicon.verbatims)
    for name, found in environments.items():
        for bodies in found:
            target = _environment(bodies)
            if target and target != name and name not in WELL_KNOWN_ENVIRONMENTS:
                opened[name] = _as_environment(target)
        if name in ("comment", "markdown", "listing") and not _verbatim(opened.get(name, "")):
            # The paper gives the name a meaning of its own.
            verbatims.pop(name, None)
        if all(len(bodies) == 1 and "\\BODY" not in bodies[0] for bodies in found):
            verbatims[name] = "comment environment"
    names = {name: _bottom(name, opened) for name in opened}
    verbatims |= {name: verbatims[end] for name, end in names.items() if end in verbatims}
    opens, closes = _macros(commands)
    for macro, environment in opens.items():
        opens[macro] = names.get(environment, environment)
    for macro, environment in closes.items():
        closes[macro] = names.get(environment, environment)
    learnt = replace(lexicon, verbatims=verbatims, opens=opens, closes=closes)
    return EnvironmentLesson(names), learnt


def _verbatim(name: str) -> bool:
    return "erbatim" in name or name == "comment"


def _bottom(name: str, opened: Mapping[str, str]) -> str:
    end = name
    for _ in range(_MOST_STEPS):
        if end not in opened:
            break
        end = opened[end]
    return end


def _environment(bodies: tuple[str, ...]) -> str:
    """The environment that an environment's first body opens and its last one closes."""
    first, last = bodies[0] if bodies else "", bodies[-1] if bodies else ""
    if len(bodies) == 1:
        # \NewEnviron: the text stands where \BODY does.
        scanned = scan(first)
        body = first.find("\\BODY")
        node = scanned.enclosing(body, Kind.ENVIRONMENT) if body >= 0 else None
        return node.name if node else ""
    closed = _END.findall(last)
    for name in _open_environments(scan(first)):
        if name in closed or not closed:
            return name
    word = _FIRST_WORD.match(first)
    if word and f"end{word.group(1)}" in _WORD.findall(last):
        return word.group(1)
    return ""


def _open_environments(scanned: Scan) -> list[str]:
    record = scanned.record
    return [
        record.words[record.name[index]]
        for index, flags in enumerate(record.kind)
        if flags & KIND_BITS in (Kind.ENVIRONMENT, Kind.MATH) and flags & UNCLOSED
    ]


def _macros(
    commands: Mapping[str, Sequence[tuple[Head, str]]],
) -> tuple[dict[str, str], dict[str, str]]:
    """Macros that begin an environment, and macros that end one, each with its name."""
    opens: dict[str, str] = {}
    closes: dict[str, str] = {}
    for name, found in commands.items():
        if not found or not _DELIMITS.search(found[-1][1]) or _half_of_pair(name, commands):
            continue
        head, body = found[-1]
        if head.ending.startswith("\\") and len(head.parameters) == 1:
            around = _BEGIN.match(body.strip())
            if around and body.rstrip().endswith(f"\\end{{{around.group(1)}}}"):
                opens[name] = closes[head.ending[1:].strip()] = around.group(1)
            continue
        if any(parameter.kind in "mr" for parameter in head.parameters):
            continue
        opened = _open_environments(scan(body))
        ended = _unopened(body)
        if opened and not ended:
            opens[name] = _as_environment(opened[0])
        elif ended and not opened:
            closes[name] = _as_environment(ended[-1])
    # One without the other would swallow the rest of the paper.
    both = set(opens.values()) & set(closes.values())
    return (
        {name: environment for name, environment in opens.items() if environment in both},
        {name: environment for name, environment in closes.items() if environment in both},
    )


def _half_of_pair(name: str, commands: Mapping[str, Sequence[tuple[Head, str]]]) -> bool:
    """Whether `name` is \\x or \\endx of an environment x that is defined by \\def."""
    return f"end{name}" in commands or (name.startswith("end") and name[3:] in commands)


def _unopened(body: str) -> list[str]:
    if body.strip() in ("\\]", "$$"):
        return [body.strip()]
    begun = _BEGIN.findall(body)
    ended = _END.findall(body)
    for name in begun:
        if name in ended:
            ended.remove(name)
    return ended


def _as_environment(name: str) -> str:
    """The environment that a mathematical delimiter amounts to."""
    if name in (r"\[", r"\]", "$$"):
        return "displaymath"
    return "math" if name in ("$", r"\(") else name
