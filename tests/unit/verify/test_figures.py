"""Figures under their own names, with what is unknown beside them."""

import pytest

from reviser.text.source import Place, Span
from reviser.verify.figures import Figure, figures
from reviser.verify.model import Claim, Label, Support


def claim(*keys: str) -> Claim:
    return Claim(Place("main.tex", Span(0, 1)), "text", 0, (0,), keys)


def support(number: int, key: str, label: Label, why: str = "") -> Support:
    return Support(number, key, label, None, "check", why)


def named(found: tuple[Figure, ...]) -> dict[str, Figure]:
    return {figure.name: figure for figure in found}


CLAIMS = (claim("a", "b"), claim("c"), claim("d"), claim("e"))
JUDGED = (
    support(0, "a", Label.SUPPORTED),
    support(0, "b", Label.OFF_TOPIC),
    support(1, "c", Label.SILENT),
    support(2, "d", Label.UNCHECKED, "no text"),
    support(3, "e", Label.SUPPORTED),
)


def test_recall_precision_and_f1_have_their_papers_meaning() -> None:
    found = named(figures(CLAIMS, JUDGED, verifier="model"))
    assert found["recall (001)"].value == pytest.approx(2 / 4)
    assert found["recall (001)"].unknown == pytest.approx(1 / 4)
    assert found["recall, checked"].value == pytest.approx(2 / 3)
    assert found["precision"].value == pytest.approx(2 / 5)
    assert found["precision, checked"].value == pytest.approx(2 / 4)
    assert found["full support (000, 002, 004)"].value is None
    joint = named(figures(CLAIMS, JUDGED, verifier="model", together={0}))
    assert joint["full support (000, 002, 004)"].value == pytest.approx(1 / 4)
    assert found["F1"].value == pytest.approx(2 * 0.5 * 0.4 / 0.9)
    assert found["off topic"].count == 1
    assert found["on topic"].count == 3


def test_without_a_verifier_nothing_is_called_supported() -> None:
    topic = (
        support(0, "a", Label.ON_TOPIC),
        support(0, "b", Label.OFF_TOPIC),
        support(1, "c", Label.UNCHECKED),
        support(2, "d", Label.NOT_CHECKABLE),
    )
    found = named(figures(CLAIMS, topic))
    assert found["citation NLI"].value is None
    assert "not run" in found["citation NLI"].why
    assert not any("recall" in name or "precision" in name for name in found)
    assert found["on topic"].value == pytest.approx(1 / 4)
    assert found["unchecked"].value == pytest.approx(1 / 4)
    assert found["not checkable"].unknown == pytest.approx(1 / 2)


def test_an_empty_paper_has_no_figures_to_give() -> None:
    for verifier in ("", "model"):
        assert all(figure.value is None for figure in figures((), (), verifier=verifier))
