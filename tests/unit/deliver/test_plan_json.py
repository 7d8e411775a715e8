import json
from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_edits import sources
from small_pulls import mended, noted, plan

from reviser.deliver import plan_json
from reviser.deliver.advised import Advised, Opinion, Rebutted, Spending
from reviser.deliver.plan import Noted, Origin, Plan, Supplied, Target
from reviser.deliver.plan_json import UnreadablePlan, read, write
from reviser.findings import Evidence, Finding, Severity
from reviser.revise.treatment import JudgeReport
from reviser.revise.verdict import Layer, Outcome, Score, Shadow, Step, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement
from reviser.text.source import Place, Span
from reviser.verify.coverage import Coverage
from reviser.verify.figures import Figure

FILES = sources(main="It is teh best.\n")
ONE = noted(FILES, "teh")
PLAN = plan(ONE, verdicts=[mended(FILES, ONE, "the")])

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
marks = st.text("0123456789abcdef", min_size=12, max_size=12)
counts = st.integers(0, 1000)
shares = st.floats(0, 1)
rules = st.sampled_from(["bib-year", "citation-off-topic"])
paths = st.sampled_from(["main.tex", "a/b c.tex", "ü.bib", "-x"])
places = st.builds(
    lambda path, start, length: Place(path, Span(start, start + length)), paths, counts, counts
)


def many(strategy):
    return st.lists(strategy, max_size=3).map(tuple)


findings = st.builds(
    Finding,
    rules,
    places,
    texts,
    texts,
    st.sampled_from(Severity),
    many(st.builds(Evidence, texts, texts)),
    marks,
    st.one_of(st.none(), texts),
)
edits = st.builds(
    Edit,
    texts,
    rules,
    many(st.builds(Replacement, places, texts, texts)),
    st.sampled_from(Purpose),
    texts,
    many(st.builds(Allowed, texts, places, st.none() | texts, st.none() | texts)),
    many(texts),
    many(marks),
)
scores = many(st.builds(Score, texts, st.none() | st.floats(-9, 9), st.none() | shares, texts))
verdicts = st.builds(
    Verdict,
    edits,
    st.sampled_from(Outcome),
    st.sampled_from(Layer),
    many(texts),
    scores,
    scores,
    many(st.builds(Step, st.sampled_from(Layer), st.sampled_from(Outcome), texts)),
    st.none() | st.builds(Shadow, texts, st.sampled_from(Outcome), texts),
    many(texts),
)
advice = st.builds(
    Advised,
    st.none()
    | st.builds(
        Opinion,
        texts,
        many(texts),
        many(texts),
        many(texts),
        st.floats(1, 10),
        st.floats(1, 5),
        texts,
        counts,
        many(texts),
        st.booleans(),
    ),
    many(st.builds(Rebutted, marks, rules, texts, texts, texts)),
    many(texts),
    many(st.builds(Spending, texts, texts, counts, counts, counts, st.none() | shares)),
    st.none()
    | st.builds(
        JudgeReport,
        texts,
        st.none() | shares,
        counts,
        many(st.tuples(texts, st.booleans())),
        st.booleans(),
        texts,
    ),
)
coverages = st.builds(
    lambda checked, more, why, nli: Coverage(checked + more, checked, why, nli),
    counts,
    counts,
    many(st.tuples(texts, counts)),
    st.none() | texts,
)
figures = many(st.builds(Figure, texts, st.none() | shares, counts, counts, shares, texts))
targets = st.builds(
    Target,
    st.sampled_from(["o/r", "octo-org/a.b_c"]),
    st.none() | st.integers(1, 9999),
    st.sampled_from(["0" * 40, "f" * 64]),
    st.sampled_from(["", "1" * 40]),
    st.sampled_from(["main", "feature/x#1"]),
    st.sampled_from(["", "paper/", "a/b/"]),
    st.sampled_from(["", "paper", "paper/main.tex"]),
)
plans = st.builds(
    Plan,
    targets,
    texts,
    st.sampled_from(["error", "warning", "note", "never"]),
    many(st.builds(Noted, findings, st.sampled_from(Origin), texts, many(texts))),
    many(verdicts),
    coverages,
    coverages,
    counts,
    figures,
    figures,
    many(texts),
    many(st.builds(Supplied, texts, texts, paths)),
    counts,
    many(texts),
    st.booleans(),
    st.none() | advice,
    st.booleans(),
)


@settings(max_examples=100, deadline=None)
@given(plans)
def test_what_is_written_is_read(made):
    assert read(write(made).encode()) == made


def test_a_plan_is_written_for_people_too():
    told = write(PLAN)
    assert told.startswith('{\n "schema": "reviser.plan/2",\n')
    assert told.endswith("}\n")
    assert "\\u" not in write(replace(PLAN, notes=("größer",)))


def test_a_name_that_is_no_text_is_written_with_a_question_mark():
    odd = replace(PLAN, notes=("a\udcffb",))
    assert read(write(odd).encode()).notes == ("a?b",)


def crowd(count, origin=Origin.HERE, severity=Severity.NOTE, **changed):
    """Findings that differ in their fingerprint only."""
    return tuple(
        Noted(replace(ONE.finding, fingerprint=f"{n:012x}", severity=severity, **changed), origin)
        for n in range(count)
    )


def test_of_too_many_findings_the_worst_of_this_change_stay():
    kept = replace(ONE, origin=Origin.BEFORE)
    made = replace(PLAN, findings=(kept, *crowd(5_000)), verdicts=())
    back = read(write(made).encode())
    assert back.findings == made.findings[1:]
    assert "leaves out 1 finding and 0 edits" in back.notes[-1]
    made = replace(PLAN, findings=(ONE, *crowd(5_007)))
    back = read(write(made).encode())
    assert back.findings == made.findings[:5_000]
    assert back.verdicts == made.verdicts
    assert "leaves out 8 findings" in back.notes[-1]


def test_edits_go_with_the_findings_that_they_answer():
    edit = mended(FILES, ONE, "the")
    gone = replace(edit, edit=replace(edit.edit, answers=(f"{5_003:012x}",)))
    made = replace(PLAN, findings=crowd(5_004), verdicts=(gone,))
    back = read(write(made).encode())
    assert back.verdicts == ()
    assert "leaves out 4 findings and 1 edit" in back.notes[-1]


def test_of_too_many_edits_the_accepted_ones_stay():
    edit = mended(FILES, ONE, "the")
    refused = [replace(edit, outcome=Outcome.REJECTED)] * 2_000
    made = replace(PLAN, verdicts=(*refused, edit))
    back = read(write(made).encode())
    assert len(back.verdicts) == 2_000
    assert back.verdicts[-1] == edit


def test_a_plan_that_is_too_large_is_cut_until_it_can_be_read():
    made = replace(PLAN, findings=crowd(1_000, message="m" * 15_000), verdicts=())
    back = read(write(made).encode())
    assert 400 < len(back.findings) < 1_000
    assert back.findings == made.findings[: len(back.findings)]


def test_words_that_are_too_long_are_cut_and_an_edit_with_them_is_left_out():
    long = replace(ONE, finding=replace(ONE.finding, quote="q" * 20_001))
    verdict = PLAN.verdicts[0]
    (part,) = verdict.edit.replacements
    wide = replace(part, before="b" * 20_001)
    made = replace(
        PLAN,
        findings=(long,),
        verdicts=(replace(verdict, edit=replace(verdict.edit, replacements=(wide,))),),
    )
    back = read(write(made).encode())
    assert back.findings[0].finding.quote == "q" * 20_000
    assert back.verdicts == ()
    assert "0 findings and 1 edit" in back.notes[-1]


def broken(change):
    data = json.loads(write(PLAN))
    change(data["plan"])
    return json.dumps(data).encode()


def finding(data):
    return data["findings"][0]["finding"]


def edit(data):
    return data["verdicts"][0]["edit"]


LONG = "x" * 30_000


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.update(more=1),
        lambda p: p.pop("target"),
        lambda p: p["target"].update(repository="o/r/../x"),
        lambda p: p["target"].update(repository="o"),
        lambda p: p["target"].update(number="3"),
        lambda p: p["target"].update(number=True),
        lambda p: p["target"].update(number=0),
        lambda p: p["target"].update(head="HEAD"),
        lambda p: p["target"].update(head="A" * 40),
        lambda p: p["target"].update(base="--upload-pack=x"),
        lambda p: p["target"].update(branch="-x"),
        lambda p: p["target"].update(branch="a b"),
        lambda p: p["target"].update(root="paper"),
        lambda p: p["target"].update(root="../"),
        lambda p: p["target"].update(paper="/etc/passwd"),
        lambda p: p.update(fail_on="always"),
        lambda p: p.update(silenced=-1),
        lambda p: p["coverage"].update(checked=3),
        lambda p: p["whole"].update(total=-1, checked=-1),
        lambda p: p.update(before=[figure(value=2.0)]),
        lambda p: p.update(before=[figure(count=-1)]),
        lambda p: finding(p)["place"].update(path="../../etc/passwd"),
        lambda p: finding(p)["place"].update(path=".git/config"),
        lambda p: finding(p)["place"]["span"].update(start=99),
        lambda p: finding(p)["place"]["span"].update(start=-1),
        lambda p: finding(p).update(fingerprint="zzzz"),
        lambda p: finding(p).update(rule="A rule"),
        lambda p: finding(p).update(severity="fatal"),
        lambda p: finding(p).update(message=LONG),
        lambda p: finding(p).update(quote=5),
        lambda p: p["findings"][0].update(origin="somewhere"),
        lambda p: p["findings"][0].update(subject=LONG),
        lambda p: edit(p)["replacements"][0].update(after=LONG),
        lambda p: edit(p)["replacements"][0]["at"].update(path="C:/x"),
        lambda p: edit(p).update(purpose="fun"),
        lambda p: edit(p).update(answers=["x"]),
        lambda p: edit(p).update(replacements=edit(p)["replacements"] * 60),
        lambda p: p["verdicts"][0].update(reasons=["x"] * 6_000),
        lambda p: p.update(notes=["x"] * 6_000),
        lambda p: p.update(findings=p["findings"] * 5_001),
        lambda p: p.update(verdicts=p["verdicts"] * 2_001),
        lambda p: p.update(supplied=[{"kind": "x", "name": "x", "path": "/x"}]),
    ],
)
def test_what_no_plan_holds_is_refused(change):
    with pytest.raises(UnreadablePlan):
        read(broken(change))


def figure(**changed):
    return {"name": "F1", "value": 0.5, "count": 1, "of": 2, "unknown": 0.0, "why": ""} | changed


def test_an_unbroken_figure_is_read():
    assert read(broken(lambda p: p.update(before=[figure()]))).before[0].name == "F1"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"schema": 1}',
        write(PLAN).encode() + b"," + write(PLAN).encode(),
        write(PLAN).replace('"number": 3', '"number": NaN').encode(),
        write(PLAN).replace("is wrong", "\\ud800").encode(),
        b" " * (plan_json.LARGEST + 1),
    ],
)
def test_what_is_not_a_plan_is_refused(data):
    with pytest.raises(UnreadablePlan):
        read(data)


def test_another_version_is_told_by_name():
    with pytest.raises(UnreadablePlan, match=r"plan/2") as told:
        read(write(PLAN).replace("reviser.plan/2", "reviser.plan/3").encode())
    assert "same version" in told.value.hint


def test_the_message_never_repeats_what_was_sent():
    with pytest.raises(UnreadablePlan) as told:
        read(broken(lambda p: finding(p).update(severity="::add-mask::x")))
    assert "add-mask" not in str(told.value)


def test_every_value_of_a_plan_is_one_that_the_reader_types():
    seen = set()

    def walk(value):
        if is_dataclass(value):
            seen.add(type(value))
            for field in fields(value):
                walk(getattr(value, field.name))
        elif isinstance(value, tuple):
            for one in value:
                walk(one)
        else:
            assert value is None or isinstance(value, str | int | float)

    walk(read(write(PLAN).encode()))
    assert {Plan, Target, Noted, Finding, Place, Span, Verdict, Edit, Replacement} <= seen


OPINION = Opinion("It is short.", ("clear",), ("brief",), ("why?",), 6.0, 3.0, "m @ host")
SPENT = Spending("writer", "m @ host", 3, 0, 900, 0.01)
JUDGE = JudgeReport("m @ host", 0.08, 3, (("sentences shuffled", True),), sound=True)


def advised(**changes):
    return replace(PLAN, advice=replace(Advised(OPINION, spent=(SPENT,), judge=JUDGE), **changes))


@pytest.mark.parametrize(
    "forged",
    [
        advised(opinion=replace(OPINION, rating=11.0)),
        advised(opinion=replace(OPINION, confidence=0.0)),
        advised(judge=replace(JUDGE, spread=-0.1)),
        advised(judge=replace(JUDGE, trials=-1)),
        advised(spent=(replace(SPENT, cost=-1.0),)),
        advised(spent=(replace(SPENT, tokens=-1),)),
        advised(spent=(SPENT,) * 51),
        advised(rebutted=(Rebutted("../../x", "review-coverage", "", ""),)),
        advised(rebutted=(Rebutted("f" * 12, "Review!", "", ""),)),
    ],
)
def test_a_review_that_no_run_writes_is_refused(forged):
    with pytest.raises(UnreadablePlan):
        read(plan_json._written(forged).encode())


def test_what_a_model_says_at_too_great_a_length_is_cut_when_written():
    endless = replace(OPINION, summary="x" * 50_000, weaknesses=("y" * 30_000,) * 80)
    told = read(write(advised(opinion=endless, unusable=("z" * 30_000,))).encode())
    assert len(told.advice.opinion.summary) == 20_000
    assert [len(one) for one in told.advice.opinion.weaknesses] == [20_000] * 50
    assert [len(one) for one in told.advice.unusable] == [20_000]
