from small_paper import evidence, prune, put, reading, swap

from reviser.manuscript.model import Manuscript
from reviser.revise.gate import Gate
from reviser.revise.loop import rebased, revise
from reviser.revise.verdict import Layer, Outcome
from reviser.text.edit import Allowed, apply
from reviser.text.source import Source, Span
from reviser.verify.model import Label

BODY = "Words are many~\\cite{a,b,c}. Letters are few~\\cite{d, e}.\n\nThe the end."
PAPER = reading(BODY)
OFF = evidence(dict.fromkeys("bcd", Label.OFF_TOPIC), dict.fromkeys("bcd", 0.1))


def outcomes(revision) -> list[Outcome]:
    return [verdict.outcome for verdict in revision.verdicts]


def test_later_edits_follow_the_text_that_earlier_ones_moved() -> None:
    paper = PAPER.manuscript
    edits = [prune(paper, 0, "b"), swap(paper, 1, "d", "f"), prune(paper, 0, "c")]
    revision = revise(paper, edits, Gate(PAPER.reread, supports=OFF))
    assert outcomes(revision) == [Outcome.ACCEPTED] * 3
    assert "\\cite{a}. Letters are few~\\cite{f, e}." in revision.after["main.tex"].text
    assert revision.after == apply(paper.sources, [v.edit for v in revision.verdicts])
    assert list(revision.after) == ["main.tex"]
    assert [v.edit for v in revision.verdicts] == edits, "positions are those they were made for"


def test_the_last_good_key_is_never_pruned_by_a_second_edit() -> None:
    # Each edit alone would leave a key; certified one after the other, the second may not go.
    paper = reading("Words are many~\\cite{a,b}.")
    accused = evidence({"a": Label.OFF_TOPIC, "b": Label.OFF_TOPIC})
    edits = [prune(paper.manuscript, 0, "a"), prune(paper.manuscript, 0, "b")]
    revision = revise(paper.manuscript, edits, Gate(paper.reread, supports=accused))
    assert Outcome.ACCEPTED not in outcomes(revision)
    assert revision.after == {}


def test_two_edits_of_the_same_text_leave_the_second_stale() -> None:
    paper = PAPER.manuscript
    edits = [swap(paper, 1, "d", "f"), swap(paper, 1, "d", "a")]
    revision = revise(paper, edits, Gate(PAPER.reread, supports=OFF))
    assert outcomes(revision) == [Outcome.ACCEPTED, Outcome.REJECTED]
    assert revision.verdicts[1].layer is Layer.STALE
    assert "accepted edit" in revision.verdicts[1].reasons[0]


def test_a_refused_edit_changes_nothing_and_is_kept() -> None:
    paper = PAPER.manuscript
    bad = put(paper, "many", "few")
    revision = revise(paper, [bad, prune(paper, 0, "b")], Gate(PAPER.reread, supports=OFF))
    assert outcomes(revision) == [Outcome.REJECTED, Outcome.ACCEPTED]
    assert revision.verdicts[0].edit is bad
    assert revision.after["main.tex"].text == paper.sources["main.tex"].text.replace(",b", "")


def test_nothing_accepted_means_no_file_changed() -> None:
    revision = revise(PAPER.manuscript, [], Gate(PAPER.reread))
    assert revision.after == {}
    assert revision.verdicts == ()


def test_evidence_is_asked_once_for_each_state_of_the_paper() -> None:
    asked: list[Manuscript] = []

    def counting(paper: Manuscript):
        asked.append(paper)
        return OFF(paper)

    paper = PAPER.manuscript
    edits = [prune(paper, 0, "b"), put(paper, "many", "few"), prune(paper, 0, "c")]
    revise(paper, edits, Gate(PAPER.reread, supports=counting))
    assert len(asked) == 3, "before, after the first, after the third"


def test_progress_is_told() -> None:
    steps: list[tuple[str, int, int]] = []

    class Told:
        def step(self, what: str, done: int, total: int) -> None:
            steps.append((what, done, total))

    paper = PAPER.manuscript
    revise(paper, [prune(paper, 0, "b")] * 2, Gate(PAPER.reread), progress=Told())
    assert [(done, total) for _, done, total in steps] == [(0, 2), (1, 2)]


def test_an_edit_that_is_not_what_it_says_at_once_is_not_accepted() -> None:
    def lying(changed: dict[str, Source]) -> Manuscript:
        told = PAPER.reread(changed)
        return PAPER.reread({**told.sources, "refs.bib": Source("refs.bib", "")})

    revision = revise(PAPER.manuscript, [prune(PAPER.manuscript, 0, "b")], Gate(lying))
    assert revision.verdicts[0].outcome is Outcome.REJECTED
    assert "changes_nothing_elsewhere" in revision.verdicts[0].reasons[0]


def test_allowances_move_with_their_text() -> None:
    paper = PAPER.manuscript
    later = swap(paper, 1, "d", "f")
    moved = rebased(later, [prune(paper, 0, "b")])
    assert moved.replacements[0].at.span.start == later.replacements[0].at.span.start - 2
    assert moved.allows[0].at == moved.replacements[0].at
    wide = Allowed("words", paper.citations[0].at, "x", "y")
    grown = rebased(prune(paper, 0, "c"), [prune(paper, 0, "b")])
    assert grown.allows[0].at.span.start == paper.citations[0].keys[2].at.span.start - 2
    around = rebased(put(paper, "The the", "The", allows=[wide]), [prune(paper, 0, "b")])
    span = wide.at.span
    assert around.allows[0].at.span == Span(span.start, span.stop - 2)
