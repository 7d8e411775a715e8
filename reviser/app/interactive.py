"""Ask about each accepted edit, with its evidence, the way `git add -p` does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reviser.text.edit import Edit

QUESTION = "Make this edit [y,n,a,d,q,?]? "
HELP = (
    "y - make this edit",
    "n - leave this edit out",
    "a - make this edit and all later ones that touch its files",
    "d - leave out this edit and all later ones that touch its files",
    "q - leave out this edit and all that remain",
    "? - print this help",
)


@dataclass(slots=True)
class _Standing:
    """Answers that hold for a whole file, until the end."""

    wanted: set[str]
    unwanted: set[str]


def choose(
    edits: Sequence[Edit],
    *,
    show: Callable[[int, Edit], None],
    ask: Callable[[str], str],
    tell: Callable[[str], None],
) -> tuple[Edit, ...]:
    """The edits that are wanted, in their order.

    `show` prints an edit with its evidence, `ask` returns an answer ("" stands for `?`) and
    raises EOFError when there is nobody to answer, which is a `q`. An edit of several files
    follows a standing answer only when it holds for all of them.
    """
    standing = _Standing(set(), set())
    chosen: list[Edit] = []
    for number, edit in enumerate(edits):
        paths = set(edit.paths)
        if paths <= standing.wanted:
            chosen.append(edit)
            continue
        if paths <= standing.unwanted:
            continue
        show(number, edit)
        answer = _answer(ask, tell)
        if answer == "q":
            break
        if answer in "ya":
            chosen.append(edit)
        if answer == "a":
            standing.wanted |= paths
            standing.unwanted -= paths
        if answer == "d":
            standing.unwanted |= paths
            standing.wanted -= paths
    return tuple(chosen)


def _answer(ask: Callable[[str], str], tell: Callable[[str], None]) -> str:
    while True:
        try:
            given = ask(QUESTION).strip().lower()[:1]
        except EOFError:
            return "q"
        if given and given in "ynadq":
            return given
        for line in HELP:
            tell(line)
