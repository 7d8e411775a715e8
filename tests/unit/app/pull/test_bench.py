import click
import pytest

from reviser.app.cli import cli
from reviser.app.commands.options import settings_at
from reviser.app.pull.bench import bench_of, harmless, token_of
from reviser.app.pull.sides import named_paper
from reviser.errors import SettingsError, UsageError


def context(command, *arguments):
    return cli.commands[command].make_context(command, list(arguments))


def test_the_token_comes_from_the_environment_alone_and_is_not_shown(tmp_path):
    with context("action", "--repository", "o/n") as ctx:
        environment = {"GITHUB_TOKEN": "secret-a", "REVISER_TOKEN": "secret-b"}
        seen = []

        def forge(token, api, repository):
            seen.append((token, api, repository))

        bench = bench_of(ctx, environment, tmp_path, None, open_forge=forge)
    assert seen == [("secret-b", "https://api.github.com", "o/n")]
    assert "secret" not in repr(bench)
    for command in cli.commands.values():
        assert not any((o.name or "").endswith("token") for o in command.params)


def test_without_a_token_or_a_name_it_is_said_what_to_do(tmp_path):
    with pytest.raises(UsageError) as caught:
        token_of({"GITHUB_TOKEN": " "})
    assert "GITHUB_TOKEN" in caught.value.hint
    with context("action") as ctx, pytest.raises(UsageError, match="not named"):
        bench_of(ctx, {"GITHUB_TOKEN": "x"}, tmp_path, None)


@pytest.mark.parametrize("value", ["", ".", "./", "a/.."])
def test_the_top_has_no_name(value):
    assert named_paper(value) == ""


def test_a_paper_s_name_is_tidied():
    assert named_paper("./paper//sub/") == "paper/sub"


@pytest.mark.parametrize("value", ["..", "../x", "/etc", "a/../../b", ".git/x", "C:\\x"])
def test_a_paper_outside_the_repository_is_refused(value):
    with pytest.raises(UsageError):
        named_paper(value)


@pytest.mark.parametrize("text", ["::add-mask::x", "\n::error::x", "a ##[add-path]b", " ::x::"])
def test_nothing_said_is_a_command_to_the_runner(text):
    said = harmless(text)
    assert "\n" not in said
    assert "::" not in said
    assert "##[" not in said


def paper(tmp_path, settings):
    (tmp_path / ".git").mkdir()
    (tmp_path / "main.tex").write_text("x")
    (tmp_path / "reviser.toml").write_text(settings)
    return tmp_path


def test_file_before_default_and_flag_or_variable_before_file(tmp_path, monkeypatch):
    at = paper(tmp_path, 'fail-on = "note"\nprune = false\nbib = ["a.bib"]\nclaims = "sentence"')
    monkeypatch.setenv("REVISER_CLAIMS", "group")
    with context("action", "--fail-on", "never") as ctx:
        settings = settings_at(ctx, at)
    assert settings.path == at
    assert settings.fail_on == "never"
    assert settings.claims == "group"
    assert settings.prune is False
    assert settings.bib == ("a.bib",)
    assert settings.from_file == {"prune", "bib"}


def test_a_paper_s_file_sets_nothing_of_the_operator_s(tmp_path):
    at = paper(tmp_path, 'mode = "commit"')
    with context("action") as ctx, pytest.raises(SettingsError, match="cannot be set"):
        settings_at(ctx, at)


def test_a_verifier_is_named_once(tmp_path):
    at = paper(tmp_path, "")
    with context("action", "--verifier", "nli") as ctx:
        assert settings_at(ctx, at).nli.startswith("MoritzLaurer/")
    with context("action", "--verifier", "nli", "--nli", "a/b") as ctx:
        assert settings_at(ctx, at).nli == "a/b"
    with context("action", "--nli", "a/b") as ctx:
        assert settings_at(ctx, at).nli == "a/b"
    with context("action", "--verifier", "embedded") as ctx:
        assert settings_at(ctx, at).nli is None
    both = context("action", "--verifier", "embedded", "--nli", "a/b")
    with both as ctx, pytest.raises(UsageError, match="contradict"):
        settings_at(ctx, at)


@pytest.mark.parametrize("value", ["-1", "31", "many"])
def test_inline_is_a_number_from_0_to_30(value):
    with pytest.raises(click.BadParameter):
        context("action", "--inline", value)
