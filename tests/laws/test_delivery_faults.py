"""Whatever GitHub answers to whichever call: nothing is lost, and nothing is said twice.

Each case is a scenario (what stood before, in which mode), one call of it, and what goes wrong
with that call, once or from then on, before or after it happened. After the run everything must be
told somewhere; after the fault is gone, the next run must bring all to order, and the one after
that must find nothing to do.
"""

import re
from collections import Counter

import pytest

from reviser.deliver.delivered import Ending
from reviser.deliver.forge import Forbidden, Limited, Moved, Unavailable, Unprocessable
from reviser.deliver.marker import read_marks
from reviser.deliver.report import job_summary
from reviser.deliver.story import Wishes
from tests.fakes.forge import READS, WRITES, Killed, MemoryForge
from tests.fakes.toy import delivered

FILLER = "".join(f"line {n}\n" for n in range(1, 61))
FAULTS = {
    "forbidden": (Forbidden("Resource not accessible by integration"), False),
    "refused": (Unprocessable("Validation Failed"), False),
    "limited": (Limited("wait an hour"), False),
    "moved": (Moved("elsewhere"), False),
    "lost before": (Unavailable("502"), False),
    "lost after": (Unavailable("502"), True),
    "killed before": (Killed(), False),
    "killed after": (Killed(), True),
}


def text(**lines):
    """The filler with some lines replaced: l5="..."."""
    all_lines = FILLER.split("\n")
    for name, words in lines.items():
        all_lines[int(name[1:]) - 1] = words
    return "\n".join(all_lines).encode()


BASE = text(l40="a badpair there", l50="another badold")


def first():
    forge = MemoryForge({"main.tex": BASE})
    forge.push(
        "work",
        {"main.tex": text(l5="a badword", l9="oddity stands alone here", l20="a badpair",
                          l40="a badpair there", l22="meh", l50="another badold")},
    )  # fmt: skip
    return forge, forge.open("work")


def second(mode="suggest"):
    forge, number = first()
    delivered(forge, number, Wishes(mode=mode, check_run=True))
    forge.push(
        "work",
        {"main.tex": text(l7="a badword", l30="a badthing", l33="quite oddish words follow now",
                          l20="a badpair", l40="a badpair there", l50="another badold")},
    )  # fmt: skip
    return forge, number


def raced():
    forge, number = first()
    forge.meanwhile("remark", lambda: delivered(forge, number, Wishes(check_run=True)))
    delivered(forge, number, Wishes(check_run=True))
    return forge, number


def whole_first():
    return MemoryForge({"main.tex": text(l5="a badword", l9="an odd one", l20="a badpair")}), None


def whole_second():
    forge, _ = whole_first()
    delivered(forge, None)
    forge.push("main", {"main.tex": text(l5="a badword", l9="an odd one", l30="a badthing")})
    return forge, None


SCENARIOS = {
    "first": (first, "suggest"),
    "second": (second, "suggest"),
    "raced": (raced, "suggest"),
    "commit first": (first, "commit"),
    "commit second": (lambda: second("patch"), "commit"),
    "follow-up first": (first, "follow-up-pr"),
    "follow-up second": (lambda: second("follow-up-pr"), "follow-up-pr"),
    "whole first": (whole_first, "suggest"),
    "whole second": (whole_second, "suggest"),
}
CALLS = {}


def calls_of(scenario):
    """How often each method is called when nothing goes wrong."""
    if scenario not in CALLS:
        make, mode = SCENARIOS[scenario]
        forge, number = make()
        before = Counter(forge.calls)
        delivered(forge, number, Wishes(mode=mode, check_run=True))
        CALLS[scenario] = forge.calls - before
    return CALLS[scenario]


def cases():
    for scenario in SCENARIOS:
        for method, count in sorted(calls_of(scenario).items()):
            if method == "merge_base":
                continue  # asked by the plan, not by its delivery
            for at in range(1, count + 1):
                for name in FAULTS:
                    for times in (1, 2, None):
                        if method in READS and ("after" in name or name in {"refused", "moved"}):
                            continue
                        if (times == 2 and "lost" not in name) or (times != 1 and "killed" in name):
                            continue
                        yield scenario, method, at, name, times


def inline(forge, number):
    """How often each point stands in the diff."""
    found = Counter()
    for thread in forge.threads(number) if number else ():
        for mark in read_marks(thread.remarks[0].body)[-1:]:
            found.update(mark.data["points"])
    return found


def told(forge, number, done):
    """All that anybody can read, in one text."""
    texts = [] if done is None else [job_summary(done.story)]
    for pull in forge.pulls.values():
        texts += [r.body for r in pull.remarks if r.ours]
        texts += [t.remarks[0].body for t in pull.threads]
    return "\n".join(texts)


def lost(forge, number, done):
    """What is told nowhere of what the run had to tell."""
    text = told(forge, number, done)
    story = done.story
    live = [n.finding.fingerprint for n in story.plan.findings if n.introduced]
    missing = [one for one in live if one[:8] not in text]
    bytes_made = [d for c in forge.commits.values() for d in c.files.values()]
    for verdict in story.plan.accepted:
        made = {r.after for r in verdict.edit.replacements}
        in_file = any(all(w.encode() in data for w in made) for data in bytes_made)
        if not in_file and not all(word in text for word in made):
            missing.append(verdict.edit.id)
    return missing


def run(forge, number, wishes):
    try:
        return delivered(forge, number, wishes)
    except Killed:
        return None


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_call_that_can_fail_is_in_the_table(scenario):
    assert set(calls_of(scenario)) <= {*WRITES, *READS}
    assert calls_of(scenario).keys() & set(WRITES)


@pytest.mark.parametrize(("scenario", "method", "at", "fault", "times"), list(cases()))
def test_nothing_is_lost_and_nothing_said_twice(scenario, method, at, fault, times):
    make, mode = SCENARIOS[scenario]
    forge, number = make()
    wishes = Wishes(mode=mode, check_run=True)
    error, after = FAULTS[fault]
    forge.fail(method, error, at=at, times=times, after=after)
    done = run(forge, number, wishes)
    if done is not None:
        assert lost(forge, number, done) == []
    assert set(inline(forge, number).values()) <= {1}
    forge.heal()
    if done is not None and number and forge.pulls[number].state == "open":
        assert_order_returns(forge, number, wishes)
    if done is None or not number:
        assert_order_returns(forge, number, wishes)


def assert_order_returns(forge, number, wishes):
    """The next run without a fault ends well, and the one after it has nothing to do."""
    after = delivered(forge, number, wishes)
    assert after.ending is Ending.DONE
    assert after.told
    assert lost(forge, number, after) == []
    again = delivered(forge, number, wishes)
    if wishes.mode == "commit":
        # A commit moves the head, and the run for the new head closes the points.
        again = delivered(forge, number, wishes)
    forge.log.clear()
    assert delivered(forge, number, wishes).ending is Ending.DONE
    assert forge.log == []
    assert set(inline(forge, number).values()) <= {1}
    open_ours = [p for p in forge.pulls.values() if p.author == forge.me and p.state == "open"]
    assert len(open_ours) <= 1
    leftovers = [b for b in forge.branches if b.endswith("-next")]
    assert leftovers == [] or "drop_branch" not in forge.done or len(leftovers) == 1
    assert again.ending is Ending.DONE


def test_the_text_of_a_faults_sentence_names_no_secret():
    forge, number = first()
    forge.fail("review", Forbidden("token ghs_secret may not"), times=None)
    done = delivered(forge, number)
    assert not re.search("ghs_", job_summary(done.story))
