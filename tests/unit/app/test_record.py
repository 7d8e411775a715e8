import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reviser.app import own_folder, record
from reviser.app.record import ChangedSince, CorruptRecord, apply_revision, read_record, runs, undo
from reviser.errors import StaleEdit, UsageError
from reviser.revise.verdict import Layer, Outcome, Revision, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Source, Span

WHEN = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
CRLF = b"\\section{One}\r\n\r\nFirst.\r\n\r\nWe cite~\\cite{a,b}.\r\nNo end"
LATIN = b"caf\xe9 \\cite{a,b}\n"


def change(path: str, data: bytes, old: str, new: str) -> tuple[Source, Edit]:
    source = Source.decode(path, data)
    start = source.text.index(old)
    place = Place(path, Span(start, start + len(old)))
    allowed = Allowed("citation key", place, old, None)
    part = Replacement(place, old, new)
    return source, Edit(path, "rule", (part,), Purpose.PRUNE, "why", (allowed,), ("e",), ("f1",))


def revision(*changes: tuple[Source, Edit]) -> Revision:
    before = {source.path: source for source, _ in changes}
    edits = [edit for _, edit in changes]
    verdicts = [Verdict(e, Outcome.ACCEPTED, Layer.EVIDENCE, ("good",)) for e in edits]
    return Revision(before, apply(before, edits), tuple(verdicts))


@pytest.fixture
def paper(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "sec").mkdir()
    (tmp_path / "main.tex").write_bytes(CRLF)
    (tmp_path / "sec" / "one.tex").write_bytes(LATIN)
    yield tmp_path
    assert not list(tmp_path.rglob(".reviser-*")), "temporary files stay behind"


def both() -> Revision:
    return revision(change("main.tex", CRLF, ",b", ""), change("sec/one.tex", LATIN, "a,b", "a"))


def test_applies_and_takes_back_every_byte(paper: Path) -> None:
    name = apply_revision(paper, both(), when=WHEN, findings=["f1"], figures={"on topic": 0.5})
    assert (paper / "main.tex").read_bytes() == CRLF.replace(b",b", b"")
    assert (paper / "sec/one.tex").read_bytes() == LATIN.replace(b",b", b"")
    kept = read_record(paper, name)
    assert kept["state"] == "applied"
    assert kept["findings"] == ["f1"]
    assert kept["figures"] == {"on topic": 0.5}
    assert kept["edits"][0]["outcome"] == "accepted"
    done = undo(paper)
    assert done.restored == ("main.tex", "sec/one.tex")
    assert (paper / "main.tex").read_bytes() == CRLF
    assert (paper / "sec/one.tex").read_bytes() == LATIN
    with pytest.raises(UsageError, match="no run to undo"):
        undo(paper)


def test_no_word_of_the_paper_leaves_the_folder_and_git_ignores_it(paper: Path) -> None:
    before = {p for p in paper.rglob("*") if p.is_file()}
    apply_revision(paper, both(), when=WHEN)
    new = {p for p in paper.rglob("*") if p.is_file()} - before
    assert new
    assert all(p.relative_to(paper).parts[0] == ".reviser" for p in new)
    assert (paper / ".reviser/.gitignore").read_text() == "*\n"
    git(paper, "init", "-q")
    assert ".reviser" not in git(paper, "status", "--porcelain", "--untracked-files=all")


def test_runs_are_undone_from_the_last_to_the_first(paper: Path) -> None:
    first = revision(change("main.tex", CRLF, ",b", ""))
    apply_revision(paper, first, when=WHEN)
    middle = (paper / "main.tex").read_bytes()
    second = revision(change("main.tex", middle, "One", "Two"))
    # The second clock runs behind: the running number keeps the order.
    apply_revision(paper, second, when=WHEN - timedelta(days=1))
    assert len(runs(paper)) == 2
    undo(paper)
    assert (paper / "main.tex").read_bytes() == middle
    undo(paper)
    assert (paper / "main.tex").read_bytes() == CRLF


def test_a_run_that_changed_nothing_is_kept_but_never_undone(paper: Path) -> None:
    apply_revision(paper, revision(change("main.tex", CRLF, ",b", "")), when=WHEN)
    nothing = replace(both(), after={})
    apply_revision(paper, nothing, when=WHEN + timedelta(hours=1))
    assert len(runs(paper)) == 2
    assert undo(paper).restored == ("main.tex",)


def git(folder: Path, *arguments: str, data: bytes = b"") -> str:
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", *arguments],
        cwd=folder,
        input=data,
        capture_output=True,
        check=True,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(folder)},
    )
    return done.stdout.decode()


def test_an_edit_since_refuses_the_whole_and_offers_a_patch_git_takes(paper: Path) -> None:
    apply_revision(paper, both(), when=WHEN)
    edited = b"\\title{New}\n" + (paper / "main.tex").read_bytes()
    (paper / "main.tex").write_bytes(edited)
    with pytest.raises(ChangedSince) as caught:
        undo(paper)
    assert caught.value.paths == ("main.tex",)
    assert (paper / "main.tex").read_bytes() == edited
    assert (paper / "sec/one.tex").read_bytes() == LATIN.replace(b",b", b""), "whole or not at all"
    git(paper, "init", "-q")
    git(paper, "apply", "--whitespace=nowarn", "-", data=caught.value.patch())
    assert (paper / "main.tex").read_bytes() == b"\\title{New}\n" + CRLF
    assert (paper / "sec/one.tex").read_bytes() == LATIN


def test_the_reverse_patch_applies_beside_later_edits_and_leaves_out_what_was_edited_over(
    paper: Path,
) -> None:
    apply_revision(paper, both(), when=WHEN)
    # The line next to the run's change in one file, the changed line itself in the other.
    later = (paper / "main.tex").read_bytes().replace(b"No end", b"The end\r\n")
    (paper / "main.tex").write_bytes(later)
    (paper / "sec/one.tex").write_bytes(b"tea \\cite{a}\n")
    with pytest.raises(ChangedSince) as caught:
        undo(paper)
    assert caught.value.missed == 1
    assert "1 of the run's changes" in caught.value.hint
    assert "--patch" in caught.value.hint
    git(paper, "init", "-q")
    git(paper, "apply", "--whitespace=nowarn", "-", data=caught.value.patch())
    assert (paper / "main.tex").read_bytes() == CRLF.replace(b"No end", b"The end\r\n")
    assert (paper / "sec/one.tex").read_bytes() == b"tea \\cite{a}\n"


def test_with_nothing_left_to_take_back_no_patch_is_promised(paper: Path) -> None:
    apply_revision(paper, both(), when=WHEN)
    (paper / "main.tex").unlink()
    (paper / "sec/one.tex").write_bytes(b"all new\n")
    with pytest.raises(ChangedSince) as caught:
        undo(paper)
    assert (caught.value.patch(), caught.value.missed) == (b"", 2)
    assert "--patch" not in caught.value.hint


def test_one_run_writes_at_a_time(paper: Path) -> None:
    apply_revision(paper, both(), when=WHEN)
    with (
        own_folder.alone(paper),
        pytest.raises(UsageError, match="another reviser is writing"),
    ):
        undo(paper)
    assert undo(paper).restored == ("main.tex", "sec/one.tex")


def test_a_removed_file_counts_as_edited(paper: Path) -> None:
    apply_revision(paper, both(), when=WHEN)
    (paper / "main.tex").unlink()
    with pytest.raises(ChangedSince):
        undo(paper)


def test_a_file_already_back_is_left_alone(paper: Path) -> None:
    apply_revision(paper, both(), when=WHEN)
    (paper / "main.tex").write_bytes(CRLF)
    done = undo(paper)
    assert done.restored == ("sec/one.tex",)
    assert done.untouched == ("main.tex",)


def test_a_file_changed_before_writing_leaves_no_trace(paper: Path) -> None:
    (paper / "sec/one.tex").write_bytes(b"something else\n")
    with pytest.raises(StaleEdit):
        apply_revision(paper, both(), when=WHEN)
    assert (paper / "main.tex").read_bytes() == CRLF
    assert runs(paper) == ()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda text: text[:40], "not JSON"),
        (lambda text: "[]", "not an object"),
        (lambda text: text.replace("reviser.run/1", "reviser.run/9"), "schema"),
        (lambda text: text.replace("main.tex", "../outside.tex"), "not a file of the paper"),
        (lambda text: text.replace("main.tex", ".git/config"), "not a file of the paper"),
        (lambda text: text.replace('"files"', '"fields"'), "list of files"),
        (lambda text: text.replace('"applied"', '"eaten"'), "state"),
        (lambda text: "[" * 200_000, "not JSON"),
    ],
)
def test_a_damaged_record_is_said_plainly(paper: Path, damage, says: str) -> None:
    name = apply_revision(paper, both(), when=WHEN)
    where = paper / ".reviser/runs" / name / "record.json"
    where.write_text(damage(where.read_text()))
    with pytest.raises(CorruptRecord, match=says):
        undo(paper)
    assert (paper / "main.tex").read_bytes() != CRLF


def test_a_run_killed_while_it_wrote_can_be_undone(paper: Path) -> None:
    name = apply_revision(paper, both(), when=WHEN)
    where = paper / ".reviser/runs" / name / "record.json"
    where.write_text(where.read_text().replace('"applied"', '"pending"'))
    (paper / "main.tex").write_bytes(CRLF)  # as if this rename had not happened yet
    assert undo(paper).restored == ("sec/one.tex",)
    assert (paper / "sec/one.tex").read_bytes() == LATIN


def test_damaged_original_bytes_are_never_written_back(paper: Path) -> None:
    name = apply_revision(paper, both(), when=WHEN)
    (paper / ".reviser/runs" / name / "before/0").write_bytes(b"other")
    with pytest.raises(CorruptRecord, match="not those that were kept"):
        undo(paper)


def test_old_runs_are_forgotten_in_number_and_in_bytes(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(number: int) -> str:
        data = (paper / "main.tex").read_bytes()
        step = change("main.tex", data, "First", f"First {number}")
        return apply_revision(paper, revision(step), when=WHEN + timedelta(seconds=number))

    monkeypatch.setattr(record, "KEPT_RUNS", 3)
    names = [run(number) for number in range(5)]
    assert runs(paper) == tuple(names[-3:])
    monkeypatch.setattr(record, "KEPT_BYTES", 1)
    last = run(5)
    assert runs(paper) == (last,), "the newest stays, however large"
    undo(paper)


@pytest.mark.parametrize("what", [".reviser", ".reviser/runs"])
def test_a_link_brought_along_by_a_repository_is_refused(
    paper: Path, tmp_path_factory: pytest.TempPathFactory, what: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (paper / what).parent.mkdir(exist_ok=True)
    (paper / what).symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(UsageError, match="not a folder"):
        apply_revision(paper, both(), when=WHEN)
    with pytest.raises(UsageError, match="not a folder"):
        undo(paper)
    assert (paper / "main.tex").read_bytes() == CRLF
    assert not list(elsewhere.iterdir())


def test_a_time_without_zone_is_a_bug_of_the_caller(paper: Path) -> None:
    with pytest.raises(ValueError, match="time zone"):
        apply_revision(paper, both(), when=WHEN.replace(tzinfo=None))


def test_the_record_is_ascii_json_even_for_bytes_without_meaning(paper: Path) -> None:
    data = b"\xff\xfe \\cite{a,b}\n"
    (paper / "main.tex").write_bytes(data)
    name = apply_revision(paper, revision(change("main.tex", data, ",b", "")), when=WHEN)
    content = (paper / ".reviser/runs" / name / "record.json").read_bytes()
    assert json.loads(content.decode("ascii"))["schema"] == "reviser.run/1"
    undo(paper)
    assert (paper / "main.tex").read_bytes() == data
