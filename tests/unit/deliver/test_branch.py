"""Edits as a commit, as a pull request onto the author's branch, and for a whole branch."""

import pytest

from reviser.deliver.branch import change
from reviser.deliver.delivered import Ending
from reviser.deliver.forge import Forbidden, Unavailable
from reviser.deliver.ledger import Status
from reviser.deliver.marker import mark, read_marks
from reviser.deliver.state import decode
from reviser.deliver.story import Wishes
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Source, Span
from tests.fakes.forge import MemoryForge
from tests.fakes.toy import delivered

COMMIT = Wishes(mode="commit")
FOLLOW = Wishes(mode="follow-up-pr")
BASE = "".join(f"line {n}\n" for n in range(1, 31)).encode()


def with_line(n, new, data=BASE):
    lines = data.split(b"\n")
    lines[n - 1] = new.encode() if isinstance(new, str) else new
    return b"\n".join(lines)


def opened(data, **more):
    forge = MemoryForge({"main.tex": BASE})
    forge.push("work", {"main.tex": data})
    return forge, forge.open("work", **more)


def points(body):
    return {point.status for point in decode(body).points}


def verdict(path, source, before, after, *, name="e1"):
    at = source.text.index(before)
    part = Replacement(Place(path, Span(at, at + len(before))), before, after)
    edit = Edit(name, "rule", (part,), Purpose.RULE_FIX, "because", answers=("0" * 12,))
    return Verdict(edit, Outcome.ACCEPTED, Layer.INVARIANTS)


# ---------------------------------------------------------------- whole files
@pytest.mark.parametrize(
    "data",
    [b"a bad\r\nline\r\n", b"a bad line without an end", b"\xef\xbb\xbfa bad\n", b"caf\xe9 bad\n"],
)
def test_files_are_written_byte_for_byte(data):
    source = Source.decode("main.tex", data)
    made = change([verdict("main.tex", source, "bad", "good")], {"main.tex": source}, "paper/")
    assert made.files == {"paper/main.tex": data.replace(b"bad", b"good")}


def test_edits_that_do_not_fit_together_give_way_to_the_first():
    source = Source("main.tex", "a bad line\n")
    one, two = (verdict("main.tex", source, "bad", word, name=word) for word in ("good", "fine"))
    made = change([one, two], {"main.tex": source}, "")
    assert made.files == {"main.tex": b"a good line\n"}
    assert made.verdicts == (one,)


def test_what_changes_nothing_and_what_is_kept_in_lfs_is_no_change():
    source = Source("main.tex", "a bad line\n")
    assert not change([verdict("main.tex", source, "bad", "bad")], {"main.tex": source}, "").files
    pointer = Source("refs.bib", "version https://git-lfs.github.com/spec/v1\noid sha256:bad\n")
    edit = verdict("refs.bib", pointer, "bad", "good")
    assert not change([edit], {"refs.bib": pointer}, "").files


# ---------------------------------------------------------------- commits
def test_a_commit_holds_all_edits_and_closes_their_points():
    forge, number = opened(with_line(5, "a badword", with_line(20, "a badpair and badpair")))
    before = forge.branches["work"]
    done = delivered(forge, number, COMMIT)
    tip = forge.branches["work"]
    assert forge.file("work", "main.tex") == with_line(
        5, "a goodword", with_line(20, "a goodpair and goodpair")
    )
    assert forge.commits[tip].parents == (before,)
    assert done.story.commit == tip
    assert points(forge.pulls[number].remarks[0].body) == {Status.ACCEPTED}
    delivered(forge, number, COMMIT)
    forge.log.clear()
    delivered(forge, number, COMMIT)
    assert forge.log == []


def test_findings_without_an_edit_are_commented_beside_a_commit():
    forge, number = opened(with_line(5, "a badword", with_line(20, "an odd one")))
    assert delivered(forge, number, COMMIT).posted == 1
    assert forge.done == ["review", "commit", "remark"]


def test_a_branch_that_moved_is_not_committed_to():
    forge, number = opened(with_line(5, "a badword"))
    forge.meanwhile("commit", lambda: forge.push("work", {"other.tex": b"new\n"}))
    assert delivered(forge, number, COMMIT).ending is Ending.MOVED
    assert forge.file("work", "main.tex") == with_line(5, "a badword")


def test_a_commit_that_happened_without_an_answer_is_not_made_twice():
    forge, number = opened(with_line(5, "a badword"))
    forge.fail("commit", Unavailable("502"), after=True)
    done = delivered(forge, number, COMMIT)
    assert done.story.commit == forge.branches["work"]
    assert forge.done.count("commit") == 1


def test_a_protected_branch_gets_suggestions_instead():
    forge, number = opened(with_line(5, "a badword", with_line(20, "an odd one")))
    forge.fail("commit", Forbidden("protected"))
    done = delivered(forge, number, COMMIT)
    assert (done.posted, done.suggested) == (2, 1)
    assert len(forge.threads(number)) == 2
    assert "suggested instead" in forge.pulls[number].remarks[0].body


@pytest.mark.parametrize("wishes", [COMMIT, FOLLOW])
def test_a_fork_gets_suggestions_instead(wishes):
    forge, number = opened(with_line(5, "a badword"), fork="bob/paper")
    done = delivered(forge, number, wishes)
    assert done.suggested == 1
    assert forge.done == ["review", "remark"]


def test_an_edit_that_somebody_took_back_is_not_committed_again():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number, COMMIT)
    forge.push("work", {"main.tex": with_line(5, "a badword")})
    delivered(forge, number, COMMIT)
    delivered(forge, number, COMMIT)
    assert forge.done.count("commit") == 1


# ---------------------------------------------------------------- follow-ups
def follow_up(forge):
    return next(p for p in forge.pulls.values() if p.author == forge.me)


def test_a_follow_up_is_opened_onto_the_authors_branch_and_left_alone_afterwards():
    forge, number = opened(with_line(5, "a badword"))
    done = delivered(forge, number, FOLLOW)
    ours = follow_up(forge)
    assert (ours.branch, ours.onto) == ("reviser/pull-1", "work")
    assert forge.file(ours.branch, "main.tex") == with_line(5, "a goodword")
    assert done.story.follow_up.endswith(f"/pull/{ours.number}")
    assert read_marks(ours.body)[-1].kind == "pull"
    forge.log.clear()
    delivered(forge, number, FOLLOW)
    assert forge.log == []


def test_a_push_rebuilds_the_follow_up_without_ever_emptying_it():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number, FOLLOW)
    forge.push("work", {"main.tex": with_line(9, "a badthing", forge.file("work", "main.tex"))})
    delivered(forge, number, FOLLOW)
    ours = follow_up(forge)
    assert ours.state == "open"
    expected = with_line(5, "a goodword", with_line(9, "a goodthing"))
    assert forge.file(ours.branch, "main.tex") == expected
    assert sorted(forge.branches) == ["main", "reviser/pull-1", "work"]


def test_a_force_push_of_the_author_rebuilds_it_too():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number, FOLLOW)
    forge.push("work", {"main.tex": with_line(8, "a badthing")}, force=forge.branches["main"])
    delivered(forge, number, FOLLOW)
    assert forge.file("reviser/pull-1", "main.tex") == with_line(8, "a goodthing")


def test_a_follow_up_with_somebody_elses_commit_is_not_moved():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number, FOLLOW)
    theirs = forge.push("reviser/pull-1", {"main.tex": with_line(5, "a fineword")})
    forge.push("work", {"main.tex": with_line(9, "a badthing", forge.file("work", "main.tex"))})
    done = delivered(forge, number, FOLLOW)
    assert forge.branches["reviser/pull-1"] == theirs
    assert "somebody else" in " ".join(done.story.undelivered)
    assert done.told


def test_a_commit_that_arrives_while_it_is_rebuilt_is_not_lost():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number, FOLLOW)
    forge.push("work", {"main.tex": with_line(9, "a badthing", forge.file("work", "main.tex"))})
    forge.meanwhile("commit", lambda: forge.push("reviser/pull-1", {"x.tex": b"theirs\n"}))
    delivered(forge, number, FOLLOW)
    assert forge.file("reviser/pull-1", "x.tex") == b"theirs\n"


def test_a_follow_up_with_nothing_left_says_so_and_stays():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number, FOLLOW)
    forge.push("work", {"main.tex": with_line(5, "a fine line")})
    delivered(forge, number, FOLLOW)
    ours = follow_up(forge)
    assert ours.state == "open"
    assert "can be closed" in ours.body
    forge.close(ours.number)
    delivered(forge, number, FOLLOW)
    assert Status.DISMISSED not in points(forge.pulls[number].remarks[0].body)


def test_a_follow_up_that_is_closed_unmerged_dismisses_its_edits():
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number, FOLLOW)
    forge.close(follow_up(forge).number)
    delivered(forge, number, FOLLOW)
    assert points(forge.pulls[number].remarks[0].body) == {Status.DISMISSED}
    assert len(forge.pulls) == 2
    forge.log.clear()
    delivered(forge, number, FOLLOW)
    assert forge.log == []


def test_a_follow_up_that_may_not_be_pushed_becomes_suggestions():
    forge, number = opened(with_line(5, "a badword"))
    forge.fail("make_branch", Forbidden("Resource not accessible by integration"))
    assert delivered(forge, number, FOLLOW).suggested == 1


def test_a_mark_in_the_text_that_a_follow_up_shows_says_nothing():
    forged = mark("pull", {"paper": "", "head": "e" * 40, "tip": "e" * 40, "files": ""})
    forge, number = opened(with_line(5, "a badword"))
    delivered(forge, number, FOLLOW)
    ours = follow_up(forge)
    ours.body = f"```diff\n+{forged}\n```\n\n{ours.body}"
    forge.log.clear()
    delivered(forge, number, FOLLOW)
    assert forge.log == ["rewrite_pull"]


def test_a_follow_up_that_may_not_be_opened_is_not_tried_again_on_the_same_commit():
    forge, number = opened(with_line(5, "a badword"))
    forge.fail("open_pull", Forbidden("may not create pull requests"), times=None)
    assert delivered(forge, number, FOLLOW).suggested == 1
    assert "reviser/pull-1" not in forge.branches
    forge.log.clear()
    again = delivered(forge, number, FOLLOW)
    assert forge.log == []
    assert "create pull requests" in " ".join(again.story.undelivered)
    forge.heal()
    forge.push("work", {"main.tex": with_line(9, "a badthing", forge.file("work", "main.tex"))})
    assert delivered(forge, number, FOLLOW).story.follow_up


def test_a_branch_of_our_name_by_a_stranger_is_left_alone():
    forge, number = opened(with_line(5, "a badword"))
    theirs = forge.push("reviser/pull-1", {"x.tex": b"theirs\n"})
    done = delivered(forge, number, FOLLOW)
    assert forge.branches["reviser/pull-1"] == theirs
    assert done.partial
    assert done.told


# ---------------------------------------------------------------- whole papers
def whole(*lines):
    data = BASE
    for n, words in lines:
        data = with_line(n, words, data)
    return MemoryForge({"main.tex": data})


def test_a_whole_paper_gets_one_pull_request():
    forge = whole((5, "a badword"), (9, "an odd one"))
    done = delivered(forge, None)
    ours = follow_up(forge)
    assert (ours.branch, ours.onto) == ("reviser/main", "main")
    assert forge.file("reviser/main", "main.tex") == with_line(
        5, "a goodword", with_line(9, "an odd one")
    )
    assert done.told
    forge.log.clear()
    delivered(forge, None)
    assert forge.log == []


def test_a_push_updates_it_and_merging_it_ends_it():
    forge = whole((5, "a badword"))
    delivered(forge, None)
    forge.push("main", {"main.tex": with_line(9, "a badthing", forge.file("main", "main.tex"))})
    delivered(forge, None)
    ours = follow_up(forge)
    assert forge.file("reviser/main", "main.tex") == with_line(
        5, "a goodword", with_line(9, "a goodthing")
    )
    forge.close(ours.number, merged=True)
    forge.log.clear()
    done = delivered(forge, None)
    assert forge.log == []
    assert not done.story.plan.findings


def test_closing_it_unmerged_is_a_no_that_is_remembered():
    forge = whole((5, "a badword"))
    delivered(forge, None)
    forge.close(follow_up(forge).number)
    forge.log.clear()
    delivered(forge, None)
    assert forge.log == []
    # another edit comes: only that is proposed, and the no is carried along
    forge.push("main", {"main.tex": with_line(9, "a badthing", forge.file("main", "main.tex"))})
    delivered(forge, None)
    expected = with_line(5, "a badword", with_line(9, "a goodthing"))
    assert forge.file("reviser/main", "main.tex") == expected
    newest = max(forge.pulls.values(), key=lambda p: p.number)
    assert newest.state == "open"
    assert points(newest.body) == {Status.DISMISSED, Status.SUGGESTED}
    forge.close(newest.number)
    forge.log.clear()
    delivered(forge, None)
    assert forge.log == []


def test_a_branch_that_moved_gets_nothing_from_an_old_run():
    forge = whole((5, "a badword"))
    forge.meanwhile("tip", lambda: forge.push("main", {"x.tex": b"new\n"}))
    assert delivered(forge, None).ending is Ending.MOVED
    assert forge.log == []


def test_patch_mode_sends_nothing_for_a_whole_paper():
    forge = whole((5, "a badword"))
    assert delivered(forge, None, Wishes(mode="patch")).ending is Ending.DONE
    assert forge.log == []


def test_patch_mode_posts_no_suggestion():
    forge, number = opened(with_line(5, "a badword"))
    assert delivered(forge, number, Wishes(mode="patch")).posted == 0
    assert forge.done == ["remark"]
