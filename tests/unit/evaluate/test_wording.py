from reviser.evaluate.fault import FaultKind, Injection
from reviser.evaluate.faults import inject
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.text.edit import apply

EVIDENCE = {
    f"key{n}": [
        f"In this long study of thing {n} we watched 4{n} quiet birds through a whole summer.",
        f"The birds of study {n} are not afraid of the people who came to watch them sing.",
    ]
    for n in range(9)
}
PAPER = (
    "\\documentclass{article}\n\\begin{document}\n"
    + "\n\n".join(f"Birds of kind {n} were studied before~\\cite{{key{n}}}." for n in range(9))
    + "\nMore follows.\n\\bibliography{refs}\n\\end{document}\n"
)
NAMES = ["Alderman", "Bergmann", "Cartwright", "Dunning", "Everhart", "Forsythe", "Gallagher"]
NAMES += ["Hollander", "Isaacson"]
BIB = "\n".join(
    f"@misc{{key{n}, author={{Ann {name} and Bo Other}}, title={{T}}}}"
    for n, name in enumerate(NAMES)
)


def injected(share: float = 0.0) -> tuple[Injection, dict[str, str]]:
    clean = Reading(Memory({"main.tex": PAPER.encode(), "refs.bib": BIB.encode()})).manuscript
    injection = inject(
        clean, [], has_evidence=lambda _: True, share=share, seed=2, evidence=EVIDENCE
    )
    changed = apply(clean.sources, [injection.edit])
    return injection, {path: source.text for path, source in changed.items()}


def test_each_kind_stands_where_the_truth_says() -> None:
    injection, changed = injected()
    assert {f.kind for f in injection.faults} == {
        FaultKind.NAME,
        FaultKind.NUMBER,
        FaultKind.NEGATION,
        FaultKind.RESTATED,
    }
    for fault in injection.faults:
        for site in fault.sites:
            at = site.place.span
            assert changed[site.place.path][at.start : at.stop] == site.wrong == site.right


def test_what_is_written_differs_from_the_evidence_in_the_fault_alone() -> None:
    injection, changed = injected()
    for fault in injection.faults:
        (site,) = fault.sites
        before = changed["main.tex"][: site.place.span.start]
        said = before.rpartition(". ")[2].rpartition("~")[0] + "."
        known = EVIDENCE[site.wrong]
        if fault.kind is FaultKind.RESTATED:
            assert said in known
        elif fault.kind is FaultKind.NUMBER:
            assert said not in known
            assert " quiet birds" in said
        elif fault.kind is FaultKind.NEGATION:
            assert said.replace(" are ", " are not ") in known
        else:
            assert before.endswith(" et al.~\\cite{")


def test_untouched_citations_are_those_without_a_fault() -> None:
    injection, changed = injected(share=0.4)
    faulty = {s.place for f in injection.faults for s in f.sites}
    assert faulty.isdisjoint(s.place for s in injection.untouched)
    for site in injection.untouched:
        at = site.place.span
        assert changed[site.place.path][at.start : at.stop] == site.wrong
