"""Read the settings of a run: flag before environment before file before default."""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from reviser.app.choices import (
    CLAIMS,
    FAIL_ON,
    LOCK,
    MODES,
    MOST_ROUNDS,
    REPAIR,
    SCALES,
    STAGES,
    STRATEGIES,
    TIES,
    VERIFIERS,
)
from reviser.app.lookup_settings import LookupSettings
from reviser.errors import SettingsError
from reviser.manuscript.files import forbidden
from reviser.ports import ProjectFiles, Refused
from reviser.review.suppress import Ignore

if TYPE_CHECKING:
    from reviser.app.model_settings import ModelSettings
    from reviser.app.review_settings import ReviewSettings

SETTINGS_FILE = "reviser.toml"

_SHARED_FILE = "pyproject.toml"


Value: TypeAlias = str | bool | int | tuple[str, ...]
"""What a setting of the file can be."""


class Trust(StrEnum):
    """Who may set a setting. The file comes with the paper, so anybody may have written it."""

    AUTHOR = "author"  # flag, environment or file
    OPERATOR = "operator"  # flag or environment only: whoever runs the program


class Kind(StrEnum):
    """What a setting's value must be, as it is called in an error."""

    TEXT = "a text"
    TEXTS = "a list of texts"
    FLAG = "true or false"
    ROUNDS = f"a whole number from 1 to {MOST_ROUNDS}"
    WEIGHTS = "a text or a table of numbers"
    INSIDE = "a relative path inside the paper's folder"
    PLACES = f"{INSIDE}, or a list of such"
    IGNORES = "a list of tables [[ignore]] with rule, path (optional) and reason"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name in the file (and, with two dashes, as a flag), and who may set it."""

    name: str
    trust: Trust
    kind: Kind = Kind.TEXT
    choices: tuple[str, ...] = ()


KNOWN: tuple[Setting, ...] = (
    Setting("main", Trust.AUTHOR, Kind.INSIDE),
    Setting("bib", Trust.AUTHOR, Kind.TEXTS),
    Setting("fail-on", Trust.AUTHOR, choices=FAIL_ON),
    Setting("claims", Trust.AUTHOR, choices=CLAIMS),
    Setting("prune", Trust.AUTHOR, Kind.FLAG),
    Setting("repair", Trust.AUTHOR, choices=REPAIR),
    Setting("sources", Trust.AUTHOR, Kind.PLACES),
    Setting("baseline", Trust.AUTHOR, Kind.INSIDE),
    Setting("lock", Trust.AUTHOR, choices=LOCK),
    Setting("lock-abstracts", Trust.AUTHOR, Kind.FLAG),
    Setting("language", Trust.AUTHOR),
    Setting("ignore", Trust.AUTHOR, Kind.IGNORES),
    Setting("rounds", Trust.AUTHOR, Kind.ROUNDS),
    Setting("ties", Trust.AUTHOR, choices=TIES),
    Setting("weights", Trust.AUTHOR, Kind.WEIGHTS),
    Setting("strategy", Trust.AUTHOR, choices=STRATEGIES),
    Setting("rebut", Trust.AUTHOR, Kind.FLAG),
    Setting("review", Trust.OPERATOR, Kind.FLAG),
    Setting("batch", Trust.OPERATOR),
    Setting("blocks", Trust.OPERATOR),
    Setting("nli", Trust.OPERATOR),
    Setting("corpus", Trust.OPERATOR),
    Setting("lookup", Trust.OPERATOR),
    Setting("lookup-seconds", Trust.OPERATOR),
    Setting("related", Trust.OPERATOR, Kind.FLAG),
    Setting("full-text", Trust.OPERATOR, Kind.FLAG),
    Setting("offline", Trust.OPERATOR, Kind.FLAG),
    Setting("verifier", Trust.OPERATOR, choices=VERIFIERS),
    *(
        Setting(name, Trust.OPERATOR)
        for name in (
            "model",
            "base-url",
            "temperature",
            "reply-tokens",
            "context",
            "timeout",
            "parallel",
            "extra-headers",
            "extra-body",
            "templates",
            "price",
            "max-cost",
            "max-calls",
            "max-total-tokens",
            "max-minutes",
        )
    ),
    *(
        Setting(f"{part}-{name}", Trust.OPERATOR)
        for part in ("writer", "evaluator")
        for name in (
            "model",
            "base-url",
            "temperature",
            "reply-tokens",
            "context",
            "extra-headers",
            "extra-body",
            "price",
        )
    ),
    Setting("yes", Trust.OPERATOR, Kind.FLAG),
    Setting("scale", Trust.OPERATOR, choices=SCALES),
    Setting("reviews", Trust.OPERATOR),
    Setting("compile", Trust.OPERATOR, Kind.FLAG),
    Setting("verify", Trust.OPERATOR, Kind.FLAG),
    Setting("cache", Trust.OPERATOR, Kind.FLAG),
    Setting("cache-folder", Trust.OPERATOR),
    Setting("format", Trust.OPERATOR),
    Setting("output", Trust.OPERATOR),
    Setting("rule", Trust.OPERATOR, Kind.TEXTS),
    Setting("diff", Trust.OPERATOR),
    Setting("dry-run", Trust.OPERATOR, Kind.FLAG),
    Setting("patch", Trust.OPERATOR),
    Setting("interactive", Trust.OPERATOR, Kind.FLAG),
    Setting("mode", Trust.OPERATOR, choices=MODES),
    Setting("inline", Trust.OPERATOR),
    Setting("stage", Trust.OPERATOR, choices=STAGES),
    Setting("check-run", Trust.OPERATOR, Kind.FLAG),
    Setting("drafts", Trust.OPERATOR, Kind.FLAG),
    Setting("labels", Trust.OPERATOR, Kind.TEXTS),
    Setting("skip-labels", Trust.OPERATOR, Kind.TEXTS),
    Setting("paths", Trust.OPERATOR, Kind.TEXTS),
)


@dataclass(frozen=True, slots=True)
class FileSettings:
    """What the settings file says. `where` names the file, empty when there is none.

    `values` holds every key but `ignore`, checked, by its name in the file.
    """

    where: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    ignores: tuple[Ignore, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a run was asked to do, once flags, environment, file and defaults have spoken.

    `from_file` names the fields whose value came from the settings file: a path among them is
    relative to the paper's root, every other path to the present folder.
    """

    path: Path
    main: str | None = None
    bib: tuple[str, ...] = ()
    fail_on: str = "error"
    claims: Literal["group", "sentence"] = "group"
    prune: bool = True
    repair: Literal["default", "unsupported", "off"] = "default"
    sources: tuple[str, ...] = ()
    corpus: str | None = None
    lookup: LookupSettings = field(default_factory=LookupSettings)
    baseline: str | None = None
    lock: Literal["auto", "on", "off"] = "auto"
    lock_abstracts: bool = False
    language: str = ""
    nli: str | None = None
    llm: "ModelSettings | None" = None
    review: "ReviewSettings | None" = None
    verify: bool = True
    compile: bool = False
    cache: bool = True
    cache_folder: str | None = None
    rules: tuple[str, ...] = ()
    diff: str | None = None
    ignores: tuple[Ignore, ...] = ()
    from_file: frozenset[str] = frozenset()


def read_settings(files: ProjectFiles) -> FileSettings:
    """The settings at the paper's root: reviser.toml, else [tool.reviser] in pyproject.toml.

    Raises SettingsError, naming file and key, for anything that is not a setting, is not the
    author's to set, or has the wrong value.
    """
    table = _toml(files, SETTINGS_FILE)
    where = SETTINGS_FILE
    if table is None:
        where = f"{_SHARED_FILE}, [tool.reviser]"
        tool = (_toml(files, _SHARED_FILE, lenient=True) or {}).get("tool")
        table = tool.get("reviser") if isinstance(tool, dict) else None
        if table is None:
            return FileSettings()
        if not isinstance(table, dict):
            raise SettingsError(f"{_SHARED_FILE}: tool.reviser is not a table")
    return checked(table, where)


def checked(table: Mapping[str, object], where: str) -> FileSettings:
    """The table of a settings file as typed values; raises SettingsError as `read_settings`."""
    known = {setting.name: setting for setting in KNOWN}
    values: dict[str, Value] = {}
    ignores: tuple[Ignore, ...] = ()
    for key, value in table.items():
        setting = known.get(key)
        if setting is None:
            settable = [s.name for s in KNOWN if s.trust is Trust.AUTHOR]
            raise SettingsError(f"{where}: there is no setting {key!r}", hint=_near(key, settable))
        if setting.trust is not Trust.AUTHOR:
            variable = f"REVISER_{key.upper().replace('-', '_')}"
            raise SettingsError(
                f"{where}: {key!r} cannot be set in the paper's settings file",
                hint=f"Whoever runs reviser decides on it: use --{key} or the variable {variable}.",
            )
        if setting.kind is Kind.IGNORES:
            ignores = _ignores(value, where)
        else:
            values[key] = _value(setting, value, where)
    return FileSettings(where, values, ignores)


def _toml(files: ProjectFiles, name: str, *, lenient: bool = False) -> Mapping[str, object] | None:
    data = files.read(name)
    if data is None or (lenient and isinstance(data, Refused)):
        return None
    if isinstance(data, Refused):
        raise SettingsError(f"{name}: not read, because {data.why}")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        if lenient:
            return None
        raise SettingsError(f"{name}: not UTF-8 text (byte {error.start})") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        # A broken pyproject.toml is somebody else's business unless it speaks of us.
        if lenient and b"tool.reviser" not in data:
            return None
        raise SettingsError(f"{name}: not a TOML file: {error}") from error


def _value(setting: Setting, value: object, where: str) -> Value:
    wrong = SettingsError(
        f"{where}: {setting.name} = {_shown(value)} is not {_wanted(setting)}",
        hint="Remove the line to use the default.",
    )
    if setting.kind is Kind.FLAG:
        if isinstance(value, bool):
            return value
        raise wrong
    if setting.kind is Kind.ROUNDS:
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_ROUNDS:
            return value
        raise wrong
    if setting.kind is Kind.WEIGHTS and isinstance(value, dict):
        return ",".join(f"{name}={number}" for name, number in value.items())
    if setting.kind is Kind.TEXTS:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(str(item) for item in value)
        raise wrong
    if setting.kind is Kind.PLACES:
        places = tuple(value) if isinstance(value, list) else (value,)
        if all(isinstance(one, str) and one and not forbidden(one) for one in places):
            return places
        raise wrong
    if not isinstance(value, str) or (setting.choices and value not in setting.choices):
        raise wrong
    if setting.kind is Kind.INSIDE and (not value or forbidden(value)):
        raise wrong
    return value


def _ignores(value: object, where: str) -> tuple[Ignore, ...]:
    if not isinstance(value, list):
        raise SettingsError(f"{where}: ignore = {_shown(value)} is not {Kind.IGNORES}")
    return tuple(_ignore(table, f"{where}: ignore {n}") for n, table in enumerate(value, 1))


def _ignore(table: object, where: str) -> Ignore:
    if not isinstance(table, dict):
        raise SettingsError(f"{where}: {_shown(table)} is not a table")
    keys = ("rule", "path", "reason")
    for key, value in table.items():
        if key not in keys:
            raise SettingsError(f"{where}: there is no key {key!r}", hint=_near(key, keys))
        if not isinstance(value, str) or not value.strip():
            raise SettingsError(f"{where}: {key} = {_shown(value)} is not a text with words in it")
    for key in ("rule", "reason"):
        if key not in table:
            raise SettingsError(
                f"{where}: no {key} is given",
                hint="Say which rule is silenced and why: readers of the report see the reason.",
            )
    return Ignore(table["rule"], table["reason"], table.get("path", "*"))


def nearest(word: str, words: Collection[str]) -> str | None:
    """The one of `words` that `word` was most likely meant to be, if any is close."""
    found = get_close_matches(word.lower().replace("_", "-"), sorted(words), n=1, cutoff=0.5)
    return found[0] if found else None


def _near(key: str, words: Collection[str]) -> str:
    close = nearest(key, words)
    known = f"The settings are: {', '.join(words)}."
    return f"Did you mean {close!r}? {known}" if close else known


def _wanted(setting: Setting) -> str:
    return f"one of {', '.join(setting.choices)}" if setting.choices else setting.kind.value


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
