"""The fixture `scene`; see tests.e2e.scene."""

import os
from pathlib import Path

import pytest

from tests.e2e.act import Runner, program
from tests.e2e.papers import mended
from tests.e2e.scene import FULL_NAME, Scene
from tests.fakes.github.fixture import github
from tests.fakes.github.server import FakeGitHub

__all__ = ["github"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These tests start workflows; where `act` is missing they are skipped, but never in CI."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.actions)
            if program() is None and not os.environ.get("CI"):
                item.add_marker(pytest.mark.skip(reason="act is not installed"))


@pytest.fixture
def scene(github: FakeGitHub, tmp_path: Path) -> Scene:
    """A clean survey on `main`, with an author and a co-author."""
    paper = github.repository(FULL_NAME)
    paper.allow("author", "write")
    paper.allow("boss", "admin")
    paper.commit("main", mended(), "The survey", author="boss")
    folder = tmp_path / "runner"
    folder.mkdir()
    return Scene(github, paper, Runner(folder, github.api_url, github.server_url, FULL_NAME))
