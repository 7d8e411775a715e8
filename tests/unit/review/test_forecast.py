"""What a review run will ask for, told before its first question."""

from reviser.budget import Limits, Price
from reviser.evaluate.variants import REVISER
from reviser.review.forecast import Load, Share, forecast, told
from tests.benchmarks.procedures import CONTEXT, run
from tests.unit.review.reading import manuscript_of

SENTENCE = "Salt melts in water and floats on brine, as has been known for long. "


def of(sentences: int, *, rounds: int = 1, context: int = 8192):  # type: ignore[no-untyped-def]
    body = "\n\n".join([SENTENCE * 5] * (sentences // 5))
    text = f"\\documentclass{{article}}\\begin{{document}}\n{body}\n\\end{{document}}"
    return forecast(manuscript_of({"a.tex": text}), rounds=rounds, context=context)


def test_it_grows_with_the_paper_and_the_rounds() -> None:
    small, large = of(50), of(2000)
    assert small.tokens < large.tokens
    assert small.helper.tokens_in < large.helper.tokens_in
    twice = of(50, rounds=2)
    assert small.helper.calls < twice.helper.calls < 2 * small.helper.calls, (
        "the judge is tried once"
    )
    assert twice.writer == small.writer + small.writer


def test_a_long_paper_is_read_in_more_questions_where_the_context_is_small() -> None:
    assert of(2000, context=4096).helper.calls > of(2000, context=64_000).helper.calls


def test_it_is_told_for_each_model_with_what_ends_it() -> None:
    found = of(50)
    shares = (
        Share("big at h", Load(10, 9_000, 1_000), Price(1.0, 10.0)),
        Share("small at h", Load(20, 5_000, 0), None),
    )
    said = told(found, shares, Limits(money=1.0, calls=100))
    assert "1 round over a paper of about" in said
    assert "big at h: 10 questions, 10,000 tokens, $0.0190" in said
    assert "small at h: 20 questions, 5,000 tokens, price unknown" in said
    assert "It ends at $1.00, 100 calls" in said
    assert "above" not in said


def test_an_estimate_above_the_limits_says_so() -> None:
    shares = (Share("m", Load(10, 1_000_000, 0), Price(2.0, 2.0)),)
    for limits in (Limits(money=1.0), Limits(tokens=10), Limits(calls=9)):
        assert told(of(50), shares, limits).endswith("the estimate is above that")
    assert "above" not in told(of(50), shares, Limits(money=2.0, tokens=10**6, calls=10))


def test_a_review_alone_has_no_rounds_and_no_writer() -> None:
    alone, once = of(50, rounds=0), of(50)
    assert alone.writer == Load()
    assert 0 < alone.helper.calls < once.helper.calls
    shares = (Share("writer", alone.writer, None), Share("helper", alone.helper, None))
    said = told(alone, shares, Limits(calls=9))
    assert said.startswith("a review over a paper of about")
    assert "writer" not in said
    assert "accepted" not in said


def test_it_is_neither_below_what_a_run_asks_nor_twice_as_much() -> None:
    asked, _, model = run(REVISER, 0)
    found = forecast(model.paper, rounds=1, context=CONTEXT)
    loads = found.writer + found.helper
    assert 1 <= (loads.tokens_in + loads.tokens_out) / asked.tokens <= 2
    assert 1 <= loads.calls / asked.calls <= 2
