"""GitHub's own OpenAPI file judges every request to the fake and every answer of it.

The file is cut down by `tests/contract/spec/prune_openapi.py`. Where it is known to be wrong it is
corrected here, in code, with the reason; what it lets pass although GitHub refuses it (line 0, a
line outside the hunks, an over-long body …) is refused by the fake's own code.
"""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

SPEC = Path(__file__).parents[2] / "contract" / "spec" / "openapi.json"
_ROOT = "urn:openapi"
_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("date-time", raises=ValueError)
def _is_time(told: object) -> bool:
    return not isinstance(told, str) or bool(datetime.strptime(told, "%Y-%m-%dT%H:%M:%S%z"))


@_FORMATS.checks("uri", raises=ValueError)
def _is_uri(told: object) -> bool:
    return not isinstance(told, str) or bool(urlsplit(told).scheme)


def _null_in_enums(node: Any) -> None:
    """`nullable` beside `enum`: the list lacks null, so that by the letter the conclusion of a
    check run in progress could not be told. GitHub answers null."""
    if isinstance(node, list):
        for item in node:
            _null_in_enums(item)
    elif isinstance(node, dict):
        kind, values = node.get("type"), node.get("enum")
        nullable = isinstance(kind, list) and "null" in kind
        if nullable and isinstance(values, list) and None not in values:
            values.append(None)
        for value in node.values():
            _null_in_enums(value)


def _outdated_comments(schemas: dict[str, Any]) -> None:
    """`line`, `start_line` and `position` of a review comment are null once it is outdated; the
    file says integer for some of them."""
    for name in ("pull-request-review-comment", "review-comment"):
        told = schemas[name]["properties"]
        for key in ("line", "start_line", "position", "original_line", "original_position",
                    "original_start_line"):  # fmt: skip
            told[key] = {"type": ["integer", "null"]}


def _deleted_forks(schemas: dict[str, Any]) -> None:
    """The repository of a pull request's head is null once the fork was deleted."""
    for name in ("pull-request", "pull-request-simple"):
        head = schemas[name]["properties"]["head"]["properties"]
        head["repo"] = {"anyOf": [head["repo"], {"type": "null"}]}


SLASHED = {"ref", "path", "basehead", "branch"}
"""Path parameters that may hold slashes although OpenAPI's never do."""
STRAY_QUERIES = {"per_page", "page"}
"""Parameters that GitHub takes wherever it answers with a list."""


class Judge:
    """Looks up operations by method and path, and says what is wrong with what they carry."""

    def __init__(self, spec: dict[str, Any]) -> None:
        """Corrects `spec` in place and reads it."""
        schemas = spec["components"]["schemas"]
        _null_in_enums(spec)
        _outdated_comments(schemas)
        _deleted_forks(schemas)
        self.read(spec)

    def read(self, spec: dict[str, Any]) -> None:
        """Take the file as it is."""
        self.paths: dict[str, dict[str, Any]] = spec["paths"]
        resource = Resource.from_contents(_absolute(spec), default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(_ROOT, resource)
        self._validators: dict[str, Draft202012Validator] = {}
        self._patterns = [
            (_pattern(path), path)
            for path in sorted(self.paths, key=lambda p: (p.count("{"), -len(p)))
        ]

    def find(self, method: str, path: str) -> tuple[str, dict[str, str]] | None:
        """The template of a path, and its parameters as they were sent."""
        for pattern, template in self._patterns:
            found = pattern.fullmatch(path)
            if found is not None and method.lower() in self.paths[template]:
                return template, {key[:-1]: value for key, value in found.groupdict().items()}
        return None

    def request(
        self, method: str, template: str, query: Mapping[str, str], body: object
    ) -> list[str]:
        """What is wrong with a request; unknown fields and parameters are wrong too, since
        GitHub drops them without a word."""
        operation = self.paths[template][method.lower()]
        known = {p["name"]: p for p in operation["parameters"] if p["in"] == "query"}
        wrong = []
        for name, value in query.items():
            if name in STRAY_QUERIES and method == "GET":
                continue
            if name not in known:
                wrong.append(f"there is no parameter {name}")
                continue
            wrong += self._errors(
                f"{method} {template} {name}", known[name]["schema"], _typed(value)
            )
        schema = operation["body"]
        if schema is None:
            if body is not None:
                wrong.append("this request has no body")
            return wrong
        if body is None:
            return [*wrong, "the body is missing"] if operation["body_required"] else wrong
        wrong += self._errors(f"{method} {template}", schema, body)
        return wrong or [f"there is no field {name}" for name in _unknown(schema, body)]

    def answer(self, method: str, template: str, status: int, body: object) -> list[str]:
        """What is wrong with an answer."""
        answers = self.paths[template][method.lower()]["answers"]
        if str(status) not in answers:
            # GitHub answers 401, 403, 404, 422 everywhere; the file does not say so everywhere.
            return [] if status >= 400 else [f"no answer {status} is foreseen"]
        schema = answers[str(status)]
        if schema is None:
            return [] if body is None or status >= 400 else ["this answer has no body"]
        return self._errors(f"{method} {template} {status}", schema, body)

    def _errors(self, key: str, schema: object, told: object) -> list[str]:
        if key not in self._validators:
            # Every schema is checked below the root, so that its references are found.
            self._validators[key] = Draft202012Validator(
                _absolute(schema), registry=self._registry, format_checker=_FORMATS
            )
        return [
            f"{'/'.join(map(str, error.absolute_path)) or 'it'}: {_short(error.message)}"
            for error in self._validators[key].iter_errors(told)
        ]


@cache
def judge() -> Judge:
    """The one judge; reading the file takes a while."""
    return Judge(json.loads(SPEC.read_text(encoding="utf-8")))


def _absolute(node: Any) -> Any:
    if isinstance(node, list):
        return [_absolute(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: f"{_ROOT}{value}" if key == "$ref" and isinstance(value, str) else _absolute(value)
        for key, value in node.items()
    }


def _pattern(template: str) -> re.Pattern[str]:
    def group(found: re.Match[str]) -> str:
        name = found[1]
        # With an underscore behind it no name is taken twice by re; it is cut off again.
        return f"(?P<{name}_>{'.+' if name in SLASHED else '[^/]+'})"

    return re.compile(re.sub(r"\\\{(\w+)\\\}", group, re.escape(template)))


def _short(message: str) -> str:
    """A message whose middle, mostly the value that is wrong, is cut out."""
    return message if len(message) < 400 else f"{message[:100]} … {message[-200:]}"


def _unknown(schema: Mapping[str, Any], told: object) -> list[str]:
    """The fields of a body that its schema does not name."""
    if isinstance(told, list):
        return [name for item in told for name in _unknown(schema.get("items", {}), item)]
    names = _properties(schema)
    if not isinstance(told, dict) or not names:
        return []
    return [name for name in told if name not in names] + [
        f"{name}/{inner}"
        for name, value in told.items()
        if name in names
        for inner in _unknown(names[name], value)
    ]


def _properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The fields a body may have, with their schemas; empty if any."""
    names = dict(schema.get("properties", {}))
    for key in ("oneOf", "anyOf", "allOf"):
        for part in schema.get(key, ()):
            names |= _properties(part)
    return names


def _typed(value: str) -> object:
    """A parameter as a JSON value."""
    if value in {"true", "false"}:
        return value == "true"
    return int(value) if re.fullmatch(r"-?\d+", value) else value
