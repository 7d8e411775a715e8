"""Laws of the rules: any paper gets an answer, the same one twice, and edits do what they say."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.latex.bib import read_bib
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.review.rules import run
from reviser.text.edit import apply
from reviser.text.source import Source

_MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\cite{a,b} \\cite{A} \\ref{x}\n"
    "\\bibliography{refs}\n\\end{document}\n"
)
_FIELDS = (
    "title = {Cats & Dogs}", "title={A {B}}", 'author = "Lee, A. and et al."', "year = 2000",
    "year={19}", "journal = jp", "author={Lee, Ann, Ray, Bo}", "doi={10.1000/x}", "% note\n",
)  # fmt: skip


@st.composite
def _bibs(draw: st.DrawFn) -> str:
    """Files with one fault or another, sometimes several."""
    entries = []
    for _ in range(draw(st.integers(1, 4))):
        fields = draw(st.lists(st.sampled_from(_FIELDS), max_size=4))
        commas = draw(st.sampled_from([",", ",", ",\n ", "\n ", ",,"]))
        key = draw(st.sampled_from(["a", "b", "A", "c d", ""]))
        close = draw(st.sampled_from(["}", "}", "}", "}}", ""]))
        entries.append(f"@article{{{key}{commas}{commas.join(fields)}{close}\n")
    return draw(st.sampled_from(["", "\n", "words\n"])).join(entries)


_TEXTS = _bibs() | st.text('@{}(),="#%\\ \nab1', max_size=60)


@settings(max_examples=60, deadline=None)
@given(_TEXTS)
def test_any_bibliography_gets_the_same_answer_twice(text: str) -> None:
    files = Memory({"main.tex": _MAIN.encode(), "refs.bib": text.encode()})
    manuscript = Reading(files, main="main.tex").manuscript
    report = run(manuscript)
    assert report == run(manuscript)
    for finding in report.findings:
        source = manuscript.sources[finding.place.path]
        assert finding.place.span.stop <= len(source.text)


@settings(max_examples=60, deadline=None)
@given(_bibs())
def test_an_edit_settles_its_finding_and_changes_only_what_it_declares(text: str) -> None:
    files = Memory({"main.tex": _MAIN.encode(), "refs.bib": text.encode()})
    reading = Reading(files, main="main.tex")
    report = run(reading.manuscript)
    for edit in report.edits:
        changed = apply(reading.manuscript.sources, [edit])
        after = run(reading.reread(changed))
        told = [f.message for f in report.findings if f.fingerprint in edit.answers]
        left = [f.message for f in after.findings if f.rule == edit.rule]
        before = [f.message for f in report.findings if f.rule == edit.rule]
        assert len(left) < len(before), told
        if "refs.bib" in changed:
            _assert_declared(text, changed["refs.bib"].text, edit)


def _assert_declared(before: str, after: str, edit) -> None:
    def atoms(text: str) -> list[str]:
        entries = read_bib(Source("refs.bib", text)).entries
        return [x for e in entries for x in (e.key, *(f"{f.name} = {f.raw}" for f in e.fields))]

    was, now = atoms(before), atoms(after)
    for allowed in edit.allows:
        if allowed.kind == "field":
            was[was.index(allowed.lost)] = allowed.gained
    if any(allowed.kind == "entry" for allowed in edit.allows):
        assert len(now) < len(was)
    else:
        assert sorted(was) == sorted(now)
