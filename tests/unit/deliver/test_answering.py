"""What people with write access ask for in a comment is done once, or politely not at all."""

import pytest

from reviser.deliver.answering import answer, apply_edits, ignore
from reviser.deliver.commands import Apply, Ignore
from reviser.deliver.forge import Forbidden, Limited, Moved, Unavailable, Unprocessable
from reviser.deliver.ledger import Status
from reviser.deliver.state import decode
from tests.fakes.forge import MemoryForge
from tests.fakes.toy import delivered, plan_for

BASE = "".join(f"line {n}\n" for n in range(1, 31))
TEXT = BASE.replace("line 5\n", "a badword\n").replace("line 20\n", "a badthing\n")
ALL = Apply(everything=True)


@pytest.fixture
def case():
    forge = MemoryForge({"main.tex": BASE.encode()})
    forge.push("work", {"main.tex": TEXT.encode()})
    number = forge.open("work")
    delivered(forge, number)
    forge.log.clear()
    return forge, number


def asked(case, what):
    forge, number = case
    plan, sources = plan_for(forge, number)
    return apply_edits(forge, forge.pull(number), plan, sources, what)


def remembered(case):
    forge, number = case
    return decode(forge.pulls[number].remarks[0].body).points


def test_all_edits_are_one_commit(case):
    forge, _ = case
    done = asked(case, ALL)
    assert done.done
    assert done.commit == forge.branches["work"]
    assert b"bad" not in forge.file("work", "main.tex")
    assert {(p.status, p.commit) for p in remembered(case)} == {(Status.ACCEPTED, done.commit)}
    assert done.commit in done.answer


def test_an_edit_by_the_beginning_of_its_id(case):
    forge, _ = case
    point = next(p for p in remembered(case))
    assert asked(case, Apply((point.id[:8],))).done
    assert forge.file("work", "main.tex").count(b"bad") == 1


@pytest.mark.parametrize("what", [Apply(("ffffffff",)), Apply(("0000",))])
def test_an_unknown_id_commits_nothing(case, what):
    forge, _ = case
    done = asked(case, what)
    assert not done.done
    assert what.ids[0] in done.answer
    assert forge.log == []


def test_an_id_that_may_be_two_is_asked_back(case, monkeypatch):
    points = remembered(case)
    names = tuple(p.id for p in points)
    monkeypatch.setattr("reviser.deliver.answering.find", lambda *_: names)
    done = asked(case, Apply(("abcd",)))
    assert not done.done
    assert all(name in done.answer for name in names)


def test_a_finding_without_an_edit_has_nothing_to_apply():
    forge = MemoryForge({"main.tex": BASE.encode()})
    forge.push("work", {"main.tex": BASE.replace("line 5\n", "an odd one\n").encode()})
    case = forge, forge.open("work")
    delivered(*case)
    done = asked(case, Apply((remembered(case)[0].id,)))
    assert not done.done
    assert "no edit" in done.answer


def test_a_dismissed_edit_is_not_among_all(case):
    forge, number = case
    first = remembered(case)[0]
    ignore(forge, forge.pull(number), Ignore(first.id[:6], "as meant"), "ada")
    assert asked(case, ALL).done
    assert forge.file("work", "main.tex").count(b"bad") == 1


def test_a_fork_is_not_written_to(case):
    forge, number = case
    forge.pulls[number].fork = "bob/paper"
    done = asked(case, ALL)
    assert not done.done
    assert "another repository" in done.answer
    assert forge.log == []


@pytest.mark.parametrize(
    "fault", [Forbidden("protected"), Moved("moved"), Limited("wait"), Unprocessable("no")]
)
def test_a_commit_that_is_not_taken_changes_nothing(case, fault):
    forge, _ = case
    forge.fail("commit", fault)
    before = remembered(case)
    done = asked(case, ALL)
    assert not done.done
    assert done.answer.startswith(("Nothing was committed", "GitHub did not take"))
    assert remembered(case) == before


def test_a_commit_without_an_answer_is_found(case):
    forge, _ = case
    forge.fail("commit", Unavailable("502"), after=True)
    assert asked(case, ALL).commit == forge.branches["work"]
    assert forge.done.count("commit") == 1


def test_ignoring_is_remembered_without_a_word(case):
    forge, number = case
    point = remembered(case)[1]
    done = ignore(forge, forge.pull(number), Ignore(point.id[:4], "it is meant so"), "ada")
    assert (done.done, done.answer) == (True, "")
    after = next(p for p in remembered(case) if p.id == point.id)
    assert (after.status, after.who, after.why) == (Status.DISMISSED, "ada", "it is meant so")
    assert forge.log == ["rewrite"]
    said = forge.pulls[number].remarks[0].body
    assert f"Since this was written: `{point.id[:8]}`" in said
    assert "dismissed by ada: it is meant so. " in said
    assert said.startswith("### ")
    done = delivered(forge, number)
    assert done.posted == 0
    text = forge.pulls[number].remarks[0].body
    assert "it is meant so" in text
    assert "Since this was written" not in text


def test_what_is_new_is_told_once_for_each_point_and_as_plain_words(case):
    forge, number = case
    for _ in range(2):
        for point in remembered(case):
            asked_for = Ignore(point.id, "@everyone <b>**no**</b> <!-- reviser:summary v1 e30= -->")
            assert ignore(forge, forge.pull(number), asked_for, "ada").done
    said = forge.pulls[number].remarks[0].body
    assert said.count("Since this was written") == 2
    assert "@everyone" not in said
    assert "<b>" not in said
    assert [p.status for p in remembered(case)] == [Status.DISMISSED] * 2


def test_a_summary_without_room_keeps_what_it_says(case):
    forge, number = case
    remark = forge.pulls[number].remarks[0]
    heading, gap, rest = remark.body.partition("\n\n")
    full = f"{heading}{gap}{'x' * (65_500 - len(remark.body))}\n\n{rest}"
    forge.rewrite(remark.id, full)
    assert ignore(forge, forge.pull(number), Ignore(remembered(case)[0].id), "ada").done
    assert "Since this" not in forge.pulls[number].remarks[0].body
    assert remembered(case)[0].status is Status.DISMISSED


@pytest.mark.parametrize(
    ("fault", "after", "times", "kept"),
    [
        (Unavailable("502"), False, 1, True),
        (Unavailable("502"), True, 1, True),
        (Unavailable("502"), False, None, False),
        (Forbidden("403"), False, None, False),
        (Limited("wait"), False, None, False),
    ],
)
def test_ignoring_that_github_does_not_take_is_said(case, fault, after, times, kept):
    forge, number = case
    point = remembered(case)[0]
    forge.fail("rewrite", fault, after=after, times=times)
    done = ignore(forge, forge.pull(number), Ignore(point.id), "ada")
    assert done.done is kept
    assert bool(done.answer) is not kept
    assert (remembered(case)[0].status is Status.DISMISSED) is kept


def test_ignoring_an_unknown_point_or_without_a_summary(case):
    forge, number = case
    assert "ffff" in ignore(forge, forge.pull(number), Ignore("ffff"), "ada").answer
    forge.pulls[number].remarks.clear()
    assert "check" in ignore(forge, forge.pull(number), Ignore("ffff"), "ada").answer


def test_a_finding_that_only_the_plan_knows_can_be_ignored():
    forge = MemoryForge({"main.tex": BASE.replace("line 29\n", "an odd old one\n").encode()})
    forge.push(
        "work",
        {
            "main.tex": BASE.replace("line 5\n", "new\n")
            .replace("line 29\n", "an odd old one\n")
            .encode()
        },
    )
    case = forge, forge.open("work")
    delivered(*case)
    plan, _ = plan_for(*case)
    name = plan.findings[0].finding.fingerprint
    assert remembered(case) == ()
    assert ignore(forge, forge.pull(case[1]), Ignore(name[:8], "old"), "ada", plan).done
    assert [p.status for p in remembered(case)] == [Status.DISMISSED]


def test_an_answer_is_given_once_however_often_the_job_is_run_again(case):
    forge, number = case
    comment = forge.say(number, "/reviser help")
    forge.fail("remark", Unavailable("502"), after=True)
    assert answer(forge, forge.pull(number), comment, "Here you are.")
    assert answer(forge, forge.pull(number), comment, "Here you are.")
    assert sum("Here you are" in r.body for r in forge.pulls[number].remarks) == 1


def test_an_answer_that_quotes_our_marks_is_not_taken_for_a_summary(case):
    forge, number = case
    summary = forge.pulls[number].remarks[0].body
    comment = forge.say(number, "/reviser explain 1234")
    answer(forge, forge.pull(number), comment, f"```\n{summary}\n```")
    forge.log.clear()
    delivered(forge, number)
    assert forge.log == []


@pytest.mark.parametrize("fault", [Forbidden("403"), Limited("wait"), Unavailable("502")])
def test_an_answer_that_is_not_taken_is_no_error(case, fault):
    forge, number = case
    forge.fail("remark", fault, times=None)
    assert not answer(forge, forge.pull(number), 7, "Here you are.")
