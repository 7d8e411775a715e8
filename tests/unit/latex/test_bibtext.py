import pytest

from reviser.latex.bibtext import plain, verbatim


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (r"{\'E}tude of {DNA}", "Étude of DNA"),
        (r"G\"odel, Erd\H{o}s and \v{S}im\'{\i}k", "Gödel, Erdős and Šimík"),
        (r"\c Cevik and {\O}stergaard and {\L}ukasz", "Çevik and Østergaard and Łukasz"),
        (r"{\em On} the $\alpha_{2}$ of H$_2$O", "On the α2 of H2O"),
        (r"\LaTeX\ and \TeX{} in 50\% of papers", "LaTeX and TeX in 50% of papers"),
        ("A~B, pp.~1--2 --- ``so''", "A B, pp. 1–2 — “so”"),
        (r"\href{http://example.org/a_b}{The text} a_b", "The text a_b"),
        ("two\n   lines\r\nand\ttabs", "two lines and tabs"),
        (r"O'Neil, na\"{\i}ve", "O'Neil, naïve"),
        (r"\'{}apart", "apart"),
        (r"\unknown{kept} words", "kept words"),
        ("cafe\u0301", "café"),
        ("\\", "\\"),
        (r"\'", ""),
        ("", ""),
    ],
)
def test_what_a_value_says(value: str, text: str) -> None:
    assert plain(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (r"{https://example.org/\~{}x\_y%20z}", "https://example.org/~x_y%20z"),
        (r"\url{http://example.org/a_b}", "http://example.org/a_b"),
        (r"10.1000/{\textasciitilde}a--b", "10.1000/~a--b"),
    ],
)
def test_addresses_keep_their_signs(value: str, text: str) -> None:
    assert verbatim(value) == text


def test_many_unclosed_groups_cost_linear_time() -> None:
    assert plain(r"\href{" * 20_000).strip() == ""
