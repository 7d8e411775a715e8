"""A plan is carried out on a pull request: what is posted, told, taken back; and when nothing."""

import pytest

from reviser.deliver.answering import ignore
from reviser.deliver.commands import Ignore
from reviser.deliver.delivered import Ending
from reviser.deliver.forge import Forbidden, Limited, Unavailable, Unprocessable
from reviser.deliver.ledger import Status
from reviser.deliver.plan import Conclusion
from reviser.deliver.state import decode
from reviser.deliver.story import Wishes
from tests.fakes.forge import Killed, MemoryForge
from tests.fakes.toy import delivered

FILLER = "".join(f"line {n}\n" for n in range(1, 31))


def opened(text, *, base=FILLER, path="main.tex", **more):
    """A forge with one pull request that changes one file to `text`."""
    forge = MemoryForge({path: base.encode()})
    forge.push("work", {path: text.encode()})
    return forge, forge.open("work", **more)


def with_line(n, new, text=FILLER):
    lines = text.split("\n")
    lines[n - 1] = new
    return "\n".join(lines)


def status(forge, number):
    """What the summary comment remembers: the status of every point, by its rule."""
    remarks = [r for r in forge.pulls[number].remarks if r.ours]
    assert len(remarks) == 1
    points = decode(remarks[0].body).points
    return sorted((p.rule, p.status.value) for p in points)


def test_a_first_run_suggests_tells_and_concludes():
    forge, number = opened(with_line(7, "an odd one", with_line(5, "a badword")))
    done = delivered(forge, number)
    assert (done.ending, done.posted, done.suggested, done.told) == (Ending.DONE, 2, 1, True)
    assert done.conclusion is Conclusion.FAILURE
    assert forge.done == ["review", "remark"]
    assert {t.line for t in forge.threads(number)} == {5, 7}
    assert status(forge, number) == [("toy-bad", "suggested"), ("toy-odd", "raised")]
    assert not done.partial


def test_an_unchanged_rerun_writes_nothing():
    forge, number = opened(with_line(7, "an odd one", with_line(5, "a badword")))
    delivered(forge, number)
    forge.log.clear()
    reads = forge.calls.total()
    done = delivered(forge, number)
    assert forge.log == []
    assert done.told
    assert forge.calls.total() - reads <= 3  # the fake counts merge_base, which the plan asked


def test_a_run_with_nothing_to_say_still_tells_the_conclusion():
    forge, number = opened(with_line(5, "a fine line"))
    assert delivered(forge, number).conclusion is Conclusion.SUCCESS
    assert forge.done == ["remark"]


def test_a_push_with_another_finding_posts_only_that():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number)
    forge.push(
        "work", {"main.tex": with_line(20, "a badthing", with_line(5, "a badword")).encode()}
    )
    forge.log.clear()
    assert delivered(forge, number).posted == 1
    assert forge.log == ["review", "rewrite"]
    assert [t.line for t in forge.threads(number)] == [5, 20]


def test_the_author_presses_the_button_and_the_point_is_closed_with_the_commit():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number)
    sha = forge.press(forge.threads(number)[0].remarks[0].id)
    delivered(forge, number)
    (point,) = decode(forge.pulls[number].remarks[0].body).points
    assert (point.status, point.commit) == (Status.ACCEPTED, sha)
    assert forge.done.count("review") == 1
    assert "retire" not in forge.log


def test_a_comment_whose_finding_is_gone_is_taken_back_unless_somebody_answered():
    text = with_line(12, "a badthing", with_line(5, "a badword"))
    forge, number = opened(text)
    delivered(forge, number)
    answered = next(t for t in forge.threads(number) if t.line == 12)
    forge.say(number, "why?", to=answered.remarks[0].id)
    forge.push("work", {"main.tex": with_line(3, "other words").encode()})
    done = delivered(forge, number)
    assert done.retired == 1
    assert [t.id for t in forge.threads(number)] == [answered.id]


@pytest.mark.parametrize(
    ("trait", "ending"),
    [("closed", Ending.CLOSED), ("merged", Ending.CLOSED), ("queued", Ending.CLOSED)],
)
def test_nothing_is_posted_where_nobody_waits_for_it(trait, ending):
    forge, number = opened(with_line(5, "a badword"))
    if trait == "queued":
        forge.pulls[number].traits["queued"] = True
    else:
        forge.close(number, merged=trait == "merged")
    done = delivered(forge, number)
    assert done.ending is ending
    assert forge.log == []


def test_a_locked_pull_request_is_spoken_to_all_the_same():
    forge, number = opened(with_line(5, "a badword"))
    forge.pulls[number].traits["locked"] = True
    assert delivered(forge, number).posted == 1


def test_a_head_that_moved_before_the_run_stops_it():
    forge, number = opened(with_line(5, "a badword"))
    forge.meanwhile("pull", lambda: forge.push("work", {"other.tex": b"x\n"}))
    done = delivered(forge, number)
    assert done.ending is Ending.MOVED
    assert forge.log == []
    assert done.story.plan.findings  # the job summary still has it all


def test_a_head_that_moves_during_the_run_stops_it_at_the_next_write():
    forge, number = opened(with_line(5, "a badword"))
    forge.meanwhile("review", lambda: forge.push("work", {"other.tex": b"x\n"}))
    assert delivered(forge, number).ending is Ending.MOVED
    assert forge.done == []
    # the run for the new head does it all
    assert delivered(forge, number).posted == 1


def test_a_head_that_moves_after_the_comments_leaves_the_summary_to_the_next_run():
    forge, number = opened(with_line(5, "a badword"))
    forge.fail("review", Killed(), after=True)
    with pytest.raises(Killed):
        delivered(forge, number)
    forge.push("work", {"other.tex": b"x\n"})
    done = delivered(forge, number)
    assert (done.posted, done.told) == (0, True)
    assert len(forge.threads(number)) == 1
    assert status(forge, number) == [("toy-bad", "suggested")]


def test_lines_that_github_does_not_show_are_told_in_the_summary():
    forge, number = opened(with_line(5, "a badword"))
    forge.push("work", {"big.tex": b"a badthing\n"})
    forge.fail("review", Unprocessable("Validation Failed"))
    forge.hidden_paths.add("big.tex")
    done = delivered(forge, number)
    assert (done.posted, done.suggested) == (1, 1)
    assert [t.path for t in forge.threads(number)] == ["main.tex"]
    assert done.partial
    assert status(forge, number) == [("toy-bad", "raised"), ("toy-bad", "suggested")]
    forge.log.clear()
    delivered(forge, number)  # nothing that GitHub refused once is tried again
    assert "review" not in forge.log


def test_a_token_that_may_write_nothing_is_not_tried_again_and_again():
    forge, number = opened(with_line(7, "an odd one", with_line(5, "a badword")))
    forge.fail("write", Forbidden("Resource not accessible by integration"), times=None)
    done = delivered(forge, number, Wishes(check_run=True))
    assert done.forbidden
    assert not done.told
    assert sorted(forge.log) == ["check", "remark", "review"]
    assert done.conclusion is Conclusion.FAILURE


def test_after_a_review_that_was_forbidden_no_comment_is_taken_back():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number)
    forge.push("work", {"main.tex": with_line(20, "a badthing").encode()})
    forge.fail("review", Forbidden("may not write"))
    forge.log.clear()
    done = delivered(forge, number)
    assert "review" in forge.log
    assert "retire" not in forge.log
    assert done.forbidden
    forge.log.clear()
    assert delivered(forge, number).retired == 1


def test_a_summary_that_somebody_deleted_is_written_anew():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number)
    forge.push("work", {"main.tex": with_line(6, "a badthing").encode()})
    forge.meanwhile("rewrite", forge.pulls[number].remarks.clear)
    done = delivered(forge, number)
    assert done.told
    assert not done.forbidden
    assert len(forge.pulls[number].remarks) == 1


def test_what_a_command_wrote_during_the_run_is_kept():
    forge, number = opened(with_line(20, "a badthing", with_line(5, "a badword")))
    delivered(forge, number, Wishes(inline=0))
    before = forge.pulls[number].remarks[0]
    point = decode(before.body).points[0]
    forge.push(
        "work",
        {"main.tex": with_line(9, "an odd", forge.file("work", "main.tex").decode()).encode()},
    )

    def ignored():
        assert ignore(forge, forge.pull(number), Ignore(point.id, "as meant"), "ada").done

    forge.meanwhile("review", ignored)
    delivered(forge, number)
    after = decode(forge.pulls[number].remarks[0].body)
    assert after.by_id[point.id].status is Status.DISMISSED
    assert after.by_id[point.id].why == "as meant"
    assert len(after.points) == 3


def test_two_runs_that_both_wrote_a_summary_end_with_one():
    forge, number = opened(with_line(5, "a badword"))
    forge.meanwhile("remark", lambda: delivered(forge, number))
    delivered(forge, number)
    assert len(forge.pulls[number].remarks) == 2
    delivered(forge, number)
    first, second = forge.pulls[number].remarks
    assert "overtaken" in second.body
    assert first.url in second.body
    forge.log.clear()
    delivered(forge, number)
    assert forge.log == []
    assert status_of(first.body) == [Status.SUGGESTED]
    assert len(forge.threads(number)) == 1


def status_of(body):
    return [point.status for point in decode(body).points]


def test_a_forged_summary_of_somebody_else_is_not_read():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number)
    genuine = forge.pulls[number].remarks[0].body
    other, second = opened(with_line(5, "a badword"))
    other.say(second, genuine, by="mallory")
    assert delivered(other, second).posted == 1


def test_the_check_run_is_reported_once():
    forge, number = opened(with_line(7, "an odd one"))
    delivered(forge, number, Wishes(check_run=True))
    delivered(forge, number, Wishes(check_run=True))
    assert [run.conclusion for _, run in forge.checks] == [Conclusion.FAILURE]


def test_a_check_run_that_failed_is_tried_again():
    forge, number = opened(with_line(7, "an odd one"))
    forge.fail("check", Unavailable("502"))
    assert delivered(forge, number, Wishes(check_run=True)).partial
    assert not delivered(forge, number, Wishes(check_run=True)).partial
    assert len(forge.checks) == 1


def test_a_forge_that_cannot_be_read_loses_nothing():
    for fault in (Unavailable("502"), Limited("wait"), Forbidden("403")):
        forge, number = opened(with_line(7, "an odd one"))
        forge.fail("pull", fault)
        done = delivered(forge, number)
        assert done.ending is Ending.UNREAD
        assert done.conclusion is Conclusion.FAILURE
        assert done.partial
        assert forge.log == []


def test_a_head_that_moves_while_an_answer_is_awaited_gets_no_second_try():
    forge, number = opened(with_line(5, "a badword"))
    forge.fail("review", Unavailable("502"))
    forge.meanwhile("review", lambda: forge.push("work", {"other.tex": b"x\n"}))
    assert delivered(forge, number).ending is Ending.MOVED
    assert forge.log == ["review"]


def test_a_head_that_moves_between_the_comments_and_the_summary_leaves_it_to_the_next_run():
    forge, number = opened(with_line(5, "a badword"))
    plain_review = forge.review

    def review(*told):
        plain_review(*told)
        forge.push("work", {"other.tex": b"x\n"})

    forge.review = review
    done = delivered(forge, number)
    assert (done.ending, done.posted) == (Ending.MOVED, 1)
    assert forge.done == ["review"]
    forge.review = plain_review
    done = delivered(forge, number)
    assert (done.ending, done.posted, done.told) == (Ending.DONE, 0, True)
    assert status(forge, number) == [("toy-bad", "suggested")]
