import pytest

from reviser.app.review_settings import weights_of
from reviser.errors import SettingsError
from reviser.review.model import PRESETS, Dimension


def test_a_preset_is_named():
    assert weights_of("mature") == PRESETS["mature"]


def test_what_a_list_leaves_out_weighs_one():
    weights = weights_of("coverage=2, critical-analysis=0.5")
    assert weights[Dimension.COVERAGE] == 2
    assert weights[Dimension.CRITICAL_ANALYSIS] == 0.5
    assert weights[Dimension.STRUCTURE] == 1


@pytest.mark.parametrize(
    "text",
    ["", "best", "coverage", "coverage=", "coverage=-1", "coverage=nan", "length=2", "coverage=x",
     "coverage=101", "coverage=0,structure=0,relevance=0,synthesis=0,critical-analysis=0"],
)  # fmt: skip
def test_other_weights_are_refused_with_what_to_write(text):
    with pytest.raises(SettingsError, match="weights"):
        weights_of(text)
