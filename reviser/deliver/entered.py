"""A citation repair that brings its entry along: is it no more than that, and whose word is it?"""

from collections.abc import Sequence

from reviser.deliver.witness import Unproven, Witness
from reviser.findings import Finding
from reviser.text.edit import Allowed, Edit, Purpose

ENTRY = "entry"
NOT_OURS = "it brings a work into the bibliography, which is not taken from another's run"


def brings_an_entry(told: Edit) -> bool:
    """Whether the edit announces a new entry beside the change of a key."""
    repairs = told.purpose is Purpose.REPLACE
    return repairs and any(one.kind == ENTRY and one.lost is None for one in told.allows)


def entered(told: Edit, standing: Sequence[Finding], witness: Witness, *, ours: bool) -> Edit:
    """The replacement of the keys that the findings speak of by the one key of a new entry.

    What the entry says is a literature service's word, passed on by the job that asked it, so it is
    taken from a job of ours alone; that it is one plain entry is for the hard checks to say. Raises
    Unproven.
    """
    if not ours:
        raise Unproven(NOT_OURS)
    entries = [one for one in told.allows if one.kind == ENTRY]
    if len(entries) != 1 or entries[0].lost is not None or not entries[0].gained:
        raise Unproven("it brings something else than one entry")
    entry = entries[0]
    parts = [part for part in told.replacements if part.at == entry.at]
    if len(parts) != 1 or parts[0].before or not entry.at.path.lower().endswith(".bib"):
        raise Unproven("its entry stands in no bibliography")
    keys = {finding.place: witness.key(finding.place) for finding in standing}
    rest = [part for part in told.replacements if part is not parts[0]]
    wanted = {Allowed("citation key", place, key.name, entry.gained) for place, key in keys.items()}
    fits = len(standing) == len(told.answers) and set(told.allows) == {entry, *wanted}
    fits = fits and {(p.at, p.before, p.after) for p in rest} == {
        (place, key.name, entry.gained) for place, key in keys.items()
    }
    if not fits or len(rest) != len(keys):
        raise Unproven("it changes more than the keys that its findings speak of")
    gone = ", ".join(f"'{key.name}'" for key in keys.values())
    return Edit(
        id=f"replace-{standing[0].fingerprint}",
        rule=standing[0].rule,
        replacements=told.replacements,
        purpose=told.purpose,
        why=f"'{entry.gained}', a new entry, in the place of {gone}.",
        allows=told.allows,
        evidence=tuple(text for text in told.evidence[:5] if witness.reads(text)),
        answers=told.answers,
    )
