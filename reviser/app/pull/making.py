"""Make the plan: check the paper at the head, set it against the merge base, judge the edits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from reviser.app.judging import judges_of, options_of
from reviser.app.locking import Locked
from reviser.app.pull.advising import advised, points_told
from reviser.app.pull.locked import pull_lock
from reviser.app.pull.origins import Origins, Subjects, renewed, there
from reviser.app.pull.sides import Change, SettingsAt, Side, change, open_side
from reviser.app.pull.supplied import Brought, brought
from reviser.app.settings import Settings
from reviser.app.ticking import progress
from reviser.app.version import version
from reviser.deliver.plan import Noted, Origin, Plan, Target
from reviser.errors import ReviserError
from reviser.findings import Finding
from reviser.pipeline.advising import Bench
from reviser.pipeline.checking import Checked, Judges, Options, check, coverage
from reviser.pipeline.improving import Improved, improve
from reviser.review.baseline import STALE, Baseline
from reviser.text.diff import patch
from reviser.text.patch import FilePatch
from reviser.text.source import Source
from reviser.verify.coverage import Coverage
from reviser.verify.model import Label

_MOST_TOLD = 5  # files that were not read, by name
WITHHELD = (
    "The branch lies in another repository, whose workflow runs get no key, so the model that is "
    "set up was not asked."
)


class Models(Enum):
    """Whether models that write may be asked. NONE: not for this. WITHHELD: not for a change from
    another repository, which is said where the operator has set one up. AS_SET: as the operator's
    settings say. REVIEW: a person asked for a review of the whole paper."""

    NONE = "none"
    WITHHELD = "withheld"
    AS_SET = "as set"
    REVIEW = "review"


@dataclass(frozen=True)
class Commits:
    """What is spoken of: a repository's folder, the paper's path in it ("" for its top), and two
    commits. `base` is the merge base, "" for the whole paper; `patches` lead from it to `head`."""

    repository: Path
    paper: str
    head: str
    base: str
    patches: Sequence[FilePatch] = ()


@dataclass(frozen=True)
class Made:
    """A plan, with what its delivery needs: the files at the head by path from the project's
    root, and what they would be with every accepted edit made (those that change only)."""

    plan: Plan
    sources: Mapping[str, Source]
    after: Mapping[str, Source]

    @property
    def patch(self) -> bytes:
        """The accepted edits for `git apply` at the top of the repository."""
        root = self.plan.target.root
        return b"".join(
            patch(root + path, self.sources[path].encode(), source.encode())
            for path, source in sorted(self.after.items())
        )


def make(
    commits: Commits,
    target: Target,
    settings_at: SettingsAt,
    room: Path,
    models: Models = Models.AS_SET,
) -> Made:
    """The plan for the paper of `commits`; `target` lacks the project's root, which is found here.

    The two commits' files are put into folders below `room`. Raises what `open_side` raises for
    the head; a merge base that cannot be read costs the comparison with it, and a note says so.
    """
    at = _allowed(settings_at, models)
    head = open_side(commits.repository, commits.head, room / "head", commits.paper, at)
    changed = change(commits.patches, head.root)
    base, notes = _base(commits, head, changed, at, room)
    baseline, told = _baseline(head, base, whole=not commits.base)
    options = options_of(head.opened, accepted=baseline)
    if commits.base:
        options = replace(options, asked=changed.touched)
    lock = pull_lock(head, base, changed, whole=not commits.base)
    run = _run(head, options, changed if commits.base else None, models, lock.locked)
    checked = check(head.opened.manuscript, options, run.judges)
    if baseline is not None and told:
        # The pull request may well have brought the baseline up to date.
        checked = replace(checked, findings=tuple(f for f in checked.findings if f.rule != STALE))
    target = replace(target, root=head.root)
    notes = (*notes, *told, *lock.notes, *_unread(head), *_withheld(head, settings_at, models))
    if not commits.base:
        noted = tuple(Noted(f, Origin.HERE, s) for f, s in _subjects(checked))
        return _made(target, checked, noted, run, None, notes=notes)
    origins = Origins(checked, changed, there(base, head, changed), renewed(base, head))
    new = brought(head, base, changed)
    noted = _noted(checked, origins, new)
    made = _made(target, checked, noted, run, origins, notes=notes)
    return replace(made, plan=replace(made.plan, supplied=(*new.all, *lock.supplied)))


def _allowed(settings_at: SettingsAt, models: Models) -> SettingsAt:
    """The settings with no more of models that write than may be asked."""
    if models in {Models.AS_SET, Models.REVIEW}:
        return lambda path: _strict(settings_at(path))
    return lambda path: replace(settings_at(path), llm=None, review=None)


def _strict(settings: Settings) -> Settings:
    """The settings with a gate as strict as by default at least, whatever a file that may have come
    with the change says of ties."""
    review = settings.review
    if review is None or review.ties != "accept" or "ties" not in settings.from_file:
        return settings
    return replace(settings, review=replace(review, ties="pairwise"))


def _withheld(head: Side, settings_at: SettingsAt, models: Models) -> tuple[str, ...]:
    meant = settings_at(head.opened.project.root)
    asks = meant.llm is not None or meant.review is not None
    return (WITHHELD,) if asks and models is Models.WITHHELD else ()


def _base(
    commits: Commits, head: Side, changed: Change, settings_at: SettingsAt, room: Path
) -> tuple[Side | None, tuple[str, ...]]:
    """The paper at the merge base, under the name it had there."""
    if not commits.base:
        return None, ()
    try:
        return (
            open_side(commits.repository, commits.base, room / "base", commits.paper, settings_at),
            (),
        )
    except ReviserError as error:
        why = str(error)
    main = head.root + head.opened.manuscript.main
    old = changed.before.get(main)
    if old is not None:
        try:
            paper = old if commits.paper.endswith(".tex") else old.rpartition("/")[0]
            return open_side(commits.repository, commits.base, room / "old", paper, settings_at), ()
        except ReviserError as error:
            why = str(error)
    note = (
        "The paper could not be read as it was before this change, so only the changed lines are "
        f"held against it ({why})."
    )
    return None, (note,)


def _baseline(
    head: Side, base: Side | None, *, whole: bool
) -> tuple[Baseline | None, tuple[str, ...]]:
    """The accepted findings that hold, and what the reader must know about them.

    On a pull request they are those of the merge base: its author may have written the head's.
    """
    if whole:
        accepted, why = head.baseline()
        return accepted, (f"The baseline is not used: {why}.",) if why else ()
    accepted, why = base.baseline() if base is not None else (None, "")
    notes = [f"The baseline of the merge base is not used: {why}."] if why else []
    brought_along, broken = head.baseline()
    if broken or (brought_along.accepted if brought_along else {}) != (
        accepted.accepted if accepted else {}
    ):
        notes.append(
            "This pull request changes the baseline of accepted findings; the one of the merge "
            "base was used, and the new one holds once it is merged."
        )
    return accepted, tuple(notes)


def _subjects(checked: Checked) -> list[tuple[Finding, str]]:
    subjects = Subjects(checked.manuscript)
    worst_first = sorted(checked.live, key=lambda f: (f.severity.rank, f.place, f.rule))
    return [(finding, subjects.of(finding)) for finding in worst_first]


def _noted(checked: Checked, origins: Origins, new: Brought) -> tuple[Noted, ...]:
    # In order of place, for the running number of findings that are alike.
    origin_of = dict(
        zip(
            (f.fingerprint for f in checked.findings),
            origins.of(checked.findings),
            strict=True,
        )
    )
    return tuple(
        Noted(finding, origin_of[finding.fingerprint], subject, new.behind(finding, subject))
        for finding, subject in _subjects(checked)
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """The head, what is asked of it, who is asked, and who reviews it, None where nobody does.
    `changed` is the pull request's change, None for a whole branch; `asked`: a person asked for
    the review."""

    head: Side
    options: Options
    judges: Judges
    changed: Change | None
    bench: Bench | None = None
    asked: bool = False


def _run(
    head: Side, options: Options, changed: Change | None, models: Models, locked: Locked | None
) -> _Run:
    opened, asked = head.opened, models is Models.REVIEW
    if opened.settings.review is None:
        return _Run(head, options, judges_of(opened, locked=locked), changed)
    from reviser.app.benching import bench_of

    benched = bench_of(opened, opened.settings.review, progress())
    judges = judges_of(opened, chats=benched.chats, locked=locked)
    return _Run(head, options, judges, changed, benched.bench, asked)


def _made(
    target: Target,
    checked: Checked,
    noted: tuple[Noted, ...],
    run: _Run,
    origins: Origins | None,
    *,
    notes: tuple[str, ...],
) -> Made:
    improved = _improved(checked, noted, run)
    points = points_told(checked.manuscript, improved, run.options, asked=run.asked)
    whence = origins.of(points) if origins is not None else [Origin.HERE] * len(points)
    raised = [Noted(point, origin) for point, origin in zip(points, whence, strict=True)]
    worst_first = sorted([*noted, *raised], key=lambda n: n.finding.severity.rank)
    touched = None if run.changed is None else run.changed.touched
    spoken = replace(checked, changed=touched)
    plan = Plan(
        target=target,
        version=version(),
        fail_on=run.head.opened.settings.fail_on,
        findings=tuple(worst_first),
        verdicts=improved.verdicts,
        coverage=coverage(checked, touched),
        whole=_whole(checked, run),
        open_questions=sum(s.label is Label.UNCHECKED for s in spoken.shown_supports),
        before=improved.before.figures,
        after=improved.after.figures,
        judges=_names(run),
        silenced=sum(f.suppressed is not None for f in checked.findings),
        notes=(*notes, *_held(checked)),
        advice=advised(improved, run.bench, asked=run.asked),
        services=_services(run),
    )
    return Made(plan, checked.manuscript.sources, improved.revision.after)


def _services(run: _Run) -> tuple[str, ...]:
    """The literature services that cited works were looked up in."""
    gathered = run.judges.gathered
    offline = run.head.opened.settings.lookup.offline
    return () if gathered is None or offline else gathered.asked


def _held(checked: Checked) -> tuple[str, ...]:
    """What there was to check against, as a note where somebody looked for it."""
    held = checked.holdings
    return () if held is None else (f"{held.sentence[0].upper()}{held.sentence[1:]}.",)


def _whole(checked: Checked, run: _Run) -> Coverage:
    """What was checked of the whole paper: no more than topics, where a verifier that costs
    something was asked about the changed lines alone."""
    partly = run.changed is not None and run.judges.asked is not None
    return replace(checked.coverage, nli=None) if partly else checked.coverage


def _improved(checked: Checked, noted: Sequence[Noted], run: _Run) -> Improved:
    """Only what the pull request brought is mended: the rest is somebody else's text."""
    brought_in = {n.finding.fingerprint for n in noted if n.introduced}
    edits = tuple(e for e in checked.edits if brought_in.intersection(e.answers))
    options = run.options
    if run.changed is not None and run.bench is not None:
        # A review reads all of the paper, and what is done about it stays on these lines.
        options = replace(options, changed=run.changed.touched)
    return improve(
        replace(checked, edits=edits),
        options,
        run.judges,
        reread=run.head.opened.reread,
        bench=run.bench,
    )


def _names(run: _Run) -> tuple[str, ...]:
    """The models that were asked on this machine."""
    if not run.options.verify:
        return ()
    nli = run.judges.entailment
    verifier = (nli.name,) if nli is not None and run.head.opened.settings.llm is None else ()
    return (run.judges.embedder.name, *verifier)


def _unread(head: Side) -> tuple[str, ...]:
    """Files of the project that the commit holds and that were not copied."""
    refused = [(p, why) for p, why in sorted(head.refused.items()) if p.startswith(head.root)]
    said = [f"{path} was not read: {why}." for path, why in refused[:_MOST_TOLD]]
    if len(refused) > _MOST_TOLD:
        said.append(f"{len(refused) - _MOST_TOLD} more files were not read.")
    return tuple(said)
