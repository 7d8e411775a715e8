import pytest

from reviser.adapters.github.forge import GitHub
from reviser.adapters.github.writing import review_comments
from reviser.deliver.forge import Comment


def comment(path, first, last):
    return Comment(path, first, last, f"{path}:{first}", ())


def test_comments_go_bottom_up_and_one_line_has_no_start():
    given = review_comments([comment("b", 1, 1), comment("a", 2, 4), comment("a", 9, 9)])
    assert given == [
        {"path": "a", "body": "a:9", "line": 9, "side": "RIGHT"},
        {"path": "a", "body": "a:2", "line": 4, "side": "RIGHT", "start_line": 2,
         "start_side": "RIGHT"},
        {"path": "b", "body": "b:1", "line": 1, "side": "RIGHT"},
    ]  # fmt: skip


@pytest.mark.parametrize("number", [0, 31])
def test_a_review_has_one_to_thirty_comments(number):
    github = GitHub("t", "http://127.0.0.1:9", "o/r")
    with pytest.raises(ValueError, match="1 to 30"):
        github.review(1, "a1" * 20, [comment("a", 1, 1)] * number)
