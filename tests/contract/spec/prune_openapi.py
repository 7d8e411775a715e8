"""Cut GitHub's OpenAPI file down to the operations a paper's bot may use.

    python tests/contract/spec/prune_openapi.py .../@octokit/openapi/generated/api.github.com.json

Writes `openapi.json` beside this script: no prose and no examples, and OpenAPI 3.0's `nullable`
said as JSON Schema says it. What GitHub's file gets wrong is left as it is; `judge.py` of the fake
corrects that in code, with reasons.
"""

import json
import sys
from pathlib import Path
from typing import Any

REPOSITORY = "/repos/{owner}/{repo}"
OPERATIONS = {
    "/user": ["get"],
    "/users/{username}": ["get"],
    "/rate_limit": ["get"],
    REPOSITORY: ["get"],
    f"{REPOSITORY}/pulls": ["get", "post"],
    f"{REPOSITORY}/pulls/{{pull_number}}": ["get", "patch"],
    f"{REPOSITORY}/pulls/{{pull_number}}/files": ["get"],
    f"{REPOSITORY}/pulls/{{pull_number}}/commits": ["get"],
    f"{REPOSITORY}/pulls/{{pull_number}}/comments": ["get", "post"],
    f"{REPOSITORY}/pulls/{{pull_number}}/comments/{{comment_id}}/replies": ["post"],
    f"{REPOSITORY}/pulls/{{pull_number}}/reviews": ["get", "post"],
    f"{REPOSITORY}/pulls/{{pull_number}}/reviews/{{review_id}}": ["get"],
    f"{REPOSITORY}/pulls/{{pull_number}}/reviews/{{review_id}}/comments": ["get"],
    f"{REPOSITORY}/pulls/comments/{{comment_id}}": ["get", "patch", "delete"],
    f"{REPOSITORY}/pulls/comments/{{comment_id}}/reactions": ["get", "post"],
    f"{REPOSITORY}/pulls/comments": ["get"],
    f"{REPOSITORY}/issues/{{issue_number}}": ["get"],
    f"{REPOSITORY}/issues/{{issue_number}}/labels": ["get"],
    f"{REPOSITORY}/issues/{{issue_number}}/comments": ["get", "post"],
    f"{REPOSITORY}/issues/comments/{{comment_id}}": ["get", "patch", "delete"],
    f"{REPOSITORY}/issues/comments/{{comment_id}}/reactions": ["get", "post"],
    f"{REPOSITORY}/collaborators/{{username}}/permission": ["get"],
    f"{REPOSITORY}/check-runs": ["post"],
    f"{REPOSITORY}/check-runs/{{check_run_id}}": ["get", "patch"],
    f"{REPOSITORY}/check-runs/{{check_run_id}}/annotations": ["get"],
    f"{REPOSITORY}/commits/{{ref}}/check-runs": ["get"],
    f"{REPOSITORY}/commits/{{ref}}": ["get"],
    f"{REPOSITORY}/commits": ["get"],
    f"{REPOSITORY}/compare/{{basehead}}": ["get"],
    f"{REPOSITORY}/branches": ["get"],
    f"{REPOSITORY}/branches/{{branch}}": ["get"],
    f"{REPOSITORY}/git/ref/{{ref}}": ["get"],
    f"{REPOSITORY}/git/matching-refs/{{ref}}": ["get"],
    f"{REPOSITORY}/git/refs": ["post"],
    f"{REPOSITORY}/git/refs/{{ref}}": ["patch", "delete"],
    f"{REPOSITORY}/git/blobs": ["post"],
    f"{REPOSITORY}/git/blobs/{{file_sha}}": ["get"],
    f"{REPOSITORY}/git/trees": ["post"],
    f"{REPOSITORY}/git/trees/{{tree_sha}}": ["get"],
    f"{REPOSITORY}/git/commits": ["post"],
    f"{REPOSITORY}/git/commits/{{commit_sha}}": ["get"],
    f"{REPOSITORY}/contents/{{path}}": ["get"],
    f"{REPOSITORY}/actions/artifacts/{{artifact_id}}": ["get"],
    f"{REPOSITORY}/actions/artifacts/{{artifact_id}}/{{archive_format}}": ["get"],
    f"{REPOSITORY}/actions/runs/{{run_id}}": ["get"],
    f"{REPOSITORY}/actions/runs/{{run_id}}/artifacts": ["get"],
}
PROSE = {"description", "example", "examples", "externalDocs", "summary", "title", "deprecated"}
NAMED = {"properties", "schemas", "patternProperties"}
"""Keys below which every key is somebody's name, not a word of JSON Schema."""


def plain(node: Any, *, names: bool = False) -> Any:
    """A schema without prose, and with `nullable` in JSON Schema's own words."""
    if isinstance(node, list):
        return [plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: plain(value, names=not names and key in NAMED)
        for key, value in node.items()
        if names or (key not in PROSE and not key.startswith("x-") and key != "nullable")
    }
    if names or not node.get("nullable"):
        return kept
    if isinstance(kept.get("type"), str):
        return {**kept, "type": [kept["type"], "null"]}
    return {"anyOf": [kept, {"type": "null"}]}


def resolved(spec: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """What a node stands for when it only points at a component."""
    while "$ref" in node:
        _, _, kind, name = node["$ref"].split("/")
        node = spec["components"][kind][name]
    return node


def operation(spec: dict[str, Any], path: str, method: str) -> dict[str, Any]:
    """One operation: its parameters, the schema of what is sent and of each answer."""
    item = spec["paths"][path]
    told = item[method]
    parameters = [
        {key: plain(resolved(spec, p).get(key)) for key in ("name", "in", "schema")}
        | ({"required": True} if resolved(spec, p).get("required") else {})
        for p in [*item.get("parameters", ()), *told.get("parameters", ())]
    ]
    body = resolved(spec, told.get("requestBody", {}))
    answers = {}
    for status, answer in told["responses"].items():
        content = resolved(spec, answer).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        answers[status] = None if schema is None else plain(schema)
    return {
        "id": told["operationId"],
        "parameters": [p for p in parameters if p["in"] in {"query", "path"}],
        "body": plain(body.get("content", {}).get("application/json", {}).get("schema")),
        "body_required": bool(body.get("required")),
        "answers": answers,
    }


def references(node: Any) -> set[str]:
    """The names of the schemas a schema speaks of."""
    if isinstance(node, list):
        return set().union(*map(references, node)) if node else set()
    if not isinstance(node, dict):
        return set()
    found = {node["$ref"].rsplit("/", 1)[1]} if isinstance(node.get("$ref"), str) else set()
    return found.union(*map(references, node.values())) if node else found


def prune(spec: dict[str, Any]) -> dict[str, Any]:
    """The operations above, and every schema they lead to."""
    paths = {
        path: {method: operation(spec, path, method) for method in methods}
        for path, methods in OPERATIONS.items()
    }
    schemas: dict[str, Any] = {}
    todo = references(paths)
    while todo:
        name = todo.pop()
        schemas[name] = plain(spec["components"]["schemas"][name])
        todo |= references(schemas[name]) - schemas.keys()
    return {
        "source": f"{spec['info']['title']} {spec['info']['version']}",
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


def main() -> None:
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        pruned = prune(json.load(file))
    text = json.dumps(pruned, separators=(",", ":"), sort_keys=True)
    # A line for each schema and each path: git can then tell what an update changed.
    text = text.replace('},"/', '},\n"/').replace('"schemas":{', '"schemas":{\n')
    Path(__file__).with_name("openapi.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
