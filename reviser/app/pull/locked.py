"""The lockfile of a pull request: the merge base's holds; what the change adds is its author's."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from reviser.app.choices import LOCK_FILE
from reviser.app.locking import Locked
from reviser.app.pull.sides import Change, Side
from reviser.deliver.plan import Supplied
from reviser.pipeline.locking import keeping_of
from reviser.ports import Refused
from reviser.verify.evidence import Work
from reviser.verify.keeping import Keeping
from reviser.verify.kept import Check, rests_on_text
from reviser.verify.lock import Lock, VerdictLine
from reviser.verify.model import Claim, Label, Support

VERDICT = "verdict"
SUPPLIED = f"its verdict is supplied by this change's {LOCK_FILE}, and its text is not at hand"
CHANGED = (
    f"This pull request changes {LOCK_FILE}. The verdicts of the merge base's were used; those it "
    "adds were judged again where the texts are at hand, and hold once it is merged."
)
_MOST_NAMED = 50


class Trusting(Keeping):
    """Keeps what the merge base knows. Of a verdict that only the head knows it says that there is
    one, where nothing else can be said: it neither supports a claim nor accuses a work."""

    def __init__(self, base: Lock, head: Lock) -> None:
        """Nothing of the `head` is told as a verdict."""
        super().__init__(base)
        self._beside = Keeping(head)

    def keep(self, claim: Claim, work: Work, support: Support, check: Check) -> Support:
        """See `kept.Kept`."""
        told = super().keep(claim, work, support, check)
        open_still = told.label is Label.UNCHECKED and not work.passages
        if open_still and rests_on_text(claim) and self._beside.has(claim, work.key):
            return replace(told, why=SUPPLIED)
        return told


@dataclass(frozen=True)
class PullLock:
    """What the run of a pull request knows beforehand, None where nothing is, and what its reader
    must know: notes, and verdicts that the author brought."""

    locked: Locked | None = None
    notes: tuple[str, ...] = ()
    supplied: tuple[Supplied, ...] = ()


def pull_lock(head: Side, base: Side | None, change: Change, *, whole: bool) -> PullLock:
    """The lockfile that holds for the head; for a whole branch that is its own."""
    settings = head.opened.settings
    if settings.lock == "off" or not settings.verify:
        return PullLock()
    here, why_here = _lock(head)
    if whole:
        if here is None:
            return PullLock(notes=_unused("", why_here))
        return PullLock(Locked(head.opened, None, Keeping(here)), _unused("", why_here))
    before, why = (None, "") if base is None else _lock(base)
    notes = _unused("of the merge base ", why)
    if before is None and here is None:
        return PullLock(notes=notes)
    if LOCK_FILE in change.touched:
        notes = (*notes, CHANGED, *_unused("of this change ", why_here))
    trusting = Trusting(before or Lock(), here or Lock())
    new = _new(before or Lock(), here or Lock()) if LOCK_FILE in change.touched else ()
    return PullLock(Locked(head.opened, None, trusting), notes, new)


def _lock(side: Side) -> tuple[Lock | None, str]:
    """What a commit's lockfile says, and why all or some of it is not used."""
    data = side.opened.files.read(LOCK_FILE)
    if data is None:
        return None, ""
    if isinstance(data, Refused):
        return None, data.why
    _, lock = keeping_of(data)
    if lock.conflict:
        return None, f"a merge left its conflict in line {lock.conflict}"
    if lock.damage:
        first = lock.damage[0]
        return lock, f"line {first.line}: {first.why} (and {len(lock.damage) - 1} more lines)"
    return lock, ""


def _unused(whose: str, why: str) -> tuple[str, ...]:
    return (f"Of the {LOCK_FILE} {whose}not everything is used: {why}.",) if why else ()


def _new(before: Lock, now: Lock) -> tuple[Supplied, ...]:
    """The verdicts that the head's lockfile has and the merge base's has not, by key."""
    old: Mapping[tuple[str, ...], VerdictLine] = {line.id: line for line in before.verdicts}
    keys = dict.fromkeys(line.key for line in now.verdicts if old.get(line.id) != line)
    return tuple(Supplied(VERDICT, key, LOCK_FILE) for key in list(keys)[:_MOST_NAMED])
