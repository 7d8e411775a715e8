import pytest

from reviser.evaluate.limits import FALSE, Limits, chosen, relabelled
from reviser.evaluate.pairs import JudgedPair, Pair
from reviser.verify.model import Label


def judged(truth: str, entails: float | None, contradicts: float | None = 0.0) -> JudgedPair:
    pair = Pair(f"{truth} {entails} {contradicts}", "c", "", ("p",), truth)
    return JudgedPair(pair, Label.SILENT, 0.8, entails, contradicts)


def test_limits_are_chosen_where_they_do_best() -> None:
    seen = [judged("supported", 0.35 + n / 100) for n in range(20)]
    seen += [judged("silent", 0.1 + n / 100) for n in range(20)]
    limits = chosen(seen)
    assert limits is not None
    assert 0.29 < limits.entails <= 0.35


def test_no_more_are_accused_than_may_be() -> None:
    seen = [judged("supported", 0.0, n / 100) for n in range(100)]
    seen += [judged("contradicted", 0.0, 0.995) for _ in range(10)]
    limits = chosen(seen)
    assert limits is not None
    said = [relabelled(j, limits) for j in seen]
    accused = [j for j in said if j.said is Label.CONTRADICTED]
    assert sum(j.pair.truth == "supported" for j in accused) <= FALSE * 100
    assert sum(j.pair.truth == "contradicted" for j in accused) == 10


def test_where_all_innocents_look_guilty_nobody_is_accused() -> None:
    seen = [judged("supported", 0.0, 1.0), judged("contradicted", 0.0, 1.0)]
    limits = chosen(seen)
    assert limits is not None
    assert limits.contradicts > 1
    assert all(relabelled(j, limits).said is not Label.CONTRADICTED for j in seen)


def test_without_a_verifier_there_is_nothing_to_choose() -> None:
    assert chosen([judged("supported", None)]) is None


@pytest.mark.parametrize(("closeness", "said"), [(0.8, Label.CONTRADICTED), (0.1, Label.SILENT)])
def test_a_contradiction_needs_the_topic_to_fit(closeness: float, said: Label) -> None:
    pair = judged("silent", 0.1, 0.99).pair
    one = JudgedPair(pair, Label.SILENT, closeness, 0.1, 0.99)
    assert relabelled(one, Limits(0.6, 0.95)).said is said


def test_a_verdict_on_the_topic_stays() -> None:
    one = JudgedPair(judged("silent", None).pair, Label.OFF_TOPIC, 0.01)
    assert relabelled(one, Limits(0.0, 0.0)) == one
