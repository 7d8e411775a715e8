"""Do what a person with write access asks for in a comment, and answer once at most.

Whether that person may ask is settled before anything here is called.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from reviser.deliver.branch import Change, change, commit, wanted
from reviser.deliver.commands import Apply, Ignore, find
from reviser.deliver.forge import (
    Forbidden,
    Forge,
    ForgeError,
    Moved,
    PullRequest,
    Remark,
    Unavailable,
)
from reviser.deliver.ledger import Ledger, Point, Status, dismiss, point_of, put
from reviser.deliver.marker import mark
from reviser.deliver.plan import Plan
from reviser.deliver.posting import AGAIN
from reviser.deliver.sections import dismissal
from reviser.deliver.standing import answered, restated, summaries
from reviser.deliver.state import decode
from reviser.revise.verdict import Verdict
from reviser.text.source import Source

_NONE = "I know no point `{id}` on this pull request."
_SEVERAL = "`{id}` may be any of {ids}: more digits are needed."
_NO_EDIT = "Nothing was committed: no edit that passed the checks answers {ids}."
_NOTHING = "Nothing was committed: there is no edit to apply."
_FORK = (
    "Nothing was committed: the branch lies in another repository, where I may not write. The "
    "patch of the last run holds the edits; `git apply` takes it."
)
_MOVED = "Nothing was committed: the branch has moved meanwhile. Ask again on its present commit."
_PROTECTED = (
    "Nothing was committed: I may not write to the branch (it may be protected, or the workflow "
    "lacks `contents: write`). The suggestions and the patch of the last run hold the edits."
)
_FAILED = "GitHub did not take the commit; nothing was changed. Ask again in a while."
_DONE = "Committed {what} as {commit}."
_COUNTS = "The rest of this comment, its conclusion too, follows with the next run."
_NOT_KEPT = "The point could not be written down as ignored: GitHub did not take it."
_NO_SUMMARY = "There is no summary of mine on this pull request yet; `/reviser check` writes one."
NO_MODEL = (
    "No review was written: this workflow names no model. To have one, let `reviser init --github "
    "commands-model` write the workflow, name a model in it, and keep its key as the repository's "
    "secret `REVISER_API_KEY` (Settings, Secrets and variables, Actions)."
)
NO_REVIEW = (
    "No review was written: the job that asks the model left no plan behind. Its log says why; "
    "most often the model is not named in the workflow (`model`), or the repository has no secret "
    "`REVISER_API_KEY`."
)


@dataclass(frozen=True, slots=True)
class Obeyed:
    """What came of a command: whether it was done, and the answer for the one who asked, as
    Markdown of ours; "" where none is due. `commit` is the hash of a commit that was made."""

    done: bool
    answer: str = ""
    commit: str = ""


def apply_edits(
    forge: Forge, pull: PullRequest, plan: Plan, sources: Mapping[str, Source], asked: Apply
) -> Obeyed:
    """Commit the edits that were asked for onto the pull request's branch, if it is still at the
    plan's head, and remember them as accepted. Raises no ForgeError."""
    kept = summaries(pull, plan.target.paper)
    ledger = decode(kept[0].body) if kept else Ledger()
    try:
        made = _made(pull, plan, sources, asked, ledger)
        done = commit(forge, pull.head_branch, pull.head, made)
    except _Refused as why:
        return Obeyed(False, str(why))
    except ForgeError as error:
        return Obeyed(False, _why_not(error))
    count = len(made.verdicts)
    said = _DONE.format(what="one edit" if count == 1 else f"{count} edits", commit=done)
    if kept:
        _keep(forge, kept[0], _accepted(ledger, plan, made, done), said)
    return Obeyed(True, said, done)


class _Refused(Exception):  # noqa: N818 - it names an outcome
    """It is not done; the message is the answer."""


def _why_not(error: ForgeError) -> str:
    if isinstance(error, Moved):
        return _MOVED
    return _PROTECTED if isinstance(error, Forbidden) else _FAILED


def _made(
    pull: PullRequest, plan: Plan, sources: Mapping[str, Source], asked: Apply, ledger: Ledger
) -> Change:
    """The change that was asked for. Raises _Refused."""
    if pull.from_fork:
        raise _Refused(_FORK)
    if pull.head != plan.target.head or pull.state != "open":
        raise _Refused(_MOVED)
    made = change(_chosen(asked, plan, ledger), sources, plan.target.root)
    if not made.files:
        raise _Refused(_NOTHING)
    return made


def _chosen(asked: Apply, plan: Plan, ledger: Ledger) -> tuple[Verdict, ...]:
    """The verdicts that were asked for. Raises _Refused where an ID names nothing."""
    if asked.everything:
        return wanted(plan, ledger)
    points: set[str] = set()
    for prefix in asked.ids:
        found = find(ledger, plan, prefix)
        if len(found) != 1:
            raise _Refused(_unfound(prefix, found))
        point = ledger.by_name.get(found[0])
        points |= {found[0], *(point.names if point is not None else ())}
    verdicts = tuple(v for v in plan.accepted if points.intersection(v.edit.answers))
    if not verdicts:
        raise _Refused(_NO_EDIT.format(ids=", ".join(f"`{one}`" for one in asked.ids)))
    return verdicts


def _unfound(prefix: str, found: tuple[str, ...]) -> str:
    if not found:
        return _NONE.format(id=prefix)
    return _SEVERAL.format(id=prefix, ids=", ".join(f"`{one}`" for one in found[:10]))


def _accepted(ledger: Ledger, plan: Plan, made: Change, done: str) -> Ledger:
    noted = {one.finding.fingerprint: one for one in plan.findings}
    for name in made.points:
        point = ledger.by_name.get(name)
        if point is None and name in noted:
            point = point_of(noted[name], plan.target.root)
        if point is not None:
            said = replace(point, status=Status.ACCEPTED, commit=done, who="", why="")
            ledger = put(ledger, said)
    return ledger


def ignore(
    forge: Forge, pull: PullRequest, asked: Ignore, who: str, plan: Plan | None = None
) -> Obeyed:
    """Remember in the summary comment that `who` dismissed a point; no answer when it worked.

    With a plan, a finding that is only in it can be dismissed too. A line in the comment says so;
    all else in it stays as it is until the next run. Raises no ForgeError.
    """
    kept = summaries(pull, None if plan is None else plan.target.paper)
    if not kept:
        return Obeyed(False, _NO_SUMMARY)
    hits: list[tuple[Remark, Ledger, str]] = []
    for remark in kept:
        ledger = decode(remark.body)
        hits += [(remark, ledger, name) for name in find(ledger, plan, asked.id)]
    if len(hits) != 1:
        names = tuple(dict.fromkeys(name for _, _, name in hits))
        return Obeyed(False, _unfound(asked.id, names))
    remark, ledger, name = hits[0]
    point = _point(ledger, plan, name)
    if point is None:
        return Obeyed(False, _NONE.format(id=asked.id))
    ledger = dismiss(ledger, point, who, asked.reason)
    if _keep(forge, remark, ledger, f"{dismissal(ledger.by_id[point.id])}. {_COUNTS}"):
        return Obeyed(True)
    return Obeyed(False, _NOT_KEPT)


def _point(ledger: Ledger, plan: Plan | None, name: str) -> Point | None:
    point = ledger.by_name.get(name)
    if point is not None or plan is None:
        return point
    noted = (one for one in plan.findings if one.finding.fingerprint == name)
    return next((point_of(one, plan.target.root) for one in noted), None)


def _keep(forge: Forge, remark: Remark, ledger: Ledger, news: str) -> bool:
    """Whether the summary comment now holds the ledger, and says what is new."""
    body = restated(remark.body, ledger, news)
    for _ in range(AGAIN + 1):
        try:
            forge.rewrite(remark.id, body)
        except Unavailable:
            continue
        except ForgeError:
            return False
        return True
    return False


def answer(forge: Forge, pull: PullRequest, comment: int, text: str) -> bool:
    """Answer conversation comment `comment` with `text`, once, however often the run is repeated;
    whether the answer stands. Raises no ForgeError."""
    if answered(pull, comment):
        return True
    body = f"{text}\n\n{mark('answer', {'to': comment})}"
    for _ in range(AGAIN + 1):
        try:
            forge.remark(pull.number, body)
        except Unavailable:
            try:
                if answered(forge.pull(pull.number), comment):
                    return True
            except ForgeError:
                return False
            continue
        except ForgeError:
            return False
        return True
    return False
