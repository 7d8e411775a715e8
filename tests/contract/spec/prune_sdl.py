"""Cut GitHub's GraphQL schema down to the types and fields a paper's bot may use.

    python tests/contract/spec/prune_sdl.py .../@octokit/graphql-schema/schema.graphql

Writes `schema.graphql` beside this script. A query for anything else fails in the tests: then add
the field here and run the script again, and teach the fake to answer it.
"""

import sys
from dataclasses import replace
from pathlib import Path

from graphql import DefinitionNode, assert_valid_schema, build_ast_schema, parse, print_ast, visit
from graphql.language import DocumentNode, NamedTypeNode, Visitor

CONNECTION = "nodes totalCount pageInfo edges"
KEPT = {
    "Query": "id node rateLimit repository viewer",
    "Mutation": """createCommitOnBranch minimizeComment resolveReviewThread unresolveReviewThread
        addReaction""",
    "RateLimit": "cost limit remaining resetAt used",
    "PageInfo": "endCursor hasNextPage hasPreviousPage startCursor",
    "Node": "id",
    "Actor": "login url",
    "RepositoryOwner": "id login url",
    "User": "id databaseId login name email url isViewer",
    "Bot": "id databaseId login url",
    "Mannequin": "id databaseId login url",
    "Repository": """id databaseId name nameWithOwner owner isFork isPrivate viewerPermission url
        defaultBranchRef ref object pullRequest pullRequests""",
    "Ref": "id name prefix target repository",
    "GitObject": "id oid",
    "Commit": """id oid abbreviatedOid message messageHeadline messageBody committedDate
        authoredDate author authors committer parents url""",
    "GitActor": "date email name user",
    "GitActorConnection": CONNECTION,
    "GitActorEdge": "cursor node",
    "CommitConnection": CONNECTION,
    "CommitEdge": "cursor node",
    "Blob": "id oid byteSize isBinary isTruncated text",
    "PullRequest": """id databaseId fullDatabaseId number state isDraft locked closed merged
        mergedAt closedAt createdAt updatedAt isInMergeQueue mergeQueueEntry isCrossRepository
        author title body url headRefName headRefOid headRef headRepository
        headRepositoryOwner baseRefName
        baseRefOid baseRef baseRepository labels comments reviewThreads reviews commits files
        changedFiles additions deletions viewerDidAuthor maintainerCanModify reactions
        reactionGroups""",
    "PullRequestConnection": CONNECTION,
    "PullRequestEdge": "cursor node",
    "PullRequestCommit": "id commit",
    "PullRequestCommitConnection": CONNECTION,
    "PullRequestCommitEdge": "cursor node",
    "PullRequestChangedFile": "path additions deletions changeType",
    "PullRequestChangedFileConnection": CONNECTION,
    "PullRequestChangedFileEdge": "cursor node",
    "MergeQueueEntry": "id position state enqueuedAt",
    "Label": "id name color",
    "LabelConnection": CONNECTION,
    "LabelEdge": "cursor node",
    "IssueComment": """id databaseId fullDatabaseId author authorAssociation body createdAt
        updatedAt url viewerDidAuthor isMinimized minimizedReason reactions reactionGroups
        lastEditedAt""",
    "IssueCommentConnection": CONNECTION,
    "IssueCommentEdge": "cursor node",
    "PullRequestReview": """id databaseId fullDatabaseId author body state submittedAt commit url
        viewerDidAuthor comments isMinimized minimizedReason reactions reactionGroups""",
    "PullRequestReviewConnection": CONNECTION,
    "PullRequestReviewEdge": "cursor node",
    "PullRequestReviewThread": """id path line startLine originalLine originalStartLine diffSide
        startDiffSide subjectType isResolved isOutdated isCollapsed resolvedBy comments
        viewerCanResolve viewerCanReply""",
    "PullRequestReviewThreadConnection": CONNECTION,
    "PullRequestReviewThreadEdge": "cursor node",
    "PullRequestReviewComment": """id databaseId fullDatabaseId author authorAssociation body path
        line startLine originalLine originalStartLine position outdated subjectType commit
        originalCommit replyTo createdAt updatedAt url viewerDidAuthor isMinimized minimizedReason
        reactions reactionGroups diffHunk lastEditedAt""",
    "PullRequestReviewCommentConnection": CONNECTION,
    "PullRequestReviewCommentEdge": "cursor node",
    "Minimizable": "isMinimized minimizedReason",
    "Reactable": "id databaseId reactions reactionGroups",
    "Reaction": "id databaseId content user createdAt",
    "ReactionConnection": CONNECTION,
    "ReactionEdge": "cursor node",
    "ReactionGroup": "content reactors createdAt",
    "ReactorConnection": "totalCount nodes",
    "ReactorEdge": "cursor node",
    "Reactor": "Bot Mannequin User",
    "CreateCommitOnBranchPayload": "clientMutationId commit ref",
    "MinimizeCommentPayload": "clientMutationId minimizedComment",
    "ResolveReviewThreadPayload": "clientMutationId thread",
    "UnresolveReviewThreadPayload": "clientMutationId thread",
    "AddReactionPayload": "clientMutationId reaction subject",
}  # fmt: skip
WHOLE = {"enum", "scalar", "input_object"}
"""Kinds of types that are kept whole, as soon as a kept field speaks of them."""


class _Names(Visitor):
    """Gathers the names of the types a definition speaks of."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def enter_named_type(self, node: NamedTypeNode, *_: object) -> None:
        self.found.add(node.name.value)


def names(node: object) -> set[str]:
    """The types a piece of the schema speaks of."""
    seen = _Names()
    visit(node, seen)  # type: ignore[arg-type]
    return seen.found


def kind(definition: DefinitionNode) -> str:
    """ "object", "enum" and so on."""
    return definition.kind.removesuffix("_definition").removesuffix("_type")


def cut(
    definition: DefinitionNode, wanted: set[str], known: dict[str, DefinitionNode]
) -> DefinitionNode:
    """Only the wanted fields, interfaces or members of a type."""

    def stays(named: object) -> bool:
        return all(
            name in KEPT or kind(known[name]) in WHOLE for name in names(named) if name in known
        )

    if kind(definition) == "union":
        members = tuple(t for t in definition.types if t.name.value in wanted)
        return replace(definition, types=members)
    missing = wanted - {field.name.value for field in definition.fields}
    if missing:
        raise SystemExit(f"{definition.name.value} has no {', '.join(sorted(missing))}")
    fields = tuple(
        replace(field, arguments=tuple(a for a in field.arguments or () if stays(a)))
        for field in definition.fields
        if field.name.value in wanted
    )
    interfaces = tuple(i for i in definition.interfaces or () if i.name.value in KEPT)
    return replace(definition, fields=fields, interfaces=interfaces)


class _Silent(Visitor):
    """Takes descriptions and directives out."""

    def enter(self, node: object, *_: object) -> object:
        gone = {"description": None, "directives": ()}
        found = {key: empty for key, empty in gone.items() if getattr(node, key, None)}
        return replace(node, **found) if found else None


def prune(text: str) -> str:
    """The schema with the types above, and the enums, scalars and inputs they lead to."""
    document = parse(text, no_location=True)
    known = {
        d.name.value: d
        for d in document.definitions
        if kind(d) != "schema" and "directive" not in d.kind
    }
    kept: dict[str, DefinitionNode] = {}
    for name, fields in KEPT.items():
        kept[name] = cut(known[name], set(fields.split()), known)
    todo = set().union(*map(names, kept.values())) - kept.keys()
    while todo:
        name = todo.pop()
        if name not in known:
            continue  # String, ID and the like
        if kind(known[name]) not in WHOLE:
            raise SystemExit(f"a kept field speaks of {name}, which is not kept")
        kept[name] = known[name]
        todo |= names(known[name]) - kept.keys()
    pruned = DocumentNode(definitions=tuple(kept[name] for name in sorted(kept)))
    pruned = visit(pruned, _Silent())
    assert_valid_schema(build_ast_schema(pruned))
    return print_ast(pruned)


def main() -> None:
    text = prune(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Path(__file__).with_name("schema.graphql").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
