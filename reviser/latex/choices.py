"""Macros that look at what follows and then are one of two others: \\@ifstar and \\@ifnextchar."""

import re
from dataclasses import replace

from reviser.latex.definitions import Parameter
from reviser.latex.dialect import UserCommand

_ONE = r"\s{0,9}(?:\{\s{0,9}\\[A-Za-z@]+\s{0,9}\}|\\[A-Za-z@]+)"
_CHOICE = re.compile(
    rf"\\(?:@ifstar|@ifnextchar\s{{0,9}}(?P<opening>[\[(])){_ONE}\s{{0,9}}\{{?\s{{0,9}}"
    r"\\(?P<name>[A-Za-z@]+)\s{0,9}\}?\s*\Z"
)
_NUMBER = re.compile(r"#([1-8])")
_CLOSING = {"[": "]", "(": ")"}


def choice(body: str) -> tuple[Parameter, str] | None:
    """What a macro with this body looks for, and what it is where that is missing."""
    start = max(body.rfind("\\@ifstar"), body.rfind("\\@ifnextchar"))
    match = _CHOICE.match(body, start) if start >= 0 else None
    if match is None:
        return None
    opening = match["opening"]
    if opening is None:
        return Parameter("s", opening="*"), match["name"]
    kind = "o" if opening == "[" else "d"
    return Parameter(kind, opening=opening, closing=_CLOSING[opening]), match["name"]


def behind(name: str, parameter: Parameter, command: UserCommand) -> UserCommand | None:
    """`command` as the macro `name`, with one parameter more before its own; None where it does
    more than cite."""
    citations = tuple(
        replace(
            citation,
            keys=tuple(_shifted(key) for key in citation.keys),
            notes=tuple(_shifted(note) for note in citation.notes),
        )
        for citation in command.citations
    )
    made = UserCommand(name, (parameter, *command.parameters), citations=citations)
    return made if citations and not (command.labels or command.includes) else None


def _shifted(words: str) -> str:
    return _NUMBER.sub(lambda match: f"#{int(match[1]) + 1}", words)
