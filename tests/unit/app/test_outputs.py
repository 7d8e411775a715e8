import io
import json
from dataclasses import replace

import jsonschema
import pytest

from reviser.adapters.actions import MOST
from reviser.app.github_output import github
from reviser.app.improve_output import improve_page
from reviser.app.json_output import as_json, check_data, improve_data, outcome
from reviser.app.page import Page, show
from reviser.app.sarif import sarif
from reviser.app.text_output import check_page
from reviser.findings import Severity
from reviser.templates import template_text
from reviser.verify.coverage import Coverage


def text_of(checked, **options):
    page = Page()
    check_page(page, checked, **{"verbose": False, **options})
    return page.plain


def test_check_as_text(checked):
    assert text_of(checked) == (
        "sec one/main.tex (1 error, 1 warning)\n"
        "sec one/main.tex:3:29 warning citation-off-topic d00709 he2016 is about images\n"
        "    | Cats sleep [1] <U+001B>[31m<U+202E>\n"
        '    "Deep residual learning [bold]x[/bold]." (abstract of he2016)\n'
        "sec one/main.tex:4:18 error undefined-citation 881962 no entry has the key typo2020 "
        "Check, its: spelling 100%.\n"
        "\n"
        "1 error, 1 warning, 1 note in 2 files (1 silenced by suppressions, settings or the "
        "baseline).\n"
        "Checked 2 of 3 citations; 1 not checked because: no entry has this key (1).\n"
        "Verdicts: 1 off topic; 1 on topic, not verified; 1 unchecked.\n"
        "Citation NLI: not run.\n"
        "1 note not shown: -v shows them.\n"
        "\n"
        "Figures\n"
        "  on topic      0.500 (1 of 2)  25% unknown\n"
        "  recall (001)  unknown  no verifier\n"
        "\n"
        "Next\n"
        "  reviser improve --dry-run shows 2 proposed edits; reviser improve applies those that "
        "pass every check.\n"
    )


def test_the_figures_behind_a_finding_are_in_every_format(checked):
    measured = "topic 0.12\x1b[31m"
    findings = tuple(replace(f, measured=measured) for f in checked.findings)
    measuring = replace(checked, findings=findings)
    assert "    Measured: topic 0.12<U+001B>[31m.\n" in text_of(measuring)
    assert "\nMeasured: topic 0.12<U+001B>[31m." in github(measuring).replace("%0A", "\n")
    data = check_data(measuring, fail_on="error")
    assert {f["measured"] for f in data["findings"]} == {measured}
    results = json.loads(sarif(measuring, {}))["runs"][0]["results"]
    assert {r["properties"]["measured"] for r in results} == {measured}
    assert all(r["message"]["text"].endswith(f"\nMeasured: {measured}.") for r in results)
    assert "Measured" not in text_of(checked)


def test_verbose_shows_notes_and_every_verdict(checked):
    text = text_of(checked, verbose=True, prefix="../")
    assert "../refs.bib:1:7 note unused-entry cf35d4 one entry is unused" in text
    assert (
        "../sec one/main.tex:3 Cats sleep.\n"
        "    miller2001: on topic, not verified [topic 0.61] same words\n"
        '        "Cats sleep." (abstract)\n'
        "        not in the evidence: number '40%'\n"
    ) in text
    assert "    typo2020: unchecked no entry has this key\n" in text


def test_a_clean_paper_is_told_in_a_few_lines(checked):
    clean = replace(checked, findings=(), edits=(), coverage=Coverage(3, 3, nli="a model"))
    assert text_of(clean) == (
        "No findings in 2 files.\n"
        "Checked 3 of 3 citations.\n"
        "Verdicts: 1 off topic; 1 on topic, not verified; 1 unchecked.\n"
        "Citation NLI: a model.\n"
    )


def test_what_lies_outside_the_change_is_only_counted(checked):
    narrowed = replace(checked, changed={"sec one/main.tex": ((4, 4),)}, outside=7)
    text = text_of(narrowed, verbose=True)
    assert "7 outside the change" in text
    assert "Cats sleep.\n    miller2001" not in text
    assert "Verdicts: 1 unchecked." in text
    assert len(check_data(narrowed, "error")["claims"]) == 1


def test_json_of_check(checked):
    data = json.loads(as_json(check_data(checked, "error")))
    assert data["schema"] == "reviser.check/1"
    assert data["outcome"] == "failure"
    assert data["conclusion"].startswith("checked 2 of 3 citations; 1 not checked because")
    assert data["counts"]["not_checked"] == {"no entry has this key": 1}
    assert [data["counts"][name] for name in ("error", "warning", "note", "suppressed")] == [
        1, 1, 1, 1,
    ]  # fmt: skip
    verdict = data["claims"][0]["verdicts"][0]
    assert verdict == {
        "key": "miller2001",
        "label": "on topic, not verified",
        "score": 0.6123,
        "check": "topic",
        "evidence": [{"text": "Cats sleep.", "where": "abstract"}],
        "leads": [{"kind": "number", "text": "40%"}],
        "why": "same words",
    }
    finding = next(f for f in data["findings"] if f["rule"] == "citation-off-topic")
    assert (finding["line"], finding["column"], finding["path"]) == (3, 29, "sec one/main.tex")
    assert finding["suppressed"] is None


@pytest.mark.parametrize(
    ("fail_on", "expected"), [("never", "success"), ("error", "failure"), ("note", "failure")]
)
def test_outcome_depends_on_what_fails(checked, fail_on, expected):
    assert outcome(checked, fail_on) == expected


def test_nothing_checked_is_neutral_not_a_success(checked):
    nothing = replace(checked, findings=(), coverage=Coverage(3, 0, (("no text", 3),)))
    assert outcome(nothing, "error") == "neutral"
    assert outcome(replace(nothing, coverage=Coverage(0, 0)), "error") == "success"


def test_json_of_improve_has_one_row_per_replacement(improved):
    data = json.loads(as_json(improve_data(improved, "error", applied=True)))
    assert data["schema"] == "reviser.improve/1"
    rows = [(e["id"], e["part"], e["parts"], e["path"], e["outcome"]) for e in data["edits"]]
    assert rows == [
        ("e1", 1, 1, "sec one/main.tex", "accepted"),
        ("e2", 1, 2, "sec one/main.tex", "rejected"),
        ("e2", 2, 2, "refs.bib", "rejected"),
    ]
    assert data["edits"][1]["reasons"] == ["a word outside the edit changed"]
    assert data["counts_before"]["warning"] == 1
    assert data["counts"]["warning"] == 0
    assert set(data["figures"]) == {"before", "after"}


def test_improve_as_text(improved):
    page = Page()
    improve_page(page, improved, done="made", verbose=False)
    text = page.plain
    assert text.startswith(
        "1 edit made\n"
        "sec one/main.tex:3:28 prune citation: remove ,he2016\n"
        "    he2016 is about images\n"
        '    "Deep residual learning." (he2016)\n'
        "\n"
        "Diff\n"
        "--- sec one/main.tex\n"
        "+++ sec one/main.tex\n"
        "@@ -1,5 +1,5 @@\n"
        " \\documentclass{article}\n"
        " \\begin{document}\n"
        "-Cats sleep~\\cite{miller2001,he2016}.\n"
        "+Cats sleep~\\cite{miller2001}.\n"
        " Dogs bark~\\citep{typo2020}, see [bold]x[/bold] <U+001B>[31m and :: %0A.\n"
    )
    assert (
        "1 edit not made (1 rejected)\n"
        "sec one/main.tex:4:1 rule fix: Dogs -> Wolves (and 1 other place)\n"
        "    because\n"
        "    rejected (invariants): a word outside the edit changed\n"
    ) in text
    assert "  on topic      0.500 (1 of 2) -> 0.500 (1 of 2)  25% unknown\n" in text


@pytest.mark.parametrize("width", [72, 120])
def test_on_a_terminal_no_escape_of_the_papers_gets_through(improved, width, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    page, stream = Page(width=width), Terminal()
    improve_page(page, improved, done="made", verbose=True)
    show(page, stream)
    text = stream.getvalue()
    assert "<U+001B>" in text.replace("\n", "").replace(" ", "")
    assert "\u202e" not in text
    assert "\x1b[31m and" not in text


def test_sarif(checked):
    log = json.loads(sarif(checked, {"undefined-citation": (Severity.ERROR, "a summary")}))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert len(result["partialFingerprints"]["reviserFinding/v1"]) == 12
    first, _, silenced, error = (
        next(r for r in run["results"] if r["ruleId"] == rule)
        for rule in ("citation-off-topic", "unused-entry", "todo-in-prose", "undefined-citation")
    )
    location = first["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "sec%20one/main.tex"
    assert location["region"] == {"startLine": 3, "startColumn": 29, "endLine": 3, "endColumn": 35}
    assert silenced["suppressions"][0]["justification"] == "a draft"
    assert "suppressions" not in error
    (fix,) = first["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 3, "startColumn": 28, "endLine": 3, "endColumn": 35},
            "insertedContent": {"text": ""},
        }
    ]


def test_github_commands_are_escaped(checked):
    lines = github(checked).splitlines()
    assert lines[0] == (
        "::error file=sec one/main.tex,line=4,endLine=4,title=reviser%3A undefined-citation,col=18"
        "::no entry has the key typo2020 Check, its: spelling 100%25."
    )
    assert lines[1].startswith("::warning file=sec one/main.tex,line=3,")
    assert "%0A" in lines[1]
    assert lines[-1].startswith("reviser: 1 error, 1 warning, 1 note; checked 2 of 3")
    assert len(lines) == 4


def test_github_is_capped_and_says_so(checked):
    many = replace(checked, findings=checked.findings[:2] * 20)
    lines = github(many).splitlines()
    assert sum(line.startswith("::") for line in lines) == 2 * MOST
    assert "20 more than GitHub shows" in lines[-1]


def schema(name):
    return json.loads(template_text(f"schemas/{name}.schema.json"))


def test_json_follows_its_schema(checked, improved):
    check = json.loads(as_json(check_data(checked, "error")))
    improve = json.loads(as_json(improve_data(improved, "error", applied=False)))
    jsonschema.Draft202012Validator(schema("check")).validate(check)
    jsonschema.Draft202012Validator(schema("improve")).validate(improve)


@pytest.mark.parametrize("name", ["check", "improve"])
def test_the_schema_knows_every_key_and_is_itself_valid(name, checked, improved):
    jsonschema.Draft202012Validator.check_schema(schema(name))
    data = {
        "check": check_data(checked, "error"),
        "improve": improve_data(improved, "error", applied=False),
    }[name]
    assert set(schema(name)["properties"]) == set(data)
    defs = schema(name)["$defs"]
    assert set(defs["finding"]["properties"]) == set(data["findings"][0])
    assert set(defs["claim"]["properties"]) == set(data["claims"][0])
    assert set(defs["verdict"]["properties"]) == set(data["claims"][0]["verdicts"][0])
    assert set(defs["counts"]["properties"]) == set(data["counts"])


def test_half_a_surrogate_pair_is_still_json(checked):
    odd = replace(checked, findings=(replace(checked.findings[0], message="a\udcff"),))
    assert json.loads(as_json(check_data(odd, "error")))["findings"][0]["message"] == "a\udcff"
