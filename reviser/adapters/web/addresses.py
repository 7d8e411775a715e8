"""Which addresses on the web may be asked: those that an operator names, and public ones."""

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from reviser.errors import UsageError

HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_PORTS = {"https": 443, "http": 80}
_TRANSLATED = IPv6Network("64:ff9b::/96")
_LONGEST = 2000


class Unusable(ValueError):  # noqa: N818 - it names the state of the address
    """An address that is not asked; the message says why in a few words."""


def checked_base(url: str, what: str, example: str) -> str:
    """`url` without a slash at its end: HTTPS, or plain HTTP on this machine, and without name,
    password, query or fragment. Raises UsageError, which names `what` and gives the `example`."""
    try:
        parts = urlsplit(url)
        host, here = parts.hostname, parts.hostname in HERE
        plain = not (parts.username or parts.password or parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        host, here, plain = None, False, False
    if not host or not plain or parts.scheme not in ({"https", "http"} if here else {"https"}):
        raise UsageError(
            f"the address of {what} is not usable",
            hint=f"It is an https address without a name or password, such as {example}",
        )
    return url.rstrip("/")


def is_here(url: str) -> bool:
    """Whether an address is one of this machine."""
    return urlsplit(url).hostname in HERE


def origin(url: str) -> str:
    """Scheme, host and port of an address, in one form that can be compared. Raises Unusable for
    an address that is no plain one of HTTP or HTTPS."""
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
        secret = parts.username or parts.password
    except ValueError as error:
        raise Unusable("its address is damaged") from error
    if scheme not in _PORTS or not host or secret or len(url) > _LONGEST:
        raise Unusable("its address is not usable")
    if not url.isascii() or not url.isprintable() or any(c in url for c in ' \\"<>'):
        raise Unusable("its address is not usable")
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown.lower()}:{port or _PORTS[scheme]}"


def require_public(url: str) -> None:
    """Raises Unusable for an address on an unusual port, or one that names no public host by the
    look of it; what its name stands for is checked when it is asked (`public`)."""
    parts = urlsplit(origin(url))
    host = (parts.hostname or "").rstrip(".")
    if parts.port not in _PORTS.values() or host in HERE or host.endswith((".local", ".internal")):
        raise Unusable("its address is not public")
    try:
        literal = ip_address(host.partition("%")[0])
    except ValueError:
        if "." not in host.strip("."):
            raise Unusable("its address is not public") from None
        return
    if not _is_public(literal):
        raise Unusable("its address is not public")


def resolved(host: str, port: int, *, public: bool) -> list[tuple[str, int]]:
    """The addresses that a name stands for. Raises OSError where there are none, Unusable with
    `public` where one of them is not public: then the name is not to be trusted at all."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    places = list(dict.fromkeys((str(entry[4][0]), port) for entry in found))
    if public and not all(_is_public(ip_address(place.partition("%")[0])) for place, _ in places):
        raise Unusable("its address is not public")
    return places


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return _is_public(address.ipv4_mapped)
        if address in _TRANSLATED:
            return _is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        if address.sixtofour is not None or address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast
