from tests.fakes.github.fixture import github

__all__ = ["github"]
