"""Plans of a toy paper: a rule so simple that a test can foresee all it finds.

`bad...` is a warning whose edit makes it `good...`; `odd...` an error without an edit; `meh...` a
note. Where the same `badpair...` stands several times, one edit mends all places, which no
suggestion can. What stands on lines that the pull request did not touch was there before, unless
the base lacks it: then the change caused it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reviser.deliver.delivered import Delivered
from reviser.deliver.execute import deliver
from reviser.deliver.plan import Noted, Origin, Plan, Target
from reviser.deliver.story import Wishes
from reviser.findings import Finding, Severity, fingerprinted
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.patch import FilePatch
from reviser.text.source import Place, Source, Span
from reviser.verify.coverage import Coverage
from tests.fakes.forge import MemoryForge

_WORD = re.compile(r"\b(bad|odd|meh)(\w*)")
_SEVERITY = {"bad": Severity.WARNING, "odd": Severity.ERROR, "meh": Severity.NOTE}


def findings(sources: Mapping[str, Source]) -> tuple[Finding, ...]:
    """Every toy finding; what it quotes is its whole line."""
    found = []
    for path, source in sources.items():
        for match in _WORD.finditer(source.text):
            line = source[source.line_span(source.line(match.start()))].strip()
            found.append(
                Finding(
                    f"toy-{match[1]}",
                    Place(path, Span(match.start(), match.end())),
                    line,
                    f"the word {match[0]} is {match[1]}",
                    _SEVERITY[match[1]],
                )
            )
    return fingerprinted(found)


def edits(sources: Mapping[str, Source], found: Sequence[Finding]) -> list[Edit]:
    """The edits that mend the bad ones, in their order."""
    groups: dict[str, list[Finding]] = {}
    for one in found:
        if one.rule == "toy-bad":
            word = sources[one.place.path][one.place.span]
            key = word if word.startswith("badpair") else str(one.place)
            groups.setdefault(key, []).append(one)
    return [_edit(key, group, sources) for key, group in groups.items()]


def _edit(key: str, group: Sequence[Finding], sources: Mapping[str, Source]) -> Edit:
    parts = []
    for one in group:
        word = sources[one.place.path][one.place.span]
        parts.append(Replacement(one.place, word, word.replace("bad", "good", 1)))
    names = tuple(one.fingerprint for one in group)
    return Edit(
        f"toy-{names[0]}", "toy-bad", tuple(parts), Purpose.RULE_FIX, "good is better",
        answers=names,
    )  # fmt: skip


def sources_of(files: Mapping[str, bytes]) -> dict[str, Source]:
    """The files as the program reads them."""
    return {path: Source.decode(path, data) for path, data in files.items()}


def plan_of(
    head_files: Mapping[str, bytes],
    base_files: Mapping[str, bytes],
    patches: Iterable[FilePatch],
    target: Target,
) -> Plan:
    """What is to be said of a pull request (of a whole branch, where it has no number)."""
    sources = sources_of(head_files)
    found = findings(sources)
    before = {one.fingerprint for one in findings(sources_of(base_files))}
    touched = {patch.path: patch.touched for patch in patches}
    noted = tuple(
        _noted(one, sources, touched, before, whole=target.number is None) for one in found
    )
    new = {one.finding.fingerprint for one in noted if one.introduced}
    verdicts = tuple(
        Verdict(edit, Outcome.ACCEPTED, Layer.INVARIANTS)
        for edit in edits(sources, found)
        if new.intersection(edit.answers)
    )
    none = Coverage(0, 0)
    noted = tuple(sorted(noted, key=lambda one: one.finding.severity.rank))
    return Plan(target, "1.0", "error", noted, verdicts, none, none, 0, (), (), ())


def _noted(
    one: Finding,
    sources: Mapping[str, Source],
    touched: Mapping[str, Sequence[tuple[int, int]]],
    before: set[str],
    *,
    whole: bool,
) -> Noted:
    line = sources[one.place.path].line(one.place.span.start)
    here = any(first <= line <= last for first, last in touched.get(one.place.path, ()))
    origin = Origin.HERE if here or whole else Origin.CAUSED
    if not here and not whole and one.fingerprint in before:
        origin = Origin.BEFORE
    return Noted(one, origin, subject=sources[one.place.path][one.place.span])


def plan_for(forge: MemoryForge, number: int, **changes: object) -> tuple[Plan, dict[str, Source]]:
    """The plan for a pull request of the forge as it is now, and the files at its head."""
    pull = forge.pulls[number]
    head = forge.branches[pull.branch]
    base = forge.merge_base(forge.branches[pull.onto], head)
    target = Target(forge.repository, number, head, base, pull.branch)
    files = forge.commits[head].files
    plan = plan_of(files, forge.commits[base].files, forge.diff(number), target)
    return replace(plan, **changes), sources_of(files)  # type: ignore[arg-type]


def plan_for_branch(forge: MemoryForge, branch: str) -> tuple[Plan, dict[str, Source]]:
    """The plan for a whole branch."""
    head = forge.branches[branch]
    files = forge.commits[head].files
    return plan_of(files, {}, (), Target(forge.repository, None, head, "", branch)), sources_of(
        files
    )


def delivered(
    forge: MemoryForge, number: int | None, wishes: Wishes | None = None, **changes: object
) -> Delivered:
    """Plan and deliver, as one run of the workflow does; without a number, for the whole main."""
    if number is None:
        plan, sources = plan_for_branch(forge, "main")
        patches: tuple[FilePatch, ...] = ()
    else:
        plan, sources = plan_for(forge, number)
        patches = forge.diff(number)
    plan = replace(plan, **changes)  # type: ignore[arg-type]
    run = f"https://forge.example/ada/paper/actions/runs/{forge.calls['pull'] + 1}"
    return deliver(
        forge, plan, sources, patches, wishes or Wishes(), server="https://forge.example",
        run_url=run,
    )  # fmt: skip
