"""A pull request over many pushes and answers: nothing twice, nothing back, nothing lost."""

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from small_edits import diff, sources
from small_pulls import noted, plan, pull

from reviser.deliver.decide import decide, without
from reviser.deliver.forge import Remark, Thread
from reviser.deliver.ledger import Status
from reviser.deliver.reconcile import reconcile, spoken
from reviser.deliver.state import LIMIT, decode, encode
from reviser.deliver.story import Wishes
from reviser.findings import Severity
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Span

INLINE = 3
PADDING = [
    "large models predict the stability of many crystals without any other help",
    "sea ice in the arctic has been shrinking since satellites began to look",
    "sourdough bread rises slowly by wild yeasts that live on whole rye flour",
    "suspension bridges carry heavy traffic by cables anchored behind two towers",
    "honeybees dance inside dark hives and tell foragers where nectar blossoms",
    "glaciers carve deep valleys while their ice flows from high snow basins",
]


@dataclass
class Talk:
    """A thread as the forge keeps it."""

    number: int
    path: str
    body: str
    lines: tuple[str, ...]
    resolved_by: str = ""
    downs: list[str] = field(default_factory=list)
    answered: bool = False


class PullRequestOverTime(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.lines = ["First line."]
        self.talks: list[Talk] = []
        self.summary = ""
        self.count = 0
        self.settled: dict[int, Status] = {}  # by the number of the fault
        self.spoken_of: dict[int, int] = {}  # fault -> comments ever posted
        self.old_texts: list[list[str]] = []

    # What happens to the text.

    def faulty(self):
        return [n for n, text in enumerate(self.lines) if "fault" in text]

    @rule(padding=st.sampled_from(PADDING), front=st.booleans(), edited=st.booleans())
    def add(self, padding, front, edited):
        self.count += 1
        line = f"Fault: fault{self.count:03}{'e' if edited else 'x'} {padding} {self.count}."
        self.lines.insert(0 if front else len(self.lines), line)

    @rule(front=st.booleans())
    def add_a_good_line(self, front):
        self.count += 1
        self.lines.insert(0 if front else len(self.lines), f"All is well here {self.count}.")

    @precondition(lambda self: self.faulty())
    @rule(data=st.data())
    def rephrase(self, data):
        n = data.draw(st.sampled_from(self.faulty()))
        self.lines[n] = self.lines[n].replace(" the ", " a ").replace(".", ", indeed.", 1)

    @precondition(lambda self: self.faulty())
    @rule(data=st.data())
    def remove(self, data):
        self.old_texts.append(list(self.lines))
        del self.lines[data.draw(st.sampled_from(self.faulty()))]

    @precondition(lambda self: self.old_texts)
    @rule()
    def revert(self):
        self.lines = list(self.old_texts.pop())
        self.run()  # a comment deleted before we look again says nothing of what has come back

    # What people do with the comments.

    def standing(self):
        return [t for t in self.talks if not self.outdated(t) and not t.resolved_by]

    def outdated(self, talk):
        return any(line not in self.lines for line in talk.lines)

    @precondition(lambda self: any("```" in t.body for t in self.standing()))
    @rule(data=st.data())
    def accept(self, data):
        with_one = [t for t in self.standing() if "```" in t.body]
        talk = data.draw(st.sampled_from(with_one))
        self.old_texts.append(list(self.lines))
        for line in talk.lines:
            if "fault" in line:
                self.settled.setdefault(number(line), Status.ACCEPTED)
            self.lines[self.lines.index(line)] = line.replace("fault", "right", 1)
        talk.resolved_by = "ada"
        self.run()

    @precondition(lambda self: self.standing())
    @rule(data=st.data(), who=st.sampled_from(["ada", "bob", "eve"]))
    def resolve(self, data, who):
        talk = data.draw(st.sampled_from(self.standing()))
        talk.resolved_by = who
        if who != "eve":
            self.refused(talk)
        self.run()

    @precondition(lambda self: self.standing())
    @rule(data=st.data(), who=st.sampled_from(["bob", "eve"]))
    def dislike(self, data, who):
        talk = data.draw(st.sampled_from(self.standing()))
        talk.downs.append(who)
        if who == "bob":
            self.refused(talk)
        self.run()

    @precondition(lambda self: self.standing())
    @rule(data=st.data())
    def delete(self, data):
        talk = data.draw(st.sampled_from(self.standing()))
        self.talks.remove(talk)
        self.refused(talk)
        self.run()

    @precondition(lambda self: self.standing())
    @rule(data=st.data())
    def answer(self, data):
        data.draw(st.sampled_from(self.standing())).answered = True

    @rule()
    def lose_the_summary(self):
        """Only while nothing is settled or rephrased: that is known from nowhere else."""
        fresh = not any(t.resolved_by or self.outdated(t) for t in self.talks)
        fresh = fresh and len(self.talks) == len(self.spoken_of)  # none was taken back
        if not self.settled and fresh:
            told = {n for n in self.spoken_of if self.spoken_of[n]}
            if told >= {number(self.lines[n]) for n in self.faulty()}:
                self.summary = ""
                self.run()

    def refused(self, talk):
        for line in talk.lines:
            if "fault" in line:
                self.settled[number(line)] = Status.DISMISSED

    # What we do.

    @rule(refuse=st.booleans())
    def push(self, refuse):
        self.run(refuse=refuse)

    def run(self, *, refuse=False):
        files = sources(main="\n".join(self.lines) + "\n")
        findings, verdicts = [], []
        for n in self.faulty():
            one = noted(
                files, self.lines[n], severity=Severity.WARNING, subject=f"{number(self.lines[n])}"
            )
            findings.append(one)
            if "e " in self.lines[n][: len("Fault: fault000e ")]:
                verdicts.append(self.mending(files, one))
        what = plan(*findings, verdicts=verdicts)
        request = pull(*(self.thread(t) for t in self.talks))
        done = reconcile(decode(self.summary), what, files, request, bob)
        assert not {t.number for t in self.talks if t.answered} & set(done.retire)
        self.talks = [t for t in self.talks if t.number not in done.retire]
        patches = diff("main.tex", "", files["main.tex"].text)
        decision = decide(what, files, patches, done.ledger, request, Wishes(inline=INLINE))
        if refuse and decision.comments:
            decision = without(decision, decision.comments[0].points)
        assert len(decision.comments) <= INLINE
        for comment in decision.comments:
            self.post(comment)
        self.summary = f"Words.\n{encode(decision.ledger)}"
        self.check(what, files, decision)

    def mending(self, files, one):
        at = one.finding.place.span.start + len("Fault: ")
        part = Replacement(Place("main.tex", Span(at, at + 5)), "fault", "right")
        name = one.finding.fingerprint
        edit = Edit(
            f"e-{name}", one.finding.rule, (part,), Purpose.RULE_FIX, "why", answers=(name,)
        )
        return Verdict(edit, Outcome.ACCEPTED, Layer.INVARIANTS)

    def thread(self, talk):
        opening = Remark(talk.number, talk.body, True, "reviser", downs=tuple(talk.downs))
        more = (Remark(talk.number + 5000, "Hm.", False, "ada"),) if talk.answered else ()
        return Thread(
            f"T{talk.number}",
            talk.path,
            1,
            bool(talk.resolved_by),
            talk.resolved_by,
            self.outdated(talk),
            (opening, *more),
        )

    def post(self, comment):
        lines = tuple(self.lines[comment.first - 1 : comment.last])
        for line in lines:
            if "fault" not in line:
                continue
            fault = number(line)
            assert fault not in self.settled, "what is settled was told again"
            self.spoken_of[fault] = self.spoken_of.get(fault, 0) + 1
            assert self.spoken_of[fault] == 1, "told twice in the diff"
        self.talks.append(
            Talk(len(self.spoken_of) * 10 + self.count * 1000, comment.path, comment.body, lines)
        )

    def check(self, what, files, decision):
        names = {n.finding.fingerprint for n in what.findings}
        assert names <= set(decision.ledger.by_id)
        request = pull(*(self.thread(t) for t in self.talks))
        kept = decode(self.summary)
        assert kept == decision.ledger
        again = reconcile(kept, what, files, request, bob)
        assert again.ledger == decision.ledger
        assert again.retire == ()
        patches = diff("main.tex", "", files["main.tex"].text)
        more = decide(what, files, patches, again.ledger, request, Wishes(inline=INLINE))
        assert more.comments == ()
        assert more.ledger == decision.ledger
        for one in what.findings:
            fault = number(files["main.tex"][one.finding.place.span])
            if fault in self.settled:
                assert decision.ledger.by_id[one.finding.fingerprint].status is self.settled[fault]
        self.each_edit_is_somewhere(what, decision, request)

    def each_edit_is_somewhere(self, what, decision, request):
        standing = {p for one in spoken(request, "") if not one.thread.outdated for p in one.points}
        elsewhere = {p for one in decision.elsewhere for p in one.verdict.edit.answers}
        for verdict in what.accepted:
            (name,) = verdict.edit.answers
            point = decision.ledger.by_id[name]
            dismissed = point.status is Status.DISMISSED
            assert dismissed or name in elsewhere or not standing.isdisjoint(point.names)

    @invariant()
    def the_state_is_small(self):
        assert len(self.summary) <= LIMIT + 10


def bob(login):
    """Only Bob may write."""
    return login == "bob"


def number(line):
    return int(line.split("fault", 1)[1][:3])


PullRequestOverTime.TestCase.settings = settings(
    max_examples=80, stateful_step_count=25, deadline=None, derandomize=True
)
TestOverManyRuns = PullRequestOverTime.TestCase
