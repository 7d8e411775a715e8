from dataclasses import replace

import pytest
from small_edits import sources
from small_pulls import HEAD, comment_mark, noted, plan, pull, thread

from reviser.deliver.ledger import Ledger, Point, Status, digest, dismiss, point_of
from reviser.deliver.reconcile import DELETED, DISLIKED, RESOLVED, reconcile, spoken
from reviser.verify.coverage import Coverage

OLD, NEW = "It is teh best.\n", "It is the best.\n"
BEFORE = sources(main=f"One.\n\n{OLD}\nTwo.\n")
AFTER = sources(main=f"One.\n\nMore.\n\n{NEW}\nTwo.\n")
ONE = noted(BEFORE, "teh")
ID = ONE.finding.fingerprint


def writers(*names):
    return lambda login: login in names


def nobody(login):
    raise AssertionError(f"{login} was asked about")


def suggested(**changed):
    point = point_of(ONE, "", Status.SUGGESTED)
    lines = {
        "old": digest([OLD]), "new": digest([NEW]), "old_lines": 1, "new_lines": 1, "inline": True
    }  # fmt: skip
    return replace(point, **(lines | changed))


def now(
    point, *findings, files=BEFORE, threads=None, may_write=nobody, author="ada", **plan_changes
):
    """The point after reconciling, and what is retired."""
    standing = [thread(ID, new=digest([NEW]))] if threads is None else threads
    ledger = Ledger((point,))
    done = reconcile(
        ledger, plan(*findings, **plan_changes), files, pull(*standing, author=author), may_write
    )
    (found,) = done.ledger.points
    return found, done.retire


def test_a_point_that_stands_stands():
    assert now(suggested(), ONE) == (suggested(), ())


def test_a_suggestion_is_accepted_when_its_lines_took_the_place_of_the_old():
    point, retire = now(suggested(), files=AFTER)
    assert (point.status, point.commit) == (Status.ACCEPTED, HEAD)
    assert retire == ()


def test_accepted_by_the_button_which_resolves_the_thread_is_not_dismissed():
    threads = [thread(ID, new=digest([NEW]), outdated=True, resolved_by="ada")]
    assert now(suggested(), files=AFTER, threads=threads)[0].status is Status.ACCEPTED


def test_half_of_it_is_not_accepted():
    both = sources(main=BEFORE["main.tex"].text + NEW)
    assert now(suggested(), ONE, files=both)[0].status is Status.SUGGESTED


def test_a_line_that_lives_on_within_the_new_ones_is_gone_all_the_same():
    point = suggested(old=digest(["a"]), new=digest(["a", "b"]), new_lines=2)
    assert now(point, files=sources(main="a\n"))[0].status is Status.STALE
    assert now(point, files=sources(main="a\nb\n"))[0].status is Status.ACCEPTED
    point = suggested(old=digest(["a", "b"]), new=digest(["a"]), old_lines=2)
    assert now(point, ONE, files=sources(main="a\nb\n"))[0].status is Status.SUGGESTED
    assert now(point, files=sources(main="a\nc\n"))[0].status is Status.ACCEPTED


def test_a_deletion_is_accepted_when_lines_and_finding_are_gone():
    point = suggested(new=digest([]), new_lines=0)
    assert now(point, ONE)[0].status is Status.SUGGESTED
    assert now(point, files=sources(main="x\n"))[0].status is Status.ACCEPTED
    assert now(point, ONE, files=sources(main="x\n"))[0].status is Status.SUGGESTED


def test_a_suggestion_of_spaces_only_is_not_accepted_while_its_finding_stands():
    point = suggested(new=digest([OLD]))
    assert now(point, ONE)[0].status is Status.SUGGESTED
    assert now(point)[0].status is Status.ACCEPTED


def test_a_suggestion_is_accepted_in_a_file_that_was_renamed():
    renamed = sources(intro=AFTER["main.tex"].text)
    assert now(suggested(), files=renamed)[0].status is Status.ACCEPTED


def test_a_fix_of_another_kind_makes_it_stale_and_takes_the_comment_back():
    gone = sources(main="One.\n\nTwo.\n")
    point, retire = now(suggested(), files=gone)
    assert (point.status, point.why) == (Status.STALE, "no longer found")
    assert retire == (1,)


def test_a_comment_with_an_answer_is_left():
    gone = sources(main="One.\n")
    threads = [thread(ID, replies=[("ada", False)])]
    assert now(suggested(), files=gone, threads=threads)[1] == ()
    threads = [thread(ID, replies=[("reviser", True)])]
    assert now(suggested(), files=gone, threads=threads)[1] == (100, 1)


def test_a_silenced_finding_says_why_it_is_stale():
    text = "It is teh best. % reviser: ignore[todo-in-prose] meant\n"
    assert now(suggested(), files=sources(main=text))[0].why == "silenced in the source"
    text = "It is teh best. % reviser: ignore[not-todo-in-prose] meant\n"
    assert now(suggested(), files=sources(main=text))[0].why == "no longer found"
    assert now(suggested(), files=sources(other="x\n"))[0].why == "its file is gone"


@pytest.mark.parametrize(
    ("by", "writes", "status"),
    [
        ("ada", (), Status.DISMISSED),
        ("bob", ("bob",), Status.DISMISSED),
        ("eve", ("bob",), Status.SUGGESTED),
        ("reviser", ("reviser",), Status.SUGGESTED),
    ],
)
def test_resolved_without_a_change_is_a_no_from_those_who_may(by, writes, status):
    threads = [thread(ID, new=digest([NEW]), resolved_by=by)]
    point, retire = now(suggested(), ONE, threads=threads, may_write=writers(*writes))
    assert point.status is status
    assert retire == ()
    if status is Status.DISMISSED:
        assert (point.who, point.why) == (by, RESOLVED)


def test_a_thumb_down_counts_from_those_who_may_write():
    threads = [thread(ID, new=digest([NEW]), downs=["eve", "bob"])]
    assert now(suggested(), ONE, threads=threads, may_write=writers())[0] == suggested()
    point, _ = now(suggested(), ONE, threads=threads, may_write=writers("bob"))
    assert (point.status, point.who, point.why) == (Status.DISMISSED, "bob", DISLIKED)


def test_a_deleted_comment_is_a_no():
    point, _ = now(suggested(), ONE, threads=[])
    assert (point.status, point.who, point.why) == (Status.DISMISSED, "", DELETED)
    assert now(suggested(inline=False), ONE, threads=[])[0].status is Status.RAISED


def test_a_deleted_comment_with_an_answer_left_is_a_no():
    answer = replace(thread(ID), remarks=thread(ID, replies=[("bob", False)]).remarks[1:])
    assert now(suggested(), ONE, threads=[answer])[0].status is Status.DISMISSED


def test_the_marks_of_others_say_nothing():
    gone = sources(main="One.\n")
    forged = [thread(ID, ours=False, number=n) for n in (1, 2)]
    ledger = Ledger()
    done = reconcile(ledger, plan(ONE), BEFORE, pull(*forged), nobody)
    assert done.ledger.points == ()
    done = reconcile(Ledger((suggested(),)), plan(), gone, pull(*forged), nobody)
    assert done.retire == ()


def test_a_mark_in_the_papers_text_within_a_suggestion_says_nothing():
    forged = comment_mark("f" * 12)
    standing = thread(ID, new=digest([NEW]))
    body = standing.remarks[0].body
    quoting = replace(
        standing,
        remarks=(
            replace(standing.remarks[0], body=f"```suggestion\nA {forged} line.\n```\n{body}"),
        ),
    )
    (said,) = spoken(pull(quoting), "")
    assert said.points == (ID,)


def test_another_papers_comments_are_left_alone():
    done = reconcile(Ledger(), plan(), BEFORE, pull(thread(ID, paper="other")), nobody)
    assert done.ledger.points == ()
    assert done.retire == ()


@pytest.mark.parametrize("status", [Status.DISMISSED, Status.ACCEPTED])
def test_what_is_settled_stays_settled(status):
    point = suggested(status=status, who="bob", why="meant")
    for findings in ((), (ONE,)):
        assert now(point, *findings, threads=[]) == (point, ())
        assert now(point, *findings) == (point, ())


def test_a_stale_point_that_comes_back_is_raised_in_the_summary_only():
    stale = suggested(status=Status.STALE, why="no longer found")
    point, _ = now(stale, ONE, threads=[])
    assert (point.status, point.inline, point.why) == (Status.RAISED, False, "")
    again, _ = now(point, ONE, threads=[])
    assert again.status is Status.RAISED


def test_nothing_goes_stale_where_nobody_was_asked():
    point = suggested(rule="citation-off-topic")
    assert now(point, whole=Coverage(3, 0))[0].status is Status.SUGGESTED
    assert now(point, whole=Coverage(3, 2))[0].status is Status.STALE


def test_a_reference_that_no_service_speaks_of_today_stands_while_its_entry_does():
    point = suggested(rule="reference-retracted")
    assert now(point)[0] == point
    assert now(point, files=sources(main="One.\n"))[0].status is Status.STALE


SENTENCE = "Large models predict the stability of perovskite crystals well \\cite{smith2020}."
REPHRASED = "Large neural models predict the stability of perovskite crystals \\cite{smith2020}."
OTHER = "Sea ice in the Arctic has been shrinking since satellites look \\cite{smith2020}."


def cited(text, **named):
    files = sources(main=f"{text}\n")
    return files, noted(files, text, rule="citation-off-topic", **named)


@pytest.mark.parametrize("status", [Status.DISMISSED, Status.ACCEPTED, Status.RAISED])
def test_a_rephrased_sentence_is_the_same_point(status):
    _, one = cited(SENTENCE, subject="smith2020")
    files, other = cited(REPHRASED, subject="smith2020")
    first = point_of(one, "", status)
    point, _ = now(first, other, files=files, threads=[])
    assert point.id == other.finding.fingerprint
    assert point.status is status
    assert one.finding.fingerprint in point.was


def test_a_rephrased_sentence_keeps_its_thread_and_what_is_said_there():
    _, one = cited(SENTENCE, subject="smith2020")
    files, other = cited(REPHRASED, subject="smith2020")
    first = point_of(one, "", Status.SUGGESTED)
    first = replace(first, inline=True, new=digest(["x"]), new_lines=1)
    old = thread(first.id, new=first.new, outdated=True, resolved_by="ada")
    point, retire = now(first, other, files=files, threads=[old])
    assert point.status is Status.DISMISSED
    old = thread(first.id, new=first.new, outdated=True)
    point, retire = now(first, other, files=files, threads=[old])
    assert (point.status, point.inline, retire) == (Status.RAISED, True, ())


def test_a_sentence_that_gets_its_old_words_back_is_the_same_point_still():
    before, one = cited(SENTENCE, subject="smith2020")
    after, other = cited(REPHRASED, subject="smith2020")
    point, _ = now(point_of(one, ""), other, files=after, threads=[])
    point, _ = now(point, one, files=before, threads=[])
    assert point.id == one.finding.fingerprint
    assert point.was == (other.finding.fingerprint,)


def test_another_sentence_or_another_work_is_another_point():
    _, one = cited(SENTENCE, subject="smith2020")
    for text, subject in ((OTHER, "smith2020"), (REPHRASED, "jones2021")):
        files, other = cited(text, subject=subject)
        done = reconcile(Ledger((point_of(one, ""),)), plan(other), files, pull(), nobody)
        assert [p.id for p in done.ledger.points] == [one.finding.fingerprint]
        assert done.ledger.points[0].status is Status.STALE


def test_two_sentences_do_not_become_one_point():
    _, one = cited(SENTENCE, subject="smith2020")
    files = sources(main=f"{SENTENCE}\n{REPHRASED}\n")
    both = [
        noted(files, words, rule="citation-off-topic", subject="smith2020")
        for words in (SENTENCE, REPHRASED)
    ]
    point = dismiss(Ledger(), point_of(one, ""), "bob", "meant").points[0]
    found, _ = now(point, *both, files=files, threads=[])
    assert found == point


def test_a_renamed_file_takes_its_points_along():
    _, one = cited(SENTENCE, subject="smith2020")
    files = sources(intro=f"{SENTENCE}\n")
    moved = noted(files, SENTENCE, path="intro.tex", rule="citation-off-topic", subject="smith2020")
    point, _ = now(point_of(one, ""), moved, files=files, threads=[])
    assert (point.id, point.path) == (moved.finding.fingerprint, "intro.tex")


def test_comments_that_the_ledger_does_not_know_are_taken_into_it():
    mark = digest([NEW])
    done = reconcile(Ledger(), plan(ONE), BEFORE, pull(thread(ID, new=mark)), nobody)
    (point,) = done.ledger.points
    assert (point.id, point.status, point.inline) == (ID, Status.SUGGESTED, True)
    done = reconcile(Ledger(), plan(), AFTER, pull(thread(ID, new=mark)), nobody)
    assert done.ledger.points[0].status is Status.ACCEPTED
    done = reconcile(Ledger(), plan(), BEFORE, pull(thread(ID, new=mark)), nobody)
    assert done.ledger.points[0].status is Status.STALE
    assert done.retire == (1,)


def test_a_comment_that_was_counted_as_refused_and_stands_is_known_again():
    refused = suggested(status=Status.RAISED, inline=False)
    point, _ = now(refused, ONE)
    assert (point.status, point.inline) == (Status.SUGGESTED, True)


def test_of_two_comments_on_one_point_the_older_stays():
    mark = digest([NEW])
    twice = [thread(ID, number=9, new=mark), thread(ID, number=4, new=mark)]
    point, retire = now(suggested(), ONE, threads=twice)
    assert point.status is Status.SUGGESTED
    assert retire == (9,)
    answered = [thread(ID, number=9, replies=[("bob", False)]), thread(ID, number=4)]
    assert now(suggested(), ONE, threads=answered)[1] == ()


def test_a_comment_on_two_points_stays_while_one_of_them_stands():
    other = Point("c" * 12, "r", "main.tex", Status.RAISED, inline=True)
    both = thread(ID, other.id, new=digest([NEW]))
    done = reconcile(Ledger((suggested(), other)), plan(ONE), BEFORE, pull(both), nobody)
    assert [p.status for p in done.ledger.points] == [Status.SUGGESTED, Status.STALE]
    assert done.retire == ()


def test_paths_lead_from_the_top_of_the_repository():
    point = replace(suggested(), path="paper/main.tex")
    found, _ = now(point, files=AFTER, root="paper/")
    assert found.status is Status.ACCEPTED


def test_reconciling_twice_changes_nothing_more():
    ledger = Ledger((suggested(),))
    request = pull(thread(ID, new=digest([NEW])))
    for files, findings in ((BEFORE, (ONE,)), (AFTER, ())):
        once = reconcile(ledger, plan(*findings), files, request, nobody).ledger
        assert reconcile(once, plan(*findings), files, request, nobody).ledger == once


def test_a_second_comment_that_is_resolved_is_left():
    mark = digest([NEW])
    twice = [thread(ID, number=4, new=mark), thread(ID, number=9, new=mark, resolved_by="reviser")]
    assert now(suggested(), ONE, threads=twice)[1] == ()


def test_a_stale_point_keeps_the_reason_it_was_given_first():
    stale = suggested(status=Status.STALE, why="its file is gone")
    assert now(stale, threads=[])[0] == stale


def test_a_deletion_whose_lines_nobody_remembers_is_not_called_accepted():
    done = reconcile(Ledger(), plan(), BEFORE, pull(thread(ID, new=digest(()))), nobody)
    assert done.ledger.points[0].status is Status.STALE


def test_what_a_comment_suggests_is_known_to_a_point_that_was_only_raised():
    raised = suggested(status=Status.RAISED, inline=False, old="", new="", old_lines=0, new_lines=0)
    assert now(raised, files=AFTER)[0].status is Status.ACCEPTED


@pytest.mark.parametrize("order", [(5, 9), (9, 5)])
def test_of_two_gone_points_the_one_more_alike_is_the_rephrased_one(order):
    files, new = cited(SENTENCE, subject="smith2020")
    known = point_of(new, "")

    def alike(count):
        other = tuple((n + 1) % 65_536 for n in known.sketch[count:])
        return replace(known, id=f"{count}" * 12, sketch=(*known.sketch[:count], *other))

    ledger = Ledger(tuple(alike(count) for count in order))
    done = reconcile(ledger, plan(new), files, pull(), nobody)
    found = {p.id: (p.status, p.was) for p in done.ledger.points}
    assert found == {
        known.id: (Status.RAISED, ("9" * 12,)),
        "5" * 12: (Status.STALE, ()),
    }
