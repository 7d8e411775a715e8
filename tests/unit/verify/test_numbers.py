"""Numbers as people write and round them."""

import pytest

from reviser.verify.numbers import conflicting, missing, numbers


def values(text: str) -> list[float]:
    return [number.value for number in numbers(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It holds 185,445 claims.", [185445]),
        ("It has 1.5 billion parameters.", [1.5e9]),
        ("About 185k claims in 25 languages.", [185e3, 25]),
        ("Accuracy rose to 93.4% from 88 per cent.", [93.4, 88]),
        ("It was twenty-five percent slower.", [25]),
        ("In 2017 we saw Section 3 and Table 2 of GPT-3, ResNet-50 and F1.", []),
        ("We took two views.", [2]),
        ("Three hundred people came.", [300]),
        ("On (1) and (2) we agree.", []),
    ],
)
def test_what_is_read(text: str, found: list[float]) -> None:
    assert values(text) == pytest.approx(found)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It holds 185,000 claims.", "It holds 185,445 claims."),
        ("It holds more than 180,000 claims.", "It holds 185,445 claims."),
        ("It reaches 95% accuracy.", "Accuracy is 0.95."),
        ("It reaches 93% accuracy.", "It reaches 93.4% accuracy."),
        ("It has 1.5B parameters.", "It has 1,500,000,000 parameters."),
        ("There are two kinds and 10 parts.", "There are kinds."),
        ("It costs twelve dollars.", "The price is 12 dollars."),
    ],
)
def test_what_agrees(claim: str, evidence: str) -> None:
    assert missing(claim, evidence) == ()


@pytest.mark.parametrize(
    ("claim", "evidence", "lost"),
    [
        ("It holds in 77 percent of cases.", "It holds [1].", ["77 percent"]),
        ("It reaches 95% accuracy.", "It has 1 layer.", ["95%"]),
        ("It reaches 100% accuracy.", "It has one layer.", ["100%"]),
        ("It reaches 150% of it.", "There were 2 of them.", ["150%"]),
        ("It reaches 100% accuracy.", "Accuracy is 1.0.", []),
        ("Accuracy is 0.95.", "It reaches 95% accuracy.", []),
        ("Accuracy is about 0.9.", "It reaches 93% accuracy.", []),
        ("It reaches 93.4% accuracy.", "An accuracy of 93.4 was seen.", []),
    ],
)
def test_a_percentage_agrees_with_a_fraction_and_with_no_count(
    claim: str, evidence: str, lost: list[str]
) -> None:
    assert [number.text for number in missing(claim, evidence)] == lost


def test_what_is_missing_and_what_conflicts() -> None:
    claim = "FEVER consists of 158,445 claims with 31.87% accuracy."
    evidence = "It consists of 185,445 claims made by people."
    lost = missing(claim, evidence)
    assert [number.text for number in lost] == ["158,445", "31.87%"]
    rival = conflicting(lost[0], numbers(evidence))
    assert rival is not None
    assert rival.text == "185,445"
    assert conflicting(lost[1], numbers(evidence)) is None


def test_hostile_digits_are_survived() -> None:
    for text in ("1" * 5000, "1," * 5000, "1.1." * 4000, "twenty " * 3000, "9" * 400 + "%"):
        numbers(text)
