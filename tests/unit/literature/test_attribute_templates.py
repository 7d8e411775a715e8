import pytest

from reviser.errors import SettingsError
from reviser.literature.attribute_templates import (
    KINDS,
    bundled_template,
    bundled_templates,
    read_template,
)

GOOD = """
kind = "method"
version = 2
what = "It proposes a way of doing something."
[[field]]
path = ["problem", "definition"]
asks = "The task."
[[field]]
path = ["data"]
asks = "A dataset;\\n one note for each."
most = 3
"""


def test_every_kind_has_a_template_whose_limitations_and_conclusion_have_a_place():
    for kind, template in bundled_templates().items():
        names = {field.name for field in template.fields}
        assert template.kind == kind
        assert "discussion > limitation" in names
        assert any(name.startswith("conclusion") for name in names)
        assert template.label == f"{kind}/1"
    assert set(bundled_templates()) == set(KINDS)


def test_the_kinds_are_told_apart():
    whats = {template.what for template in bundled_templates().values()}
    assert len(whats) == len(KINDS)


def test_an_own_template_names_its_digest():
    template = read_template(GOOD, kind="method", where="mine", own=True)
    assert template.label == f"method/2+{template.digest[:8]}"
    assert [field.name for field in template.fields] == ["problem > definition", "data"]
    assert [field.most for field in template.fields] == [1, 3]
    assert template.fields[1].asks == "A dataset; one note for each."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "method"', 'kind = "theory"', "its kind is 'theory'"),
        ("version = 2", "version = true", "its version is True"),
        ("version = 2", "version = 0", "its version is 0"),
        ("version = 2", "", "it has field, kind, what"),
        ("version = 2", "version = 2\nnote = 1", "it has field, kind, note"),
        ('what = "It proposes a way of doing something."', "what = ''", "its what"),
        ("most = 3", "most = 0", "field 2: its most is 0"),
        ("most = 3", "most = 999", "field 2: its most is 999"),
        ("most = 3", "more = 3", "field 2: it has a path"),
        ('["data"]', '["problem"]', "field 2: problem and problem > definition cannot"),
        ('["data"]', '["problem", "definition"]', "cannot both be there"),
        ('["data"]', '["../data"]', "field 2: its path"),
        ('["data"]', "[]", "field 2: its path"),
        ('asks = "The task."', "asks = 3", "field 1: its asks"),
        ("[[field]]", "[field", "it is not TOML"),
    ],
)
def test_what_is_wrong_with_a_template_is_said(old: str, new: str, said: str):
    with pytest.raises(SettingsError, match=r"^mine: ") as raised:
        read_template(GOOD.replace(old, new), kind="method", where="mine")
    assert said in str(raised.value)


def test_a_template_without_fields_is_none():
    text = GOOD[: GOOD.index("[[field]]")]
    with pytest.raises(SettingsError, match="field"):
        read_template(text, kind="method", where="mine")


def test_a_kind_that_is_none_has_no_template():
    with pytest.raises(SettingsError, match="no kind of work"):
        bundled_template("../method")
