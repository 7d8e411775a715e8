"""Faults of known truth for a paper: what authors get wrong, put there on purpose.

The injector knows nothing of the detectors: it picks citations at random and uses no pattern,
threshold or word list of `review`, `verify` or `revise`.
"""

import random
from collections.abc import Callable, Sequence

from reviser.evaluate.citing import Cited, eligible, plan_keys, renamed
from reviser.evaluate.fault import (
    Donor,
    Fault,
    FaultKind,
    Injection,
    Planned,
    Site,
    appended,
    fault_edit,
    mover,
)
from reviser.evaluate.wording import Evidence, plan_wording
from reviser.latex.elements import BibEntry
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Replacement
from reviser.text.source import Place, Span


def inject(
    manuscript: Manuscript,
    donors: Sequence[Donor],
    *,
    has_evidence: Callable[[BibEntry], bool],
    share: float,
    seed: int,
    evidence: Evidence | None = None,
) -> Injection:
    """Put faults of citing into about `share` (0 to 1) of the citations whose entries have
    evidence, and, where `evidence` says what the works say, some faults of wording.

    `donors` get neutral keys and are appended to the paper's first editable .bib. The same
    arguments give the same injection.
    """
    draw = random.Random(seed)  # noqa: S311 - reproducible draws, not secrets
    pool = eligible(manuscript, has_evidence)
    foreign = renamed(manuscript, donors, draw) if appended(manuscript, ["@"]) else {}
    taken: set[int] = set()
    planned = plan_keys(pool, sorted(foreign), draw, round(share * len(pool)), taken)
    if evidence is not None:
        first = 1 + max((p.group for p in planned), default=0)
        planned += plan_wording(
            manuscript, pool, evidence, draw=draw, taken=taken, first_group=first
        )
    lent = appended(manuscript, [foreign[p.wrong] for p in planned if p.wrong in foreign])
    return _located(f"citations-{seed}", planned, lent, pool)


def _located(
    name: str, planned: Sequence[Planned], lent: Sequence[Replacement], pool: Sequence[Cited]
) -> Injection:
    """Turn places of the clean text into places of the faulty one."""
    edit = fault_edit(name, [*(p.change for p in planned), *lent])
    moved = mover(edit.replacements)
    faults: dict[int, tuple[FaultKind, list[Site]]] = {}
    for p in planned:
        start = moved(p.change.at.path, p.anchor) + p.lead
        at = Place(p.change.at.path, Span(start, start + len(p.wrong)))
        faults.setdefault(p.group, (p.kind, []))[1].append(Site(at, p.wrong, p.right))
    # A key beside which another was added is untouched, and so is one behind which a sentence was.
    touched = {(p.change.at.path, p.anchor) for p in planned if p.right is not None}
    untouched = []
    for _, key in pool:
        path, start = key.at.path, key.at.span.start
        if (path, start) not in touched:
            now = moved(path, start)
            at = Place(path, Span(now, now + len(key.name)))
            untouched.append(Site(at, key.name, key.name))
    return Injection(
        edit, tuple(Fault(kind, tuple(sites)) for kind, sites in faults.values()), tuple(untouched)
    )
