"""Where a chat model is asked."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from reviser.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model is asked. `key`, `headers` and `body` may hold secrets and are never shown;
    the latter two go with every request. `timeout` and `patience` are seconds: of one request,
    and of waiting between the requests of one question."""

    model: str
    base_url: str
    key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: Mapping[str, object] = field(default_factory=dict, repr=False)
    timeout: float = 60.0
    patience: float = 120.0

    @property
    def host(self) -> str:
        """The host, with the port where one is named. Raises UsageError for a URL without one."""
        try:
            parts = urlsplit(self.base_url)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
            raise UsageError(
                f"the base URL {self.base_url.rpartition('@')[2]!r} is not one of an endpoint",
                hint="It looks like https://api.openai.com/v1 or http://localhost:11434/v1, "
                "without a name or password in it.",
            )
        return parts.hostname + (f":{port}" if port else "")

    @property
    def is_deployment(self) -> bool:
        """Whether it is a deployment of Azure's older kind, which wants its key under its own name
        and looks at no other."""
        return "/openai/deployments/" in f"{urlsplit(self.base_url).path}/"

    @property
    def is_here(self) -> bool:
        """Whether it is this very machine."""
        name = urlsplit(self.base_url).hostname or ""
        with suppress(ValueError):
            return ip_address(name).is_loopback
        return name == "localhost" or name.endswith(".localhost")
