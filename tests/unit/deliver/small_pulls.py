"""A small language for tests of deciding: findings on words of a text, plans, pull requests."""

from dataclasses import replace

from reviser.deliver.forge import PullRequest, Remark, Thread
from reviser.deliver.marker import mark
from reviser.deliver.plan import Noted, Origin, Plan, Target
from reviser.findings import Finding, Severity, fingerprinted
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Span
from reviser.verify.coverage import Coverage

HEAD = "a" * 40
BASE = "b" * 40


def noted(
    files,
    words,
    *,
    path="main.tex",
    rule="todo-in-prose",
    severity=Severity.ERROR,
    origin=Origin.HERE,
    subject="",
):
    """A finding on the first place where `words` stand."""
    start = files[path].text.index(words)
    place = Place(path, Span(start, start + len(words)))
    (finding,) = fingerprinted([Finding(rule, place, words, f"{words} is wrong.", severity)])
    return Noted(finding, origin, subject)


def mended(files, one, after, *, outcome=Outcome.ACCEPTED):
    """The verdict on an edit that puts `after` in the place of what a finding quotes."""
    finding = one.finding
    part = Replacement(finding.place, files[finding.place.path][finding.place.span], after)
    edit = Edit(
        f"{finding.rule}-{finding.fingerprint}",
        finding.rule,
        (part,),
        Purpose.RULE_FIX,
        "because",
        answers=(finding.fingerprint,),
    )
    return Verdict(edit, outcome, Layer.INVARIANTS, ())


def plan(*findings, verdicts=(), head=HEAD, root="", paper="", whole=None):
    """What a run has to say."""
    return Plan(
        target=Target("o/r", 3, head, BASE, "fix", root, paper),
        version="1",
        fail_on="error",
        findings=tuple(sorted(findings, key=lambda n: n.finding.severity.rank)),
        verdicts=tuple(verdicts),
        coverage=Coverage(0, 0),
        whole=whole or Coverage(0, 0),
        open_questions=0,
        before=(),
        after=(),
        judges=(),
    )


def comment_mark(*points, new="", paper="", rule="todo-in-prose"):
    """The hidden mark of a comment of ours."""
    return mark("comment", {"paper": paper, "points": list(points), "rule": rule, "new": new})


def thread(
    *points,
    number=1,
    new="",
    paper="",
    rule="todo-in-prose",
    path="main.tex",
    ours=True,
    outdated=False,
    resolved_by="",
    downs=(),
    replies=(),
):
    """A thread opened by a comment with our mark; `replies` are (author, ours)."""
    body = f"Words.\n{comment_mark(*points, new=new, paper=paper, rule=rule)}"
    author = "reviser" if ours else "mallory"
    opening = Remark(number, body, ours, author, downs=tuple(downs))
    others = tuple(
        Remark(number * 100 + n, "Hm.", own, who) for n, (who, own) in enumerate(replies)
    )
    return Thread(
        f"T{number}",
        path,
        None if outdated else 1,
        bool(resolved_by),
        resolved_by,
        outdated,
        (opening, *others),
    )


def pull(*threads, remarks=(), author="ada"):
    """The pull request as it is now."""
    return PullRequest(
        "o/r", 3, "open", False, False, False, author, (), HEAD, "fix", "o/r", BASE, "main",
        tuple(threads), tuple(remarks),
    )  # fmt: skip


def with_status(point, status, **changed):
    """The point in another state."""
    return replace(point, status=status, **changed)
