from reviser.evaluate.entry_faults import inject_entries
from reviser.evaluate.entry_trial import run_entry_trial
from reviser.evaluate.fault import ENTRY_KINDS, FaultKind
from reviser.evaluate.report import EXPECTED
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.pipeline.checking import Judges, Options, check
from reviser.text.edit import apply

TEXT = "\n\n".join(
    f"Thing {n} was seen~\\cite{{work{n}}}, and again~\\cite{{work{n}}} later." for n in range(20)
)
PAPER = (
    "\\documentclass{article}\n\\begin{document}\n"
    + TEXT
    + "\n\\bibliography{r}\n\\end{document}\n"
)
ENTRIES = "\n".join(
    f"@article{{work{n},\n  author = {{Anna Smith{n}}},\n  title = {{On thing {n} and that}},\n"
    f"  journal = {{Journal of Things and More}},\n  year = {{20{n:02}}},\n}}\n"
    for n in range(20)
)


class Nobody:
    name = "nobody"

    def similarities(self, left: object, right: object) -> list[list[float]]:
        raise AssertionError("the rules need no embedder")


def read() -> Reading:
    return Reading(Memory({"main.tex": PAPER.encode(), "r.bib": ENTRIES.encode()}))


def test_every_kind_is_injected_once_and_the_paper_is_changed() -> None:
    clean = read().manuscript
    injection = inject_entries(clean, seed=4)
    assert [fault.kind for fault in injection.faults] == list(ENTRY_KINDS)
    changed = apply(clean.sources, [injection.edit])
    assert changed["r.bib"].text != clean.sources["r.bib"].text
    for fault in injection.faults:
        told = changed[fault.regions[0].path][fault.regions[0].span]
        assert any(name in told for name in fault.names)


def test_the_same_seed_gives_the_same_faults() -> None:
    clean = read().manuscript
    assert inject_entries(clean, seed=4) == inject_entries(clean, seed=4)
    assert inject_entries(clean, seed=4) != inject_entries(clean, seed=5)


def test_each_fault_is_told_apart_by_its_rule_and_nothing_else_is_said() -> None:
    reading = read()
    trial = run_entry_trial(
        "small", reading.manuscript, Judges(Nobody()), reread=reading.reread, seed=4
    )
    assert trial.stray == ()
    missed = {o.kind for o in trial.observations if EXPECTED[o.kind].isdisjoint(o.rules)}
    assert missed == set()
    mended = {o.kind for o in trial.observations if o.edited and o.right}
    assert FaultKind.MISSING_COMMA in mended
    assert not [o for o in trial.observations if o.edited and not o.right]


def test_a_paper_without_a_bibliography_has_no_faults() -> None:
    bare = b"\\documentclass{article}\\begin{document}None.\\end{document}"
    assert inject_entries(Reading(Memory({"main.tex": bare})).manuscript, seed=1).faults == ()


def test_a_brace_forgotten_before_an_edition_is_put_back_before_it() -> None:
    fields = ["author={A B}", "title={T}", "publisher={P, Ohio", "edition={Second}", "year=2001"]
    bib = "@book{w,\n " + ",\n ".join(fields) + "\n}\n"
    tex = "\\documentclass{article}\\begin{document}\\cite{w}\\bibliography{r}\\end{document}"
    reading = Reading(Memory({"main.tex": tex.encode(), "r.bib": bib.encode()}))
    checked = check(reading.manuscript, Options(verify=False), Judges(Nobody()))
    (edit,) = [e for e in checked.edits if e.rule == "bib-syntax"]
    mended = reading.reread(apply(reading.manuscript.sources, [edit])).entry_of["w"]
    assert (mended.get("publisher"), mended.get("edition")) == ("P, Ohio", "Second")
