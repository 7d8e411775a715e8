import time

import pytest

from reviser.adapters.git import fetching
from reviser.adapters.git.exporting import tree
from reviser.adapters.git.fetching import fetch
from reviser.adapters.git.history import diff, diff_size
from reviser.errors import NoConclusion, UsageError

SECRET = "ghs_SecretOfTheRun"  # noqa: S105


@pytest.fixture
def two(remote):
    base = remote.commit({"main.tex": b"one\ntwo\n", "left.tex": b"x\n"})
    between = remote.commit({"main.tex": b"one\n2\n"}, parent=base)
    return base, remote.commit({"main.tex": b"one\nzwei\n"}, parent=between)


def everything(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_two_commits_come_without_their_history(remote, two, tmp_path):
    into = tmp_path / "here"
    fetch(remote.folder.as_uri(), None, two, into)
    assert [entry.path for entry in tree(into, two[1])] == ["main.tex"]
    told = diff(into, *two)
    assert b"-two\n+zwei\n" in told
    assert b"deleted file mode 100644" in told
    assert diff_size(into, *two).files == 2
    assert diff_size(into, *two).lines == 3
    between = remote.git("rev-parse", f"{two[1]}~1")
    with pytest.raises(UsageError, match="no revision"):
        diff(into, between, two[1])


def test_more_commits_can_be_fetched_into_the_same(remote, two, tmp_path):
    for commit in two:
        fetch(remote.folder.as_uri(), None, [commit], tmp_path / "here")
    assert diff_size(tmp_path / "here", *two).files == 2


def test_files_above_the_limit_stay_away(server, remote, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "_SIZE", "blob:limit=1k")
    base = remote.commit({"data.txt": b"x" * 5000, "main.tex": b"a\n"})
    head = remote.commit({"data.txt": b"y" * 5000, "main.tex": b"b\n"}, parent=base)
    into = tmp_path / "here"
    fetch(server.url, None, [base, head], into)
    asked = len(server.paths)
    assert {entry.path: entry.size for entry in tree(into, head)} == {
        "data.txt": None,
        "main.tex": 2,
    }
    told = diff(into, base, head)
    assert b"data.txt" not in told
    assert b"+b\n" in told
    assert diff_size(into, base, head).files == 1
    assert len(server.paths) == asked
    assert "promisor" not in (into / "config").read_text()


def test_the_token_reaches_the_server_and_nothing_else(server, two, tmp_path):
    server.password = SECRET
    into = tmp_path / "here"
    fetch(server.url, SECRET, two, into)
    assert all(sent["Authorization"] == server.word for sent in server.headers)
    held = everything(into)
    assert SECRET.encode() not in held
    assert server.word.split()[1].encode() not in held
    assert diff_size(into, *two).files == 2


def test_no_token_and_a_wrong_one(server, two, tmp_path):
    server.password = SECRET
    with pytest.raises(NoConclusion, match="the token has no access") as caught:
        fetch(server.url, None, two, tmp_path / "a")
    assert "contents: read" in caught.value.hint
    with pytest.raises(NoConclusion, match="the token has no access") as caught:
        fetch(server.url, "wrong-token", two, tmp_path / "b")
    assert "wrong-token" not in str(caught.value)


def test_a_redirect_is_not_followed(server, two, tmp_path):
    def elsewhere(handler):
        handler.send_response(302)
        handler.send_header("Location", "http://127.0.0.1:1/remote.git/info/refs")
        handler.end_headers()

    server.answer = elsewhere
    with pytest.raises(NoConclusion, match="sends elsewhere"):
        fetch(server.url, SECRET, two, tmp_path / "here")
    assert len(server.paths) == 1


def test_what_the_server_says_is_told_without_the_token(server, two, tmp_path):
    def broken(handler):
        handler.send_response(500, f"no {SECRET}")
        handler.end_headers()

    server.answer = broken
    with pytest.raises(NoConclusion, match=r"could not be fetched: fatal: .* 500") as caught:
        fetch(server.url.replace("//", "//me:pass@"), SECRET, two, tmp_path / "here")
    assert SECRET not in str(caught.value)
    assert "pass@" not in str(caught.value)


def test_a_server_that_does_not_answer(server, two, tmp_path):
    server.answer = lambda _: time.sleep(3)
    with pytest.raises(NoConclusion, match=r"within 0.5 seconds"):
        fetch(server.url, SECRET, two, tmp_path / "here", seconds=0.5)


@pytest.mark.parametrize("kind", ["file", "http"])
def test_an_unknown_commit(server, remote, two, tmp_path, kind):
    url = server.url if kind == "http" else remote.folder.as_uri()
    with pytest.raises(NoConclusion, match="does not have that commit"):
        fetch(url, None, [two[0], "12" * 20], tmp_path / "here")


def test_an_unknown_repository(server, tmp_path):
    with pytest.raises(NoConclusion, match="no such repository"):
        fetch(server.url.replace("remote", "other"), None, ["12" * 20], tmp_path / "a")
    with pytest.raises(NoConclusion, match="no such repository"):
        fetch((tmp_path / "none").as_uri(), None, ["12" * 20], tmp_path / "b")


@pytest.mark.parametrize(
    "url",
    ["ssh://x/y", "ext::sh -c touch% x", "git@host:a/b", "-x", "", "--upload-pack=touch x", "/x"],
)
def test_no_other_protocol(tmp_path, url):
    with pytest.raises(UsageError, match="no address"):
        fetch(url, None, ["12" * 20], tmp_path / "here")
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("commits", [[], ["main"], ["--upload-pack=x"], ["12" * 19], ["G" * 40]])
def test_only_full_hashes(tmp_path, commits):
    with pytest.raises(UsageError, match="full hash"):
        fetch("http://127.0.0.1:1/x", None, commits, tmp_path / "here")


def test_only_settings_for_the_network_are_carried(server, two, tmp_path, monkeypatch):
    seen = {}
    real = fetching.run

    def kept(line, folder, **given):
        if "fetch" in line:
            seen.update(given["more"], line=" ".join(line))
        return real(line, folder, **given)

    monkeypatch.setattr(fetching, "run", kept)
    carried = {"no_proxy": "127.0.0.1", "GIT_TRACE_CURL": "1", "OPENAI_API_KEY": "k"}
    fetch(server.url, SECRET, two, tmp_path / "here", carried=carried)
    assert seen["no_proxy"] == "127.0.0.1"
    assert not {"GIT_TRACE_CURL", "OPENAI_API_KEY"} & seen.keys()
    assert SECRET not in seen["line"]
