import pytest

from reviser.evaluate.metrics import Interval, auroc, bootstrap, calibration, macro_f1, share


def test_auroc_counts_pairs_and_halves_ties() -> None:
    assert auroc([3, 2], [1, 0]) == 1.0
    assert auroc([1, 0], [3, 2]) == 0.0
    assert auroc([1, 1], [1]) == 0.5
    # pairs (4>3) (4>1) (2<3) (2>1): three of four
    assert auroc([4, 2], [3, 1]) == 0.75
    assert auroc([], [1]) is None


def test_macro_f1_averages_over_the_labels_that_exist() -> None:
    truth = ["a", "a", "b", "b"]
    assert macro_f1(truth, truth) == 1.0
    # a: precision 1, recall 1/2; b: precision 2/3, recall 1
    assert macro_f1(truth, ["a", "b", "b", "b"]) == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert macro_f1([], []) is None


def test_bootstrap_resamples_clusters_and_is_reproducible() -> None:
    def mean(values: object) -> float | None:
        assert isinstance(values, list)
        return sum(values) / len(values) if values else None

    clusters = {"k1": [1.0] * 50, "k2": [0.0] * 50}
    first = bootstrap(clusters, mean, seed=7)
    assert first == bootstrap(clusters, mean, seed=7)
    # two clusters drawn with replacement: all ones and all zeros both occur
    assert (first.value, first.low, first.high) == (0.5, 0.0, 1.0)
    assert bootstrap({}, mean, seed=7) == Interval(None, None, None)


def test_calibration_puts_one_in_the_last_bin() -> None:
    (low, high) = calibration([0.05, 1.0, 0.95], [False, True, False])
    assert (low.count, low.share_true) == (1, 0.0)
    assert (high.count, high.share_true) == (2, 0.5)


def test_a_share_of_nothing_is_unknown() -> None:
    assert share(0, 0) is None
    assert share(1, 4) == 0.25
