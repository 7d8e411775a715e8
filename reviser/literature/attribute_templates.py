"""What is noted of a work, by its kind: templates as files, checked when they are read.

The four kinds and the fields of each are those of SurveyX (2025, appendix B, figures 13-16), with
datasets, baselines, results and families of methods as fields of their own, since tables are
filled from them.
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from reviser.errors import SettingsError
from reviser.templates import template_text

FOLDER = "attributes"
"""Where the templates lie, in the bundled ones and in a folder of one's own."""
SUFFIX = ".toml"
KINDS = ("method", "theory", "benchmark", "survey")
LARGEST = 50_000
"""Bytes of a template's file."""
MOST_FIELDS = 40
MOST_NOTES = 20
"""Notes that one field may ask for."""
_DEEPEST = 4
_LONGEST = 400
_NAME = re.compile(r"[a-z][a-z0-9]*(?: [a-z0-9]+){0,4}")


@dataclass(frozen=True, slots=True)
class Field:
    """A place in the tree: the names that lead to it, what is asked for, and how many notes it may
    have."""

    path: tuple[str, ...]
    asks: str
    most: int = 1

    @property
    def name(self) -> str:
        """Its path as people read it: `problem > definition`."""
        return " > ".join(self.path)


@dataclass(frozen=True, slots=True)
class Template:
    """The fields for one kind of work, in their order. `what` tells the kind from the others;
    `own` says that it came from a user's folder, `digest` is the SHA-256 of its file in hex."""

    kind: str
    version: int
    what: str
    fields: tuple[Field, ...]
    digest: str
    own: bool = False

    @property
    def label(self) -> str:
        """`method/1`; a user's own has the beginning of its digest behind it."""
        return f"{self.kind}/{self.version}" + (f"+{self.digest[:8]}" if self.own else "")


def bundled_template(kind: str) -> Template:
    """The template of a kind as it comes along. Raises SettingsError where there is none."""
    if kind not in KINDS:
        raise SettingsError(f"there is no kind of work {kind!r}")
    file = f"{FOLDER}/{kind}{SUFFIX}"
    return read_template(template_text(file), kind=kind, where=file)


def bundled_templates() -> Mapping[str, Template]:
    """All that come along, by kind."""
    return {kind: bundled_template(kind) for kind in KINDS}


def read_template(text: str, *, kind: str, where: str, own: bool = False) -> Template:
    """The template in a file's text, which must be the one for `kind`.

    Raises SettingsError, naming `where`, for anything that is not as the bundled ones are: other
    members, a path twice or inside another, names that are no plain words, more than forty fields.
    """
    try:
        read = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{where}: it is not TOML: {error}") from error
    fields, wrong = _fields(read.get("field"))
    wrong = _wrong(read, kind) or wrong
    if wrong:
        raise SettingsError(
            f"{where}: {wrong}", hint="See templates/attributes/method.toml for the form."
        )
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Template(kind, read["version"], read["what"].strip(), fields, digest, own)


def _wrong(read: Mapping[str, object], kind: str) -> str:
    if read.keys() != {"kind", "version", "what", "field"}:
        return f"it has {', '.join(sorted(read))}, not kind, version, what and field"
    version, what = read["version"], read["what"]
    if read["kind"] != kind:
        return f"its kind is {read['kind']!r}, not {kind!r}"
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        return f"its version is {version!r}, not a number from 1"
    if not _is_text(what):
        return f"its what is no text of at most {_LONGEST} characters"
    return ""


def _fields(rows: object) -> tuple[tuple[Field, ...], str]:
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_FIELDS:
        return (), f"it needs 1 to {MOST_FIELDS} tables [[field]]"
    fields: list[Field] = []
    for number, row in enumerate(rows, start=1):
        field = _field(row)
        if isinstance(field, str):
            return (), f"field {number}: {field}"
        for other in fields:
            shorter = min(len(other.path), len(field.path))
            if other.path[:shorter] == field.path[:shorter]:
                return (), f"field {number}: {field.name} and {other.name} cannot both be there"
        fields.append(field)
    return tuple(fields), ""


def _field(row: object) -> Field | str:
    if not isinstance(row, dict) or not {"path", "asks"} <= row.keys() <= {"path", "asks", "most"}:
        return "it has a path, what it asks, and perhaps most"
    path, asks, most = row["path"], row["asks"], row.get("most", 1)
    if (
        not isinstance(path, list)
        or not 1 <= len(path) <= _DEEPEST
        or not all(isinstance(name, str) and _NAME.fullmatch(name) for name in path)
    ):
        return f"its path is {path!r}, not 1 to {_DEEPEST} names in small letters"
    if not _is_text(asks):
        return f"its asks is no text of at most {_LONGEST} characters"
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_NOTES:
        return f"its most is {most!r}, not a number from 1 to {MOST_NOTES}"
    return Field(tuple(path), " ".join(asks.split()), most)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= _LONGEST
