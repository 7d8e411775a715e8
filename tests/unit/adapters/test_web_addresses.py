"""Which addresses are asked."""

import socket

import pytest

from reviser.adapters.web.addresses import (
    Unusable,
    checked_base,
    is_here,
    origin,
    require_public,
    resolved,
)
from reviser.errors import UsageError


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a.pdf",
        "http://example.org/a.pdf",
        "https://93.184.216.34/a.pdf",
        "https://[2606:2800:220:1:248:1893:25c8:1946]/a.pdf",
        "https://example.org:443/a.pdf",
        "https://[::ffff:93.184.216.34]/a.pdf",
        "https://[64:ff9b::5db8:d822]/a.pdf",
    ],
)
def test_public_addresses_may_be_asked(url: str) -> None:
    require_public(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org/a.pdf",
        "ftp://example.org/a.pdf",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://name:secret@example.org/",
        "https://localhost/a.pdf",
        "https://intranet/a.pdf",
        "https://localhost./",
        "https://metadata.google.internal./",
        "https://printer.local/",
        "https://metadata.google.internal/",
        "https://127.0.0.1/",
        "https://127.0.0.1:443/",
        "https://0.0.0.0/",
        "https://10.1.2.3/",
        "https://172.16.0.1/",
        "https://192.168.1.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/",
        "https://224.0.0.1/",
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "https://example.org:8080/",
        "https://example.org:22/",
        "https://example.org/a b",
        "https://example.org/\r\nHost: x",
        "https://example.org/\r\nHost:x",
        "https://example.org/\x7f",
        "https://exämple.org/",
        "https://example.org:99999/",
        "https://[::1",
        "https://" + "a" * 3000 + ".org/",
    ],
)
def test_all_others_may_not(url: str) -> None:
    with pytest.raises(Unusable):
        require_public(url)


def test_a_name_of_which_one_address_is_private_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def two(host: str, port: int, **_: object) -> list[object]:
        return [(0, 0, 0, "", (address, port)) for address in ("93.184.216.34", "10.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", two)
    assert len(resolved("example.org", 443, public=False)) == 2
    with pytest.raises(Unusable):
        resolved("example.org", 443, public=True)


def test_one_place_has_one_origin() -> None:
    assert origin("HTTPS://Example.ORG/a?b") == origin("https://example.org:443/c")
    assert origin("http://example.org") != origin("https://example.org")


@pytest.mark.parametrize("url", ["https://example.org/x/", "http://127.0.0.1:8080", "http://[::1]"])
def test_an_operator_may_name_https_and_this_machine(url: str) -> None:
    assert checked_base(url, "it", "https://x") == url.rstrip("/")
    assert is_here(url) == (not url.startswith("https"))


@pytest.mark.parametrize(
    "url", ["http://example.org", "https://a:b@example.org", "https://x/?key=1", "https://x/#y", ""]
)
def test_an_operator_may_not_name_others(url: str) -> None:
    with pytest.raises(UsageError, match="the address of it is not usable"):
        checked_base(url, "it", "https://x")
