"""The fake's GraphQL: what it tells of a pull request, and GitHub's bounds on questions."""

import pytest

STATE = """
query($number: Int!, $size: Int = 50, $after: String) {
  repository(owner: "ada", name: "survey") {
    pullRequest(number: $number) {
      number state isDraft locked isInMergeQueue mergeQueueEntry { id }
      author { login } headRefName headRefOid baseRefName baseRefOid isCrossRepository
      headRepository { nameWithOwner } labels(first: 20) { nodes { name } }
      comments(first: $size, after: $after) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes {
          databaseId body viewerDidAuthor url author { login __typename }
          reactions(first: 20, content: THUMBS_DOWN) { nodes { user { login } } }
        }
      }
      reviewThreads(first: 50) {
        nodes {
          id path line startLine isResolved isOutdated resolvedBy { login } subjectType diffSide
          comments(first: 20) {
            nodes {
              databaseId body viewerDidAuthor author { login } outdated
              reactionGroups { content reactors(first: 5) { totalCount } }
            }
          }
        }
      }
    }
  }
}"""

MANY = """
reviewThreads(first: 100) {
  nodes { comments(first: 100) { nodes { reactions(first: 100) { totalCount } } } }
}"""


def pull_of(heard):
    assert "errors" not in heard.body, heard.body
    return heard.body["data"]["repository"]["pullRequest"]


def test_a_pull_request_is_told_with_its_threads(bot, paper, pull, review):
    _, made = review((20, 20, "x"), (21, 22, "y"))
    paper.react(made[20], "-1", by="ada")
    paper.react(made[20], "-1", by="ada")
    paper.reply(made[20], "no", by="eve")
    paper.resolve(made[22], by="eve")
    paper.comment(1, "hello", by="eve")
    paper.react(pull.remarks[0], "-1", by="bob")
    pull.labels, pull.draft, pull.queued = ["paper"], True, True
    told = pull_of(bot.graph(STATE, number=1))
    assert (told["state"], told["isDraft"], told["isInMergeQueue"]) == ("OPEN", True, True)
    assert told["labels"] == {"nodes": [{"name": "paper"}]}
    assert (told["headRefOid"], told["baseRefOid"]) == (pull.head, paper.tip("main"))
    [remark] = told["comments"]["nodes"]
    assert (remark["viewerDidAuthor"], remark["author"]["login"]) == (False, "eve")
    assert remark["reactions"]["nodes"] == [{"user": {"login": "bob"}}]
    one, two = told["reviewThreads"]["nodes"]
    assert (one["line"], one["startLine"], one["isResolved"]) == (20, None, False)
    assert (two["line"], two["startLine"], two["resolvedBy"]) == (22, 21, {"login": "eve"})
    first, reply = one["comments"]["nodes"]
    assert first["viewerDidAuthor"]
    assert first["author"] == {"login": "github-actions"}, "no [bot] here"
    assert not reply["viewerDidAuthor"]
    counted = {g["content"]: g["reactors"]["totalCount"] for g in first["reactionGroups"]}
    assert counted["THUMBS_DOWN"] == 1


def test_an_outdated_thread_has_no_line(bot, paper, review, lines):
    review((20, 20, "x"))
    paper.commit("topic", {"paper.tex": lines({20: "else"})}, author="eve")
    [thread] = pull_of(bot.graph(STATE, number=1))["reviewThreads"]["nodes"]
    assert (thread["line"], thread["isOutdated"]) == (None, True)


def test_lists_come_in_pages(bot, paper):
    for number in range(5):
        paper.comment(1, f"remark {number}", by="eve")
    seen, after = [], None
    while True:
        told = pull_of(bot.graph(STATE, number=1, size=2, after=after))["comments"]
        seen += [node["body"] for node in told["nodes"]]
        assert told["totalCount"] == 5
        if not told["pageInfo"]["hasNextPage"]:
            break
        after = told["pageInfo"]["endCursor"]
    assert seen == [f"remark {number}" for number in range(5)]


def test_a_deleted_fork_is_null(asking, paper, lines):
    fork = paper.fork("mallory/survey")
    fork.commit("fix", {"paper.tex": lines({5: "five"})}, parent=paper.tip("main"))
    pull = paper.open_pull("fix", from_fork="mallory/survey")
    bot = asking()
    told = pull_of(bot.graph(STATE, number=2))
    assert told["headRepository"] == {"nameWithOwner": "mallory/survey"}
    assert told["isCrossRepository"]
    pull.head_repository = None
    assert pull_of(bot.graph(STATE, number=2))["headRepository"] is None
    assert bot("GET", "/pulls/2").body["head"]["repo"] is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ('repository(owner: "ada", name: "none") { id }', "NOT_FOUND"),
        ("repository(OURS) { pullRequest(number: 9) { id } }", "NOT_FOUND"),
        ('node(id: "PR_none") { id }', "NOT_FOUND"),
        ("PULL { comments { totalCount } }", "MISSING_PAGINATION_BOUNDARIES"),
        ("PULL { comments(first: 101) { totalCount } }", "EXCESSIVE_PAGINATION"),
        (f"PULL {{ {MANY} }}", "MAX_NODE_LIMIT_EXCEEDED"),
    ],
)
def test_questions_have_bounds(bot, question, kind):
    if question.startswith("PULL"):
        question = f"repository(OURS) {{ {question.replace('PULL', 'pullRequest(number: 1)')} }}"
    query = question.replace("OURS", 'owner: "ada", name: "survey"')
    heard = bot.graph(f"{{ {query} }}")
    assert heard.status == 200
    assert [error["type"] for error in heard.body["errors"]] == [kind]


def test_nobody_asks_graphql_nothing(asking):
    assert asking(None).graph("{ viewer { login } }").status == 401
    assert asking(user="eve").graph("{ viewer { login } }").body["data"]["viewer"] == {
        "login": "eve"
    }
