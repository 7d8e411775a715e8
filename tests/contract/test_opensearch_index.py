"""A corpus on a search server: the same port as the file's, over real HTTP on loopback."""

import socket
from dataclasses import replace

import pytest

from reviser.adapters.index.opensearch import OpenSearchIndex
from reviser.adapters.index.server import Server, is_address, server_and_index
from reviser.errors import UsageError
from reviser.literature.corpus import Corpus
from reviser.literature.index import Held, NoIndex
from reviser.literature.joining import names_of
from reviser.literature.paper import Paper
from reviser.literature.sources import Silent
from tests.fakes.opensearch import Held as There
from tests.fakes.opensearch import OpenSearch
from tests.fakes.vectors import WordVectors

SECRET = "s3cret"  # noqa: S105 - of a server on loopback
SNOW = Paper("OpenAlex", "W1", "How snow falls", doi="10.1/snow", abstract="Flakes drift slowly.")
REEF = Paper("arXiv", "2101.1", "Reefs in warm seas", arxiv="2101.00001", abstract="Corals bleach.")
ROAD = Paper("a", "3", "Traffic on graphs", abstract="Forecasting of traffic with networks.")


def held(paper):
    return Held(paper, names_of(paper), ("test",))


@pytest.fixture
def server():
    with OpenSearch() as one:
        yield one


def index(server, vectors=None, **options):
    return OpenSearchIndex(
        Server(server.url, pause=0.01, **options), "literature", vectors or WordVectors()
    )


@pytest.fixture
def made(server):
    one = index(server)
    one.put([held(SNOW), held(REEF), held(ROAD)])
    return one


def test_what_is_put_comes_back(made, server):
    again = index(server)
    assert again.size() == 3
    assert {h.paper.id for h in again.all()} == {"W1", "2101.1", "3"}
    assert again.get(["OpenAlex:W1", "nobody"]) == {"OpenAlex:W1": held(SNOW)}
    assert again.titled(["howsnowfalls"]) == {"howsnowfalls": (held(SNOW),)}


def test_it_is_found_by_words_and_meaning(made):
    assert [hit.name for hit in made.matching("corals", 3)] == ["arxiv:2101.00001"]
    (first, *_) = made.nearest("How snow falls. Flakes drift slowly.", 2)
    assert (first.name, round(first.score, 3)) == ("doi:10.1/snow", 1.0)
    assert not made.nearest(" ", 3)
    assert not made.matching("", 3)


def test_only_new_texts_are_embedded_and_works_take_each_others_place(server):
    vectors = WordVectors()
    one = index(server, vectors)
    assert one.put([held(SNOW), held(REEF)]) == 2
    count = len(vectors.asked)
    assert one.put([held(replace(SNOW, cited_by=9))]) == 0
    assert len(vectors.asked) == count
    both = Held(SNOW, ("doi:10.1/snow", "arxiv:2101.00001"))
    one.put([both])
    assert list(one.all()) == [both]


def test_a_new_name_leaves_no_old_document(made):
    later = replace(ROAD, doi="10.1/road")
    made.put([Held(later, ("doi:10.1/road", "a:3"))])
    assert made.size() == 3
    assert made.get(["a:3"])["a:3"].paper == later


def test_what_is_forgotten_is_gone(made):
    assert made.forget(["OpenAlex:W1", "nobody"]) == 1
    assert made.size() == 2


def test_known_vectors_are_those_of_the_model(made):
    vectors = WordVectors()
    text = "How snow falls. Flakes drift slowly."
    assert made.known_vectors([text, "new"]) == {text: vectors.vector(text)}


def test_notes_are_kept(made, server):
    assert made.note("expand: snow") == ""
    made.keep_note("expand: snow", "{}")
    assert index(server).note("expand: snow") == "{}"


def test_an_index_that_is_not_there_is_empty(server):
    one = index(server)
    assert (one.size(), list(one.all()), one.note("x"), one.forget(["a"])) == (0, [], "", 0)
    assert not one.nearest("snow", 3)
    assert not one.matching("snow", 3)
    assert server.indices == {}


def test_a_corpus_over_it(server):
    corpus = Corpus(index(server))
    corpus.add([SNOW, replace(SNOW, source="Crossref", id="x"), REEF], "search: snow")
    assert [paper.id for paper in corpus.search("snow flakes", 1)] == ["W1"]
    assert corpus.index.size() == 2
    assert corpus.add([SNOW], "search: snow").known == 1


def test_long_lists_come_in_pages(server):
    one = index(server)
    said = []
    works = [held(Paper("p", str(n), f"Work {n}")) for n in range(1100)]
    one.put(works, lambda done, total: said.append((done, total)))
    assert said[-1] == (1100, 1100)
    assert len(list(one.all())) == 1100
    assert len(one.get([f"p:{n}" for n in range(1100)])) == 1100


def test_another_models_vectors_are_not_mixed(made, server):
    with pytest.raises(NoIndex, match="no corpus of this version and model"):
        index(server, WordVectors("words 2")).size()


def test_an_index_of_something_else_is_left_alone(server):
    server.indices["literature"] = There({"properties": {"message": {"type": "text"}}})
    with pytest.raises(NoIndex):
        index(server).put([held(SNOW)])
    assert server.indices["literature"].documents == {}


@pytest.mark.parametrize("fails", [[503], [429, 502, 504]])
def test_a_busy_server_is_asked_again(made, server, fails):
    server.fails = list(fails)
    assert made.size() == 3


def test_one_that_stays_busy_is_given_up(made, server):
    server.fails = [503] * 9
    with pytest.raises(NoIndex, match="answered 503"):
        made.size()
    assert len(server.fails) == 5


def test_a_server_that_is_not_there_makes_the_corpus_silent():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    gone = OpenSearchIndex(Server(f"http://127.0.0.1:{port}", pause=0.01), "x", WordVectors())
    assert Corpus(gone).search("snow", 3) == Silent("corpus", "unreachable")


def test_a_refused_work_is_said(server):
    server.refuse = REEF.title
    with pytest.raises(NoIndex, match="failed to parse"):
        index(server).put([held(SNOW), held(REEF)])


def test_a_password_goes_with_each_request_and_is_never_shown(server):
    server.password = SECRET
    one = index(server, user="me", password=SECRET)
    one.put([held(SNOW)])
    assert {h["Authorization"] for h in server.headers} == {"Basic bWU6czNjcmV0"}
    assert SECRET not in repr(Server(server.url, "me", SECRET))
    with pytest.raises(NoIndex, match="another user or password") as raised:
        index(server).size()
    assert "REVISER_CORPUS_PASSWORD" in raised.value.hint


@pytest.mark.parametrize("status", [301, 302, 307])
def test_no_redirect_is_followed(made, server, status):
    server.fails = [status]
    with pytest.raises(NoIndex, match=str(status)):
        made.size()


def test_what_is_no_json_is_said(made, server, monkeypatch):
    monkeypatch.setattr(server, "answer", lambda *_: (200, b"<html>"))
    with pytest.raises(NoIndex, match="no JSON object"):
        made.size()


def test_the_address_of_a_corpus():
    server, name = server_and_index("https://search.example:9200/lit-1", user="u", password=SECRET)
    assert (server.base_url, name, server.host) == (
        "https://search.example:9200", "lit-1", "search.example:9200",
    )  # fmt: skip
    assert is_address("http://x/y")
    assert not is_address("corpus.db")


@pytest.mark.parametrize(
    "place",
    ["http://host:9200", "http://host:9200/", "http://host/a/b", "http://host/UPPER", "http://h/_x",
     "http://h/a?b=c", "http://u:p@h/x", "http://:9200/x", "http://h:port/x", "http://h/ä"],
)  # fmt: skip
def test_other_addresses_are_refused(place):
    with pytest.raises(UsageError):
        server_and_index(place, user="", password="")
