"""Words and their weights: the quick way to all coverages gives the figures of the plain one."""

from hypothesis import given
from hypothesis import strategies as st

from reviser.verify.words import Rarity, coverages, covered, folded

_WORDS = st.sampled_from(["pump", "valve", "loss", "head", "flow", "rotor", "blade", "wear"])


@given(st.lists(st.frozensets(_WORDS), max_size=6), st.lists(_WORDS, max_size=8))
def test_coverages_are_the_single_ones_to_the_last_bit(
    documents: list[frozenset[str]], wanted: list[str]
) -> None:
    weights = Rarity.of(documents).weights(wanted)
    holders: dict[str, list[int]] = {}
    for number, words in enumerate(documents):
        for word in words:
            holders.setdefault(word, []).append(number)
    found = coverages(weights, len(documents), holders)
    assert found == tuple(covered(weights, words) for words in documents)


def test_folding_drops_case_and_accents() -> None:
    assert folded("Müller STRASSE Straße") == "muller strasse strasse"
    assert folded("PLAIN Text") == "plain text"
