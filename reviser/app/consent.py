"""Nothing of a paper leaves this machine before somebody has said that it may."""

import json
import sys
from collections.abc import Callable

import click

from reviser.adapters.files import Folder, write_all
from reviser.adapters.git.changed import tracks
from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.app.opening import Opened
from reviser.app.own_folder import FOLDER, no_links
from reviser.budget import Estimate
from reviser.errors import ReviserError, UsageError
from reviser.text.printable import printable

FILE = f"{FOLDER}/consent.json"
SCHEMA = "reviser.consent/1"
WHAT = "sentences of the paper that cite something, and sentences of the works they cite"


def permission(opened: Opened, endpoint: Endpoint, *, yes: bool) -> Callable[[Estimate], None]:
    """What is to be called before anything is sent: it tells what goes where, and raises
    UsageError when nobody allowed it.

    What was allowed once for this paper and host is remembered in `.reviser/`, unless that came
    with the repository. An endpoint on this machine needs no leave.
    """

    def permit(estimate: Estimate) -> None:
        told = f"{printable(estimate.sentence)}."
        if endpoint.is_here or yes or endpoint.host in _allowed(opened):
            click.echo(told, err=True)
            return
        click.echo(
            f"{told}\nThis sends {WHAT} to {printable(endpoint.host)}. It has not been allowed for "
            "this paper yet.",
            err=True,
        )
        if not somebody_there():
            raise UsageError(
                f"nothing was sent to {endpoint.host}: nobody has allowed it",
                hint="Give --yes, or set REVISER_YES=1, if the text of this paper may go there.",
            )
        if not click.confirm("Send it?", default=False, err=True):
            raise UsageError("nothing was sent", hint="--verifier embedded sends nothing.")
        _remember(opened, endpoint.host)

    return permit


def somebody_there() -> bool:
    """Whether there is a terminal to ask on."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _allowed(opened: Opened) -> frozenset[str]:
    root = opened.project.root
    content = Folder(root).read(FILE)
    if not isinstance(content, bytes) or tracks(root, FOLDER):
        return frozenset()
    try:
        kept = json.loads(content)
    except (ValueError, RecursionError):
        return frozenset()
    hosts = kept.get("hosts") if isinstance(kept, dict) and kept.get("schema") == SCHEMA else None
    return (
        frozenset(h for h in hosts if isinstance(h, str))
        if isinstance(hosts, list)
        else frozenset()
    )


def _remember(opened: Opened, host: str) -> None:
    root = opened.project.root
    hosts = sorted(_allowed(opened) | {host})
    data = json.dumps({"schema": SCHEMA, "hosts": hosts}, indent=2).encode() + b"\n"
    files = {FILE: data}
    if Folder(root).read(f"{FOLDER}/.gitignore") is None:
        files[f"{FOLDER}/.gitignore"] = b"*\n"
    try:
        no_links(root)
        write_all(root, files)
    except ReviserError as error:
        click.echo(f"warning: this is not remembered: {printable(str(error))}", err=True)
