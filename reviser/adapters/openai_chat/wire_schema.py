"""The JSON Schema of a reply as endpoints take it: only what all of them understand.

Those that hold a model to a schema know parts of JSON Schema, each another part: one answers 400
to a length of a text or a count of items, another builds a grammar that is too large for it. What
is left out here the caller checks in the reply anyhow.
"""

from collections.abc import Mapping

KEPT = frozenset(
    {
        *("type", "properties", "required", "additionalProperties", "items", "enum", "const"),
        *("anyOf", "$ref", "$defs", "description"),
    }
)
"""Members of a schema that are sent."""
_BY_NAME = frozenset({"properties", "$defs"})


def wire_schema(schema: Mapping[str, object]) -> dict[str, object]:
    """The schema without bounds on texts, lists and numbers, titles and defaults."""
    kept: dict[str, object] = {}
    for name, value in schema.items():
        if name not in KEPT:
            continue
        if name in _BY_NAME and isinstance(value, dict):
            kept[name] = {inner: _inner(part) for inner, part in value.items()}
        elif name == "enum":
            kept[name] = value
        else:
            kept[name] = _inner(value)
    return kept


def _inner(value: object) -> object:
    if isinstance(value, dict):
        return wire_schema(value)
    if isinstance(value, list):
        return [_inner(part) for part in value]
    return value
