"""The evidence lockfile of a paper on disk: who uses it, who writes it, and when."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import click

from reviser.adapters.files import write_all
from reviser.app.choices import LOCK_FILE
from reviser.app.judging import judges_of, options_of
from reviser.app.lookup_settings import LookupSettings
from reviser.app.opening import Opened
from reviser.errors import SettingsError
from reviser.literature.sources import Text
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import Judges, check, with_brought
from reviser.pipeline.improving import improve
from reviser.pipeline.locking import (
    Settled,
    Standing,
    keeping_of,
    learned,
    pruned,
    settled,
    standing,
    with_lock,
)
from reviser.ports import Refused
from reviser.text.printable import many, printable
from reviser.verify.bringing import Brought
from reviser.verify.keeping import Keeping
from reviser.verify.lock import Damage, Lock, write
from reviser.verify.recall import check_by

_MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class Locked:
    """A paper's lockfile in use: its bytes, None where there is none, and who keeps verdicts."""

    opened: Opened
    before: bytes | None
    keeping: Keeping

    def settled(self, judges: Judges, texts: Mapping[str, Text]) -> Settled:
        """What these judges, with the texts at hand, need not have looked up."""
        per = self.opened.settings.claims
        return settled(self.opened.manuscript, replace(judges, sources=texts), self.keeping, per)

    def judges(self, judges: Judges) -> Judges:
        """The judges who know what it says."""
        return with_lock(judges, self.opened.manuscript, self.keeping)

    def after(
        self, judges: Judges, papers: Collection[Manuscript], brought: Sequence[Brought] = ()
    ) -> tuple[bytes | None, bytes]:
        """Its bytes as they were and as they are to be, after the works of these papers were
        judged, among them those that were `brought`."""
        judges = with_brought(judges, brought)
        abstracts = self.opened.settings.lock_abstracts
        outcomes = () if judges.gathered is None else judges.gathered.outcomes
        entered = {one.key.lower(): one.paper for one in brought}
        learned(
            self.keeping, papers, judges.sources, outcomes, brought=entered, abstracts=abstracts
        )
        return self.before, write(self.keeping.lines)


def locked_of(opened: Opened, *, needed: bool = False) -> Locked | None:
    """The lockfile, where the settings have one used; `needed`: whatever they say.

    Damaged lines are told on the error stream and left out. Raises SettingsError where a merge
    conflict stands in it.
    """
    settings = opened.settings
    if not needed and (settings.lock == "off" or not settings.verify):
        return None
    before, lock = read_lock(opened)
    if not needed and before is None and settings.lock == "auto" and not settings.lookup.names:
        return None
    tell_damage(lock)
    return Locked(opened, before, Keeping(lock))


def read_lock(opened: Opened) -> tuple[bytes | None, Lock]:
    """The bytes of the lockfile, None where there is none, and what they say. Raises SettingsError
    where a merge conflict stands in it."""
    data = opened.files.read(LOCK_FILE)
    if isinstance(data, Refused):
        raise SettingsError(f"{LOCK_FILE} is not read, because {data.why}")
    _, lock = keeping_of(data)
    if lock.conflict:
        raise SettingsError(
            f"{LOCK_FILE}, line {lock.conflict}: a merge left its conflict in it",
            hint="Each line stands for itself: delete the marks (<<<<<<<, =======, >>>>>>>), keep "
            f"the lines of both sides, and run reviser lock --update. The line '{LOCK_FILE} "
            "merge=union' in .gitattributes has git do so by itself.",
        )
    return data, lock


def tell_damage(lock: Lock) -> None:
    """Say on the error stream which lines are not used."""
    for damage in lock.damage[:_MOST_TOLD]:
        click.echo(f"warning: {damage_told(damage)}", err=True)
    if len(lock.damage) > _MOST_TOLD:
        more = many(len(lock.damage) - _MOST_TOLD, "more line")
        said = f"warning: {LOCK_FILE}: {more} not used; reviser lock --check says which"
        click.echo(said, err=True)


def damage_told(damage: Damage) -> str:
    """A line that is not used, and why."""
    where = f"{LOCK_FILE}, line {damage.line}" if damage.line else LOCK_FILE
    return f"{where} is not used: {printable(damage.why)}"


@dataclass(frozen=True, slots=True)
class LockState:
    """How the lockfile stands to the paper, whether it is there at all, and lines not used."""

    standing: Standing
    exists: bool
    damage: tuple[Damage, ...] = ()

    @property
    def good(self) -> bool:
        """Whether nothing is left to judge, and every line can be used; where no file is, nobody
        has looked for texts yet."""
        looked = self.exists or not self.standing.textless
        return looked and self.standing.up_to_date and not self.damage


def check_lock(opened: Opened) -> LockState:
    """How the lockfile stands to the paper; no service and no model is asked. Raises SettingsError
    where a merge conflict stands in it."""
    data, lock = read_lock(opened)
    keeping = Keeping(lock)
    # Whether it is up to date is known without asking anybody.
    quiet = replace(opened, settings=replace(opened.settings, lookup=LookupSettings()))
    judges = with_lock(judges_of(quiet), opened.manuscript, keeping)
    by = check_by(judges.embedder, judges.entailment, judges.sentences)
    per = opened.settings.claims
    now = standing(opened.manuscript, judges.sources, keeping, by, per)
    return LockState(now, data is not None, lock.damage)


def update_lock(opened: Opened) -> None:
    """Judge what is new or has changed, and write the file: what a run of 'improve' would ask is
    asked, and nothing but the lockfile is written."""
    locked = locked_of(opened, needed=True)
    if locked is None:
        return
    options = replace(options_of(opened, accepted=None), changed=None)
    judges = judges_of(opened, locked=locked)
    before = check(opened.manuscript, options, judges)
    improved = improve(before, options, judges, reread=opened.reread)
    papers = (opened.manuscript, improved.after.manuscript)
    was, now = locked.after(judges, papers, before.brought)
    write_lock(opened, was, now)


def prune_lock(opened: Opened) -> None:
    """Drop what nothing in the paper uses."""
    data, lock = read_lock(opened)
    if data is not None:
        write_lock(opened, data, pruned(Keeping(lock), opened.manuscript, opened.settings.claims))


def write_lock(opened: Opened, before: bytes | None, after: bytes) -> None:
    """Write the file, where it changes. Raises StaleEdit where somebody else wrote it since."""
    if before == after:
        return
    expected = {} if before is None else {LOCK_FILE: before}
    write_all(opened.project.root, {LOCK_FILE: after}, expected=expected)
