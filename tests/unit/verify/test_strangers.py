from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.verify.claim import claims
from reviser.verify.entail import verify
from reviser.verify.evidence import works
from reviser.verify.model import Label, Support
from reviser.verify.strangers import is_strange

WORDS = "bearing shaft oil wear noise steel seal load".split()  # noqa: SIM905
FIELD = [f"{a} {b}" for a in WORDS for b in WORDS if a < b][:25]
CELL = "\\begin{{tabular}}{{ll}} Name & Work~\\citep{{{key}}} \\\\ \\end{{tabular}}"


class Shared:
    """Similarity: the share of the shorter text's words that both hold."""

    name = "shared words"

    def similarities(self, left: list[str], right: list[str]) -> list[list[float]]:
        def both(a: str, b: str) -> float:
            x, y = (set(t.lower().replace(".", "").split()) for t in (a, b))
            return len(x & y) / max(1, min(len(x), len(y)))

        return [[both(a, b) for b in right] for a in left]


def verdict(key: str, *, also: str = "", many: int = 25) -> Support:
    field = FIELD[:many]
    cited = "\n\n".join(
        f"We know that the {pair} of a machine fails in the end~\\citep{{w{n}}}. "
        f"And so the {pair} of every machine was measured here~\\citep{{w{n}}}."
        for n, pair in enumerate(field)
    )
    text = (
        f"\\documentclass{{article}}\\begin{{document}}\n{cited}\n\n{also}\n\n"
        f"{CELL.format(key=key)}\n\\bibliography{{r}}\\end{{document}}"
    )
    bib = "\n".join(
        f"@misc{{w{n}, title={{The {pair}}}, abstract={{The {pair} of a machine fails in the end "
        f"and the {pair} was measured by us for years.}}}}"
        for n, pair in enumerate(field)
    )
    bib += (
        "@misc{bread, title={Sourdough}, abstract={Sourdough bread rises by wild yeasts; rye flour"
        " feeds bacteria better than wheat flour does overnight.}}"
    )
    paper = load(Memory({"main.tex": text.encode(), "r.bib": bib.encode()}))
    found, known = claims(paper), works(paper, {})
    supports = verify(paper, found, known, embedder=Shared())
    last = max(s.claim for s in supports)
    return next(s for s in supports if s.claim == last and s.key == key)


def test_a_work_of_another_field_is_off_topic_even_in_a_table() -> None:
    told = verdict("bread")
    assert told.label is Label.OFF_TOPIC
    assert "table cell" in told.why
    assert told.passages


def test_a_work_of_the_field_is_not_checkable_in_a_table() -> None:
    assert verdict("w3").label is Label.NOT_CHECKABLE


def test_a_work_that_fits_elsewhere_is_left_alone() -> None:
    also = "Sourdough bread rises by wild yeasts and rye flour feeds bacteria~\\citep{bread}."
    assert verdict("bread", also=also).label is Label.NOT_CHECKABLE


def test_a_small_paper_has_no_field() -> None:
    assert verdict("bread", many=10).label is Label.NOT_CHECKABLE


def test_both_figures_must_be_bad() -> None:
    assert is_strange(0.5, 0.1, claims=60, works=60)
    assert not is_strange(0.1, 0.1, claims=60, works=60)
    assert not is_strange(0.5, 0.4, claims=60, works=60)
    assert not is_strange(0.5, 0.1, claims=29, works=60)
    assert not is_strange(0.5, 0.1, claims=60, works=19)
