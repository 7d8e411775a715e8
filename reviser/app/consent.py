"""Nothing of a paper leaves this machine before somebody has said that it may."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from threading import Lock

import click

from reviser.adapters.files import Folder, write_all
from reviser.adapters.git.changed import tracks
from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.app.own_folder import FOLDER, no_links
from reviser.app.page import page_for, show
from reviser.budget import Estimate
from reviser.errors import ReviserError, UsageError
from reviser.text.printable import printable

FILE = f"{FOLDER}/consent.json"
SCHEMA = "reviser.consent/2"
_FIRST = "reviser.consent/1"


class Kind(StrEnum):
    """What is sent: each needs leave of its own, but for what `covered` names."""

    CITATIONS = "citations"
    PAPER = "paper"
    WORKS = "works"
    PAIRS = "pairs"

    @property
    def covered(self) -> "frozenset[Kind]":
        """The leaves any of which is enough for it."""
        # Full texts of works are others' property, and need leave of their own.
        return frozenset({self} if self in {Kind.PAIRS, Kind.WORKS} else {self, Kind.PAPER})

    @property
    def what(self) -> str:
        """In words."""
        return {
            Kind.CITATIONS: "sentences of the paper that cite something, and sentences of the "
            "works they cite",
            Kind.PAPER: "the whole text of the paper, without its comments and hidden text, and "
            "sentences of the works it cites",
            Kind.WORKS: "titles, abstracts and, where they are at hand, full texts of works, and "
            "of the paper at most its title and abstract",
            Kind.PAIRS: "the claims of the file, and the sentences that stand beside them",
        }[self]

    @property
    def instead(self) -> str:
        """What to do where it may not be sent."""
        return {
            Kind.CITATIONS: "--verifier embedded sends nothing.",
            Kind.PAPER: "Without a review the whole text stays here; a model on this machine "
            "(--base-url http://localhost:11434/v1) needs no leave.",
            Kind.WORKS: "A model on this machine (--base-url http://localhost:11434/v1) needs no "
            "leave.",
            Kind.PAIRS: "Without --verifier llm nothing is sent.",
        }[self]


class Leave:
    """What is to be called before anything is sent: it tells what goes where, and raises
    UsageError when nobody allowed it. It asks once for all its endpoints.

    What was allowed once for the paper at `root`, host and kind is remembered in `.reviser/`,
    unless that came with the repository. An endpoint on this machine needs no leave. `told` words
    what is about to be asked, without a capital or a full stop.
    """

    def __init__(
        self,
        root: Path,
        endpoints: Sequence[Endpoint],
        kind: Kind,
        *,
        yes: bool,
        told: Callable[[Estimate], str] = lambda estimate: estimate.sentence,
    ) -> None:
        self._root = root
        self._endpoints = tuple(endpoints)
        self._kind = kind
        self._yes = yes
        self._told = told
        self._lock = Lock()
        self._given = False
        self._refused = ""

    def __call__(self, estimate: Estimate) -> None:
        """Allow what is about to be asked, or raise."""
        with self._lock:
            if not self._given:
                self._ask(f"{printable(self._told(estimate))}.")
                self._given = True

    def _ask(self, told: str) -> None:
        if self._refused:
            raise UsageError(self._refused, hint=self._kind.instead)
        hosts = list(dict.fromkeys(e.host for e in self._endpoints if not e.is_here))
        known = _allowed(self._root)
        new = [host for host in hosts if not self._kind.covered & known.get(host, set())]
        if self._yes or not new:
            _say(told)
            return
        places = printable(" and ".join(new))
        _say(
            told,
            f"This sends {self._kind.what} to {places}. It has not been allowed here yet.",
        )
        if not somebody_there():
            raise UsageError(
                f"nothing was sent to {places}: nobody has allowed it",
                hint="Give --yes, or set REVISER_YES=1, if it may go there.",
            )
        if not click.confirm("Send it?", default=False, err=True):
            self._refused = "nothing was sent"
            raise UsageError(self._refused, hint=self._kind.instead)
        _remember(self._root, new, self._kind)


def _say(*paragraphs: str) -> None:
    """Tell whoever waits, wrapped where there is a terminal."""
    page = page_for(sys.stderr)
    for text in paragraphs:
        page.add(text)
    show(page, sys.stderr)


def somebody_there() -> bool:
    """Whether there is a terminal to ask on."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _allowed(root: Path) -> Mapping[str, set[Kind]]:
    """What may go to which host. In files of the first schema, only citing sentences."""
    content = Folder(root).read(FILE)
    if not isinstance(content, bytes) or tracks(root, FOLDER):
        return {}
    try:
        kept = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(kept, dict):
        return {}
    hosts, schema = kept.get("hosts"), kept.get("schema")
    if schema == _FIRST and isinstance(hosts, list):
        return {host: {Kind.CITATIONS} for host in hosts if isinstance(host, str)}
    if schema == SCHEMA and isinstance(hosts, dict):
        return {
            host: {kind for kind in Kind if kind.value in kinds}
            for host, kinds in hosts.items()
            if isinstance(kinds, list)
        }
    return {}


def _remember(root: Path, hosts: Sequence[str], kind: Kind) -> None:
    allowed = {host: set(kinds) for host, kinds in _allowed(root).items()}
    for host in hosts:
        allowed.setdefault(host, set()).add(kind)
    table = {host: sorted(kinds) for host, kinds in sorted(allowed.items())}
    data = json.dumps({"schema": SCHEMA, "hosts": table}, indent=2).encode() + b"\n"
    files = {FILE: data}
    if Folder(root).read(f"{FOLDER}/.gitignore") is None:
        files[f"{FOLDER}/.gitignore"] = b"*\n"
    try:
        no_links(root)
        write_all(root, files)
    except ReviserError as error:
        click.echo(f"warning: this is not remembered: {printable(str(error))}", err=True)
