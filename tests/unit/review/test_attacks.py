"""Attacks hidden in a paper's own files reach no model by way of what is shown of the paper."""

import pytest

from reviser.review.digest import digest, parts
from tests.attacks import ATTACKS, Attack
from tests.unit.review.reading import manuscript_of

SPOTS = {
    "prose": "Rivers carry sand. {} Tides move it back.",
    "footnote": "Rivers carry sand.\\footnote{{It is fine. {}}} Tides move it back.",
    "caption": "\\begin{{figure}}x\\caption{{A river. {}}}\\end{{figure}}\n\nTides move sand.",
    "item": "\\begin{{itemize}}\\item Rivers carry sand. {}\\item Tides do.\\end{{itemize}}",
    "comment": "Rivers carry sand. % {}\nTides move it back.",
    "hidden": "Rivers carry sand. \\textcolor{{white}}{{{}}} Tides move it back.",
    "switched off": "Rivers carry sand.\n\\iffalse {} \\fi\nTides move it back.",
    "after the end": "Rivers carry sand.\n\\end{{document}}\n{}",
}


def paper(attack: Attack) -> str:
    body = SPOTS[attack.spot].format(attack.text)
    return (
        "\\documentclass{article}\n\\usepackage{xcolor}\n\\begin{document}\n"
        "\\section{Sand}\n" + body + "\n\n\\section{Silt}\nSilt is finer than sand.\n"
        "\\end{document}\n"
    )


@pytest.mark.parametrize(
    "attack", [a for a in ATTACKS if a.spot in SPOTS], ids=lambda attack: attack.word
)
def test_no_attack_is_shown(attack: Attack) -> None:
    manuscript = manuscript_of({"main.tex": paper(attack)})
    cut = parts(manuscript, 4_000)
    seen = "\n".join(part.text for part in cut) + digest(manuscript, 2_000).text
    assert attack.word not in seen
    assert "Silt is finer" in seen or attack.spot == "after the end"
    # Where no reader sees the attack, nothing else is lost to it.
    assert "Rivers carry sand" in seen or attack.spot in {"prose", "item", "footnote", "caption"}
