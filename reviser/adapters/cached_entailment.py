"""An `Entailment` that asks a verifier only about pairs it has not judged before."""

import hashlib
import math
import struct
from collections.abc import Callable, Sequence

from reviser.ports import Cache, Entailed, Entailment, Unjudged

_JUDGED = struct.Struct("<dd")


class CachedEntailment:
    """Judgements out of a cache where it has them, out of the verifier otherwise.

    The verifier is loaded when the first unknown pair comes; `identity` is what its judgements
    follow from (its weights), `name` how it is called.
    """

    def __init__(
        self, name: str, identity: str, load: Callable[[], Entailment], cache: Cache
    ) -> None:
        self._name = name
        self._identity = identity
        self._load = load
        self._cache = cache
        self._verifier: Entailment | None = None

    @property
    def name(self) -> str:
        """The verifier's name, as it was given."""
        return self._name

    @property
    def version(self) -> str:
        """What its judgements follow from."""
        return self._identity

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed | Unjudged]:
        """One judgement per (premise, hypothesis), in their order. Raises as the verifier does."""
        known: dict[tuple[str, str], Entailed | Unjudged] = {}
        unknown: list[tuple[str, str]] = []
        for pair in dict.fromkeys(pairs):
            kept = self._cache.get(judgement_key(self._identity, *pair))
            remembered = None if kept is None else unpacked(kept)
            if remembered is None:
                unknown.append(pair)
            else:
                known[pair] = remembered
        if unknown and self._verifier is None:
            self._verifier = self._load()
        if unknown and self._verifier is not None:
            for pair, judged in zip(unknown, self._verifier.judge(unknown), strict=True):
                known[pair] = judged
                # What it could not say this time, and which words it pointed at, is not kept.
                if isinstance(judged, Entailed) and not judged.quote:
                    self._cache.put(judgement_key(self._identity, *pair), packed(judged))
        return [known[pair] for pair in pairs]


def judgement_key(identity: str, premise: str, hypothesis: str) -> bytes:
    """What a judgement is kept under. The lengths keep the parts apart, whatever they hold."""
    parts = [f"{len(part)}:{part}" for part in ("judgement 1", identity, premise, hypothesis)]
    return hashlib.sha256("".join(parts).encode("utf-8", "surrogatepass")).digest()


def packed(judged: Entailed) -> bytes:
    """A judgement as 16 bytes, exactly."""
    contradicts = math.nan if judged.contradicts is None else judged.contradicts
    return _JUDGED.pack(judged.entails, contradicts)


def unpacked(kept: bytes) -> Entailed | None:
    """The judgement in these bytes; None when they hold none."""
    if len(kept) != _JUDGED.size:
        return None
    entails, contradicts = _JUDGED.unpack(kept)
    if not 0.0 <= entails <= 1.0 or not (math.isnan(contradicts) or 0.0 <= contradicts <= 1.0):
        return None
    return Entailed(entails, None if math.isnan(contradicts) else contradicts)
