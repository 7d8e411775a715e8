import copy

import pytest

from reviser.adapters.github.branches import Branches
from reviser.adapters.github.faults import Absent
from reviser.adapters.github.reading import Reading
from reviser.deliver.forge import ForgeError, OwnPull, Remark, Thread, Unavailable

BIG = 5_000_000_000  # more than 32 bits hold
HEAD, BASE, OLD = "a1" * 20, "b2" * 20, "c3" * 20


def remark(number, body="text", *, ours=False, author="ada", downs=()):
    told = {
        "fullDatabaseId": str(number),
        "body": body,
        "viewerDidAuthor": ours,
        "author": {"login": author} if author else None,
        "url": f"https://x/{number}",
    }
    if downs:
        users = [{"user": {"login": login} if login else None} for login in downs]
        told["reactions"] = {"nodes": users}
    return told


def thread(name, *remarks, line=3, resolved_by=None, downs=()):
    users = [{"user": {"login": login} if login else None} for login in downs]
    return {
        "id": name,
        "path": "main.tex",
        "line": line,
        "isResolved": resolved_by is not None,
        "isOutdated": line is None,
        "resolvedBy": {"login": resolved_by} if resolved_by else None,
        "opening": {"nodes": [{"reactions": {"nodes": users}}]},
        "comments": {"nodes": list(remarks)},
    }


def page(nodes, after=None):
    return {"pageInfo": {"hasNextPage": after is not None, "endCursor": after}, "nodes": nodes}


def answer(**changed):
    facts = {
        "state": "OPEN",
        "isDraft": False,
        "locked": False,
        "isInMergeQueue": False,
        "author": {"login": "ada"},
        "labels": {"nodes": [{"name": "review me"}]},
        "headRefOid": HEAD,
        "headRefName": "work",
        "headRepository": {"nameWithOwner": "Ada/Paper"},
        "baseRefOid": OLD,
        "baseRefName": "main",
        "baseRef": {"target": {"oid": BASE}},
        "reviewThreads": page([]),
        "comments": page([]),
        **changed,
    }
    return {
        "viewer": {"login": "github-actions[bot]"},
        "repository": {"pullRequest": {k: v for k, v in facts.items() if v is not ...}},
    }


class Canned:
    """A client that answers with what it was given and keeps what it was asked."""

    repository = "ada/paper"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def query(self, document, variables, what):
        self.asked.append((document, dict(variables)))
        return copy.deepcopy(self.answers.pop(0))

    def get(self, path, what, **parameters):
        self.asked.append((path, parameters))
        given = self.answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    def pages(self, path, what, *, item="", **parameters):
        given = self.get(path, what, **parameters)
        return given[item] if item else given


def test_a_small_pull_request_takes_one_question():
    told = answer(
        reviewThreads=page(
            [
                thread(
                    "T1",
                    remark(BIG, ours=True, author="github-actions"),
                    remark(2, author="ada"),
                    downs=("ada", "github-actions", None),
                    resolved_by="ada",
                ),
                thread("T2", remark(3, author=None), line=None),
            ]
        ),
        comments=page([remark(4, "hello", downs=("bob",))]),
    )
    client = Canned(told)
    pull = Reading(client).pull(7)
    assert len(client.asked) == 1
    assert (pull.number, pull.state, pull.author, pull.labels) == (7, "open", "ada", ("review me",))
    assert (pull.head, pull.base, pull.head_branch, pull.base_branch) == (
        HEAD, BASE, "work", "main",
    )  # fmt: skip
    assert not pull.from_fork
    assert pull.threads == (
        Thread(
            "T1", "main.tex", 3, True, "ada", False,
            (
                Remark(BIG, "text", True, "github-actions", f"https://x/{BIG}", ("ada",)),
                Remark(2, "text", False, "ada", "https://x/2"),
            ),
        ),
        Thread("T2", "main.tex", None, False, "", True, (Remark(3, "text", False, "", "https://x/3"),)),
    )  # fmt: skip
    assert pull.remarks == (Remark(4, "hello", False, "ada", "https://x/4", ("bob",)),)


@pytest.mark.parametrize(
    ("changed", "seen"),
    [
        ({"state": "MERGED"}, {"state": "merged"}),
        ({"state": "CLOSED"}, {"state": "closed"}),
        ({"isDraft": True}, {"draft": True}),
        ({"locked": True}, {"locked": True}),
        ({"isInMergeQueue": True}, {"queued": True}),
        ({"author": None}, {"author": ""}),
        ({"headRepository": None}, {"head_repository": "", "from_fork": True}),
        ({"headRepository": {"nameWithOwner": "eve/paper"}}, {"from_fork": True}),
        ({"baseRef": None}, {"base": OLD}),
    ],
)
def test_states_of_a_pull_request(changed, seen):
    pull = Reading(Canned(answer(**changed))).pull(7)
    assert {name: getattr(pull, name) for name in seen} == seen


def test_long_lists_are_asked_for_further_and_only_them():
    client = Canned(
        answer(
            reviewThreads=page([thread("T1", remark(1))], "t1"),
            comments=page([remark(2)], "c1"),
        ),
        answer(reviewThreads=page([thread("T2", remark(3))]), comments=page([remark(4)], "c2")),
        answer(reviewThreads=..., comments=page([remark(5)])),
    )
    pull = Reading(client).pull(7)
    assert [t.id for t in pull.threads] == ["T1", "T2"]
    assert [r.id for r in pull.remarks] == [2, 4, 5]
    second, third = client.asked[1][1], client.asked[2][1]
    assert (second["threads"], second["threadsAfter"], second["remarksAfter"]) == (True, "t1", "c1")
    assert (third["threads"], third["remarks"], third["remarksAfter"]) == (False, True, "c2")
    assert "threadsAfter" not in third


def test_a_list_without_end_is_no_pull_request():
    with pytest.raises(ForgeError, match="more comments than are read"):
        Reading(Canned(*[answer(comments=page([], "x"))] * 50)).pull(7)


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"viewer": {"login": "x"}, "repository": None},
        {"viewer": {"login": "x"}, "repository": {"pullRequest": None}},
        answer(state="ODD"),
        answer(headRefOid=...),
        answer(comments=page([{"body": "x"}])),
    ],
)
def test_an_answer_with_holes_is_no_pull_request(told):
    with pytest.raises(Unavailable, match="not understood"):
        Reading(Canned(told)).pull(7)


def test_who_we_are_is_asked_once():
    client = Canned({"viewer": {"login": "bot"}})
    reading = Reading(client)
    assert (reading.me, reading.me) == ("bot", "bot")
    known = Reading(Canned(answer()))
    known.pull(1)
    assert known.me == "github-actions[bot]"


def test_files_as_github_tells_them():
    told = [
        {"filename": "a.tex", "status": "modified", "changes": 2,
         "patch": "@@ -1,2 +1,2 @@\n one\n-two\n+zwei"},
        {"filename": "n.tex", "previous_filename": "o.tex", "status": "renamed", "changes": 0},
        {"filename": "f.png", "status": "added", "changes": 0},
        {"filename": "huge.tex", "status": "modified", "changes": 30000},
        {"filename": "gone.tex", "status": "removed", "changes": 1, "patch": "@@ -1 +0,0 @@\n-x"},
        {"filename": "c.tex", "previous_filename": "a.tex", "status": "copied", "changes": 0},
    ]  # fmt: skip
    patches = Reading(Canned(told)).patches(7)
    assert [(p.path, p.old_path, p.status, p.binary) for p in patches] == [
        ("a.tex", "a.tex", "modified", False),
        ("n.tex", "o.tex", "renamed", False),
        ("f.png", "f.png", "added", True),
        ("huge.tex", "huge.tex", "modified", True),
        ("gone.tex", "gone.tex", "removed", False),
        ("c.tex", "c.tex", "added", True),
    ]
    assert patches[0].shows(1, 2)
    assert patches[0].touched == ((2, 2),)


def side(sha=HEAD, ref="work", repo="eve/paper"):
    return {"sha": sha, "ref": ref, "repo": {"full_name": repo} if repo else None}


def test_a_pull_request_is_found_by_branch_and_head():
    told = [
        {"number": 1, "head": side(repo=None)},
        {"number": 2, "head": side(repo="eve/other")},
        {"number": 3, "head": side(ref="other")},
        {"number": 4, "head": side(sha=BASE)},
        {"number": 5, "head": side(repo="Eve/Paper")},
    ]
    client = Canned(told, told[:4])
    find = Reading(client).find_pull
    assert find(repository="eve/paper", branch="work", head=HEAD) == 5
    assert client.asked[0] == ("pulls", {"state": "open", "head": "eve:work"})
    assert find(repository="eve/paper", branch="work", head=HEAD) is None


def test_a_branch_that_is_not_there():
    client = Canned({"object": {"sha": HEAD}}, Absent("no"))
    assert Reading(client).tip("a b/c") == HEAD
    assert client.asked[0][0] == "git/ref/heads/a%20b/c"
    assert Reading(client).tip("none") is None


@pytest.mark.parametrize("login", ["", "a/b", "a b", "../x", "a?b", "-x", "x" * 80])
def test_what_is_no_login_may_not_write(login):
    assert Reading(Canned()).may_write(login) is False


def own(number, state, *, user="github-actions[bot]", merged=None, repo="ada/paper", ref="r/b"):
    return {
        "number": number, "state": state, "merged_at": merged, "title": "T", "body": None,
        "user": {"login": user} if user else None, "html_url": "u",
        "head": side(ref=ref, repo=repo),
    }  # fmt: skip


def test_pull_requests_from_a_branch_of_ours():
    told = [
        own(9, "open"),
        own(8, "closed", merged="2026-01-01"),
        own(7, "closed", user="ada"),
        own(6, "open", repo="ada/fork"),
        own(5, "open", ref="other"),
        own(4, "closed", repo=None, user=None),
    ]
    client = Canned(told, {"viewer": {"login": "github-actions[bot]"}})
    found = Branches(client).pulls_from("r/b", onto="main")
    assert found == (
        OwnPull(9, "open", "T", "", True, "u"),
        OwnPull(8, "merged", "T", "", True, "u"),
        OwnPull(7, "closed", "T", "", False, "u"),
        OwnPull(4, "closed", "T", "", False, "u"),
    )


def test_authors_are_told_once_each():
    def commit(login, email="a@x"):
        author = {"login": login} if login else None
        return {"author": author, "commit": {"author": {"email": email}}}

    told = {"commits": [commit("ada"), commit("github-actions[bot]"), commit(None), commit("ada")]}
    client = Canned(told, {"viewer": {"login": "github-actions[bot]"}})
    assert Branches(client).authors(BASE, HEAD) == ("ada", "", "a@x")
