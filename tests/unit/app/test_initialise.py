import tomllib

import pytest

from reviser.app.initialise import initialise
from reviser.app.settings import KNOWN, Trust, checked, read_settings
from reviser.errors import UsageError
from reviser.manuscript.files import Memory
from reviser.templates import template, template_text


def test_the_file_changes_nothing_until_a_line_is_uncommented(tmp_path):
    written = initialise(tmp_path, force=False)
    found = read_settings(Memory({"reviser.toml": written.read_bytes()}))
    assert found.values == {}
    assert found.ignores == ()


def test_with_every_line_uncommented_it_holds_every_author_setting():
    lines = template_text("reviser.toml").splitlines()
    is_setting = [line.startswith(("# [[", "# ")) and (" = " in line or "[[" in line)
                  and not line.startswith("# In ") for line in lines]  # fmt: skip
    text = "\n".join(line[2:] for line, wanted in zip(lines, is_setting, strict=True) if wanted)
    table = tomllib.loads(text)
    assert set(table) == {s.name for s in KNOWN if s.trust is Trust.AUTHOR}
    checked(table, "reviser.toml")


def test_it_never_writes_over_a_file_unless_forced(tmp_path):
    path = tmp_path / "reviser.toml"
    path.write_text("prune = false\n")
    with pytest.raises(UsageError, match="already there") as caught:
        initialise(tmp_path, force=False)
    assert "--force" in caught.value.hint
    assert path.read_text() == "prune = false\n"
    initialise(tmp_path, force=True)
    assert path.read_text() == template_text("reviser.toml")


def test_a_link_is_not_written_through(tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("x")
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "reviser.toml").symlink_to(outside)
    with pytest.raises(UsageError):
        initialise(tmp_path / "paper", force=False)
    with pytest.raises(UsageError):
        initialise(tmp_path / "paper", force=True)
    assert outside.read_text() == "x"


def test_a_missing_template_is_an_error_with_what_to_do():
    with pytest.raises(UsageError, match="missing from this installation"):
        template("no/such.file")
