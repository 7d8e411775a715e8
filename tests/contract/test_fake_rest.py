"""The rest of the fake's REST: lists, files, diffs too large to be told, artifacts, events."""

import base64
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.fakes.github.asking import Asking
from tests.fakes.github.store import Entry


def test_lists_come_in_pages(bot, paper):
    for number in range(7):
        paper.comment(1, f"remark {number}")
    first = bot("GET", "/issues/1/comments?per_page=3")
    assert [told["body"] for told in first.body] == ["remark 0", "remark 1", "remark 2"]
    assert 'page=2>; rel="next"' in first.headers["link"]
    assert 'page=3>; rel="last"' in first.headers["link"]
    last = bot("GET", "/issues/1/comments?per_page=3&page=3")
    assert [told["body"] for told in last.body] == ["remark 6"]
    assert 'rel="next"' not in last.headers["link"]
    assert "link" not in bot("GET", "/issues/1/comments?per_page=100").headers


def test_a_pull_request_is_found_by_its_branch(bot, paper, pull, lines):
    fork = paper.fork("mallory/survey")
    fork.commit("topic", {"paper.tex": lines({5: "five"})}, parent=paper.tip("main"))
    paper.open_pull("topic", from_fork="mallory/survey")

    def found(query):
        return [told["number"] for told in bot("GET", f"/pulls?{query}").body]

    assert found("head=mallory:topic") == [2]
    assert found("head=ada:topic") == [1]
    assert found("head=topic") == [2, 1], "without an owner it is ignored"
    paper.close(1)
    assert (found("state=open"), found("state=closed"), found("state=all")) == ([2], [1], [2, 1])
    fork.delete_branch("topic")
    assert found("state=open") == []


def test_a_fork_gives_its_comments_to_the_base(paper, bot, lines):
    fork = paper.fork("mallory/survey")
    fork.commit("fix", {"paper.tex": lines({5: "five"})}, parent=paper.tip("main"))
    pull = paper.open_pull("fix", from_fork="mallory/survey")
    told = bot("GET", "/pulls/2").body
    assert told["head"]["repo"]["full_name"] == "mallory/survey"
    assert (told["head"]["repo"]["fork"], told["user"]["login"]) == (True, "mallory")
    fork.commit("fix", {"paper.tex": lines({6: "six"})})
    assert bot("GET", "/pulls/2").body["head"]["sha"] == pull.head == fork.tip("fix")


def test_two_commits_are_compared_where_they_parted(bot, paper, pull, lines):
    old = paper.tip("main")
    new = paper.commit("main", {"other.tex": b"touched\n"})
    told = bot("GET", f"/compare/{new}...{pull.head}").body
    assert told["merge_base_commit"]["sha"] == old
    assert (told["status"], told["ahead_by"], told["behind_by"]) == ("diverged", 1, 1)
    assert [file["filename"] for file in told["files"]] == ["paper.tex"]
    assert [commit["author"]["login"] for commit in told["commits"]] == ["eve"]
    assert bot("GET", f"/compare/{new}...nowhere").status == 404
    files = bot("GET", "/pulls/1/files").body
    assert [file["filename"] for file in files] == ["paper.tex"]


def test_patches_are_left_out_where_github_leaves_them_out(bot, paper, lines):
    many = b"".join(b"%d\n" % n for n in range(19_990))
    paper.commit(
        "topic",
        {
            "a-image.png": b"\0\1\2",
            "b-moved.tex": b"untouched\n",
            "other.tex": None,
            "big.tex": many,
            "zlast.tex": b"past the limit\n" * 20,
        },
    )
    told = {file["filename"]: file for file in bot("GET", "/pulls/1/files").body}
    assert "patch" in told["big.tex"]
    for name in ("a-image.png", "b-moved.tex", "zlast.tex"):
        assert "patch" not in told[name]
    assert told["b-moved.tex"]["status"] == "renamed"
    assert told["b-moved.tex"]["previous_filename"] == "other.tex"


def test_files_and_objects_can_be_read(bot, paper, pull, lines):
    told = bot("GET", "/contents/paper.tex?ref=topic").body
    assert base64.b64decode(told["content"]) == lines({20: "line 20!"})
    blob = bot("GET", f"/git/blobs/{told['sha']}").body
    assert base64.b64decode(blob["content"]) == lines({20: "line 20!"})
    assert bot("GET", "/contents/nowhere.tex").status == 404
    assert bot("GET", "/git/blobs/" + "0" * 40).status == 404
    paper.commit("topic", {"link.tex": Entry(b"/etc/passwd", "120000")})
    assert bot("GET", "/contents/link.tex?ref=topic").body["type"] == "symlink"
    tree = bot("GET", f"/git/trees/{pull.head}").body["tree"]
    assert {entry["path"]: entry["mode"] for entry in tree} == {
        "link.tex": "120000",
        "other.tex": "100644",
        "paper.tex": "100644",
    }


def test_a_commit_can_be_made_of_its_parts(asking, paper, pull, lines):
    bot = asking(contents="write")
    blob = bot("POST", "/git/blobs", content=base64.b64encode(b"new\r\n").decode(),
               encoding="base64").body["sha"]  # fmt: skip
    entry = {"path": "paper.tex", "mode": "100644", "type": "blob", "sha": blob}
    tree = bot("POST", "/git/trees", base_tree=pull.head, tree=[entry]).body["sha"]
    made = bot("POST", "/git/commits", message="m", tree=tree, parents=[pull.head]).body["sha"]
    assert paper.tip("topic") != made
    assert bot("PATCH", "/git/refs/heads/topic", sha=made).status == 200
    assert (pull.head, paper.read("topic", "paper.tex")) == (made, b"new\r\n")
    assert paper.read("topic", "other.tex") == b"untouched\n"
    refs = bot("GET", "/git/matching-refs/heads/top").body
    assert [ref["object"]["sha"] for ref in refs] == [made]


def test_the_same_reaction_twice_is_one(bot, paper, pull):
    paper.comment(1, "hello", by="eve")
    path = f"/issues/comments/{pull.remarks[0].id}/reactions"
    assert [bot("POST", path, content="eyes").status for _ in range(2)] == [201, 200]
    assert len(bot("GET", path).body) == 1
    assert bot("GET", "/issues/1/comments").body[0]["reactions"]["eyes"] == 1


@pytest.fixture
def artifact(paper, pull):
    return paper.artifact(paper.run(pull), "reviser-plan", b"PK the bytes")


def test_an_artifact_lies_elsewhere_and_wants_no_token(github, bot, artifact):
    told = bot("GET", f"/actions/runs/{artifact.run.id}/artifacts?name=reviser-plan").body
    assert told["total_count"] == 1
    heard = bot("GET", f"/actions/artifacts/{artifact.id}/zip")
    assert heard.status == 302
    where = urlsplit(heard.headers["location"])
    assert where.hostname != urlsplit(github.api_url).hostname
    for headers, status in (({}, 200), ({"Authorization": "token x"}, 401)):
        store = HTTPConnection(where.netloc, timeout=10)
        store.request("GET", f"{where.path}?{where.query}", headers=headers)
        answer = store.getresponse()
        assert (answer.status, answer.read()) == (status, artifact.data if not headers else b"")
        store.close()
    assert github.violations == ["a token was sent to the artifact store"]
    github.violations.clear()


def test_artifacts_expire_and_take_permission(bot, asking, artifact):
    path = f"/actions/artifacts/{artifact.id}/zip"
    assert asking(None)("GET", path).status == 401
    assert asking(actions="none")("GET", path).status == 403
    artifact.expired = True
    assert bot("GET", path).status == 410


def test_a_run_for_a_fork_names_no_pull_request(github, paper, pull, lines):
    fork = paper.fork("mallory/survey")
    fork.commit("fix", {"paper.tex": lines({5: "five"})}, parent=paper.tip("main"))
    other = paper.open_pull("fix", from_fork="mallory/survey")
    event = github.events.workflow_run(paper, paper.run(other))["workflow_run"]
    assert (event["pull_requests"], event["head_sha"]) == ([], other.head)
    assert event["head_repository"]["full_name"] == "mallory/survey"
    assert event["head_branch"] == "fix"
    [told] = github.events.workflow_run(paper, paper.run(pull))["workflow_run"]["pull_requests"]
    assert told["number"] == 1


def test_names_are_found_whatever_their_capitals(github, paper):
    asker = Asking(github, github.token("ada/survey"), "Ada/Survey")
    assert asker("GET", "/pulls/1").status == 200
    assert asker("GET", "").body["full_name"] == "ada/survey"
    asker.close()
