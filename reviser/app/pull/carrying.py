"""Carry out a plan that somebody else made: nothing of it is believed that can be looked up."""

import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reviser.app.outcome import CLEAN
from reviser.app.own_texts import texts_of
from reviser.app.pull.bench import Bench
from reviser.app.pull.locked import pull_lock
from reviser.app.pull.making import Commits
from reviser.app.pull.origins import Origins, Subjects, renewed, ruled, there
from reviser.app.pull.reporting import artifact_of
from reviser.app.pull.reviewing import finished, left_alone
from reviser.app.pull.sides import Change, Side, change, open_side
from reviser.app.pull.supplied import brought
from reviser.app.version import version
from reviser.deliver.confirm import confirm
from reviser.deliver.event import DeliverRun, is_ours
from reviser.deliver.execute import deliver
from reviser.deliver.forge import ForgeError, PullRequest
from reviser.deliver.plan import Noted, Plan
from reviser.deliver.plan_json import UnreadablePlan, read
from reviser.deliver.standing import summaries
from reviser.errors import ReviserError, UsageError
from reviser.findings import Finding
from reviser.pipeline.checking import Checked
from reviser.review.baseline import STALE
from reviser.text.source import Source
from reviser.verify.claim import claims
from reviser.verify.coverage import Coverage
from reviser.verify.repair import RULES as VERIFIED

_RUN = re.compile(r"/actions/runs/(\d{1,18})")
_MEMBER = "plan.json"
_MOST_ZIPPED = 8_000_000
_MOST_PLAN = 8_000_000  # bytes; as much as `plan_json` reads
_MOST_MEMBERS = 20


def carry_run(bench: Bench, asked: DeliverRun) -> int:
    """Carry out the plan that a workflow run on a fork's pull request left behind.

    The pull request is the one that GitHub names for the run's branch and commit, whatever the
    plan says.
    """
    number = bench.forge.find_pull(
        repository=asked.repository, branch=asked.branch, head=asked.head
    )
    if number is None:
        bench.tell("No open pull request is at the commit of that run, so nothing is said.")
        return CLEAN
    left = left_by(bench, asked.run)
    if left is None:
        bench.tell("That run left no plan behind, so there is nothing to carry out.")
        return CLEAN
    carry(bench, left.plan, number, asked.head, ours=left.ours)
    return CLEAN


@dataclass(frozen=True, slots=True)
class Left:
    """A plan that a workflow run left behind, and whether the run's jobs are this repository's
    own, by what the forge says of the run."""

    plan: Plan
    ours: bool


def left_by(bench: Bench, run: int) -> Left | None:
    """The plan that a workflow run left behind for the paper, None where there is none."""
    packed = bench.forge.artifact(run, artifact_of(bench.paper), most=_MOST_ZIPPED)
    if packed is None:
        return None
    known = bench.forge.workflow_run(run)
    ours = known is not None and known.id == run and is_ours(known, bench.repository)
    return Left(read(unpacked(packed)), ours)


def carry_own(bench: Bench, number: int, head: str) -> int | None:
    """Carry out the plan that an earlier job of this very run left behind; the exit code, None
    where it left none.

    Raises UsageError outside a workflow run.
    """
    if bench.run is None:
        raise UsageError(
            "there is no workflow run whose plan could be carried out",
            hint="The stage 'deliver' belongs into a workflow; `reviser deliver PLAN` takes a "
            "file.",
        )
    left = left_by(bench, bench.run)
    return None if left is None else carry(bench, left.plan, number, head, ours=left.ours)


def told_before(bench: Bench, pull: PullRequest) -> "Verified | None":
    """The plan that our summary on the pull request tells of, if models wrote in it and the run
    that left it behind can still be asked; checked as any other. None where there is none for the
    present head."""
    told = summaries(pull, bench.paper)
    runs = _RUN.findall(told[0].body) if told else []
    if not runs:
        return None
    try:
        left = left_by(bench, int(runs[-1]))
        if left is None or not left.ours or left.plan.advice is None:
            return None
        return verified(replace(bench, room=bench.room / "told"), left.plan, pull, ours=True)
    except (ForgeError, UnreadablePlan, UsageError):
        return None  # what can be found out without it is found out


def carry_file(bench: Bench, file: Path, number: int | None, *, ours: bool) -> int:
    """Carry out the plan in a file, on the pull request that is named here or, else, in it.
    `ours`: the operator says that nobody else can have written it."""
    try:
        with file.open("rb") as stream:
            data = stream.read(_MOST_PLAN + 1)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    if len(data) > _MOST_PLAN:
        raise UsageError(f"{file} is larger than {_MOST_PLAN // 1_000_000} MB, so it is no plan")
    plan = read(data)
    number = number or plan.target.number
    if number is None:
        raise UsageError(
            f"{file} speaks of no pull request, so there is nowhere to deliver it",
            hint="Name its number by --number; `reviser plan` in a clone does not know it.",
        )
    return carry(bench, plan, number, plan.target.head, ours=ours)


# All that a damaged or made-up zip file was seen to raise; NotImplementedError is a RuntimeError.
_UNPACKING = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError)


def unpacked(packed: bytes) -> bytes:
    """The plan in a zip file. Raises UsageError where it is none, holds something else in its
    place, or more than a plan may have."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            members = archive.infolist()
            plans = [member for member in members if member.filename == _MEMBER]
            if len(members) > _MOST_MEMBERS or len(plans) != 1:
                raise UsageError(f"the artifact does not hold one {_MEMBER}")
            # What the directory says of the size may be wrong, so that as much is read at most.
            with archive.open(plans[0]) as stream:
                data = stream.read(_MOST_PLAN + 1)
    except _UNPACKING as error:
        raise UsageError(f"the artifact cannot be unpacked: {error}") from error
    if len(data) > _MOST_PLAN:
        raise UsageError(f"the plan is larger than {_MOST_PLAN // 1_000_000} MB")
    return data


def carry(bench: Bench, plan: Plan, number: int, head: str, *, ours: bool) -> int:
    """Check the plan against the pull request's own files, and deliver what holds; see `confirm`
    for what `ours` means.

    Raises UsageError when it speaks of another repository, paper or commit.
    """
    pull = bench.forge.pull(number)
    why = left_alone(pull, head)
    if why:
        bench.tell(why)
        return CLEAN
    found = verified(bench, plan, pull, ours=ours)
    delivered = deliver(
        bench.forge,
        found.plan,
        found.sources,
        found.commits.patches,
        bench.wishes,
        server=bench.server,
        run_url=bench.run_url,
    )
    return finished(bench, delivered)


@dataclass(frozen=True)
class Verified:
    """What of a plan holds on the pull request's own files, and those files."""

    plan: Plan
    sources: Mapping[str, Source]
    commits: Commits


def verified(bench: Bench, plan: Plan, pull: PullRequest, *, ours: bool) -> Verified:
    """Check a plan against the files at the pull request's head. Raises UsageError when it speaks
    of another repository, paper or commit."""
    commits = bench.pull_commits(pull)
    side = open_side(
        commits.repository, commits.head, bench.room / "head", bench.paper, bench.settings_at
    )
    target = replace(bench.pull_target(pull, commits.base), root=side.root)
    _same(plan, pull, side, bench)
    opened = side.opened
    confirmed = confirm(
        replace(plan, target=target),
        opened.manuscript,
        opened.reread,
        texts_of(opened) if ours else {},
        ours=ours,
    )
    plan = replace(
        confirmed.plan,
        version=version(),
        fail_on=opened.settings.fail_on,
        notes=(*confirmed.plan.notes, *confirmed.refused),
    )
    return Verified(_again(plan, bench, commits, side), opened.manuscript.sources, commits)


def _same(plan: Plan, pull: PullRequest, side: Side, bench: Bench) -> None:
    told = (
        plan.target.repository.casefold(),
        plan.target.head,
        plan.target.paper,
        plan.target.root,
    )
    if told != (bench.repository.casefold(), pull.head, bench.paper, side.root):
        raise UsageError(
            "the plan speaks of another repository, paper or commit than is asked for",
            hint="Make it anew: `reviser plan`. Both workflows need the same `path`.",
        )


def _again(plan: Plan, bench: Bench, commits: Commits, head: Side) -> Plan:
    """The plan with every finding of the rules found here, and the origin, subject and evidence
    of all findings told by the commits and not by the plan."""
    changed = change(commits.patches, head.root)
    base = _base(bench, commits)
    accepted, _ = base.baseline() if base is not None else (None, "")
    found = [f for f in ruled(head, accepted) if f.suppressed is None and f.rule != STALE]
    read_again = [n.finding for n in plan.findings if n.opinion or n.finding.rule in VERIFIED]
    findings = tuple(sorted([*found, *read_again], key=lambda f: (f.place, f.rule, f.message)))
    noted = _noted(head, base, changed, findings)
    introduced = {n.finding.fingerprint for n in noted if n.introduced}
    verdicts = tuple(v for v in plan.verdicts if introduced.intersection(v.edit.answers))
    new = brought(head, base, changed)
    lock = pull_lock(head, base, changed, whole=False)
    supplied = (*new.all, *lock.supplied)
    return replace(plan, findings=noted, verdicts=verdicts, supplied=supplied)


def _base(bench: Bench, commits: Commits) -> Side | None:
    try:
        return open_side(
            commits.repository,
            commits.base,
            bench.room / "base",
            bench.paper,
            bench.settings_at,
        )
    except ReviserError:
        return None


def _noted(
    head: Side, base: Side | None, changed: Change, findings: Sequence[Finding]
) -> tuple[Noted, ...]:
    paper = head.opened.manuscript
    checked = Checked(
        manuscript=paper,
        claims=tuple(claims(paper, head.opened.settings.claims)),
        supports=(),
        findings=tuple(findings),
        edits=(),
        figures=(),
        coverage=Coverage(0, 0),
    )
    origins = Origins(checked, changed, there(base, head, changed), renewed(base, head))
    subjects, new = Subjects(paper), brought(head, base, changed)
    noted = []
    for finding, origin in zip(findings, origins.of(findings), strict=True):
        subject = subjects.of(finding)
        noted.append(Noted(finding, origin, subject, new.behind(finding, subject)))
    return tuple(sorted(noted, key=lambda n: (n.finding.severity.rank, n.finding.place)))
