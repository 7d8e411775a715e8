"""An honest plan is confirmed whole; a forged one loses exactly what is forged."""

import hashlib
import math
import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from reviser.deliver.confirm import ON_TRUST, confirm, line
from reviser.deliver.plan import Conclusion, Noted, Origin, Plan, Supplied, Target, conclude
from reviser.deliver.plan_json import read, write
from reviser.findings import Evidence, Severity
from reviser.literature.sources import text_of
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.pipeline.checking import Judges, Options, check
from reviser.pipeline.improving import improve
from reviser.revise.verdict import Layer, Outcome, Score, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement
from reviser.text.source import Place, Span
from reviser.verify.coverage import Coverage
from reviser.verify.figures import Figure

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
CITED = {"violins": "enzymes", "enzymes": "violins", "cats": "cats,markets"}


class Words:
    """An embedder that counts words."""

    name = "shared words"

    def similarities(self, rows, columns):
        return [[self._cosine(row, column) for column in columns] for row in rows]

    def _cosine(self, one, other):
        a, b = (Counter(re.findall("[a-z]{4,}", text.lower())) for text in (one, other))
        size = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
        return sum(a[word] * b[word] for word in a) / size if size else 0.0


def reading():
    sentences = "\n\n".join(f"{words}~\\citep{{{CITED.get(key, key)}}}." for key, words in TOPICS)
    main = (
        "\\documentclass{article}\n\\begin{document}\n"
        f"{sentences}\n\nThis is open. TODO: say more.\n"
        "% reviser: ignore[no-such-rule] why\n"
        "\\bibliography{refs}\n\\end{document}\n"
    )
    bib = "".join(
        f"@article{{{key}, author = {{{key.title()}, A.}}, title = {{On {key}}}, year = 2020, "
        f"journal = {{Nature \\& Art}}, abstract = {{{words}. {words}, they say.}}}}\n"
        for key, words in TOPICS
    )
    bib += "@book{salt,\n  author = {Salt, B.}\n  title = {Salt and Sea},\n  year = 1999,\n"
    bib += "  publisher = {X}\n}\n"
    return Reading(Memory({"main.tex": main.encode(), "refs.bib": bib.encode()}))


@cache
def honest():
    paper = reading()
    judges = Judges(Words())
    before = check(paper.manuscript, Options(), judges)
    done = improve(before, Options(), judges, reread=paper.reread)
    return Plan(
        target=Target("o/r", 3, "a" * 40, "b" * 40, "fix"),
        version="1.0",
        fail_on="error",
        findings=tuple(Noted(f, Origin.HERE) for f in before.live),
        verdicts=done.verdicts,
        coverage=before.coverage,
        whole=before.coverage,
        open_questions=0,
        before=before.figures,
        after=done.after.figures,
        judges=("shared words",),
        notes=("A file was not read.",),
    )


def confirmed(plan):
    paper = reading()
    return confirm(read(write(plan).encode()), paper.manuscript, paper.reread)


def by_rule(rule):
    return next(n for n in honest().findings if n.finding.rule == rule)


def by_purpose(purpose):
    return next(v for v in honest().accepted if v.edit.purpose is purpose)


def test_the_honest_plan_holds_what_these_tests_forge():
    rules = {n.finding.rule for n in honest().findings}
    assert {"citation-off-topic", "todo-in-prose", "unused-suppression"} <= rules
    purposes = {v.edit.purpose for v in honest().accepted}
    assert purposes == {Purpose.RULE_FIX, Purpose.PRUNE, Purpose.REPLACE}


def test_an_honest_plan_loses_nothing():
    done = confirmed(honest())
    assert done.refused == ()
    assert [n.finding.fingerprint for n in done.plan.findings] == [
        n.finding.fingerprint for n in honest().findings
    ]
    for ours, theirs in zip(done.plan.verdicts, honest().verdicts, strict=True):
        assert ours.edit.replacements == theirs.edit.replacements
        assert ours.edit.allows == theirs.edit.allows
        assert ours.edit.id == theirs.edit.id
        assert ours.edit.evidence == theirs.edit.evidence
        assert (ours.outcome, ours.layer) == (theirs.outcome, theirs.layer)
    for ours, theirs in zip(done.plan.findings, honest().findings, strict=True):
        assert ours.finding.evidence == theirs.finding.evidence
        assert ours.finding.severity is theirs.finding.severity
        assert ours.origin is theirs.origin
    assert done.plan.coverage == honest().coverage
    assert done.plan.before == honest().before
    assert done.plan.notes == ("A file was not read.", ON_TRUST)


def test_a_plan_that_tells_nothing_of_citations_is_neutral_at_most():
    silent = replace(
        honest(), findings=(), verdicts=(), coverage=Coverage(0, 0), whole=Coverage(0, 0), notes=()
    )
    assert conclude(silent) is Conclusion.SUCCESS
    told = confirmed(replace(silent, secondhand=False)).plan
    assert conclude(told) is Conclusion.NEUTRAL
    assert told.notes == (ON_TRUST,)
    assert conclude(confirmed(replace(honest(), fail_on="warning")).plan) is Conclusion.FAILURE


def test_a_paper_without_citations_needs_nobody_elses_word():
    main = b"\\documentclass{article}\n\\begin{document}\nWords.\n\\end{document}\n"
    paper = Reading(Memory({"main.tex": main}))
    told = confirm(replace(honest(), findings=(), verdicts=()), paper.manuscript, paper.reread).plan
    assert (told.secondhand, told.notes) == (False, ("A file was not read.",))


def with_finding(old, new):
    return replace(
        honest(), findings=tuple(new if n is old else n for n in honest().findings), verdicts=()
    )


def print_of(finding, number=1):
    words = re.sub(r"\s+", " ", finding.quote).strip()
    text = "\0".join([finding.rule, finding.place.path, words, str(number)])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def signed(finding):
    return replace(finding, fingerprint=print_of(finding))


OFF_TOPIC = "citation-off-topic"


def test_words_and_severity_are_never_the_makers():
    for rule in (OFF_TOPIC, "todo-in-prose", "unused-suppression"):
        noted = by_rule(rule)
        forged = replace(
            noted.finding, message="@everyone buy this", severity=Severity.ERROR, suppressed="x"
        )
        done = confirmed(with_finding(noted, replace(noted, finding=forged)))
        (ours,) = [n for n in done.plan.findings if n.finding.fingerprint == forged.fingerprint]
        assert "everyone" not in ours.finding.message
        assert ours.finding.severity is noted.finding.severity
        assert ours.finding.suppressed is None


def test_the_message_on_a_citation_is_built_from_the_files():
    done = confirmed(honest())
    said = {n.finding.message for n in done.plan.findings if n.finding.rule == OFF_TOPIC}
    assert "'enzymes' (Enzymes (2020), \"On enzymes\"): " in " ".join(said)


def moved_by(finding, shift):
    span = finding.place.span
    return replace(
        finding, place=Place(finding.place.path, Span(span.start + shift, span.stop + shift))
    )


@pytest.mark.parametrize(
    ("rule", "forge"),
    [
        (OFF_TOPIC, lambda f: moved_by(f, 1)),
        (OFF_TOPIC, lambda f: replace(f, place=Place("other.tex", f.place.span))),
        (OFF_TOPIC, lambda f: signed(replace(f, quote="Buy this"))),
        (OFF_TOPIC, lambda f: signed(replace(f, quote=""))),
        (OFF_TOPIC, lambda f: signed(replace(f, quote=f.quote[:-9]))),
        (OFF_TOPIC, lambda f: replace(f, fingerprint="0" * 12)),
        (OFF_TOPIC, lambda f: replace(f, fingerprint=print_of(f, 99))),
        (OFF_TOPIC, lambda f: signed(replace(f, rule="made-up"))),
        (OFF_TOPIC, lambda f: signed(replace(f, rule="injected-instruction"))),
        ("todo-in-prose", lambda f: replace(f, fingerprint="0" * 12)),
        ("todo-in-prose", lambda f: signed(replace(f, rule=OFF_TOPIC))),
        ("unused-suppression", lambda f: signed(replace(f, quote="% Buy this"))),
        ("unused-suppression", lambda f: signed(replace(f, rule="stale-baseline", quote="x"))),
        ("unused-suppression", lambda f: replace(f, fingerprint="0" * 12)),
    ],
)
def test_a_forged_finding_is_left_out(rule, forge):
    noted = by_rule(rule)
    forged = replace(noted, finding=forge(noted.finding))
    done = confirmed(with_finding(noted, forged))
    assert len(done.refused) == 1
    assert forged.finding.fingerprint[:8] in done.refused[0]
    assert len(done.plan.findings) == len(honest().findings) - 1


def test_a_finding_is_told_once():
    plan = replace(honest(), findings=honest().findings * 2)
    assert len(confirmed(plan).plan.findings) == len(honest().findings)


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence("Buy this", "abstract of enzymes"),
        Evidence("Buy this", "anywhere"),
        Evidence("Buy this", "bibliography entry enzymes"),
        Evidence(TOPICS[3][1] + ".", "abstract of nobody"),
        Evidence(TOPICS[3][1] + ".", "abstract of cats"),
        Evidence(TOPICS[3][1] + ".", "source text of enzymes"),
    ],
)
def test_evidence_that_stands_nowhere_is_left_out(evidence):
    noted = by_rule(OFF_TOPIC)
    forged = replace(noted.finding, evidence=(evidence, *noted.finding.evidence))
    done = confirmed(with_finding(noted, replace(noted, finding=forged)))
    (ours,) = [n for n in done.plan.findings if n.finding.fingerprint == forged.fingerprint]
    assert ours.finding.evidence == noted.finding.evidence
    assert len(done.refused) == 1


def test_evidence_from_a_source_text_is_read_there():
    noted = by_rule(OFF_TOPIC)
    said = "Enzymes dance inside folded pockets of many substrates."
    forged = replace(noted.finding, evidence=(Evidence(said, "source text of enzymes"),))
    plan = with_finding(noted, replace(noted, finding=forged))
    paper = reading()
    texts = {"enzymes": text_of(f"First a word on other matters. {said} And so on.")}
    done = confirm(plan, paper.manuscript, paper.reread, texts)
    (ours,) = [n for n in done.plan.findings if n.finding.fingerprint == forged.fingerprint]
    assert ours.finding.evidence == forged.evidence


def with_edit(old, *edits, outcome=Outcome.ACCEPTED):
    new = [replace(old, edit=edit, outcome=outcome) for edit in edits]
    kept = [v for v in honest().verdicts if v is not old]
    return replace(honest(), verdicts=(*kept, *new))


def part_of(edit):
    (part,) = edit.replacements
    return part


def widened(edit, more, after=None):
    part = part_of(edit)
    text = reading().manuscript.sources[part.at.path].text
    span = Span(part.at.span.start, part.at.span.stop + more)
    new = part.after if after is None else after
    return replace(
        edit,
        replacements=(Replacement(Place(part.at.path, span), text[span.start : span.stop], new),),
    )


def put(edit, after):
    return replace(edit, replacements=(replace(part_of(edit), after=after),))


def elsewhere(edit):
    return replace(edit, answers=(by_rule("todo-in-prose").finding.fingerprint,))


ANY = (Purpose.RULE_FIX, Purpose.PRUNE, Purpose.REPLACE)


@pytest.mark.parametrize("outcome", [Outcome.ACCEPTED, Outcome.REJECTED])
@pytest.mark.parametrize(
    ("purposes", "forge"),
    [
        (ANY, lambda e: put(e, "\\input{/etc/passwd}")),
        (ANY, lambda e: put(e, "Buy this")),
        (ANY, lambda e: replace(e, replacements=(replace(part_of(e), before="x"),))),
        (ANY, lambda e: replace(e, replacements=())),
        (ANY, lambda e: replace(e, replacements=e.replacements * 2)),
        (ANY, lambda e: replace(e, answers=())),
        (ANY, lambda e: replace(e, answers=("0" * 12,))),
        (ANY, lambda e: replace(e, answers=(*e.answers, "0" * 12))),
        (ANY, elsewhere),
        (ANY, lambda e: widened(e, 3)),
        (ANY, lambda e: replace(e, purpose=Purpose.CLAIM_REWRITE)),
        (ANY, lambda e: replace(e, purpose=Purpose.HUMAN)),
        ((Purpose.PRUNE, Purpose.REPLACE), lambda e: replace(e, purpose=Purpose.RULE_FIX)),
        ((Purpose.PRUNE, Purpose.REPLACE), lambda e: replace(e, allows=())),
        (
            (Purpose.PRUNE, Purpose.REPLACE),
            lambda e: replace(e, allows=(*e.allows, Allowed("words", part_of(e).at, "a", "b"))),
        ),
        ((Purpose.REPLACE,), lambda e: put(e, "salt")),
        ((Purpose.REPLACE,), lambda e: put(e, "VIOLINS")),
        ((Purpose.PRUNE,), lambda e: widened(e, 1)),
        ((Purpose.RULE_FIX,), lambda e: replace(e, purpose=Purpose.PRUNE)),
    ],
)
def test_a_forged_edit_is_left_out(purposes, forge, outcome):
    for purpose in purposes:
        verdict = by_purpose(purpose)
        edit = forge(verdict.edit)
        done = confirmed(with_edit(verdict, edit, outcome=outcome))
        left = {v.edit.id for v in done.plan.verdicts}
        assert verdict.edit.id not in left, purpose
        assert len(left) == len(honest().verdicts) - 1
        assert len(done.refused) == 1


def test_an_edit_of_another_gained_key_must_announce_it_and_exist():
    verdict = by_purpose(Purpose.REPLACE)
    (allowed,) = verdict.edit.allows
    for key, held in (("salt", True), ("nobody", False), ("a}\\input{b", False)):
        edit = replace(put(verdict.edit, key), allows=(replace(allowed, gained=key),))
        done = confirmed(with_edit(verdict, edit))
        # Which work fits is the verifier's word; that it is one of the bibliography is checked.
        assert bool(done.refused) is not held


def test_a_repair_that_fails_a_hard_check_is_left_out():
    """Put the other key of the citation in the place of the wrong one: it would be named twice."""
    prune = by_purpose(Purpose.PRUNE)
    (allowed,) = prune.edit.allows
    twice = replace(
        prune.edit,
        purpose=Purpose.REPLACE,
        replacements=(Replacement(allowed.at, "markets", "cats"),),
        allows=(replace(allowed, gained="cats"),),
    )
    done = confirmed(with_edit(prune, twice))
    assert "stays_in_its_key_list" in done.refused[0]
    assert len(done.plan.verdicts) == len(honest().verdicts) - 1


def test_a_repair_changes_the_key_of_its_own_citation():
    prune = by_purpose(Purpose.PRUNE)
    paper = reading().manuscript
    other = next(c.keys[0].at for c in paper.citations if c.keys[0].name == "markets")
    moved = replace(prune.edit, replacements=(Replacement(other, "markets", ""),))
    done = confirmed(with_edit(prune, moved, outcome=Outcome.REJECTED))
    assert len(done.refused) == 1


def test_words_of_an_edit_are_never_the_makers():
    for purpose in ANY:
        verdict = by_purpose(purpose)
        edit = replace(
            verdict.edit, id="x" * 99, why="@everyone", rule="made-up", evidence=("Buy this",)
        )
        done = confirmed(with_edit(verdict, edit))
        (ours,) = [v.edit for v in done.plan.verdicts if v.edit.id == verdict.edit.id]
        assert "everyone" not in ours.why
        assert ours.rule == verdict.edit.rule
        assert "Buy this" not in ours.evidence


def test_an_edit_is_delivered_once():
    verdict = by_purpose(Purpose.RULE_FIX)
    done = confirmed(with_edit(verdict, verdict.edit, verdict.edit))
    assert len(done.plan.verdicts) == len(honest().verdicts)
    assert len(done.refused) == 1


def test_edits_must_hold_one_after_the_other():
    """Pruning both keys of one citation would leave it without one."""
    prune = by_purpose(Purpose.PRUNE)
    paper = reading().manuscript
    (citation,) = [c for c in paper.citations if len(c.keys) == 2]
    cats, markets = citation.keys
    wrong = by_rule(OFF_TOPIC).finding
    place = Place("main.tex", Span(cats.at.span.start, markets.at.span.start))
    claimed = next(
        n for n in honest().findings if n.finding.fingerprint == prune.edit.answers[0]
    ).finding
    other = replace(wrong, place=cats.at, quote=claimed.quote)
    other = replace(other, fingerprint=print_of(other, 2))
    forged = Edit(
        f"prune-{other.fingerprint}",
        OFF_TOPIC,
        (Replacement(place, paper.text(place), ""),),
        Purpose.PRUNE,
        "",
        (Allowed("citation key", cats.at, "cats", None),),
        answers=(other.fingerprint,),
    )
    plan = replace(
        honest(),
        findings=(*honest().findings, Noted(other, Origin.HERE)),
        verdicts=(*honest().verdicts, Verdict(forged, Outcome.ACCEPTED, Layer.EVIDENCE)),
    )
    done = confirmed(plan)
    assert forged.id not in {v.edit.id for v in done.plan.verdicts}
    assert prune.edit.id in {v.edit.id for v in done.plan.verdicts}
    assert "does not stand there" in done.refused[-1]
    alone = replace(plan, verdicts=(plan.verdicts[-1],))
    assert [v.edit.id for v in confirmed(alone).plan.verdicts] == [forged.id]


def test_what_is_said_around_is_one_short_line_each():
    nasty = "::add-mask::x\n@everyone\x1b[31m\u202e" + "y" * 900
    verdict = by_purpose(Purpose.RULE_FIX)
    plan = replace(
        honest(),
        version=nasty[:150],
        judges=(nasty[:150],),
        notes=(nasty,),
        coverage=Coverage(2, 1, ((nasty, 1),), nasty),
        before=(Figure("Sold", 1.0, 1, 1), Figure("F1", 0.5, 1, 2, 0.0, nasty[:150])),
        supplied=(
            Supplied("abstract", nasty[:150], "refs.bib"),
            Supplied("advert", "x", "refs.bib"),
        ),
        findings=tuple(
            replace(n, subject=nasty[:150], supplied=(nasty[:150],)) for n in honest().findings
        ),
        verdicts=(
            replace(verdict, reasons=(nasty,), before=(Score(nasty, 0.5, None, nasty),), after=()),
        ),
    )
    told = confirmed(plan).plan
    assert [figure.name for figure in told.before] == ["F1"]
    assert [one.kind for one in told.supplied] == ["abstract"]
    (kept,) = told.verdicts
    said = [
        told.version,
        *told.judges,
        *told.notes,
        told.coverage.nli or "",
        *(why for why, _ in told.coverage.not_checked),
        *(figure.why for figure in told.before),
        *(one.name for one in told.supplied),
        *(text for n in told.findings for text in (n.subject, *n.supplied)),
        *kept.reasons,
        *(text for score in kept.before for text in (score.name, score.why)),
    ]
    assert all(text.isprintable() and len(text) <= 300 for text in said)


def test_a_plan_full_of_lies_is_refused_in_few_words():
    noted = by_rule(OFF_TOPIC)
    lies = tuple(
        replace(noted, finding=replace(noted.finding, fingerprint=f"{n:012x}")) for n in range(500)
    )
    done = confirmed(replace(honest(), findings=lies, verdicts=()))
    assert done.plan.findings == ()
    assert len(done.refused) == 21
    assert done.refused[-1].startswith("480 more")


def test_a_line_is_short_and_plain():
    assert line(" a\r\n b\tc ", 20) == "a b c"
    assert line("a\x00\u200bb", 20) == "ab"
    assert line("x" * 50, 10) == "x" * 9 + "…"


def rewritten(before, after, *, evidence=(), allows=()):
    """An honest plan with a model's edit of a claim that no work bears out besides."""
    told = by_rule("citation-off-topic").finding
    text = reading().manuscript.sources["main.tex"].text
    start = text.index(before)
    place = Place("main.tex", Span(start, start + len(before)))
    edit = Edit(
        f"rewrite-{told.fingerprint}", told.rule, (Replacement(place, before, after),),
        Purpose.CLAIM_REWRITE, "because a model says so", allows=allows, evidence=evidence,
        answers=(told.fingerprint,),
    )  # fmt: skip
    verdict = Verdict(edit, Outcome.ACCEPTED, Layer.EVIDENCE)
    return replace(honest(), verdicts=(verdict,))


def confirmed_as_ours(plan):
    paper = reading()
    return confirm(read(write(plan).encode()), paper.manuscript, paper.reread, ours=True)


SAID = ("spruce plates", "thin spruce plates")


def test_a_claim_that_a_model_reworded_is_taken_from_our_own_run_alone():
    plan = rewritten(*SAID)
    (kept,) = confirmed_as_ours(plan).plan.accepted
    assert kept.edit.replacements[0].after == SAID[1]
    assert kept.edit.why != "because a model says so"
    done = confirmed(plan)
    assert done.plan.verdicts == ()
    assert "1 edit) is left out" in done.refused[0]


def quoting(evidence):
    noted = by_rule(OFF_TOPIC)
    forged = replace(noted.finding, evidence=(*evidence, *noted.finding.evidence))
    return with_finding(noted, replace(noted, finding=forged))


def told_of(done):
    return next(n.finding for n in done.plan.findings if n.finding.rule == OFF_TOPIC).evidence


def test_a_text_that_was_looked_up_is_quoted_from_our_own_run_alone():
    plan = quoting([Evidence("Enzymes\n\x1bdance.", "abstract of enzymes, OpenAlex")])
    kept = told_of(confirmed_as_ours(plan))[0]
    assert kept == Evidence("Enzymes dance.", "abstract of enzymes, OpenAlex")
    done = confirmed(plan)
    assert told_of(done) == by_rule(OFF_TOPIC).finding.evidence
    assert "cannot be read in the files" in done.refused[0]


def test_what_was_looked_up_is_short_of_a_cited_work_and_named_by_who_gave_it():
    long = Evidence("words " * 900, f"source text of enzymes, arXiv, section {'x' * 900}")
    kept = told_of(confirmed_as_ours(quoting([long])))[0]
    assert (len(kept.text), len(kept.where)) == (400, 200)
    for where in ("abstract of enzymes", "abstract of nobody, OpenAlex", "anywhere, OpenAlex"):
        plan = quoting([Evidence("Enzymes dance.", where)])
        assert told_of(confirmed_as_ours(plan)) == by_rule(OFF_TOPIC).finding.evidence


@pytest.mark.parametrize(
    "after", ["900 spruce plates", "no spruce plates", "spruce plates \\cite{x}"]
)
def test_what_the_cited_work_does_not_say_is_no_rewording(after):
    evidence = ("It has 900 of them.",)  # no text that is here says so
    assert (
        confirmed_as_ours(rewritten("spruce plates", after, evidence=evidence)).plan.accepted == ()
    )


def test_a_model_s_edit_announces_nothing_in_a_plan():
    text = reading().manuscript.sources["main.tex"].text
    start = text.index("spruce plates")
    at = Place("main.tex", Span(start, start + len("spruce plates")))
    said = (Allowed("words", at, "spruce plates", "900 plates"),)
    plan = rewritten("spruce plates", "900 plates", allows=said)
    assert confirmed_as_ours(plan).plan.accepted == ()


def looked_up():
    """An honest plan with what services said: of an entry, and in the place of an error."""
    paper = reading().manuscript
    at = paper.entry_of["cats"].key_at
    finding = replace(
        by_rule("citation-off-topic").finding,
        rule="reference-retracted",
        place=at,
        quote="cats",
        message="'cats' was\nretracted in 2021.\x1b[31m",
        severity=Severity.ERROR,
        evidence=(Evidence("Retraction:\nOn cats", "Crossref, notice 10.5555/notice"),),
        fingerprint="0123456789ab",
    )
    plan = replace(honest(), findings=(*honest().findings, Noted(finding, Origin.HERE)))
    return replace(plan, services=("Crossref", "[Elsewhere](https://x.example)"))


def ours(plan):
    paper = reading()
    return confirm(read(write(plan).encode()), paper.manuscript, paper.reread, ours=True)


def test_what_services_said_is_taken_from_our_own_run_alone():
    strange = confirmed(looked_up())
    assert "reference-retracted" not in {n.finding.rule for n in strange.plan.findings}
    assert strange.refused == (
        "1 finding on the word of literature services is left out: services are not asked here.",
    )
    mine = ours(looked_up())
    (told,) = (n.finding for n in mine.plan.findings if n.finding.rule == "reference-retracted")
    assert told.message == "'cats' was retracted in 2021.[31m"
    assert told.severity is Severity.WARNING
    assert told.evidence == (Evidence("Retraction: On cats", "Crossref, notice 10.5555/notice"),)
    assert mine.plan.services == strange.plan.services == ("Crossref",)
    assert not mine.refused


def test_what_services_said_of_words_that_do_not_stand_there_is_left_out():
    plan = looked_up()
    *rest, last = plan.findings
    moved = replace(last, finding=replace(last.finding, quote="dogs"))
    done = ours(replace(plan, findings=(*rest, moved)))
    assert "reference-retracted" not in {n.finding.rule for n in done.plan.findings}
    assert "the words that it quotes do not stand there" in done.refused[0]
