"""Laws of the lockfile: what is written is read, in one order, and no bytes break the reader."""

from hypothesis import given
from hypothesis import strategies as st

from reviser.verify.lock import (
    HEADER,
    CandidateLine,
    Line,
    NoticeLine,
    PaperLine,
    QuoteLine,
    SearchLine,
    TogetherLine,
    VerdictLine,
    WorkLine,
    plain,
    read,
    write,
    written,
)
from reviser.verify.model import Label

words = st.text(max_size=40).map(lambda text: plain(text, 300))
names = words.map(lambda text: text or "key")
shas = st.text("0123456789abcdef", min_size=64, max_size=64)
scores = st.none() | st.floats(-9, 9).map(lambda score: round(score, 4))
quotes = st.builds(QuoteLine, words=names, where=words, start=st.integers(0, 99))
papers = st.builds(
    PaperLine,
    source=words,
    id=words,
    title=words,
    authors=st.lists(st.tuples(words, words), max_size=3).map(tuple),
    year=st.none() | st.integers(0, 9_999),
    notice=st.none() | st.builds(NoticeLine, kind=words),
    venue=words,
)
work_lines = st.builds(
    WorkLine, work=names, title=words, abstract=shas | st.just(""), paper=st.none() | papers
)
verdict_lines = st.builds(
    VerdictLine,
    claim=shas,
    key=names,
    label=st.sampled_from([label for label in Label if label is not Label.UNCHECKED]),
    score=scores,
    check=words,
    topic=words,
    read=st.sampled_from(["abstract", "full text"]),
    text=shas,
    why=words,
    leads=st.lists(st.tuples(words, words), max_size=2).map(tuple),
    quote=quotes,
)
candidates = st.builds(CandidateLine, key=names, rank=st.floats(-9, 9), why=words, quote=quotes)
search_lines = st.builds(
    SearchLine,
    search=shas,
    key=names,
    limits=words,
    topic=words,
    windows=st.lists(st.lists(names, max_size=2).map(tuple), max_size=3).map(tuple),
    shown=st.lists(candidates, max_size=2).map(tuple),
    chosen=st.none() | candidates,
)
together_lines = st.builds(
    TogetherLine,
    together=shas,
    keys=st.lists(names, min_size=1, max_size=3).map(tuple),
    topic=words,
    verifier=words,
    text=shas,
    entailed=st.booleans(),
)
lines = work_lines | verdict_lines | search_lines | together_lines


def mark(line: Line) -> tuple[str, ...]:
    return (line.KIND, *line.id)


locks = st.lists(lines, max_size=12, unique_by=mark)


@given(locks)
def test_what_is_written_is_read_again(known: list[Line]) -> None:
    found = read(write(known))
    assert not found.damage
    assert {mark(line): line for line in found.lines} == {mark(line): line for line in known}


@given(locks, st.randoms(use_true_random=False))
def test_the_order_of_the_lines_means_nothing(known: list[Line], chance: object) -> None:
    mixed = list(known)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert write(mixed) == write(known)
    shuffled = write(known).decode().splitlines(keepends=True)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert write(read("".join(shuffled).encode()).lines) == write(known)


@given(locks)
def test_each_line_is_one_line_and_stands_for_itself(known: list[Line]) -> None:
    head, *rows = write(known).decode().removesuffix("\n").split("\n")
    assert head == HEADER
    assert sorted(rows) == sorted(written(line) for line in known)
    for row in rows:
        assert len(read(row.encode()).lines) == 1


@given(locks, locks)
def test_the_union_of_two_files_holds_what_they_agree_on(
    ours: list[Line], theirs: list[Line]
) -> None:
    both = {mark(line): line for line in (*ours, *theirs)}
    disputed = {mark(a) for a in ours for b in theirs if mark(a) == mark(b) and a != b}
    found = read(write(ours) + write(theirs))
    assert {mark(line): line for line in found.lines} == {
        name: line for name, line in both.items() if name not in disputed
    }
    assert bool(found.damage) == bool(disputed)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    assert not read(data).lines or read(data)


@given(locks, st.data())
def test_a_damaged_line_costs_no_other(known: list[Line], data: st.DataObject) -> None:
    rows = write(known).decode().split("\n")
    struck = data.draw(st.integers(0, len(rows) - 1))
    rows[struck] = data.draw(st.text(max_size=60)).replace("\n", " ")
    found = read("\n".join(rows).encode("utf-8", "surrogatepass"))
    if found.conflict:
        return
    left = {row for number, row in enumerate(rows) if number != struck}
    for line in known:
        if written(line) in left:
            assert line in found.lines
