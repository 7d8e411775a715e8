import math
import re
from collections import Counter
from dataclasses import replace

import pytest

from reviser.findings import Severity
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.pipeline.checking import NO_SENTENCE, SWITCHED_OFF, Judges, Options, check, known_rules
from reviser.pipeline.choosing import LEFT_OUT
from reviser.pipeline.improving import improve
from reviser.pipeline.moving import moved
from reviser.review.suppress import Ignore
from reviser.revise.verdict import Outcome, Revision
from reviser.text.source import Source
from reviser.verify.coverage import Coverage
from reviser.verify.model import Label

TOPICS = (
    ("cats", "Cats sleep purring on warm windowsills and hunt mice at dusk in gardens"),
    ("glaciers", "Glaciers carve deep valleys while ice flows slowly from alpine snow basins"),
    ("violins", "Violins resonate through spruce plates and bowed strings with bright overtones"),
    ("enzymes", "Enzymes catalyse reactions by binding substrates tightly inside folded pockets"),
    ("bridges", "Suspension bridges carry traffic by steel cables anchored behind tall towers"),
    ("markets", "Markets clear when prices move until supply meets demand among many traders"),
    ("volcanoes", "Volcanoes erupt molten basalt after pressure builds in shallow magma chambers"),
    ("bees", "Honeybees dance inside dark hives and tell foragers where nectar blossoms grow"),
)
SWAPPED = {"violins": "enzymes", "enzymes": "violins"}


class Words:
    """An embedder that counts words: equal texts are at 1, texts without a common word at 0."""

    name = "shared words"

    def similarities(self, rows, columns):
        return [[self._cosine(row, column) for column in columns] for row in rows]

    def _cosine(self, one, other):
        a, b = (Counter(re.findall("[a-z]{4,}", text.lower())) for text in (one, other))
        size = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
        return sum(a[word] * b[word] for word in a) / size if size else 0.0


def reading(cited=lambda key: key, *, extra=""):
    sentences = "\n\n".join(f"{words}~\\citep{{{cited(key)}}}." for key, words in TOPICS)
    main = (
        "\\documentclass{article}\n\\begin{document}\n"
        f"{sentences}\n{extra}\\bibliography{{refs}}\n\\end{{document}}\n"
    )
    entries = "".join(
        f"@book{{{key},\n  author = {{Ann Author{key}}},\n  title = {{On {key}}},\n"
        "  publisher = {P},\n  year = {2001},\n"
        f"  abstract = {{{words}. {words}, they say.}},\n}}\n"
        for key, words in TOPICS
    )
    return Reading(Memory({"main.tex": main.encode(), "refs.bib": entries.encode()}))


JUDGES = Judges(Words())


def test_a_paper_that_cites_rightly_is_left_alone():
    checked = check(reading().manuscript, Options(), JUDGES)
    assert {s.label for s in checked.supports} == {Label.ON_TOPIC}
    assert checked.edits == ()
    assert checked.live == ()
    assert checked.coverage == Coverage(8, 8)


def test_swapped_keys_are_both_mended_and_the_paper_is_clean_then():
    paper = reading(lambda key: SWAPPED.get(key, key))
    before = check(paper.manuscript, Options(), JUDGES)
    accused = sorted(s.key for s in before.supports if s.label is Label.OFF_TOPIC)
    assert accused == ["enzymes", "violins"]
    improved = improve(before, Options(), JUDGES, reread=paper.reread)
    assert [v.outcome for v in improved.verdicts] == [Outcome.ACCEPTED] * 2
    assert improved.revision.after["main.tex"].text == reading().manuscript.sources["main.tex"].text
    assert improved.after.live == ()


def test_what_nobody_wants_stays_and_is_recorded():
    paper = reading(lambda key: SWAPPED.get(key, key))
    before = check(paper.manuscript, Options(), JUDGES)
    offered = []

    def first(edits):
        offered.extend(edits)
        return edits[:1]

    improved = improve(before, Options(), JUDGES, reread=paper.reread, choose=first)
    assert len(offered) == 2
    assert [v.outcome for v in improved.verdicts] == [Outcome.ACCEPTED, Outcome.REJECTED]
    assert improved.verdicts[1].reasons == (LEFT_OUT,)
    none = improve(before, Options(), JUDGES, reread=paper.reread, choose=lambda edits: ())
    assert none.revision.after == {}
    assert none.after is before


@pytest.mark.parametrize(
    ("options", "edits"),
    [
        (Options(repair="off"), 0),
        (Options(verify=False), 0),
        (Options(rules=("undefined-reference",)), 0),
        (Options(ignores=(Ignore("citation-off-topic", "known"),)), 0),
        (Options(changed={}), 0),
        (Options(changed={"main.tex": ((7, 7),)}), 1),
        (Options(), 2),
    ],
    ids=repr,
)
def test_only_findings_that_count_bring_edits(options, edits):
    paper = reading(lambda key: SWAPPED.get(key, key))
    checked = check(paper.manuscript, options, JUDGES)
    assert len(checked.edits) == edits


def test_what_is_not_checked_is_counted_with_its_reason():
    manuscript = reading(
        extra="Nobody knows it all, as has often been said~\\citep{nowhere}.\n"
    ).manuscript
    checked = check(manuscript, Options(), JUDGES)
    assert checked.coverage.sentence == (
        "checked 8 of 9 citations; 1 not checked because: the key is not in the bibliography (1)"
    )
    off = check(manuscript, Options(verify=False), JUDGES)
    assert off.coverage == Coverage(9, 0, ((SWITCHED_OFF, 9),))
    assert off.figures == ()


def test_a_citation_outside_every_sentence_is_not_forgotten():
    manuscript = reading().manuscript
    bare = replace(manuscript, sentences=())
    checked = check(bare, Options(), JUDGES)
    assert checked.coverage == Coverage(8, 0, ((NO_SENTENCE, 8),))


def test_no_citations_is_said_so():
    assert Coverage(0, 0).sentence == "there are no citations to check"


def test_every_rule_is_known_by_severity_and_summary():
    known = known_rules()
    assert list(known) == sorted(known)
    assert {"undefined-citation", "citation-off-topic", "unused-suppression"} <= set(known)
    for severity, summary in known.values():
        assert isinstance(severity, Severity)
        assert summary


@pytest.mark.parametrize(
    ("before", "after", "lines", "expected"),
    [
        ("a\nb\nc\n", "a\nb\nc\n", ((2, 2),), ((2, 2),)),
        ("a\nb\nc\n", "x\na\nb\nc\n", ((2, 3),), ((3, 4),)),
        ("a\nb\nc\n", "b\nc\n", ((2, 3),), ((1, 2),)),
        ("a\nb\nc\n", "a\nc\n", ((2, 2),), ((2, 1),)),
        ("a\nb\nc\n", "a\nB\nBB\nc\n", ((2, 3),), ((2, 4),)),
        ("a\nb\nc\n", "a\nB\nBB\nc\n", ((1, 10**9),), ((1, 10**9 + 1),)),
        ("a\nb\n", "", ((1, 2),), ((1, 1),)),
    ],
)
def test_changed_lines_move_with_the_text(before, after, lines, expected):
    if before == after:
        revision = Revision({"x": Source("x", before)}, {}, ())
    else:
        revision = Revision({"x": Source("x", before)}, {"x": Source("x", after)}, ())
    assert moved({"x": lines, "y": ((1, 1),)}, revision) == {"x": expected, "y": ((1, 1),)}
