"""The GraphQL documents that are sent; a contract test holds them against GitHub's schema."""

# One request tells all about a small pull request. Only the first comment of a thread is asked for
# its reactions: GitHub counts a point for each hundred connections, and those in replies would
# make this query ten times as dear.
PULL = """
query Pull(
  $owner: String!, $name: String!, $number: Int!,
  $threads: Boolean!, $remarks: Boolean!, $threadsAfter: String, $remarksAfter: String
) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      state
      isDraft
      locked
      isInMergeQueue
      author { login }
      labels(first: 100) { nodes { name } }
      headRefOid
      headRefName
      headRepository { nameWithOwner }
      baseRefOid
      baseRefName
      baseRef { target { oid } }
      reviewThreads(first: 100, after: $threadsAfter) @include(if: $threads) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id
          path
          line
          isResolved
          isOutdated
          resolvedBy { login }
          opening: comments(first: 1) {
            nodes {
              reactions(first: 50, content: THUMBS_DOWN) { nodes { user { login } } }
            }
          }
          comments(first: 100) {
            nodes { fullDatabaseId body viewerDidAuthor author { login } url }
          }
        }
      }
      comments(first: 100, after: $remarksAfter) @include(if: $remarks) {
        pageInfo { hasNextPage endCursor }
        nodes {
          fullDatabaseId
          body
          viewerDidAuthor
          author { login }
          url
          reactions(first: 50, content: THUMBS_DOWN) { nodes { user { login } } }
        }
      }
    }
  }
}
"""

VIEWER = "query Viewer { viewer { login } }"

COMMIT = "createCommitOnBranch"
COMMIT_FIELDS = "commit { oid }"
