"""Git over HTTP, by git's own server program (`git http-backend`)."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.fakes.github.store import clean_environment


class Told(NamedTuple):
    """What the program answers."""

    status: int
    headers: dict[str, str]
    body: bytes


def backend(
    root: Path,
    *,
    method: str,
    path: str,
    query: str,
    headers: Mapping[str, str],
    body: bytes,
    user: str,
) -> Told:
    """Run one request. `path` is "/owner/name.git/…" below `root`; `user` is who may push."""
    environment = clean_environment() | {
        "GIT_PROJECT_ROOT": str(root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
        "GIT_PROTOCOL": headers.get("git-protocol", ""),
        "REMOTE_ADDR": "127.0.0.1",
        # The folders may belong to another user than the one who runs the tests.
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    if user:
        environment["REMOTE_USER"] = user
    done = subprocess.run(
        ["git", "http-backend"],
        input=body,
        capture_output=True,
        env=environment,
        cwd=os.fspath(root),
        check=False,
    )
    head, _, sent = done.stdout.partition(b"\r\n\r\n")
    told = dict(
        line.split(": ", 1) for line in head.decode("latin-1").split("\r\n") if ": " in line
    )
    status = int(told.pop("Status", "200").split()[0])
    return Told(status, told, sent)
