"""An operator's own prompts are looked at before anything is asked."""

from pathlib import Path

import pytest

from reviser.app.own_prompts import bundled, names, prompts_of
from reviser.errors import SettingsError, UsageError

FRONT = '+++\nid = "{id}"\nversion = 3\nreply = "{reply}"\nvars = {vars}\n+++\nBe kind.\n'
DATA = "<!-- data -->\n{{ work }} {{ claim }}\n"


def write(
    folder: Path,
    name: str = "verify-support",
    *,
    id: str = "verify-support",  # noqa: A002
    reply: str = "Opinion",
    vars: str = '["work", "claim"]',  # noqa: A002
    data: str = DATA,
) -> str:
    (folder / "prompts").mkdir(exist_ok=True)
    text = FRONT.format(id=id, reply=reply, vars=vars) + data
    (folder / "prompts" / f"{name}.md").write_text(text)
    return str(folder)


def test_without_a_folder_the_bundled_ones_are_used() -> None:
    prompt = prompts_of(None)("verify-support", "Opinion")
    assert prompt.digest == bundled("verify-support").digest
    assert not prompt.own
    assert "verify-support" in names()


def test_an_own_one_takes_the_place_of_the_bundled_one(tmp_path: Path) -> None:
    prompt = prompts_of(write(tmp_path))("verify-support", "Opinion")
    assert prompt.own
    assert prompt.system == "Be kind."
    assert prompt.label.startswith("verify-support/3+")


def test_a_name_that_takes_the_place_of_nothing_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no prompt 'verify-suport'") as caught:
        prompts_of(write(tmp_path, "verify-suport"))
    assert "Did you mean verify-support.md?" in caught.value.hint


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"reply": "Review"}, "its reply is 'Review', not 'Opinion'"),
        ({"id": "other"}, "its id is 'other'"),
        ({"vars": '["work"]', "data": "<!-- data -->\n{{ work }}"}, "differ .* in: claim"),
        ({"data": "{{ work }}"}, "needs instructions"),
        ({"data": "<!-- data -->\n{{ work }} {{ claim"}, "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_at_the_start(
    tmp_path: Path, wrong: dict[str, str], said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        prompts_of(write(tmp_path, **wrong))  # type: ignore[arg-type]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        prompts_of(str(tmp_path / "none"))
    assert prompts_of(str(tmp_path))("verify-support", "Opinion"), "one without prompts is fine"


def test_a_reply_of_another_class_or_an_unknown_prompt_is_an_error() -> None:
    with pytest.raises(SettingsError, match="'Opinion', not 'Review'"):
        prompts_of(None)("verify-support", "Review")
    with pytest.raises(SettingsError, match=r"no prompt '\.\./x'"):
        prompts_of(None)("../x", "Review")
