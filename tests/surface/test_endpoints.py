"""The endpoints that the README names are reached as it says, but for their host."""

import json
import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from tests.fakes.openai_server import OpenAIServer, Say, opinion
from tests.surface.test_llm_verifier import BIB, MAIN

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "README.md").read_text(encoding="utf-8").partition("### Chat models")[2]
EXAMPLES = {
    line.rpartition("# ")[2]: shlex.split(line.rpartition("# ")[0])[1:]
    for line in re.findall(r"^\$ (reviser check .*)$", SECTION, re.MULTILINE)
}
PATHS = {
    "OpenAI": "/v1/chat/completions",
    "Ollama": "/v1/chat/completions",
    "vLLM": "/v1/chat/completions",
    "llama.cpp": "/v1/chat/completions",
    "OpenRouter": "/api/v1/chat/completions",
    "Azure": "/openai/deployments/DEPLOYMENT/chat/completions?api-version=2024-10-21",
}


def test_there_is_one_for_each() -> None:
    assert EXAMPLES.keys() == PATHS.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_asked_where_the_readme_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVISER_API_KEY", "a-key")
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(BIB)
    command, _, *options = EXAMPLES[name]
    with OpenAIServer(lambda _: Say(opinion(3))) as server:
        named = "--base-url" in options
        url = options[options.index("--base-url") + 1] if named else "https://api.openai.com/v1"
        parts = urlsplit(url)
        here = parts._replace(scheme="http", netloc=f"127.0.0.1:{server.port}").geturl()
        rest = [word for word in options if word not in {"--base-url", url}]
        result = CliRunner().invoke(
            cli, [command, str(tmp_path), *rest, "--base-url", here, "--format", "json"]
        )
        assert result.exit_code in {0, 1}, result.output
        assert {asked.path for asked in server.asked} == {PATHS[name]}
        key = "api-key" if name == "Azure" else "authorization"
        assert all("a-key" in asked.headers[key] for asked in server.asked)
    model = options[options.index("--model") + 1]
    assert json.loads(result.stdout)["nli"] == f"{model} at 127.0.0.1:{server.port}"
