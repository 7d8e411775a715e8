import pytest

from reviser.app.interactive import HELP, QUESTION, choose
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Span


def edit(name, *paths):
    parts = tuple(Replacement(Place(path, Span(0, 0)), "", "x") for path in paths)
    return Edit(name, "rule", parts, Purpose.RULE_FIX, "why")


EDITS = (edit("1", "a"), edit("2", "a"), edit("3", "b"), edit("4", "a", "b"), edit("5", "b"))


def run(answers):
    waiting, shown, told = list(answers), [], []

    def ask(question):
        assert question == QUESTION
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    chosen = choose(EDITS, show=lambda n, e: shown.append(e.id), ask=ask, tell=told.append)
    return "".join(e.id for e in chosen), "".join(shown), told


@pytest.mark.parametrize(
    ("answers", "chosen", "shown"),
    [
        ("yyyyy", "12345", "12345"),
        ("nnnnn", "", "12345"),
        ("ynq", "1", "123"),
        ("", "", "1"),
        ("y", "1", "12"),
        ("anyn", "124", "1345"),
        ("aa", "12345", "13"),
        ("dd", "", "13"),
        # File b is left out from edit 3 on, so 5 is not asked for; 4 touches both files.
        ("ady", "124", "134"),
        (["Y\n", "N\n", "Y\n"], "13", "1234"),
    ],
)
def test_answers(answers, chosen, shown):
    assert run(answers)[:2] == (chosen, shown)


def test_anything_else_prints_the_help_and_asks_again():
    chosen, shown, told = run(["?", "x", "", "y", "q"])
    assert (chosen, shown) == ("1", "12")
    assert told == list(HELP) * 3
