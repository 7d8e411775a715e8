"""The file of public reviews: imported, fetched, listed; whole or not at all, and again in vain."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reviser.app.cli import cli
from reviser.app.reviews import add, open_reviews, read_file, read_notes, reviews_file
from reviser.app.settings import read_settings
from reviser.errors import SettingsError, UsageError
from reviser.manuscript.files import Memory
from tests.fakes.openreview import VENUE, Fault, OpenReview, comment, paper, review

NOTES = [
    paper("p1", title="Kites", reviews=[review("r1", "p1"), comment("c1", "p1")]),
    review("r2", "p1"),
    paper("p2", title="Boats"),
]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where reviews lie by default."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("REVISER_REVIEWS", raising=False)
    return tmp_path / "data" / "reviser" / "reviews.jsonl"


def written(folder: Path, *notes: object, name: str = "dump.jsonl") -> str:
    path = folder / name
    path.write_text("".join(f"{json.dumps(note)}\n" for note in notes))
    return str(path)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["reviews", *words], catch_exceptions=True)


def test_import_says_what_came_and_a_second_time_changes_nothing(
    tmp_path: Path, kept: Path
) -> None:
    dump = written(tmp_path, *NOTES)
    assert run("import", dump).output == (
        f"{dump}: 2 papers and 2 reviews added, 0 changed, 0 known, 1 other note passed over.\n"
        f"2 papers and 2 reviews in {kept}.\n"
    )
    before = kept.read_bytes()
    assert "0 papers and 0 reviews added, 0 changed, 4 known" in run("import", dump).output
    assert kept.read_bytes() == before
    corpus = open_reviews(None)
    assert corpus is not None
    assert [r.id for r in corpus.reviews] == ["r1", "r2"]


def test_a_changed_review_takes_the_place_of_the_old_one(tmp_path: Path, kept: Path) -> None:
    run("import", written(tmp_path, *NOTES))
    newer = written(tmp_path, review("r2", "p1", "Boats are missing."), name="newer.jsonl")
    assert "0 papers and 0 reviews added, 1 changed, 0 known." in run("import", newer).output
    corpus = open_reviews(None)
    assert corpus is not None
    assert [r.weaknesses for r in corpus.reviews] == ["The wind is not told.", "Boats are missing."]


def test_what_stands_in_the_file_stays_there(tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    own.write_bytes(b"a note to myself\n{broken \xff")
    add(own, read_notes(json.dumps(NOTES[0]).encode()).corpus)
    assert own.read_bytes().startswith(b"a note to myself\n{broken \xff\n{")
    corpus = open_reviews(str(own))
    assert corpus is not None
    assert [p.id for p in corpus.papers] == ["p1"]


def test_faults_are_told_with_their_lines(tmp_path: Path, kept: Path) -> None:
    dump = tmp_path / "dump.jsonl"
    dump.write_text(f"{{\n{json.dumps(NOTES[0])}\n\x1b[31m\n")
    output = run("import", str(dump)).output
    assert f"warning: {dump}:1: it is no JSON\n" in output
    assert f"warning: {dump}:3: it is no JSON\n" in output
    assert kept.exists()


def test_many_faults_are_counted(tmp_path: Path, kept: Path) -> None:
    output = run("import", written(tmp_path, *([7] * 30), NOTES[0])).output
    assert output.count("warning") == 21
    assert "10 more faults" in output


def test_a_file_that_holds_nothing_is_no_conclusion(tmp_path: Path, kept: Path) -> None:
    result = run("import", written(tmp_path, {"id": "x"}))
    assert result.exit_code == 3
    assert not kept.exists()
    assert run("import", str(tmp_path / "none")).exit_code == 2


def test_the_file_may_be_named_by_flag_or_variable(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump, own = written(tmp_path, *NOTES), tmp_path / "new" / "own.jsonl"
    assert run("import", dump, "--reviews", str(own)).exit_code == 0
    assert own.exists()
    assert not kept.exists()
    monkeypatch.setenv("REVISER_REVIEWS", str(own))
    assert "2 papers and 2 reviews in" in run("list").output


def test_nothing_kept_is_no_corpus_but_a_named_file_must_be_there(
    tmp_path: Path, kept: Path
) -> None:
    assert open_reviews(None) is None
    assert run("list").output.startswith("No reviews are kept yet")
    with pytest.raises(UsageError, match="there is no file"):
        open_reviews(str(tmp_path / "none.jsonl"))


def test_the_data_folder_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert reviews_file(None) == Path.home() / ".local/share/reviser/reviews.jsonl"


def test_a_paper_cannot_name_the_file() -> None:
    """What tells a reviewer where to look is never taken from a pull request."""
    with pytest.raises(SettingsError, match="reviews"):
        read_settings(Memory({"reviser.toml": b'reviews = "reviews.jsonl"\n'}))


def test_list_shows_each_paper_and_what_hangs_loose(tmp_path: Path, kept: Path) -> None:
    evil = paper("p3", title="Red \x1b[31m\u202e kites", reviews=[review("r9", "lost")])
    run("import", written(tmp_path, *NOTES, evil))
    assert run("list").output.splitlines() == [
        " 2 reviews  p1  Kites",
        " 0 reviews  p2  Boats",
        " 0 reviews  p3  Red [31m kites",
        f"3 papers and 3 reviews in {kept}.",
        "1 review of papers that are not there: nothing is like them.",
    ]


def test_what_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    corpus = read_notes(json.dumps(NOTES[0]).encode()).corpus
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "folder", tmp_path / "file" / "reviews.jsonl"):
        with pytest.raises(UsageError):
            add(path, corpus)


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reviser.app.reviews.LARGEST", 100)
    (tmp_path / "large").write_bytes(b"x" * 101)
    with pytest.raises(UsageError, match="cannot be read"):
        read_file(tmp_path / "large")
    with pytest.raises(UsageError, match="more than 100 bytes"):
        add(tmp_path / "new", read_notes(json.dumps(NOTES[0]).encode()).corpus)
    assert not (tmp_path / "new").exists()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)


@pytest.mark.usefixtures("hurried")
def test_fetch_puts_a_venue_into_the_file(kept: Path) -> None:
    with OpenReview([note for note in NOTES if "details" in note]) as server:
        result = run("fetch", "--venue", VENUE, "--openreview", server.base_url)
        assert result.output == (
            "OpenReview: 2 papers and 1 review added, 0 changed, 0 known, 1 other note passed "
            f"over.\n2 papers and 1 review in {kept}.\n"
        )
        result = run("fetch", "--forum", "p1", "--openreview", server.base_url)
        assert "0 papers and 0 reviews added, 0 changed, 2 known" in result.output


@pytest.mark.usefixtures("hurried")
def test_what_came_before_a_fault_is_kept(kept: Path) -> None:
    papers = [paper(f"p{n}", reviews=[review(f"r{n}", f"p{n}")]) for n in range(30)]
    with OpenReview(papers, [None, Fault(404)]) as server:
        result = run("fetch", "--venue", VENUE, "--openreview", server.base_url)
    assert "25 papers and 25 reviews added" in result.output
    assert "refused: 404" in result.output
    assert result.exit_code == 3


def test_fetch_wants_to_know_what(kept: Path) -> None:
    assert run("fetch").exit_code == 2
    with OpenReview([]) as server:
        result = run("fetch", "--venue", VENUE, "--openreview", server.base_url)
    assert result.exit_code == 3
    assert not kept.exists()
