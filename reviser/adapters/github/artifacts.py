"""Fetch what a workflow run has left behind."""

from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from reviser.adapters.github.client import Connected, understood
from reviser.adapters.github.faults import Absent
from reviser.deliver.forge import ForgeError, Unavailable, WorkflowRun

_PIECE = 1 << 16


class Artifacts(Connected):
    """This repository's workflow runs, and their artifacts."""

    def workflow_run(self, run: int) -> WorkflowRun | None:
        """What GitHub knows of a workflow run of this repository, None when there is none."""
        what = f"read the workflow run {run}"
        try:
            told = self._client.get(f"actions/runs/{run}", what)
        except Absent:
            return None
        with understood(what):
            # An actor or a fork that is gone leaves null.
            return WorkflowRun(
                id=int(told["id"]),
                event=str(told["event"]),
                repository=str((told["head_repository"] or {}).get("full_name") or ""),
                branch=str(told["head_branch"] or ""),
                head=str(told["head_sha"]),
                actor=str((told.get("actor") or {}).get("login") or ""),
            )

    def artifact(self, run: int, name: str, *, most: int) -> bytes | None:
        """The zip file of a workflow run's artifact (the newest of that name), None when there is
        none. Raises ForgeError when it is larger than `most` bytes."""
        what = f"list the artifacts of run {run}"
        told = self._client.pages(
            f"actions/runs/{run}/artifacts", what, item="artifacts", name=name
        )
        with understood(what):
            found = [each for each in told if each["name"] == name and not each["expired"]]
            known = {int(each["id"]): int(each["size_in_bytes"]) for each in found}
        if not known:
            return None
        newest = max(known)
        if known[newest] > most:
            raise _too_large(name, most)
        what = f"give the artifact {name}"
        where = self._client.location(f"actions/artifacts/{newest}/zip", what)
        return self._download(where, name, most)

    def _download(self, where: str, name: str, most: int) -> bytes:
        """The file at `where`, a signed address on a store's host: no token is sent there, and no
        further address is followed."""
        secure = urlsplit(self._client.api_url).scheme == "https"
        scheme = urlsplit(where).scheme
        if scheme != "https" and (secure or scheme != "http"):
            raise ForgeError(f"the artifact {name} lies at an address that is not fetched from")
        request = Request(where)  # noqa: S310 - the scheme was just looked at
        content = bytearray()
        try:
            with _opener().open(request, timeout=self._client.timeout) as answer:
                while piece := answer.read(_PIECE):
                    content += piece
                    if len(content) > most:
                        raise _too_large(name, most)
        # The address is signed: neither it nor an error that holds it is passed on.
        except HTTPError as error:
            error.close()
            raise _not_given(name, f" ({error.code})") from None
        except (OSError, HTTPException):
            raise _not_given(name, "") from None
        return bytes(content)


def _opener() -> OpenerDirector:
    """Opens addresses as urllib does, but follows none that an answer leads to."""
    opener = OpenerDirector()
    opener.add_handler(ProxyHandler())
    opener.add_handler(HTTPHandler())
    opener.add_handler(HTTPSHandler())
    opener.add_handler(HTTPErrorProcessor())
    opener.add_handler(HTTPDefaultErrorHandler())
    return opener


def _not_given(name: str, status: str) -> Unavailable:
    return Unavailable(f"GitHub did not give the artifact {name}{status}", hint="Run again.")


def _too_large(name: str, most: int) -> ForgeError:
    return ForgeError(
        f"the artifact {name} is larger than {most} bytes",
        hint="It is not read: an artifact of a fork's run is anybody's file.",
    )
