"""The literature services that a run may ask, made from its settings."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from reviser.adapters.source_folder import pdf_text
from reviser.adapters.web import arxiv, crossref, openalex, semantic_scholar
from reviser.adapters.web.addresses import checked_base, is_here
from reviser.adapters.web.client import Service, Web
from reviser.adapters.web.full_text import OpenTexts
from reviser.adapters.web.kept import Kept
from reviser.adapters.workers import Threads
from reviser.app.keeping import answers_of
from reviser.app.lookup_settings import LookupSettings
from reviser.app.opening import Opened
from reviser.literature.sources import FullTexts, Source
from reviser.ports import Cache

OPENALEX_KEY = "OPENALEX_API_KEY"
SCHOLAR_KEY = "SEMANTIC_SCHOLAR_API_KEY"
MAIL = "REVISER_MAILTO"


@dataclass(frozen=True, slots=True)
class Services:
    """What may be asked, in the order in which it is believed; nothing where no lookup is wanted.

    All of it shares one time limit, and each service one pace: make them once for a run."""

    sources: tuple[Source, ...] = ()
    full_texts: FullTexts | None = None


def services_of(opened: Opened) -> Services:
    """What the settings of this paper's run allow to be asked. Answers are kept beside its other
    results. Raises UsageError for a service that cannot be asked as things are."""
    lookup = opened.settings.lookup
    return services(lookup, answers_of(opened)) if lookup.names else Services()


def services(lookup: LookupSettings, kept: Cache | None = None) -> Services:
    """What `lookup` names, for commands without a paper. `kept` holds earlier answers."""
    if not lookup.names:
        return Services()
    bases = {name: base_url(name) for name in lookup.names}
    web = Web(
        seconds=lookup.seconds, offline=lookup.offline, trusted=_trusted(bases, lookup.full_text)
    )
    answers = Kept(kept)
    texts = None
    if lookup.full_text:
        texts = OpenTexts(web, answers, pdf_text, arxiv_files=_arxiv_files())
    return Services(
        sources=tuple(_MADE[name](web, bases[name], answers) for name in lookup.names),
        full_texts=texts,
    )


def _trusted(bases: Mapping[str, str], texts: bool) -> tuple[str, ...]:
    """The addresses that whoever runs this named."""
    return (*bases.values(), _arxiv_files()) if texts else tuple(bases.values())


def _arxiv_files() -> str:
    """Where arXiv's texts lie: beside its API."""
    return base_url("arxiv").removesuffix("/api")


def set_up(lookup: LookupSettings) -> tuple[str, ...]:
    """What is set up, in words, a sentence for each service; no key is shown. Raises UsageError
    for an address that is not usable."""
    return tuple(
        f"{name} at {base_url(name)}: {_keyed(name)}; "
        f"{'asked' if name in lookup.names else 'not asked unless --lookup names it'}"
        for name in _PUBLIC
    )


def _keyed(name: str) -> str:
    if name not in _KEYS:
        return "it needs no key" + _polite(name)
    variable, without = _KEYS[name]
    return f"{variable} is set" if secret(variable) else f"{variable} is not set, so {without}"


def _polite(name: str) -> str:
    if name != "crossref":
        return ""
    return f", {MAIL} is {'set' if secret(MAIL) else 'not set, so it answers more slowly'}"


def base_url(name: str) -> str:
    """Where a service is asked: as a variable such as REVISER_OPENALEX_URL says, for a mirror or a
    test, else its public address. Raises UsageError for what is no usable address."""
    variable = f"REVISER_{name.upper().replace('-', '_')}_URL"
    return checked_base(os.environ.get(variable, "").strip() or _PUBLIC[name], name, _PUBLIC[name])


def secret(variable: str) -> str:
    """A key, or "" where there is none."""
    return os.environ.get(variable, "").strip()


def _openalex(web: Web, base: str, kept: Kept) -> Source:
    service = openalex.service(base, key=secret(OPENALEX_KEY), mail=secret(MAIL))
    return openalex.OpenAlex(web, _paced(service), kept, Threads(service.at_once))


def _scholar(web: Web, base: str, kept: Kept) -> Source:
    service = semantic_scholar.service(base, key=secret(SCHOLAR_KEY))
    return semantic_scholar.SemanticScholar(web, _paced(service), kept)


def _crossref(web: Web, base: str, kept: Kept) -> Source:
    return crossref.Crossref(web, _paced(crossref.service(base, mail=secret(MAIL))), kept)


def _arxiv(web: Web, base: str, kept: Kept) -> Source:
    return arxiv.Arxiv(web, _paced(arxiv.service(base)), kept)


def _paced(service: Service) -> Service:
    """A copy of a service on this machine is nobody else's, and need not be spared."""
    return replace(service, pace=0.0) if is_here(service.base_url) else service


_PUBLIC: Mapping[str, str] = {
    "openalex": openalex.API,
    "semantic-scholar": semantic_scholar.API,
    "crossref": crossref.API,
    "arxiv": arxiv.API,
}
_MADE: Mapping[str, Callable[[Web, str, Kept], Source]] = {
    "openalex": _openalex,
    "semantic-scholar": _scholar,
    "crossref": _crossref,
    "arxiv": _arxiv,
}
_KEYS: Mapping[str, tuple[str, str]] = {
    "openalex": (OPENALEX_KEY, "it answers a few questions a day"),
    "semantic-scholar": (SCHOLAR_KEY, "it often answers that it was asked too often"),
}
