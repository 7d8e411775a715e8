"""Every form that a model is asked for is one that endpoints can hold a model to."""

import importlib
import pkgutil

import pytest
from pydantic import BaseModel

import reviser
from reviser.adapters.openai_chat.wire_schema import KEPT, wire_schema

NOT_ASKED_FOR = {"reviser.verify.lock"}  # lines of a file, which may leave members out
ROOMS = ("reviser.review.", "reviser.revise.", "reviser.verify.", "reviser.draft.")


def replies() -> list[type[BaseModel]]:
    for found in pkgutil.walk_packages(reviser.__path__, "reviser."):
        if found.name.startswith(ROOMS):
            importlib.import_module(found.name)
    kinds, waiting = [], [BaseModel]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith(ROOMS) and kind.__module__ not in NOT_ASKED_FOR:
                kinds.append(kind)
    return sorted(kinds, key=lambda kind: f"{kind.__module__}.{kind.__name__}")


def objects(schema: object) -> list[dict]:
    if isinstance(schema, list):
        return [one for part in schema for one in objects(part)]
    if not isinstance(schema, dict):
        return []
    inner = [one for part in schema.values() for one in objects(part)]
    return [schema, *inner] if schema.get("type") == "object" else inner


@pytest.mark.parametrize("kind", replies(), ids=lambda kind: kind.__name__)
def test_a_reply_is_strict_and_every_member_is_wanted(kind: type[BaseModel]) -> None:
    schema = wire_schema(kind.model_json_schema())
    for one in objects(schema):
        assert one["additionalProperties"] is False, "extra='forbid' is missing"
        assert sorted(one["required"]) == sorted(one["properties"]), "a member has a default"


def test_replies_are_found() -> None:
    assert len(replies()) > 10


def test_bounds_stay_here_and_names_are_no_keywords() -> None:
    schema = {
        "title": "T",
        "type": "object",
        "properties": {
            "title": {"type": "string", "maxLength": 5, "title": "X"},
            "minimum": {"type": "array", "items": {"$ref": "#/$defs/P"}, "maxItems": 2},
        },
        "$defs": {"P": {"enum": ["maxLength"], "default": 1}},
    }
    assert wire_schema(schema) == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "minimum": {"type": "array", "items": {"$ref": "#/$defs/P"}},
        },
        "$defs": {"P": {"enum": ["maxLength"]}},
    }
    assert "maxLength" not in KEPT
