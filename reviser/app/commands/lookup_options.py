"""The options that say which literature services are asked, and the settings value they become."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from reviser.app.choices import SERVICES
from reviser.app.commands.headed import Option, headed
from reviser.errors import UsageError

if TYPE_CHECKING:
    from reviser.app.lookup_settings import LookupSettings

Function = Callable[..., object]

_LOOKUP = "Looking up the works that are cited"
_ALL, _OFF = "all", "off"
MOST_SECONDS = 7200


def lookup_options(option: Option) -> tuple[Callable[[Function], Function], ...]:
    """The options, made with `option`, in the order the help shows them."""
    own = headed(option, _LOOKUP)
    return (
        own(
            "--lookup",
            metavar="NAMES",
            default=_OFF,
            show_default=True,
            callback=_names,
            help=f"Ask literature services about cited works: {_ALL}, {_OFF}, or some of "
            f"{','.join(SERVICES)}. They are sent titles, authors' names, DOIs and arXiv ids of "
            "cited works, and for a search words of the claim (with --review also of a paragraph "
            "or a draft that is to draw on other works). Keys are read from OPENALEX_API_KEY "
            "and SEMANTIC_SCHOLAR_API_KEY, an address for polite requests from REVISER_MAILTO.",
        ),
        own(
            "--lookup-seconds",
            type=click.FloatRange(1, MOST_SECONDS),
            default=120.0,
            show_default=True,
            help="Seconds that a run spends asking services at most, all of them together. What "
            "is not asked stays unchecked.",
        ),
        own(
            "--full-text/--no-full-text",
            variable="REVISER_FULL_TEXT",
            default=False,
            help="Whether open-access texts are fetched where an abstract is silent: those under "
            "CC BY, CC BY-SA, CC0 or in the public domain, and arXiv's (default: no).",
        ),
        own(
            "--related/--no-related",
            variable="REVISER_RELATED",
            default=False,
            help="Whether works are named that several of the references cite and the paper does "
            "not (default: no). Their identifiers are sent too.",
        ),
        own(
            "--offline",
            is_flag=True,
            help="Ask no service; only answers that are kept from earlier runs are used.",
        ),
    )


def corpus_option(option: Option) -> Callable[[Function], Function]:
    """--corpus, made with `option`."""
    return option(
        "--corpus",
        metavar="FILE",
        help="The corpus of literature (see 'reviser literature'), instead of the one in the "
        "paper's .reviser/. One file can serve several papers; http://HOST:9200/INDEX is one on an "
        "OpenSearch server.",
    )


def _names(_: click.Context, __: click.Parameter, value: str | tuple[str, ...]) -> tuple[str, ...]:
    """The services that a list names, each once and in the order of SERVICES."""
    if isinstance(value, tuple):
        return value
    said = {name.strip().lower() for name in value.replace(" ", ",").split(",")} - {""}
    if said <= {_OFF}:
        return ()
    if said == {_ALL}:
        return SERVICES
    if unknown := sorted(said - set(SERVICES)):
        raise UsageError(
            f"--lookup: there is no service {unknown[0]!r}",
            hint=f"Give {_ALL}, {_OFF}, or some of {','.join(SERVICES)}.",
        )
    return tuple(name for name in SERVICES if name in said)


def lookup_settings(given: Mapping[str, Any]) -> "LookupSettings":
    """What the options say, out of a command's parameters; a command without them asks nobody.
    Offline all services are read, where none is named: it may be any of them that answered once."""
    from reviser.app.lookup_settings import LookupSettings

    if "lookup" not in given:
        return LookupSettings()
    return LookupSettings(
        names=given["lookup"] or (SERVICES if given["offline"] else ()),
        seconds=given["lookup_seconds"],
        full_text=given["full_text"],
        offline=given["offline"],
        related=given["related"],
    )
