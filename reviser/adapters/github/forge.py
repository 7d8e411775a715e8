"""GitHub as the forge that delivery asks for."""

from reviser.adapters.github.artifacts import Artifacts
from reviser.adapters.github.branches import Branches
from reviser.adapters.github.client import Client
from reviser.adapters.github.writing import Writing
from reviser.deliver.forge import Forge


class GitHub(Branches, Writing, Artifacts):
    """One repository ("owner/name") on GitHub or an Enterprise server; see `deliver.forge.Forge`.

    `api_url` is as in GITHUB_API_URL. Writes are at least `pace` seconds apart. `patience` is how
    many seconds in all may be spent waiting for rate limits and after passing faults; what would
    take longer is raised at once. `pause` is the first wait after a fault of a read, `timeout`
    counts for one request; both are in seconds.
    """

    def __init__(
        self,
        token: str,
        api_url: str,
        repository: str,
        *,
        pace: float = 1.0,
        patience: float = 120.0,
        pause: float = 1.0,
        timeout: int = 30,
    ) -> None:
        super().__init__(
            Client(
                token,
                api_url,
                repository,
                pace=pace,
                patience=patience,
                pause=pause,
                timeout=timeout,
            )
        )


def _conforms(github: GitHub) -> Forge:
    """For the type checker alone."""
    return github
