"""Get single commits of somebody's repository into a bare one, without a work tree or a trace of
the token."""

import base64
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from reviser.adapters.git.history import HASH, lacking
from reviser.adapters.git.run import command, run, text
from reviser.errors import NoConclusion, UsageError

_SIZE = "blob:limit=20m"
_PROTOCOLS = "http:https:file"
_CONFIG = "[core]\n\trepositoryformatversion = {}\n\tbare = true\n{}"
_SHA256 = "[extensions]\n\tobjectformat = sha256\n"
_USER = re.compile(r"(?<=://)[^/@\s]*@")
_CARRIED = (
    "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "no_proxy",
    "all_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO",
)  # fmt: skip
"""What a runner behind a company's proxy needs; nothing else of its environment is passed on."""

# What git or the server says, and what it means; the first that fits is told.
_MEANINGS = (
    (
        re.compile(r"terminal prompts disabled|Authentication failed|returned error: 40[13]"
                   r"|Invalid username or password|could not read Username"),
        "the token has no access, or there is no such repository",
        "The token needs contents: read on the repository.",
    ),
    (
        re.compile(r"not our ref|unadvertised object|did not send all necessary objects"
                   r"|couldn't find remote ref|missing necessary objects"),
        "the repository does not have that commit",
        "It may have been force-pushed away: run again on the present commit.",
    ),
    (
        re.compile(r"not found|does not appear to be a git repository|does not exist"
                   r"|returned error: 404|Repository .* disabled"),
        "there is no such repository, or the token may not see it",
        "Check the address and the token's permission contents: read.",
    ),
    (
        re.compile(r"redirect|returned error: 30\d|unable to update url base"),
        "the server sends elsewhere, and the token is not carried there",
        "Name the repository as it is called now.",
    ),
)  # fmt: skip


def fetch(
    url: str,
    token: str | None,
    commits: Sequence[str],
    into: Path,
    *,
    seconds: float = 300.0,
    carried: Mapping[str, str] | None = None,
) -> None:
    """Bring `commits` (full hashes) with their files, no history, into the bare repository `into`.

    `into` is made when it is not there. Files above 20 MiB stay away. `url` is http, https or
    file; the token goes to its host only, and is found in no file, command line or message.
    `carried` is the environment that proxy and certificate settings are taken from. Raises
    UsageError for a wrong address or hash, NoConclusion when the commits cannot be had.
    """
    scheme = urlsplit(url).scheme
    if scheme not in _PROTOCOLS.split(":") or any(c.isspace() for c in url):
        raise UsageError(f"{_clean(url, token)} is no address that commits are fetched from")
    wanted = tuple(dict.fromkeys(commits))
    if not wanted or not all(HASH.fullmatch(commit) for commit in wanted):
        raise UsageError("only commits named by their full hash are fetched")
    config = _made(into, sha256=len(wanted[0]) == 64)
    line = command(
        into,
        "fetch",
        "--quiet",
        "--depth=1",
        f"--filter={_SIZE}",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        "--end-of-options",
        url,
        *wanted,
    )
    more = {name: value for name, value in (carried or {}).items() if name in _CARRIED}
    more |= _settings(url, token) | {
        "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
        "GIT_PROTOCOL_FROM_USER": "1",
        # Without a home there is no .netrc whose password would go to the server.
        "HOME": str(into),
    }
    try:
        done = run(line, into, seconds=seconds, more=more)
    except UsageError as error:
        if "did not answer" in str(error):
            raise NoConclusion(
                f"{_clean(url, token)} did not send the commits within {seconds:g} seconds",
                hint="Run again; a very large repository needs a longer time limit.",
            ) from None
        raise
    finally:
        # git notes where the files above the limit could be had; nothing is to be had later.
        (into / "config").write_text(config, encoding="utf-8")
    if done.returncode != 0:
        raise _failed(url, token, text(done.stderr))
    if lacking(into, wanted):
        raise NoConclusion(f"{_clean(url, token)} did not send all the commits it was asked for")


def _made(into: Path, *, sha256: bool) -> str:
    """An empty bare repository at `into`, and the settings it keeps."""
    config = _CONFIG.format(1, _SHA256) if sha256 else _CONFIG.format(0, "")
    if not (into / "HEAD").exists():
        into.mkdir(parents=True, exist_ok=True)
        kind = "--object-format=sha256" if sha256 else "--object-format=sha1"
        done = run(command(into, "init", "--quiet", "--bare", "--template=", kind), into)
        if done.returncode != 0:
            raise UsageError(f"git could not make a repository: {text(done.stderr).strip()}")
    (into / "config").write_text(config, encoding="utf-8")
    return config


def _settings(url: str, token: str | None) -> dict[str, str]:
    """Settings for one git process, through its environment: a command line is seen by others."""
    pairs = [("http.followRedirects", "false"), ("credential.helper", "")]
    if token and urlsplit(url).scheme != "file":
        word = base64.b64encode(f"x-access-token:{token}".encode()).decode("ascii")
        parts = urlsplit(url)
        host = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"
        pairs.append((f"http.{host}.extraHeader", f"Authorization: Basic {word}"))
    given = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        given[f"GIT_CONFIG_KEY_{number}"] = key
        given[f"GIT_CONFIG_VALUE_{number}"] = value
    return given


def _failed(url: str, token: str | None, said: str) -> NoConclusion:
    for pattern, meaning, hint in _MEANINGS:
        if pattern.search(said):
            return NoConclusion(f"{_clean(url, token)}: {meaning}", hint=hint)
    last = said.strip().splitlines()
    reason = _clean(last[-1], token) if last else "no reason given"
    return NoConclusion(
        f"{_clean(url, token)} could not be fetched: {reason}",
        hint="Run again; if it stays so, look whether the server can be reached from here.",
    )


def _clean(words: str, token: str | None) -> str:
    """`words` without the token, and without a password in an address."""
    words = _USER.sub("", words)
    return words.replace(token, "***") if token else words
