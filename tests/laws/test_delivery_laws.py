"""Laws of delivery over whole lives of pull requests: people push, press, refuse and rewrite,
GitHub fails now and then, and still nothing is said twice and no settled point comes back."""

import contextlib
from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from reviser.deliver.answering import ignore
from reviser.deliver.commands import Ignore
from reviser.deliver.delivered import Ending
from reviser.deliver.forge import Forbidden, Limited, Unavailable, Unprocessable
from reviser.deliver.ledger import Status
from reviser.deliver.marker import read_marks
from reviser.deliver.state import LIMIT, decode, encode
from reviser.deliver.story import Wishes
from tests.fakes.forge import Killed, MemoryForge
from tests.fakes.toy import delivered, plan_for

POOL = [f"{a}{b}" for a in ("stone", "river", "field", "cloud") for b in ("let", "bed", "ward", "")]
FAULTS = st.sampled_from(
    [
        (Forbidden("403"), False),
        (Unprocessable("422"), False),
        (Limited("429"), False),
        (Unavailable("502"), False),
        (Unavailable("502"), True),
        (Killed(), False),
        (Killed(), True),
    ]
)
CALLS = st.sampled_from(["review", "remark", "rewrite", "retire", "write", "pull", "patches"])


class Life(RuleBasedStateMachine):
    """One pull request from its first push on; every finding has a subject of its own."""

    @initialize(inline=st.integers(1, 5))
    def opened(self, inline):
        self.wishes = Wishes(inline=inline)
        self.lines = [f"line {n}" for n in range(1, 25)]
        self.forge = MemoryForge({"main.tex": self.data()})
        self.forge.push("work", {"main.tex": self.data(), "side.tex": b"side\n"})
        self.number = self.forge.open("work")
        self.words = 0
        self.versions = [list(self.lines)]
        self.settled = set()
        self.seen = set()
        self.fresh = False  # whether the present head has been looked at, without a fault

    def data(self):
        return ("\n".join(self.lines) + "\n").encode()

    def pushed(self, lines, *, force=False):
        self.lines = lines
        self.versions.append(list(lines))
        onto = self.forge.branches["main"] if force else ""
        files = {"main.tex": self.data(), "side.tex": b"side\n"}
        self.forge.push("work", files, force=onto)
        self.fresh = False

    # ------------------------------------------------------------ the author
    @rule(
        at=st.integers(0, 30), kind=st.sampled_from(["bad", "odd", "meh"]), salt=st.integers(0, 9)
    )
    def writes_a_sentence(self, at, kind, salt):
        self.words += 1
        words = [POOL[(salt + n * 5 + self.words * 7) % len(POOL)] for n in range(9)]
        words.insert(4, f"{kind}n{self.words}")
        at = at % len(self.lines)
        self.pushed([*self.lines[:at], " ".join(words), *self.lines[at:]])

    @precondition(lambda self: self.fresh)
    @rule(which=st.integers(0, 30), where=st.sampled_from([0, 1, 8, 9]), salt=st.integers(0, 99))
    def rephrases_a_sentence(self, which, where, salt):
        found = self.sentences()
        if found:
            at = found[which % len(found)]
            words = self.lines[at].split()
            words[where] = f"other{salt}"
            self.pushed([*self.lines[:at], " ".join(words), *self.lines[at + 1 :]])

    @rule(which=st.integers(0, 30))
    def removes_a_sentence(self, which):
        found = self.sentences()
        if found:
            at = found[which % len(found)]
            self.pushed([*self.lines[:at], *self.lines[at + 1 :]])

    @rule(count=st.integers(1, 4))
    def moves_everything_down(self, count):
        self.pushed([f"top {len(self.versions)} {n}" for n in range(count)] + self.lines)

    @rule(which=st.integers(0, 30))
    def takes_back_what_was_pushed(self, which):
        self.pushed(list(self.versions[which % len(self.versions)]))

    @rule()
    def force_pushes(self):
        self.pushed([*self.lines, f"end {len(self.versions)}"], force=True)

    @rule(which=st.integers(0, 30))
    def presses_a_button(self, which):
        threads = [t for t in self.open_threads() if "```suggestion" in t.remarks[0].body]
        if threads:
            thread = threads[which % len(threads)]
            self.forge.press(thread.remarks[0].id)
            self.lines = self.forge.file("work", "main.tex").decode().split("\n")[:-1]
            self.versions.append(list(self.lines))
            self.fresh = False

    # ------------------------------------------------------------ other people
    @rule(which=st.integers(0, 30), how=st.sampled_from(["resolve", "down", "erase", "say"]))
    def answers_a_comment(self, which, how):
        threads = self.open_threads()
        if not threads:
            return
        comment = threads[which % len(threads)].remarks[0].id
        if how == "say":
            self.forge.say(self.number, "well", to=comment)
        else:
            getattr(self.forge, how)(comment)
        self.fresh = False

    @precondition(lambda self: self.ledger().points)
    @rule(which=st.integers(0, 30))
    def ignores_a_point(self, which):
        points = self.ledger().points
        point = points[which % len(points)]
        done = ignore(self.forge, self.forge.pull(self.number), Ignore(point.id, "so"), "ada")
        assert done.done
        self.fresh = False

    # ------------------------------------------------------------ the bot
    @rule()
    def runs(self):
        before = {t.id for t in self.forge.threads(self.number)}
        told = delivered(self.forge, self.number, self.wishes)
        assert told.ending is Ending.DONE
        assert told.told
        self.looked(before)
        self.fresh = True

    @rule(method=CALLS, fault=FAULTS, at=st.integers(1, 2))
    def runs_while_something_fails(self, method, fault, at):
        before = {t.id for t in self.forge.threads(self.number)}
        self.forge.fail(method, fault[0], after=fault[1], at=at)
        with contextlib.suppress(Killed):
            delivered(self.forge, self.number, self.wishes)
        self.forge.heal()
        self.looked(before)
        self.fresh = False

    @precondition(lambda self: self.fresh)
    @rule()
    def runs_again_without_a_change(self):
        # One more run may be needed to remember what the first one took away.
        delivered(self.forge, self.number, self.wishes)
        self.forge.log.clear()
        delivered(self.forge, self.number, self.wishes)
        assert self.forge.log == []

    # ------------------------------------------------------------ the laws
    def looked(self, before):
        """After a run: nothing new speaks of a settled subject; then note what is settled now."""
        plan, _ = plan_for(self.forge, self.number)
        subjects = {n.finding.fingerprint: n.subject for n in plan.findings}
        new = [t for t in self.forge.threads(self.number) if t.id not in before]
        assert len(new) <= self.wishes.inline
        for thread in new:
            about = {subjects[p] for p in points_of(thread)}
            assert not about <= self.settled
        for point in self.ledger().points:
            if point.status in {Status.ACCEPTED, Status.DISMISSED}:
                self.settled |= {subjects[p] for p in point.names if p in subjects}

    @invariant()
    def no_point_stands_twice(self):
        found = Counter()
        for thread in self.forge.threads(self.number):
            if thread.remarks[0].ours:
                found.update(points_of(thread))
        assert set(found.values()) <= {1}

    @invariant()
    def a_no_is_never_forgotten(self):
        dismissed = set()
        for point in self.ledger().having(Status.DISMISSED):
            dismissed |= set(point.names)
        assert self.seen <= dismissed
        self.seen = dismissed

    @invariant()
    def the_memory_stays_small(self):
        assert len(encode(self.ledger())) <= LIMIT
        ours = [r for r in self.forge.pulls[self.number].remarks if r.ours]
        assert len(ours) <= 1
        assert not self.ledger().damaged

    # ------------------------------------------------------------ what is there
    def ledger(self):
        ours = [r for r in self.forge.pulls[self.number].remarks if r.ours]
        return decode(ours[0].body if ours else "")

    def sentences(self):
        return [n for n, line in enumerate(self.lines) if len(line.split()) == 10]

    def open_threads(self):
        return [t for t in self.forge.threads(self.number) if not t.resolved and not t.outdated]


def points_of(thread):
    return read_marks(thread.remarks[0].body)[-1].data["points"]


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
