"""What people may ask for in a comment: a fixed grammar on its first line, and nothing else.

/reviser check
/reviser review
/reviser apply ID [ID ...]      or: apply all
/reviser ignore ID reason
/reviser explain ID
/reviser help
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from reviser.deliver.ledger import Ledger
from reviser.deliver.plan import Plan

SHORTEST = 4
"""Digits of an ID that must be given."""
_LONGEST_LINE = 2_000
_LONGEST_REASON = 200
_MOST_IDS = 50
_CALL = re.compile(r" {0,3}/reviser(?![\w/.-])[ \t]*(.*)", re.IGNORECASE | re.DOTALL)
_ID = re.compile(rf"[0-9a-f]{{{SHORTEST},12}}")


@dataclass(frozen=True, slots=True)
class Check:
    """Look at the pull request again."""


@dataclass(frozen=True, slots=True)
class Review:
    """Have a model review the paper as it is now."""


@dataclass(frozen=True, slots=True)
class Apply:
    """Commit accepted edits: those that answer `ids` (beginnings of fingerprints), or all."""

    ids: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Ignore:
    """Dismiss a point; `reason` is one line of at most 200 characters, or "" """

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Explain:
    """Show what a point rests on."""

    id: str


@dataclass(frozen=True, slots=True)
class Help:
    """Say what can be asked for."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """It was meant for us and cannot be understood. `verb` is what was asked for, at most 40
    printable characters; `why` a clause on what is wrong with it, "" where there is no such
    verb."""

    verb: str
    why: str = ""


Command: TypeAlias = Check | Review | Apply | Ignore | Explain | Help | Unknown


def parse(body: str) -> Command | None:
    """The command in a comment, None when it is not meant for us.

    Only the first line that is not blank is read, and it must begin with `/reviser`: quotations,
    code blocks and mentions further down ask for nothing.
    """
    line = body[: 2 * _LONGEST_LINE].lstrip("\r\n").partition("\n")[0].rstrip("\r")
    match = _CALL.fullmatch(line)
    if match is None:
        return None
    if len(line) > _LONGEST_LINE:
        return Unknown("", "the line is too long")
    words = match[1].split()
    if not words:
        return Help()
    return _command(words[0].casefold(), words[1:])


_ALONE: Mapping[str, Command] = {"check": Check(), "review": Review(), "help": Help()}


def _command(verb: str, rest: list[str]) -> Command:
    if verb in _ALONE:
        return Unknown(verb, "nothing may follow it") if rest else _ALONE[verb]
    match verb, rest:
        case "apply", _:
            return _apply(rest)
        case "ignore" | "explain", _:
            return _about_one(verb, rest)
        case _:
            return Unknown(_plain(verb)[:40])


def _about_one(verb: str, rest: list[str]) -> Command:
    name = _id(rest[0]) if rest else None
    if name is None or (verb == "explain" and len(rest) > 1):
        return Unknown(verb, _WANTED)
    return Explain(name) if verb == "explain" else Ignore(name, _reason(rest[1:]))


_WANTED = f"it wants an ID of at least {SHORTEST} digits (0-9, a-f), as the comments show it"


def _apply(rest: list[str]) -> Command:
    if [word.casefold() for word in rest] == ["all"]:
        return Apply(everything=True)
    ids = [_id(word) for word in rest[:_MOST_IDS]]
    known = tuple(dict.fromkeys(name for name in ids if name is not None))
    if not rest or len(rest) > _MOST_IDS or None in ids:
        return Unknown("apply", f"{_WANTED}, or the word all")
    return Apply(known)


def _id(word: str) -> str | None:
    bare = word.strip("`,;").casefold()
    return bare if _ID.fullmatch(bare) else None


def _reason(words: list[str]) -> str:
    return _plain(" ".join(words))[:_LONGEST_REASON]


def _plain(text: str) -> str:
    return "".join(c for c in text if c.isprintable())


def find(ledger: Ledger, plan: Plan | None, prefix: str) -> tuple[str, ...]:
    """The fingerprints that begin with `prefix`, sorted: none, the one that is meant, or several
    when more digits are needed. A fingerprint that a point had earlier leads to its present one.
    """
    names = {name: point.id for name, point in ledger.by_name.items()}
    if plan is not None:
        shown = (noted.finding.fingerprint for noted in plan.findings)
        names = {name: name for name in shown if name} | names
    if len(prefix) < SHORTEST:
        return ()
    return tuple(sorted({point for name, point in names.items() if name.startswith(prefix)}))
