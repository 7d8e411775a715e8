from collections import Counter

from reviser.evaluate.fault import KEY_KINDS, Donor, FaultKind
from reviser.evaluate.faults import inject
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.text.edit import apply

SENTENCES = "\n\n".join(
    f"Thing number {n} was measured by many~\\cite{{key{n},also{n}}} in those years."
    for n in range(12)
)
PAPER = (
    "\\documentclass{article}\n\\begin{document}\n\\section{One}\n"
    + SENTENCES
    + "\n\\bibliography{refs}\n\\end{document}\n"
)
ENTRIES = "".join(
    f"@misc{{{stem}{n}, title={{T {stem} {n}}}, abstract={{About thing {n}.}}}}\n"
    for n in range(12)
    for stem in ("key", "also")
)
DONORS = [Donor(f"far{n}", f"@misc{{far{n}, title={{Far {n}}}}}") for n in range(20)]


def read() -> Reading:
    return Reading(Memory({"main.tex": PAPER.encode(), "refs.bib": ENTRIES.encode()}))


def test_every_site_stands_where_the_truth_says_it_stands() -> None:
    reading = read()
    clean = reading.manuscript
    injection = inject(clean, DONORS, has_evidence=lambda _: True, share=0.5, seed=3)
    changed = apply(clean.sources, [injection.edit])
    assert injection.faults
    assert injection.untouched
    for fault in injection.faults:
        for site in fault.sites:
            assert changed[site.place.path][site.place.span] == site.wrong
            assert site.wrong != site.right
    for site in injection.untouched:
        assert changed[site.place.path][site.place.span] == site.wrong == site.right


def test_the_faulty_paper_cites_only_keys_that_exist() -> None:
    reading = read()
    injection = inject(reading.manuscript, DONORS, has_evidence=lambda _: True, share=1.0, seed=5)
    faulty = reading.reread(apply(reading.manuscript.sources, [injection.edit]))
    assert injection.faults
    cited = {key.name for citation in faulty.citations for key in citation.keys}
    assert cited <= {entry.key for entry in faulty.entries}
    places = {key.at for citation in faulty.citations for key in citation.keys}
    assert {site.place for fault in injection.faults for site in fault.sites} <= places


def test_kinds_take_turns_and_a_sentence_has_one_fault_at_most() -> None:
    injection = inject(read().manuscript, DONORS, has_evidence=lambda _: True, share=1.0, seed=1)
    kinds = Counter(fault.kind for fault in injection.faults)
    assert set(kinds) == set(KEY_KINDS)
    starts = [site.place.span.start for fault in injection.faults for site in fault.sites]
    lines = Counter(
        apply(read().manuscript.sources, [injection.edit])["main.tex"].line(s) for s in starts
    )
    assert max(lines.values()) == 1


def test_the_same_seed_gives_the_same_faults_and_another_seed_others() -> None:
    def draw(seed: int) -> object:
        return inject(read().manuscript, DONORS, has_evidence=lambda _: True, share=0.4, seed=seed)

    assert draw(9) == draw(9)
    assert draw(9) != draw(10)


def test_without_donors_or_evidence_nothing_is_invented() -> None:
    clean = read().manuscript
    without = inject(clean, [], has_evidence=lambda _: True, share=0.5, seed=2)
    assert {f.kind for f in without.faults} <= {FaultKind.SAME_PAPER, FaultKind.SWAPPED}
    nothing = inject(clean, DONORS, has_evidence=lambda _: False, share=0.5, seed=2)
    assert (nothing.faults, nothing.untouched, nothing.edit.replacements) == ((), (), ())
