"""Whether the works cited for a claim entail it when they are read together."""

from collections.abc import Mapping, Sequence

from reviser.ports import Entailment, Unjudged
from reviser.verify.evidence import Work
from reviser.verify.figures import JUDGED
from reviser.verify.hearing import premise
from reviser.verify.model import Claim, Label, Support
from reviser.verify.thresholds import DEFAULT, Thresholds


def fully_supported(
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    supports: Sequence[Support],
    entailment: Entailment,
    thresholds: Thresholds = DEFAULT,
) -> frozenset[int] | None:
    """The claims that their cited works, read together, entail in full; None when some of them
    got no judgement.

    What one of them supports, all of them do; else the premise joins what was quoted of every
    work that fits the claim's topic.
    """
    found: dict[int, list[Support]] = {}
    for support in supports:
        if support.key.lower() in works and support.label in JUDGED:
            found.setdefault(support.claim, []).append(support)
    sure = {n for n, some in found.items() if any(s.label is Label.SUPPORTED for s in some)}
    order = sorted(n for n, some in found.items() if n not in sure and len(some) > 1)
    pairs = [
        (
            " ".join(premise(works[s.key.lower()], s.passages) for s in found[number]),
            claims[number].text,
        )
        for number in order
    ]
    for number, judged in zip(order, entailment.judge(pairs) if pairs else (), strict=True):
        if isinstance(judged, Unjudged):
            return None
        if judged.entails >= thresholds.entails:
            sure.add(number)
    return frozenset(sure)
