"""GraphQL: documents are checked and run by graphql-core on GitHub's own schema, cut down by
`tests/contract/spec/prune_sdl.py`."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    build_schema,
    execute_sync,
    get_named_type,
    parse,
    validate,
)

from tests.fakes.github.graph_fields import TYPE_OF
from tests.fakes.github.graph_types import FIELDS
from tests.fakes.github.graph_writes import MUTATIONS
from tests.fakes.github.graphed import Asker, GraphRefused, Page

if TYPE_CHECKING:
    from tests.fakes.github.model import Token
    from tests.fakes.github.server import FakeGitHub

SPEC = Path(__file__).parents[2] / "contract" / "spec" / "schema.graphql"
MOST_NODES = 500_000
MOST_PAGE = 100


@cache
def schema() -> GraphQLSchema:
    """GitHub's schema, as far as the fake knows it."""
    return build_schema(SPEC.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Asked:
    """A request that was read: what it asks at the top, and whether it may change something.
    `wrong` are sentences on why the document is none of GitHub's."""

    document: DocumentNode | None
    variables: Mapping[str, Any]
    name: str
    write: bool
    wrong: tuple[str, ...] = ()


def read(body: Any) -> Asked:
    """A request's body. Never raises; `wrong` says what is wrong."""
    if not isinstance(body, dict) or not isinstance(body.get("query"), str):
        return Asked(None, {}, "", write=False, wrong=("there is no query",))
    variables = body.get("variables") or {}
    try:
        document = parse(body["query"])
    except GraphQLError as error:
        return Asked(None, {}, "", write=False, wrong=(error.message,))
    operations = [d for d in document.definitions if isinstance(d, OperationDefinitionNode)]
    names = [
        field.name.value
        for operation in operations
        for field in operation.selection_set.selections
        if isinstance(field, FieldNode)
    ]
    write = any(operation.operation.value == "mutation" for operation in operations)
    wrong = tuple(error.message for error in validate(schema(), document))
    return Asked(document, variables, "+".join(names), write, wrong)


def answer(fake: FakeGitHub, token: Token | None, asked: Asked) -> dict[str, Any]:
    """What GitHub answers to a valid document; errors are told inside, with status 200."""
    assert asked.document is not None
    try:
        _count_nodes(asked)
    except GraphRefused as error:
        return {"errors": [{"type": error.kind, "message": error.message}]}
    result = execute_sync(
        schema(),
        asked.document,
        context_value=Asker(fake, token),
        variable_values=dict(asked.variables),
        field_resolver=_resolve,
        type_resolver=lambda value, _info, _type: TYPE_OF(value),
    )
    told: dict[str, Any] = {"data": result.data}
    if result.errors:
        told["errors"] = [_told(error) for error in result.errors]
    return told


def bugs(told: Mapping[str, Any]) -> list[str]:
    """Errors that are the fake's own and none that GitHub would send."""
    return [e["message"] for e in told.get("errors", ()) if e.get("type") == "BUG"]


def _told(error: GraphQLError) -> dict[str, Any]:
    cause = error.original_error
    kind = cause.kind if isinstance(cause, GraphRefused) else "BUG" if cause else "INVALID"
    return {
        "type": kind,
        "path": error.path,
        "locations": [{"line": at.line, "column": at.column} for at in error.locations or ()],
        "message": error.message if kind != "BUG" else f"{type(cause).__name__}: {cause}",
    }


def _resolve(source: Any, info: GraphQLResolveInfo[Asker], **args: Any) -> Any:
    parent, field = info.parent_type.name, info.field_name
    asker: Asker = info.context
    if parent == "Mutation":
        payload = MUTATIONS[field](asker, args["input"])
        return {**payload, "clientMutationId": args["input"].get("clientMutationId")}
    if isinstance(source, Page):
        return _connected(source, field)
    if isinstance(source, dict) and field in source:
        return source[field]
    found: Callable[..., Any] = FIELDS[parent][field]
    value = found(asker, source, args) if source is not None else found(asker, args)
    return _cut(value, field, args) if _is_connection(info) else value


def _is_connection(info: GraphQLResolveInfo[Asker]) -> bool:
    named = get_named_type(info.return_type).name
    return named.endswith("Connection")


def _connected(page: Page, field: str) -> Any:
    first = {"hasPreviousPage": page.start > 0, "hasNextPage": page.stop < page.total}
    match field:
        case "nodes":
            return page.items
        case "totalCount":
            return page.total
        case "edges":
            return [
                {"cursor": _cursor(page.start + n), "node": item}
                for n, item in enumerate(page.items)
            ]
        case _:
            ends = {
                "startCursor": _cursor(page.start) if page.items else None,
                "endCursor": _cursor(page.stop - 1) if page.items else None,
            }
            return {**first, **ends}


def _cursor(index: int) -> str:
    return base64.b64encode(f"cursor:v2:{index}".encode()).decode()


def _index(cursor: str) -> int:
    return int(base64.b64decode(cursor).decode().rsplit(":", 1)[1])


def _cut(items: Sequence[Any], field: str, args: Mapping[str, Any]) -> Page:
    """The part of a list that `first`, `last`, `after` and `before` mean."""
    first, last = args.get("first"), args.get("last")
    if first is None and last is None:
        message = (
            f"You must provide a `first` or `last` value to properly paginate the `{field}` "
            "connection."
        )
        raise GraphRefused("MISSING_PAGINATION_BOUNDARIES", message)
    if (first or last or 0) > MOST_PAGE:
        message = (
            f"Requesting {first or last} records on the `{field}` connection exceeds the `first` "
            f"limit of {MOST_PAGE} records."
        )
        raise GraphRefused("EXCESSIVE_PAGINATION", message)
    start, stop = 0, len(items)
    if args.get("after"):
        start = _index(args["after"]) + 1
    if args.get("before"):
        stop = min(stop, _index(args["before"]))
    if first is not None:
        stop = min(stop, start + first)
    else:
        start = max(start, stop - (last or 0))
    return Page(list(items[start:stop]), start, stop, len(items))


def _count_nodes(asked: Asked) -> None:
    """Raises GraphRefused where a document could ask for more nodes than GitHub gives."""
    assert asked.document is not None
    fragments = {
        d.name.value: d for d in asked.document.definitions if isinstance(d, FragmentDefinitionNode)
    }

    def count(selections: SelectionSetNode | None, times: int) -> int:
        total = 0
        for node in selections.selections if selections else ():
            if isinstance(node, FragmentSpreadNode):
                total += count(fragments[node.name.value].selection_set, times)
            elif isinstance(node, InlineFragmentNode):
                total += count(node.selection_set, times)
            elif isinstance(node, FieldNode):
                size = _size(node, asked.variables)
                total += times * size if size else 0
                total += count(node.selection_set, times * (size or 1))
        return total

    for definition in asked.document.definitions:
        if isinstance(definition, OperationDefinitionNode):
            total = count(definition.selection_set, 1)
            if total > MOST_NODES:
                message = (
                    f"This query requests up to {total:,} possible nodes which exceeds the "
                    f"maximum limit of {MOST_NODES:,}."
                )
                raise GraphRefused("MAX_NODE_LIMIT_EXCEEDED", message)


def _size(node: FieldNode, variables: Mapping[str, Any]) -> int:
    for argument in node.arguments or ():
        if argument.name.value in {"first", "last"}:
            value = argument.value
            if isinstance(value, IntValueNode):
                return int(value.value)
            if isinstance(value, VariableNode):
                return int(variables.get(value.name.value) or 0)
    return 0
