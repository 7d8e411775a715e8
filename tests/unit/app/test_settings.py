import pytest

from reviser.app.settings import KNOWN, FileSettings, Trust, checked, read_settings
from reviser.errors import SettingsError
from reviser.manuscript.files import Memory

AUTHOR_LINES = {
    "main": 'main = "paper.tex"',
    "bib": 'bib = ["a.bib", "b.bib"]',
    "fail-on": 'fail-on = "warning"',
    "claims": 'claims = "sentence"',
    "prune": "prune = false",
    "repair": 'repair = "off"',
    "sources": 'sources = "literature/texts"',
    "baseline": 'baseline = "accepted.json"',
    "lock": 'lock = "on"',
    "lock-abstracts": "lock-abstracts = true",
    "language": 'language = "de"',
    "rounds": "rounds = 3",
    "ties": 'ties = "reject"',
    "weights": "weights = {coverage = 2, structure = 0.5}",
    "strategy": 'strategy = "both"',
    "rebut": "rebut = false",
    "ignore": '[[ignore]]\nrule = "todo-in-prose"\nreason = "a draft"',
}


def read(text, name="reviser.toml"):
    return read_settings(Memory({name: text.encode()}))


def test_no_file_is_no_settings():
    assert read_settings(Memory({})) == FileSettings()


def test_every_author_setting_can_be_set_and_is_listed_here():
    assert {s.name for s in KNOWN if s.trust is Trust.AUTHOR} == set(AUTHOR_LINES)
    found = read("\n".join(AUTHOR_LINES.values()))
    assert found.values["bib"] == ("a.bib", "b.bib")
    assert found.values["prune"] is False
    assert found.values["rounds"] == 3
    assert found.values["weights"] == "coverage=2,structure=0.5"
    assert [(i.rule, i.path, i.reason) for i in found.ignores] == [
        ("todo-in-prose", "*", "a draft")
    ]
    assert set(found.values) | {"ignore"} == set(AUTHOR_LINES)


@pytest.mark.parametrize("name", [s.name for s in KNOWN if s.trust is Trust.OPERATOR])
def test_operator_settings_are_refused_in_the_file_with_what_to_do(name):
    with pytest.raises(SettingsError, match="cannot be set in the paper's") as caught:
        checked({name: "x"}, "reviser.toml")
    assert f"--{name}" in caught.value.hint
    assert "REVISER_" in caught.value.hint


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("fail_on", "fail-on"), ("mian", "main"), ("sorces", "sources"), ("prunes", "prune")],
)
def test_an_unknown_key_names_file_and_nearest_key(wrong, near):
    with pytest.raises(SettingsError, match=f"reviser.toml: there is no setting '{wrong}'") as e:
        read(f'{wrong} = "x"')
    assert f"Did you mean '{near}'?" in e.value.hint


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('fail-on = "fatal"', "fail-on = 'fatal' is not one of error, warning, note, never"),
        ("fail-on = 3", "fail-on = 3 is not one of"),
        ('prune = "no"', "prune = 'no' is not true or false"),
        ("bib = [1]", "bib = [1] is not a list of texts"),
        ('bib = "a.bib"', "is not a list of texts"),
        ('sources = "../elsewhere"', "is not a relative path inside"),
        ('sources = "/etc"', "is not a relative path inside"),
        ('baseline = ""', "is not a relative path inside"),
        ("ignore = 1", "ignore = 1 is not a list of tables"),
        ("ignore = [1]", "ignore 1: 1 is not a table"),
        ('[[ignore]]\nrule = "x"', "ignore 1: no reason is given"),
        ('[[ignore]]\nreason = "x"', "ignore 1: no rule is given"),
        ('[[ignore]]\nrule = "x"\nreason = " "', "is not a text with words in it"),
        ('[[ignore]]\nrules = "x"', "there is no key 'rules'"),
        ("main = ", "not a TOML file"),
    ],
)
def test_a_wrong_value_says_which_and_what_is_wanted(line, says):
    with pytest.raises(SettingsError) as caught:
        read(line)
    assert says in str(caught.value)
    assert str(caught.value).startswith("reviser.toml")


def test_pyproject_is_read_when_there_is_no_file_of_ours():
    table = '[project]\nname = "x"\n[tool.reviser]\nclaims = "sentence"\n'
    found = read(table, "pyproject.toml")
    assert found.values == {"claims": "sentence"}
    both = Memory({"pyproject.toml": table.encode(), "reviser.toml": b""})
    assert read_settings(both) == FileSettings("reviser.toml")


@pytest.mark.parametrize(
    "text", ["[project]\n", "[tool.black]\nx = 1\n", "tool = 3\n", "broken [", "\ufeff[project]\n"]
)
def test_a_pyproject_that_does_not_speak_of_us_is_left_alone(text):
    assert read(text, "pyproject.toml") == FileSettings()


def test_a_broken_pyproject_that_speaks_of_us_is_an_error():
    with pytest.raises(SettingsError, match=r"pyproject\.toml: not a TOML file"):
        read("[tool.reviser\nclaims = 1", "pyproject.toml")


def test_a_file_that_is_not_utf8_is_an_error():
    with pytest.raises(SettingsError, match="not UTF-8"):
        read_settings(Memory({"reviser.toml": b'main = "\xff"'}))
