"""Whether the works cited for a claim entail it when they are read together."""

from collections.abc import Mapping, Sequence

from reviser.ports import Entailment, Unjudged
from reviser.verify.evidence import Work
from reviser.verify.figures import JUDGED
from reviser.verify.hearing import premise
from reviser.verify.kept import Check, Kept
from reviser.verify.model import Claim, Label, Passage, Support
from reviser.verify.thresholds import DEFAULT, Thresholds


def fully_supported(
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    supports: Sequence[Support],
    entailment: Entailment | None,
    thresholds: Thresholds = DEFAULT,
    *,
    kept: Kept | None = None,
    check: Check | None = None,
) -> frozenset[int] | None:
    """The claims that their cited works, read together, entail in full; None when some of them
    got no judgement. What is `kept` of an earlier run by the same `check` is not judged again.

    What one of them supports, all of them do; else the premise joins what was quoted of every
    work that fits the claim's topic.
    """
    found: dict[int, list[Support]] = {}
    for support in supports:
        if support.key.lower() in works and support.label in JUDGED:
            found.setdefault(support.claim, []).append(support)
    sure = {n for n, some in found.items() if any(s.label is Label.SUPPORTED for s in some)}
    order = sorted(n for n, some in found.items() if n not in sure and len(some) > 1)
    cited = {number: [works[s.key.lower()] for s in found[number]] for number in order}
    known: dict[int, bool] = {}
    if kept is not None and check is not None:
        for number in order:
            entailed = kept.together(claims[number], cited[number], check)
            if entailed is not None:
                known[number] = entailed
    left = [number for number in order if number not in known]
    pairs: list[tuple[str, str]] = []
    for number in left:
        read = [(works[s.key.lower()], _read(claims[number], s, kept)) for s in found[number]]
        if entailment is None or not all(passages for _, passages in read):
            return None
        pairs.append((" ".join(premise(*one) for one in read), claims[number].text))
    answers = entailment.judge(pairs) if entailment is not None and pairs else ()
    for number, judged in zip(left, answers, strict=True):
        if isinstance(judged, Unjudged):
            return None
        known[number] = judged.entails >= thresholds.entails
        if kept is not None and check is not None:
            kept.keep_together(claims[number], cited[number], check, entailed=known[number])
    return frozenset(sure | {number for number, entailed in known.items() if entailed})


def _read(claim: Claim, support: Support, kept: Kept | None) -> tuple[Passage, ...]:
    """The sentences that a verdict rests on; of an earlier run's only one was kept."""
    if kept is None:
        return support.passages
    return kept.read(claim, support.key) or support.passages
