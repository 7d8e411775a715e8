"""The adapter over the fake GitHub, whose every request and answer GitHub's own schemas judge."""

import io
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from reviser.adapters.git.exporting import export
from reviser.adapters.git.fetching import fetch
from reviser.adapters.git.history import diff
from reviser.adapters.github import documents
from reviser.adapters.github.forge import GitHub
from reviser.deliver.forge import (
    Annotation,
    CheckRun,
    Comment,
    Forbidden,
    ForgeError,
    Limited,
    Moved,
    Unavailable,
    Unprocessable,
)
from reviser.deliver.plan import Conclusion
from reviser.errors import NoConclusion
from reviser.text.patch import read_patch

TEXT = b"".join(b"line %d\n" % n for n in range(1, 41))
CHANGED = TEXT.replace(b"line 20\n", b"line twenty\n").replace(b"line 30\n", b"line thirty\n")


@pytest.fixture
def paper(github):
    paper = github.repository("ada/survey")
    paper.commit("main", {"paper.tex": TEXT, "old.tex": TEXT})
    paper.branch("topic")
    paper.commit("topic", {"paper.tex": CHANGED, "old.tex": None, "new.tex": TEXT}, author="eve")
    paper.open_pull("topic", author="eve")
    return paper


@pytest.fixture
def pull(paper):
    """The pull request as the fake keeps it."""
    return paper.pulls[1]


def speaker(github, **scopes):
    """A forge with a workflow's token."""
    token = github.token("ada/survey", **scopes)
    return GitHub(token, github.api_url, "ada/survey", pace=0, patience=5, pause=0.01)


@pytest.fixture
def forge(github, paper):
    return speaker(github, contents="write")


def comment(first, last=None, path="paper.tex", body="text"):
    return Comment(path, first, last or first, body, ())


def test_all_about_a_pull_request_in_one_request(github, paper, pull, forge):
    forge.review(1, pull.head, [comment(19, 20, body="first"), comment(30, body="second")])
    pull.labels = ["review me"]
    second, first = pull.threads
    opened = first.comments[0]
    paper.reply(opened, "why?", by="eve")
    for login in ("eve", "github-actions[bot]"):
        paper.react(opened, "-1", by=login)
    paper.react(opened, "+1", by="bob")
    paper.resolve(second, by="ada")
    number = forge.remark(1, "summary")
    paper.comment(1, "/reviser help", by="eve")
    github.log.clear()
    told = forge.pull(1)
    assert len(github.log) == 1
    assert (told.number, told.state, told.draft, told.locked, told.queued) == (
        1, "open", False, False, False,
    )  # fmt: skip
    assert (told.head, told.head_branch, told.head_repository) == (pull.head, "topic", "ada/survey")
    assert (told.base, told.base_branch) == (paper.tip("main"), "main")
    assert (told.author, told.labels) == ("eve", ("review me",))
    threads = {thread.remarks[0].body: thread for thread in told.threads}
    assert [r.body for r in threads["first"].remarks] == ["first", "why?"]
    assert [r.ours for r in threads["first"].remarks] == [True, False]
    assert threads["first"].remarks[0].downs == ("eve",)
    assert (threads["first"].line, threads["second"].line) == (20, 30)
    by = {name: (thread.resolved, thread.resolved_by) for name, thread in threads.items()}
    assert by == {"first": (False, ""), "second": (True, "ada")}
    assert [(r.id == number, r.ours, r.author) for r in told.remarks] == [
        (True, True, "github-actions"),
        (False, False, "eve"),
    ]


def test_states_of_a_pull_request(github, paper, pull, forge):
    pull.draft = pull.locked = pull.queued = True
    told = forge.pull(1)
    assert told.draft
    assert told.locked
    assert told.queued
    paper.commit("main", {"other.tex": b"x"})
    assert forge.pull(1).base == paper.tip("main")
    paper.close(1)
    assert forge.pull(1).state == "closed"
    paper.reopen(1)
    paper.merge(1)
    assert forge.pull(1).state == "merged"


def test_a_force_push_leaves_threads_without_a_line(paper, pull, forge):
    forge.review(1, pull.head, [comment(20)])
    paper.commit("topic", {"paper.tex": TEXT.replace(b"line 20\n", b"line XX\n")}, author="eve")
    (thread,) = forge.pull(1).threads
    assert thread.line is None
    assert thread.outdated


def test_hundreds_of_comments_are_all_read(github, paper, forge):
    bob = github.user("bob")
    for n in range(205):
        paper.remarked(paper.pulls[1], bob, f"remark {n}")
    github.log.clear()
    assert [r.body for r in forge.pull(1).remarks] == [f"remark {n}" for n in range(205)]
    assert len(github.log) == 3


def test_a_pull_request_that_is_not_there(forge):
    with pytest.raises(Forbidden):
        forge.pull(99)


def test_its_files_as_github_tells_them(paper, pull, forge):
    told = forge.patches(1)
    ours = read_patch(paper.store.diff(paper.merge_base(pull), pull.head))
    assert told == ours
    assert [(p.path, p.old_path, p.status) for p in told] == [
        ("new.tex", "old.tex", "renamed"),
        ("paper.tex", "paper.tex", "modified"),
    ]


def test_a_review_is_one_request_and_stands_where_it_should(github, pull, forge):
    forge.review(1, pull.head, [comment(18, 20), comment(30)])
    assert [(seen.method, seen.path) for seen in github.log] == [
        ("POST", "/repos/ada/survey/pulls/1/reviews")
    ]
    sent = github.log.writes[0].body
    assert sent["event"] == "COMMENT"
    assert "body" not in sent
    assert [c["line"] for c in sent["comments"]] == [30, 20]
    assert [thread.comments[0].line for thread in pull.threads] == [30, 20]


def test_a_review_outside_the_diff_is_refused_whole(pull, forge):
    with pytest.raises(Unprocessable, match="take a review of pull request 1"):
        forge.review(1, pull.head, [comment(20), comment(5)])
    assert pull.threads == []


def test_file_comments_replies_and_their_end(github, pull, forge):
    forge.file_comment(1, pull.head, "paper.tex", "of the file")
    forge.review(1, pull.head, [comment(20)])
    for thread in list(pull.threads):
        forge.reply(1, thread.comments[0].id, "so it is")
        assert [c.body for c in thread.comments][1:] == ["so it is"]
    ids = [c.id for thread in pull.threads for c in reversed(thread.comments)]
    for each in ids:
        forge.retire(each)
    assert pull.threads == []
    forge.retire(ids[0])
    assert github.log.count("GET") == 0


def test_conversation(github, paper, pull, forge):
    number = forge.remark(1, "one")
    forge.rewrite(number, "two")
    event = paper.comment(1, "/reviser check", by="eve")
    forge.react(event["comment"]["id"], "eyes")
    mine, theirs = pull.remarks
    assert (mine.id, mine.body) == (number, "two")
    assert [r.content for r in theirs.reactions] == ["eyes"]
    assert len(github.log) == 3


@pytest.mark.parametrize("number", [0, 50, 51, 120])
def test_check_runs_of_any_length(github, paper, pull, number, forge):
    given = tuple(
        Annotation("paper.tex", n + 1, n + 2, "warning", f"t{n}", f"m{n}") for n in range(number)
    )
    run = CheckRun("reviser", Conclusion.NEUTRAL, "title", "summary", given)
    forge.check(pull.head, run)
    (kept,) = paper.checks.values()
    assert (kept.name, kept.head, kept.conclusion) == ("reviser", pull.head, "neutral")
    assert [a["message"] for a in kept.annotations] == [f"m{n}" for n in range(number)]
    assert len(github.log) == max((number + 49) // 50, 1)


def test_overlong_reports_are_cut(paper, pull, forge):
    note = Annotation("paper.tex", 1, 1, "notice", "t" * 900, "m" * 90_000)
    run = CheckRun("reviser", Conclusion.SUCCESS, "x" * 900, "s" * 90_000, (note,))
    forge.check(pull.head, run)
    assert len(paper.checks) == 1


def test_a_commit_is_byte_exact_and_never_over_anothers(github, paper, pull, forge):
    before = pull.head
    files = {"paper.tex": b"caf\xe9\r\nno end", "new.tex": b""}
    made = forge.commit("topic", before, "Say why\n\nAt length.\n", files)
    assert paper.tip("topic") == made == pull.head
    assert {path: paper.read("topic", path) for path in files} == files
    assert paper.store.facts(made).message.startswith("Say why\n\nAt length.")
    assert paper.store.facts(made).parents == (before,)
    with pytest.raises(Moved):
        forge.commit("topic", before, "again", files)
    assert paper.tip("topic") == made
    assert github.log.count("GET") == 0


def test_branches_of_our_own(paper, pull, forge):
    assert forge.tip("reviser/pull 1#x") is None
    forge.make_branch("reviser/pull-1", pull.head)
    assert forge.tip("reviser/pull-1") == pull.head
    with pytest.raises(Unprocessable):
        forge.make_branch("reviser/pull-1", pull.head)
    forge.move_branch("reviser/pull-1", paper.tip("main"))
    assert paper.tip("reviser/pull-1") == paper.tip("main")
    forge.drop_branch("reviser/pull-1")
    assert paper.tip("reviser/pull-1") is None
    forge.drop_branch("reviser/pull-1")


def test_a_branch_that_may_not_be_deleted_is_told(paper, github, pull):
    paper.branch("reviser/pull-1", "topic")
    with pytest.raises(Forbidden):
        speaker(github).drop_branch("reviser/pull-1")
    assert paper.tip("reviser/pull-1") == pull.head


def test_where_two_parted_and_who_wrote_since(paper, pull, forge):
    base = paper.tip("main")
    forge.commit("topic", pull.head, "ours", {"paper.tex": TEXT})
    paper.commit("topic", {"paper.tex": CHANGED}, author="bob")
    paper.commit("topic", {"paper.tex": TEXT}, author="eve")
    paper.commit("main", {"other.tex": b"x"})
    assert forge.merge_base("main", "topic") == base
    assert forge.merge_base(paper.tip("main"), pull.head) == base
    assert forge.authors(base, pull.head) == ("eve", "", "bob")
    assert forge.authors(pull.head, pull.head) == ()


def test_our_pull_requests(github, paper, pull):
    forge = speaker(github, contents="write", pull_requests="write")
    paper.can_approve = True
    made = forge.commit("topic", pull.head, "ours", {"paper.tex": TEXT})
    forge.make_branch("reviser/topic", made)
    paper.force_push("topic", paper.store.facts(made).parents[0])
    opened = forge.open_pull(branch="reviser/topic", onto="topic", title="Edits", body="All.")
    assert (opened.state, opened.ours, opened.body) == ("open", True, "All.")
    forge.rewrite_pull(opened.number, title="New", body="Other.")
    paper.close(opened.number)
    second = paper.open_pull("reviser/topic", base="topic", author="ada", title="By hand")
    told = forge.pulls_from("reviser/topic", onto="topic")
    assert [(p.number, p.state, p.title, p.ours) for p in told] == [
        (second.number, "open", "By hand", False),
        (opened.number, "closed", "New", True),
    ]
    assert forge.pulls_from("reviser/topic", onto="main") == ()
    with pytest.raises(Unprocessable, match="already exists"):
        forge.open_pull(branch="reviser/topic", onto="topic", title="x", body="y")


def test_permissions_are_asked_once(github, paper, forge):
    paper.allow("bob", "write")
    paper.allow("cid", "read")
    told = [forge.may_write(who) for who in ("ada", "bob", "BOB", "cid", "nobody", "bob", "a/../b")]
    assert told == [True, True, True, False, False, True, False]
    assert len(github.log) == 4


def test_a_forks_pull_request_is_found_by_its_head(github, paper, forge):
    fork = paper.fork("eve/survey")
    fork.commit("topic", {"paper.tex": TEXT + b"more\n"}, author="eve")
    made = paper.open_pull("topic", from_fork="eve/survey")
    find = forge.find_pull
    assert find(repository="eve/survey", branch="topic", head=made.head) == made.number
    assert find(repository="eve/survey", branch="topic", head=paper.tip("main")) is None
    assert find(repository="eve/other", branch="topic", head=made.head) is None
    assert find(repository="ada/survey", branch="topic", head=paper.pulls[1].head) == 1
    told = forge.pull(made.number)
    assert told.from_fork
    assert told.head_repository == "eve/survey"


def zipped(content):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("plan.json", content)
    return buffer.getvalue()


def test_a_workflow_run_is_told_by_what_github_knows_of_it(paper, pull, forge):
    run = paper.run(pull)
    known = forge.workflow_run(run.id)
    assert (known.id, known.event, known.repository) == (run.id, "pull_request", "ada/survey")
    assert (known.branch, known.head, known.actor) == ("topic", pull.head, "eve")
    theirs = paper.fork("eve/survey")
    theirs.branch("other")
    theirs.commit("other", {"paper.tex": b"x"}, author="eve")
    forked = paper.run(paper.open_pull("other", author="eve", from_fork="eve/survey"))
    assert forge.workflow_run(forked.id).repository == "eve/survey"
    assert forge.workflow_run(99_999) is None


def test_an_artifact_is_fetched_without_the_token(github, paper, pull, forge):
    run = paper.run(pull)
    paper.artifact(run, "reviser-plan", zipped("old"))
    paper.artifact(run, "other", zipped("x"))
    newest = zipped("new" * 1000)
    paper.artifact(run, "reviser-plan", newest)
    assert forge.artifact(run.id, "reviser-plan", most=100_000) == newest
    assert forge.artifact(run.id, "none", most=100_000) is None
    with pytest.raises(ForgeError, match="larger than 10 bytes"):
        forge.artifact(run.id, "reviser-plan", most=10)
    with pytest.raises(Forbidden):
        forge.artifact(12345, "reviser-plan", most=10)


def test_an_artifact_that_is_larger_than_it_says(github, paper, pull, forge, monkeypatch):
    run = paper.run(pull)
    kept = paper.artifact(run, "reviser-plan", b"x")
    monkeypatch.setattr(github, "blob_url", lambda *_: f"{github.server_url}/_blobs/big.zip")
    github._blobs["big.zip"] = b"x" * 300_000
    assert len(kept.data) == 1
    with pytest.raises(ForgeError, match="larger than 100000 bytes"):
        forge.artifact(run.id, "reviser-plan", most=100_000)


@pytest.mark.parametrize("where", ["file:///etc/passwd", "ftp://127.0.0.1/x", "/local"])
def test_an_artifact_lies_nowhere_else(github, paper, pull, forge, monkeypatch, where):
    run = paper.run(pull)
    paper.artifact(run, "reviser-plan", b"x")
    monkeypatch.setattr(github, "blob_url", lambda *_: where)
    with pytest.raises(ForgeError, match="not fetched from"):
        forge.artifact(run.id, "reviser-plan", most=100)


def test_an_artifact_that_is_gone_from_its_store(github, paper, pull, forge, monkeypatch):
    run = paper.run(pull)
    paper.artifact(run, "reviser-plan", b"x")
    monkeypatch.setattr(github, "blob_url", lambda *_: f"{github.server_url}/nothing?sig=secret")
    with pytest.raises(Unavailable, match=r"reviser-plan \(404\)") as caught:
        forge.artifact(run.id, "reviser-plan", most=100)
    assert "secret" not in str(caught.value)


def test_a_store_that_sends_further_is_not_followed(github, paper, pull, forge, monkeypatch):
    run = paper.run(pull)
    paper.artifact(run, "reviser-plan", b"x")
    reached = []

    class Store(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            reached.append(self.path)
            self.send_response(302)
            self.send_header("Location", f"{github.server_url}/elsewhere")
            self.end_headers()

    with HTTPServer(("127.0.0.1", 0), Store) as store:
        threading.Thread(target=store.handle_request, daemon=True).start()
        where = f"http://127.0.0.1:{store.server_port}/blob"
        monkeypatch.setattr(github, "blob_url", lambda *_: where)
        with pytest.raises(Unavailable, match=r"\(302\)"):
            forge.artifact(run.id, "reviser-plan", most=100)
    assert reached == ["/blob"]


def summary(paper):
    """What a write may have changed."""
    pull = paper.pulls[1]
    return (
        [[c.body for c in thread.comments] for thread in pull.threads],
        [(r.body, len(r.reactions)) for r in pull.remarks],
        len(paper.checks),
        paper.store.refs("refs/heads/"),
        [(p.title, p.body) for p in paper.pulls.values()],
    )


WRITES = {
    "review": lambda forge, paper, ids: forge.review(1, paper.pulls[1].head, [comment(20)]),
    "file comment": lambda forge, paper, ids: forge.file_comment(
        1, paper.pulls[1].head, "paper.tex", "x"
    ),
    "reply": lambda forge, paper, ids: forge.reply(1, ids["comment"], "x"),
    "retire": lambda forge, paper, ids: forge.retire(ids["comment"]),
    "remark": lambda forge, paper, ids: forge.remark(1, "x"),
    "rewrite": lambda forge, paper, ids: forge.rewrite(ids["remark"], "x"),
    "react": lambda forge, paper, ids: forge.react(ids["remark"], "eyes"),
    "check": lambda forge, paper, ids: forge.check(
        paper.pulls[1].head, CheckRun("r", Conclusion.SUCCESS, "t", "s")
    ),
    "commit": lambda forge, paper, ids: forge.commit(
        "topic", paper.pulls[1].head, "m", {"paper.tex": b"x"}
    ),
    "make branch": lambda forge, paper, ids: forge.make_branch("r/x", paper.pulls[1].head),
    "move branch": lambda forge, paper, ids: forge.move_branch("spare", paper.tip("main")),
    "drop branch": lambda forge, paper, ids: forge.drop_branch("spare"),
    "open pull": lambda forge, paper, ids: forge.open_pull(
        branch="spare", onto="main", title="t", body="b"
    ),
    "rewrite pull": lambda forge, paper, ids: forge.rewrite_pull(1, title="t", body="b"),
}
FAULTS = {
    "403": (Forbidden, 0),
    "422": (Unprocessable, 0),
    "502": (Unavailable, 0),
    "502 after": (Unavailable, 1),
    "drop": (Unavailable, 0),
    "drop after": (Unavailable, 1),
    "429": (None, 1),
    "secondary": (None, 1),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("write", WRITES)
def test_every_write_under_every_fault_happens_once_or_not_at_all(
    github, paper, pull, forge, write, fault
):
    paper.can_approve = True
    paper.branch("spare", "topic")
    forge.review(1, pull.head, [comment(30)])
    ids = {"comment": pull.threads[0].comments[0].id, "remark": forge.remark(1, "first")}
    act = WRITES[write]
    before = summary(paper)
    github.log.clear()
    github.fail("", "", how=fault, retry_after=0)
    error, times = FAULTS[fault]
    if error is None:
        act(forge, paper, ids)
        assert len(github.log.writes) == 2
    else:
        with pytest.raises(error) as caught:
            act(forge, paper, ids)
        assert not isinstance(caught.value, Limited)
        assert len(github.log.writes) == 1
    assert (summary(paper) != before) == bool(times)
    assert sum(seen.status in {200, 201, 204} for seen in github.log.writes) <= 1


def test_reads_are_repeated_and_limits_outlasting_patience_are_told(github, forge):
    github.fail("", "", how="502", times=2)
    assert forge.pull(1).number == 1
    github.fail("", "", how="drop", times=2)
    assert len(forge.patches(1)) == 2
    github.fail("", "", how="429", retry_after=600)
    github.log.clear()
    with pytest.raises(Limited) as caught:
        forge.remark(1, "x")
    assert "600 seconds" in caught.value.hint
    assert len(github.log) == 1


@pytest.mark.parametrize("status", [302, 307])
def test_a_write_that_is_sent_elsewhere_is_not_taken_for_done(
    github, pull, forge, monkeypatch, status
):
    told = (status, {"Location": f"{github.api_url}/repositories/7"}, b'{"message": "Moved"}')
    monkeypatch.setattr(github, "_api", lambda *_: told)
    with pytest.raises(Forbidden) as caught:
        forge.review(1, pull.head, [comment(20)])
    assert "present name" in caught.value.hint


@pytest.mark.parametrize("page", [b"<html>", b"", b"{}", b"[]", b"null"])
def test_an_answer_that_is_something_else_is_not_understood(github, pull, forge, monkeypatch, page):
    monkeypatch.setattr(github, "_api", lambda *_: (200, {"Content-Type": "text/html"}, page))
    for ask in (
        lambda: forge.remark(1, "x"),
        lambda: forge.pull(1),
        lambda: forge.tip("topic"),
        lambda: forge.merge_base("main", "topic"),
        lambda: forge.may_write("ada"),
        lambda: forge.open_pull(branch="a", onto="b", title="t", body="b"),
        lambda: forge.commit("topic", pull.head, "m", {}),
    ):
        with pytest.raises(Unavailable, match="not understood"):
            ask()


def test_a_token_that_only_reads(github, paper, pull):
    forge = speaker(github, read_only=True)
    assert forge.pull(1).head == pull.head
    with pytest.raises(Forbidden, match="not accessible"):
        forge.review(1, pull.head, [comment(20)])
    with pytest.raises(Forbidden):
        forge.remark(1, "x")


def test_a_wrong_token_is_told_without_it(github, paper):
    forge = GitHub("ghs_wrongSecret", github.api_url, "ada/survey", pace=0, patience=0)
    with pytest.raises(Forbidden, match="Bad credentials") as caught:
        forge.pull(1)
    assert "ghs_wrongSecret" not in f"{caught.value}{caught.value.hint}"


def test_git_and_the_api_tell_the_same_paper(github, paper, pull, tmp_path):
    paper.private = True
    token = github.token("ada/survey", read_only=True)
    forge = GitHub(token, github.api_url, "ada/survey", pace=0)
    told = forge.pull(1)
    base = forge.merge_base(told.base, told.head)
    url = f"{github.server_url}/ada/survey.git"
    with pytest.raises(NoConclusion, match="no access"):
        fetch(url, None, [told.head], tmp_path / "none")
    fetch(url, token, [base, told.head], tmp_path / "git")
    assert read_patch(diff(tmp_path / "git", base, told.head)) == forge.patches(1)
    done = export(tmp_path / "git", told.head, tmp_path / "head")
    assert done.files == ("new.tex", "paper.tex")
    assert (tmp_path / "head" / "paper.tex").read_bytes() == CHANGED


def test_documents_ask_for_little():
    # A point for each hundred connections: see the comment above the document.
    assert documents.PULL.count("reactions(") == 2
