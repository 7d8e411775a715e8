"""A corpus in one file: what is put is found, and nothing that happens to the file loses more than
it must."""

import multiprocessing
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.adapters.index.asked_words import MOST_WORDS, POSTINGS, expression, words_of
from reviser.adapters.index.database import APPLICATION
from reviser.adapters.index.sqlite import SqliteIndex
from reviser.literature.corpus import Corpus
from reviser.literature.index import Held, NoIndex
from reviser.literature.joining import names_of, title_key
from reviser.literature.paper import Author, Notice, Paper
from tests.fakes.vectors import WordVectors

SNOW = Paper(
    source="OpenAlex", id="W1", title="How snow falls", authors=(Author("Kim", "J."),), year=2020,
    doi="10.1/snow", abstract="Flakes drift slowly in cold air.", cited_by=3, cites=("doi:10.1/a",),
    notice=Notice("retraction", date="2021-02-03"),
)  # fmt: skip
REEF = Paper("arXiv", "2101.00001", "Reefs in warm seas?", arxiv="2101.00001",
             abstract="Corals bleach when seas are warm.")  # fmt: skip
ROAD = Paper("a", "3", "Traffic on graphs", abstract="Forecasting of traffic with graph networks.")


def held(paper, via="test"):
    return Held(paper, names_of(paper), (via,))


class Said(list):
    def __call__(self, text):
        self.append(text)


def index(path: Path, vectors=None, said=None, **options):
    return SqliteIndex(
        path, vectors or WordVectors(), said if said is not None else Said(), **options
    )


@pytest.fixture
def made(tmp_path):
    one = index(tmp_path / "corpus.db")
    one.put([held(SNOW), held(REEF), held(ROAD)])
    yield one
    one.close()


def found(hits):
    ids = {"doi:10.1/snow": "W1", "arxiv:2101.00001": "2101.00001"}
    return [ids.get(hit.name, hit.name.partition(":")[2]) for hit in hits]


def test_what_is_put_comes_back_as_it_was(made, tmp_path):
    again = index(tmp_path / "corpus.db")
    assert list(again.all()) == [held(SNOW), held(REEF), held(ROAD)]
    assert again.get(["doi:10.1/snow", "OpenAlex:W1", "doi:10.1/none"]) == {
        "doi:10.1/snow": held(SNOW), "OpenAlex:W1": held(SNOW),
    }  # fmt: skip
    assert again.titled([title_key("HOW SNOW, falls"), "x"]) == {"howsnowfalls": (held(SNOW),)}
    assert again.size() == 3
    again.close()


def test_it_is_found_by_words_and_by_meaning(made):
    assert found(made.matching("corals that bleach in the sea", 5)) == ["2101.00001"]
    assert found(made.nearest("Forecasting of traffic", 1)) == ["3"]
    (first, *_) = made.nearest("How snow falls. Flakes drift slowly in cold air.", 3)
    assert (first.name, round(first.score, 2)) == ("doi:10.1/snow", 1.0)
    assert len(made.nearest("snow", 99)) == 3


def test_words_are_found_in_other_forms_and_without_accents(tmp_path):
    one = index(tmp_path / "c.db")
    one.put([held(replace(SNOW, abstract="Die Brücke. Networks were forecasting."))])
    assert found(one.matching("brucke", 1)) == found(one.matching("forecasts", 1)) == ["W1"]
    one.close()


def test_a_word_in_the_title_counts_for_more(tmp_path):
    one = index(tmp_path / "c.db")
    title = Paper("a", "title", "Glaciers and rain", abstract="Ice and water.")
    body = Paper("a", "body", "Rain and ice", abstract="Water and glaciers.")
    one.put([held(body), held(title), held(ROAD), held(REEF), held(SNOW)])
    assert found(one.matching("glaciers", 2)) == ["title", "body"]
    one.close()


@pytest.mark.parametrize(
    "hostile", ['" OR "', "title:snow", "snow*", "NEAR(a b)", "a AND NOT b", "^snow", "{a b}", "-",
                "'; DROP TABLE work; --", "\x00", "\ud800", "ａ" * 40, "the of and"],
)  # fmt: skip
def test_no_question_is_an_order(made, hostile):
    made.matching(hostile, 3)
    made.nearest(hostile, 3)
    assert made.size() == 3


def test_nothing_is_found_of_nothing(made, tmp_path):
    assert not made.matching("", 3)
    assert not made.nearest("  ", 3)
    assert not made.matching("snow", 0)
    assert not made.nearest("snow", 0)
    none = index(tmp_path / "none.db")
    assert not none.matching("snow", 3)
    assert not none.nearest("snow", 3)
    assert (none.size(), none.note("x"), none.get(["a"]), list(none.all())) == (0, "", {}, [])
    assert none.forget(["a"]) == none.waiting() == none.embed() == 0
    assert not (tmp_path / "none.db").exists()


def test_only_new_texts_are_embedded(tmp_path):
    vectors = WordVectors()
    one = index(tmp_path / "c.db", vectors)
    assert one.put([held(SNOW), held(REEF)]) == 2
    asked = list(vectors.asked)
    assert one.put([held(replace(SNOW, cited_by=9)), held(REEF)]) == 0
    assert vectors.asked == asked
    assert one.put([held(replace(SNOW, abstract="It falls."))]) == 1
    assert found(one.nearest("How snow falls. It falls.", 1)) == ["W1"]
    assert not one.matching("flakes drift", 3)
    one.close()


def test_a_work_takes_the_place_of_all_that_has_one_of_its_names(made):
    both = Held(SNOW, ("doi:10.1/snow", "arxiv:2101.00001"))
    made.put([both])
    assert made.size() == 2
    assert made.get(["arxiv:2101.00001"]) == {"arxiv:2101.00001": both}
    assert made.get(["OpenAlex:W1"]) == {}
    assert not made.matching("corals", 3)


def test_what_is_forgotten_is_found_no_more(made):
    assert made.forget(["OpenAlex:W1", "doi:10.1/snow", "nobody"]) == 1
    assert not made.matching("snow flakes", 3)
    assert "W1" not in found(made.nearest("snow", 9))
    assert made.size() == 2


def test_what_is_gone_or_was_replaced_takes_no_place_among_the_nearest(made):
    made.forget(["OpenAlex:W1"])
    assert len(made.nearest("How snow falls. Flakes drift slowly.", 2)) == 2
    made.put([held(replace(REEF, abstract="Quite another text."))])
    old = made.nearest("Reefs in warm seas? Corals bleach when seas are warm.", 1)
    assert old[0].score < 0.95
    assert len(made.nearest("Corals bleach", 2)) == 2


def test_what_waited_for_its_vector_and_is_gone_waits_no_more(tmp_path):
    class Stopped(WordVectors):
        def vectors(self, texts, told=None):
            raise KeyboardInterrupt

    one = index(tmp_path / "c.db", Stopped())
    with pytest.raises(KeyboardInterrupt):
        one.put([held(SNOW), held(REEF)])
    assert one.waiting() == 2
    one.forget(["OpenAlex:W1"])
    assert one.waiting() == 1
    one.close()


def test_notes_are_kept(made, tmp_path):
    made.keep_note("expand: snow", "1")
    made.keep_note("expand: snow", '{"a": "é\\ud800"}')
    again = index(tmp_path / "corpus.db")
    assert again.note("expand: snow") == '{"a": "é\\ud800"}'
    again.close()


def test_an_interrupted_embedding_goes_on_where_it_was(tmp_path):
    class Interrupted(WordVectors):
        def vectors(self, texts, told=None):
            if len(self.asked) >= 64:
                raise KeyboardInterrupt
            return super().vectors(texts, told)

    papers = [held(Paper("a", str(i), f"Work number {i}")) for i in range(100)]
    one = index(tmp_path / "c.db", Interrupted())
    with pytest.raises(KeyboardInterrupt):
        one.put(papers)
    assert (one.size(), one.waiting()) == (100, 36)
    assert found(one.matching("number 99", 1)) == ["99"]
    one.close()
    said = []
    again = index(tmp_path / "c.db")
    assert again.put([], lambda done, total: said.append((done, total))) == 36
    assert said == [(36, 36)]
    assert again.waiting() == 0
    again.close()


def test_vectors_of_another_model_are_not_compared(made, tmp_path):
    said = Said()
    other = index(tmp_path / "corpus.db", WordVectors("words 2", 32), said)
    assert not other.nearest("How snow falls", 3)
    assert found(other.matching("snow", 3)) == ["W1"]
    assert len(said) == 1
    assert "another model" in said[0]
    assert other.embed() == 3
    assert found(other.nearest("How snow falls", 1)) == ["W1"]
    other.close()


def test_vectors_of_another_model_as_long_as_ours_are_not_compared_either(made, tmp_path):
    other = index(tmp_path / "corpus.db", WordVectors("words 2"))
    assert not other.nearest("How snow falls", 3)
    assert other.waiting() == 3
    other.close()


def test_what_is_put_while_the_file_was_closed_is_found(made, tmp_path):
    again = index(tmp_path / "corpus.db")
    again.nearest("snow", 1)
    again.close()
    made.put([held(Paper("b", "9", "Volcanic ash clouds"))])
    assert found(again.nearest("Volcanic ash clouds", 1)) == ["9"]
    again.close()


def test_what_another_process_puts_is_found(made, tmp_path):
    made.nearest("snow", 1)
    other = index(tmp_path / "corpus.db")
    other.put([held(Paper("b", "9", "Volcanic ash clouds"))])
    assert found(made.nearest("Volcanic ash clouds", 1)) == ["9"]
    other.forget(["b:9"])
    other.close()
    assert "9" not in found(made.nearest("Volcanic ash clouds", 9))


def _put_many(path, start, barrier):
    one = index(path)
    barrier.wait()
    for i in range(start, start + 40):
        one.put([held(Paper("p", str(i), f"Paper {i} of process {start}"))])
    one.close()


def test_two_processes_at_once_lose_nothing(tmp_path):
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(2)
    both = [
        context.Process(target=_put_many, args=(tmp_path / "c.db", start, barrier))
        for start in (0, 1000)
    ]
    for one in both:
        one.start()
    for one in both:
        one.join(60)
    assert [one.exitcode for one in both] == [0, 0]
    made = index(tmp_path / "c.db")
    assert (made.size(), made.waiting()) == (80, 0)
    assert len(made.nearest("paper", 200)) == 80
    made.close()


def test_threads_may_share_one(made):
    faults = []

    def ask(number):
        try:
            for _ in range(10):
                assert found(made.nearest("How snow falls", 1)) == ["W1"]
                made.put([held(Paper("t", str(number), f"Thread {number}"))])
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert made.size() == 7


def damaged(path, at, what=b"\xff" * 4096):
    content = bytearray(path.read_bytes())
    content[at : at + len(what)] = what
    path.write_bytes(content)


def test_a_damaged_file_is_made_anew_with_what_can_be_read(tmp_path):
    path, said = tmp_path / "c.db", Said()
    one = index(path)
    one.put([held(Paper("a", str(i), f"Work {i}", abstract="words " * 99)) for i in range(300)])
    one.close()
    damaged(path, path.stat().st_size // 3, b"\xff" * 20_000)
    again = index(path, said=said)
    kept = {one.paper.id for one in again.all()}
    again.put([held(SNOW)])
    assert found(again.matching("snow", 1)) == found(again.nearest("How snow falls", 1)) == ["W1"]
    kept = {one.paper.id for one in again.all()} - {"W1"}
    assert 100 < len(kept) <= 300
    assert len(said) <= 1
    if said:
        assert "c.db.damaged" in said[0]
        assert (tmp_path / "c.db.damaged").exists()
    assert again.waiting() == 0
    again.close()


@pytest.mark.parametrize("at", [16, 100, 4096, 8192, 12288, 40960])
def test_wherever_it_is_damaged_it_can_be_used_again(tmp_path, at):
    path, said = tmp_path / "c.db", Said()
    one = index(path)
    one.put([held(Paper("a", str(i), f"Work {i}", abstract="word " * 50)) for i in range(100)])
    one.close()
    damaged(path, at, b"\xff" * 2000)
    again = index(path, said=said, ours=True)
    again.put([held(SNOW)])
    list(again.all())
    assert found(again.matching("snow flakes", 1)) == ["W1"]
    assert found(again.nearest("How snow falls. Flakes drift slowly in cold air.", 1)) == ["W1"]
    again.close()


@pytest.mark.parametrize("vectors", [WordVectors("words 2"), WordVectors("words 2", 32)])
def test_a_damaged_files_vectors_of_another_model_are_not_taken_over(made, tmp_path, vectors):
    made.close()
    with sqlite3.connect(tmp_path / "corpus.db") as db:
        db.execute("UPDATE about SET said='0' WHERE name='form'")
    db.close()
    again = index(tmp_path / "corpus.db", vectors)
    assert (again.size(), again.waiting()) == (3, 3)
    assert not again.nearest("How snow falls", 3)
    assert again.embed() == 3
    (first, *_) = again.nearest("How snow falls. Flakes drift slowly in cold air.", 1)
    assert round(first.score, 2) == 1.0
    again.close()


def test_a_damaged_files_vector_of_another_text_is_not_taken_over(made, tmp_path):
    made.close()
    with sqlite3.connect(tmp_path / "corpus.db") as db:
        db.execute("UPDATE about SET said='0' WHERE name='form'")
        db.execute("UPDATE vector SET numbers=(SELECT numbers FROM vector LIMIT 1), of=x'00'")
    db.close()
    again = index(tmp_path / "corpus.db")
    assert (again.size(), again.waiting()) == (3, 3)
    again.close()


def test_our_own_file_of_another_version_is_made_anew(made, tmp_path):
    made.close()
    with sqlite3.connect(tmp_path / "corpus.db") as db:
        db.execute("UPDATE about SET said='0' WHERE name='form'")
    db.close()
    said = Said()
    again = index(tmp_path / "corpus.db", WordVectors(), said)
    assert again.size() == 3
    assert again.waiting() == 0
    assert "another version" in said[0]
    assert "3 works" in said[0]
    again.close()


def test_a_view_that_somebody_put_in_is_not_used(made, tmp_path):
    made.close()
    with sqlite3.connect(tmp_path / "corpus.db") as db:
        db.execute("CREATE TRIGGER t AFTER INSERT ON work BEGIN DELETE FROM name; END")
    db.close()
    said = Said()
    again = index(tmp_path / "corpus.db", WordVectors(), said)
    again.put([held(replace(ROAD, id="4", title="Other roads"))])
    assert again.get(["doi:10.1/snow"])
    assert len(said) == 1
    again.close()


@pytest.mark.parametrize("content", [b"@article{a, title={B}}\n", b"\0" * 200, b"SQLite"])
def test_a_file_that_is_no_corpus_is_left_alone(tmp_path, content):
    path = tmp_path / "refs.bib"
    path.write_bytes(content)
    with pytest.raises(NoIndex, match="no corpus"):
        index(path).put([held(SNOW)])
    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path):
    path = tmp_path / "zotero.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE items(id)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(NoIndex, match="no corpus"):
        index(path).put([held(SNOW)])
    assert path.read_bytes() == before


def test_an_empty_file_is_a_corpus_that_has_nothing_yet(tmp_path):
    (tmp_path / "c.db").touch()
    one = index(tmp_path / "c.db")
    one.put([held(SNOW)])
    assert one.size() == 1
    one.close()
    assert (tmp_path / "c.db").read_bytes()[68:72] == APPLICATION.to_bytes(4, "big")


def test_a_link_and_a_missing_folder_are_said(tmp_path):
    (tmp_path / "c.db").symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(NoIndex, match="symbolic link"):
        index(tmp_path / "c.db").put([held(SNOW)])
    assert not (tmp_path / "elsewhere.db").exists()
    with pytest.raises(NoIndex, match="cannot be used") as raised:
        index(tmp_path / "no" / "c.db").put([held(SNOW)])
    assert raised.value.why == "unusable"


def test_a_vector_that_was_tampered_with_is_left_out(made, tmp_path):
    with sqlite3.connect(tmp_path / "corpus.db") as db:
        nan = b"\x00\x7e" * 64
        db.execute("UPDATE vector SET numbers=? WHERE work=1", (nan,))
        db.execute("UPDATE vector SET numbers=x'00' WHERE work=2")
    db.close()
    assert found(made.nearest("How snow falls", 9)) == ["3"]


def test_rare_words_are_asked_first_and_only_as_many_as_can_be_scored():
    counts = {'"rare"': 3, '"seldom"': POSTINGS - 2, '"everywhere"': POSTINGS, '"nowhere"': 0}
    asked = expression("seldom everywhere rare nowhere", lambda phrase, most: counts[phrase])
    assert asked == '"rare"'
    assert expression("seldom", lambda phrase, most: counts[phrase]) == '"seldom"'
    assert expression("everywhere seldom", lambda phrase, most: counts[phrase]) == '"seldom"'
    assert expression("nowhere", lambda phrase, most: 0) == ""


def test_the_words_of_a_question():
    assert words_of("The Snow, the snow-line of 2020's x ray") == ("snow", "line", "2020", "ray")
    assert words_of("what is this") == ("what", "is", "this")
    assert len(words_of(" ".join(f"w{i}" for i in range(999)))) == MOST_WORDS


TITLES = st.text(alphabet="abc ", min_size=1, max_size=6).filter(str.strip)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("123"), TITLES, st.booleans()), max_size=8))
def test_it_holds_what_a_list_would_hold(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("law") / "c.db"
    one, truth = index(path), {}
    for id_, title, gone in steps:
        if gone:
            assert one.forget([f"s:{id_}"]) == (truth.pop(id_, None) is not None)
        else:
            truth[id_] = held(Paper("s", id_, title))
            one.put([truth[id_]])
        assert {h.paper.id: h for h in one.all()} == truth
        assert len(one.nearest("a b c abc", 9)) == len(truth)
    one.close()


def test_a_corpus_over_it(tmp_path):
    with_file = Corpus(index(tmp_path / "c.db"))
    with_file.add([SNOW, replace(SNOW, source="Crossref", id="x"), REEF], "search: snow")
    assert [paper.id for paper in with_file.search("snow flakes", 1)] == ["W1"]
    assert with_file.index.size() == 2
    with_file.index.close()
