from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_edits import diff, sources
from small_pulls import HEAD, mended, noted, plan, pull, thread

from reviser.deliver import decide as deciding
from reviser.deliver.decide import Decision, decide, too_big, without
from reviser.deliver.ledger import Ledger, Status, digest, point_of
from reviser.deliver.plan import Noted, Origin
from reviser.deliver.reconcile import reconcile
from reviser.deliver.state import decode, encode
from reviser.deliver.story import Wishes
from reviser.findings import Severity
from reviser.text.patch import FilePatch

WORDS = [f"fault{n}" for n in range(12)]
TEXT = "\n\n".join(f"Here is {word} in its line." for word in WORDS) + "\n"
FILES = sources(main=TEXT)
ALL_NEW = diff("main.tex", "", TEXT)


def decided(what, *, patches=ALL_NEW, ledger=Ledger(), threads=(), files=FILES, **wishes):  # noqa: B008
    return decide(what, files, patches, ledger, pull(*threads), Wishes(**wishes))


def fault(number, **named):
    return noted(FILES, f"fault{number} ", **named)


def with_edits(*findings):
    return plan(*findings, verdicts=[mended(FILES, one, "right ") for one in findings])


def told(decision):
    """The points that new comments speak of, comment by comment."""
    return [comment.points for comment in decision.comments]


def reasons(decision):
    return [one.why for one in decision.elsewhere]


def test_an_edit_in_the_diff_becomes_a_suggestion():
    one = fault(1)
    decision = decided(with_edits(one))
    assert told(decision) == [(one.finding.fingerprint,)]
    assert [s.new for s in decision.suggested] == [("Here is right in its line.",)]
    assert decision.elsewhere == ()
    (point,) = decision.ledger.points
    assert (point.status, point.inline) == (Status.SUGGESTED, True)
    assert point.new == digest(["Here is right in its line."])
    assert decision.ledger.reviewed == (HEAD,)


def test_a_finding_without_an_edit_is_a_comment_and_a_note_is_not():
    one, two = fault(1, severity=Severity.WARNING), fault(2, severity=Severity.NOTE)
    decision = decided(plan(one, two))
    assert told(decision) == [(one.finding.fingerprint,)]
    assert [(p.status, p.inline) for p in decision.ledger.points] == [
        (Status.RAISED, True),
        (Status.RAISED, False),
    ]


def test_the_worst_come_first_and_the_others_wait():
    errors = [fault(n) for n in (5, 6)]
    notes = [fault(n, severity=Severity.NOTE) for n in (1, 2)]
    decision = decided(with_edits(*notes, *errors), inline=3)
    assert sorted(told(decision)) == sorted(
        (one.finding.fingerprint,) for one in (*errors, notes[0])
    )
    assert reasons(decision) == [deciding.LIMITED]
    assert [p.status for p in decision.ledger.points].count(Status.SUGGESTED) == 3
    assert decision.ledger.by_id[notes[1].finding.fingerprint].new


def test_among_equals_suggestions_come_first():
    bare, mending = fault(1), fault(8)
    what = plan(bare, mending, verdicts=[mended(FILES, mending, "right ")])
    assert told(decided(what, inline=1)) == [(mending.finding.fingerprint,)]


def test_what_waited_is_not_put_into_the_diff_later():
    faults = [fault(n) for n in range(4)]
    first = decided(with_edits(*faults), inline=2)
    rest = plan(*faults[2:], verdicts=[mended(FILES, one, "right ") for one in faults[2:]])
    ledger = reconcile(first.ledger, rest, FILES, pull(), lambda _: False).ledger
    second = decided(rest, ledger=ledger)
    assert second.comments == ()
    assert reasons(second) == [deciding.TOLD, deciding.TOLD]


def test_a_run_without_change_has_nothing_more_to_say():
    faults = [fault(n) for n in range(8)]
    what = with_edits(*faults)
    first = decided(what)
    threads = [
        thread(*c.points, number=n, new=first.ledger.by_id[c.points[0]].new)
        for n, c in enumerate(first.comments, 1)
    ]
    kept = decode(encode(first.ledger))
    done = reconcile(kept, what, FILES, pull(*threads), lambda _: False)
    assert done.retire == ()
    second = decided(what, ledger=done.ledger, threads=threads)
    assert second.comments == ()
    assert second.ledger == first.ledger
    assert len(second.elsewhere) == 3


def test_what_the_change_did_not_bring_is_never_in_the_diff():
    one = fault(1, origin=Origin.BEFORE)
    decision = decided(with_edits(one))
    assert decision.comments == ()
    assert reasons(decision) == [deciding.BEFORE]
    assert decision.ledger.points == ()


def test_lines_outside_the_diff_are_told_elsewhere():
    small = diff("main.tex", TEXT.replace("fault1 ", "x "), TEXT)
    near, far = fault(2), fault(9)
    assert told(decided(plan(near, far), patches=small)) == [(near.finding.fingerprint,)]
    decision = decided(with_edits(far), patches=small)
    assert decision.comments == ()
    assert len(decision.elsewhere) == 1
    assert far.finding.fingerprint in decision.ledger.by_id


def test_a_finding_whose_edit_cannot_be_suggested_is_told_in_the_diff():
    files = sources(main=TEXT.replace("\n", "\r\n"))
    one = noted(files, "fault1 ")
    what = plan(one, verdicts=[mended(files, one, "right ")])
    decision = decided(what, files=files, patches=diff("main.tex", "", files["main.tex"].text))
    assert told(decision) == [(one.finding.fingerprint,)]
    assert decision.suggested == ()
    assert len(decision.elsewhere) == 1
    (comment,) = decision.comments
    assert f"`/reviser apply {one.finding.fingerprint[:8]}` commits it" in comment.body


def test_findings_on_one_line_share_a_comment():
    text = TEXT.replace("fault1 ", "fault1 and fault2 and ", 1)
    files = sources(main=text)
    one = noted(files, "fault1 ", severity=Severity.WARNING)
    two = noted(files, "fault2 ")
    decision = decided(plan(one, two), files=files, patches=diff("main.tex", "", text))
    (comment,) = decision.comments
    assert comment.points == (two.finding.fingerprint, one.finding.fingerprint)
    assert comment.body.index("fault2 is wrong") < comment.body.index("fault1 is wrong")
    for said in (one, two):
        assert said.finding.fingerprint[:8] in comment.body
    assert [p.inline for p in decision.ledger.points] == [True, True]


def test_the_text_comes_before_the_bibliography():
    files = {p: replace(FILES["main.tex"], path=p) for p in ("a.bib", "b.bib", "main.tex")}
    said = []
    for path in files:
        one = fault(1).finding
        place = replace(one.place, path=path)
        said.append(Noted(replace(one, place=place, fingerprint=f"{len(said)}" * 12), Origin.HERE))
    patches = [p for path in files for p in diff(path, "", TEXT)]
    decision = decided(plan(*said), files=files, patches=patches, inline=2)
    assert {comment.path for comment in decision.comments} == {"main.tex", "a.bib"}


@pytest.mark.parametrize("mode", ["commit", "follow-up-pr", "patch"])
def test_other_modes_suggest_nothing_and_still_comment(mode):
    mending, bare = fault(1), fault(2)
    what = plan(mending, bare, verdicts=[mended(FILES, mending, "right ")])
    decision = decided(what, mode=mode)
    assert told(decision) == [(bare.finding.fingerprint,)]
    assert decision.suggested == ()
    assert [one.verdict for one in decision.elsewhere] == list(what.accepted)


@pytest.mark.parametrize("status", [Status.DISMISSED, Status.ACCEPTED])
def test_what_is_settled_does_not_come_back(status):
    one, two = fault(1), fault(2)
    ledger = Ledger(tuple(point_of(n, "", status) for n in (one, two)))
    decision = decided(plan(one, two, verdicts=[mended(FILES, one, "right ")]), ledger=ledger)
    assert decision.comments == ()
    assert reasons(decision) == ([] if status is Status.DISMISSED else [deciding.CAME_BACK])
    assert [p.status for p in decision.ledger.points] == [status, status]


def test_the_same_new_lines_under_another_name_are_the_same_point():
    one, other = fault(1), fault(1, rule="bib-year")
    mark = digest(["Here is right in its line."])
    earlier = replace(point_of(other, "", Status.DISMISSED), new=mark, new_lines=1, who="bob")
    decision = decided(with_edits(one), ledger=Ledger((earlier,)))
    assert decision.comments == ()
    assert decision.ledger.by_id[one.finding.fingerprint].status is Status.DISMISSED
    stale = Ledger((replace(earlier, status=Status.STALE),))
    assert reasons(decided(with_edits(one), ledger=stale)) == [deciding.TOLD]


def test_a_suggestion_that_is_outdated_is_told_elsewhere():
    one = fault(1)
    point = replace(
        point_of(one, "", Status.SUGGESTED), inline=True, new=digest(["x"]), new_lines=1
    )
    old = thread(point.id, new=point.new, outdated=True)
    decision = decided(with_edits(one), ledger=Ledger((point,)), threads=[old])
    assert decision.comments == ()
    assert reasons(decision) == [deciding.OUTDATED]


def test_a_suggestion_that_shares_lines_with_a_dismissed_one_is_not_posted():
    one, two = fault(1), noted(FILES, "Here is fault1")
    mending = mended(FILES, one, "right ")
    other = mended(FILES, noted(FILES, "its line.\n\nHere is fault2"), "x\n\ny")
    other = replace(other, edit=replace(other.edit, answers=(two.finding.fingerprint,)))
    what = plan(one, two, verdicts=[mending, other])
    ledger = Ledger((point_of(one, "", Status.DISMISSED),))
    decision = decided(what, ledger=ledger)
    assert decision.suggested == ()
    assert [(e.verdict, e.why) for e in decision.elsewhere] == [(other, deciding.SHARED)]


@pytest.mark.parametrize("inline", [0, -3])
def test_no_comments_are_no_comments(inline):
    one = fault(1)
    decision = decided(with_edits(one), inline=inline)
    assert decision.comments == ()
    assert reasons(decision) == [deciding.LIMITED]


def test_a_review_holds_no_more_than_github_takes():
    text = "\n\n".join(f"Here is flaw{n:03} too." for n in range(50)) + "\n"
    files = sources(main=text)
    many = [noted(files, f"flaw{n:03}") for n in range(50)]
    decision = decided(plan(*many), files=files, patches=diff("main.tex", "", text), inline=99)
    assert len(decision.comments) == 30


def test_a_huge_pull_request_gets_no_comments_and_says_so():
    many = [*ALL_NEW, *(FilePatch(f"{n}.png", f"{n}.png", "added") for n in range(300))]
    decision = decided(with_edits(fault(1)), patches=many)
    assert decision.comments == ()
    assert reasons(decision) == [deciding.TOO_BIG]
    assert "300 files" in decision.notes[0]
    long = "x\n" * 20_001
    assert too_big(diff("a.tex", "", long))
    assert not too_big(diff("a.tex", long, f"{long}y\n"))


def test_a_damaged_ledger_is_told():
    assert decided(plan(), ledger=Ledger(damaged=True)).notes


def test_what_github_does_not_take_is_told_elsewhere():
    one, two = fault(1), fault(2)
    decision = decided(plan(one, two, verdicts=[mended(FILES, one, "right ")]))
    left = without(decision, {one.finding.fingerprint})
    assert told(left) == [(two.finding.fingerprint,)]
    assert reasons(left) == [deciding.REFUSED]
    assert left.suggested == ()
    point = left.ledger.by_id[one.finding.fingerprint]
    assert (point.status, point.inline) == (Status.RAISED, False)
    assert left.ledger.by_id[two.finding.fingerprint].inline
    assert without(decision, ()) == decision


def no_overlap(decision):
    for one in decision.comments:
        for other in decision.comments:
            apart = one.path != other.path or one.last < other.first or other.last < one.first
            assert one is other or apart


faults = st.lists(
    st.tuples(
        st.sampled_from(Severity),
        st.sampled_from(Origin),
        st.booleans(),  # with an edit
        st.sampled_from([None, *Status]),  # known before, and how
        st.booleans(),  # in the diff before
    ),
    min_size=1,
    max_size=len(WORDS),
)


@settings(max_examples=150, deadline=None)
@given(faults, st.integers(0, 8), st.sampled_from(["suggest", "commit", "patch"]), st.booleans())
def test_nothing_is_lost_and_nothing_is_said_twice(given_faults, inline, mode, whole):
    patches = ALL_NEW if whole else diff("main.tex", TEXT.replace("fault4 ", "x "), TEXT)
    findings, verdicts, points, threads = [], [], [], []
    for number, (severity, origin, edited, status, in_diff) in enumerate(given_faults):
        one = fault(number, severity=severity, origin=origin)
        findings.append(one)
        if edited:
            verdicts.append(mended(FILES, one, "right "))
        if status is not None:
            point = replace(point_of(one, "", status), inline=in_diff)
            new = digest(["Here is right in its line."]) if edited else ""
            points.append(replace(point, new=new, new_lines=len(new[:1])))
            if in_diff:
                threads.append(thread(point.id, number=number + 1, new=new))
    what = plan(*findings, verdicts=verdicts)
    decision = decided(
        what,
        patches=patches,
        ledger=Ledger(tuple(points)),
        threads=threads,
        inline=inline,
        mode=mode,
    )
    check_law(what, decision, Ledger(tuple(points)), inline)


def check_law(what, decision: Decision, before: Ledger, inline):
    assert len(decision.comments) <= inline
    no_overlap(decision)
    told_now = [p for comment in decision.comments for p in comment.points]
    assert len(told_now) == len(set(told_now))
    elsewhere = [one.verdict.edit.id for one in decision.elsewhere]
    assert len(elsewhere) == len(set(elsewhere))
    for one in what.findings:
        name = one.finding.fingerprint
        known = before.by_id.get(name)
        if known is not None:
            assert name not in told_now  # neither twice, nor promoted, nor back
        if not one.introduced:
            assert name not in told_now
        if one.introduced:
            assert name in decision.ledger.by_id
    for verdict in what.accepted:
        (name,) = verdict.edit.answers
        known = before.by_id.get(name)
        suggested = any(verdict in s.verdicts for s in decision.suggested)
        dismissed = known is not None and known.status is Status.DISMISSED
        stands = known is not None and known.inline
        places = [suggested, verdict.edit.id in elsewhere]
        assert sum(places) <= 1
        assert sum(places) == 1 or dismissed or stands
        assert not (dismissed and any(places))
