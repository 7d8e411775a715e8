"""The fixture `github`: a fake GitHub that must end without a violation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.github.server import FakeGitHub


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A fake GitHub, see `tests.fakes.github.server`. A test that provokes a violation empties
    `github.violations` itself."""
    with FakeGitHub(tmp_path / "github") as fake:
        yield fake
    assert not fake.violations, "\n".join(fake.violations)
