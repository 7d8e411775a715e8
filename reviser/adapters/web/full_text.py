"""Open-access texts of cited works, read out of their PDFs, where their licence lets a program do
so.

What is read: a text under CC BY, CC BY-SA, CC0 or in the public domain, from wherever a service
says it lies; and what lies at arXiv, whose terms of use let anyone get and use its papers for
personal use or research (https://info.arxiv.org/help/api/tou.html), though not pass them on. What
is not: a text whose licence is unknown, a publisher's own, or one that forbids commercial use or
changes (NC, ND): whether a run is commercial nobody here can know. A reader who may read such a
text gives it with --sources. Texts are kept for this user's next run and nowhere else.
"""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from reviser.adapters.web.addresses import Unusable, origin
from reviser.adapters.web.client import Broken, Missing, Question, Service, Web
from reviser.adapters.web.kept import Kept
from reviser.literature.identifiers import arxiv
from reviser.literature.licences import licence_of
from reviser.literature.paper import Paper
from reviser.literature.sections import sections_of
from reviser.literature.sources import Section, Silent

FREE = frozenset({"cc-by", "cc-by-sa", "cc0", "public-domain"})
"""Licences under which a text may be read by a program whatever it is for."""
LARGEST = 30_000_000
"""Bytes of a PDF."""
ARXIV = "arXiv"
_SECONDS = 40.0
_KINDS = ("application/pdf", "application/x-pdf", "application/octet-stream", "binary/octet-stream")
_AT_ARXIV = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org"})

ReadPdf = Callable[[bytes], tuple[str, str]]
"""The text of a PDF and "", or "" and why there is none."""


class OpenTexts:
    """`FullTexts` that are fetched. Safe to share between threads."""

    def __init__(self, web: Web, kept: Kept, read_pdf: ReadPdf, *, arxiv_files: str) -> None:
        """`arxiv_files` is where arXiv's texts lie, each under /pdf/ and its id."""
        self._web = web
        self._kept = kept
        self._read_pdf = read_pdf
        self._arxiv_files = arxiv_files

    def place_of(self, paper: Paper) -> str:
        """Where its text is had from first, as it is printed, "" where none may be read."""
        return next((service.name for service, _ in self._places(paper)), "")

    def text(self, paper: Paper) -> tuple[Section, ...] | Silent:
        """Its sections; () where there is none to be had."""
        silent: Silent | None = None
        for service, address in self._places(paper):
            found = self._fetched(service, address)
            if isinstance(found, Silent):
                silent = silent or found
            elif found:
                return found
        return silent or ()

    def _places(self, paper: Paper) -> Iterator[tuple[Service, str]]:
        """Where it may be had: the text that was published, then arXiv's."""
        address = paper.open_text
        try:
            host = urlsplit(address).hostname or ""
            if address and host not in _AT_ARXIV and licence_of(paper.licence) in FREE:
                place = Service(host, origin(address), pace=1.0, seconds=_SECONDS, largest=LARGEST)
                yield place, address
        except (Unusable, ValueError):
            host = ""
        name = paper.arxiv or (arxiv(urlsplit(address).path) if host in _AT_ARXIV else "")
        if name:
            files = self._arxiv_files
            ours = Service(ARXIV, files, pace=3.05, seconds=_SECONDS, largest=LARGEST)
            yield ours, f"{files}/pdf/{name}"

    def _fetched(self, service: Service, address: str) -> tuple[Section, ...] | Silent:
        kept = self._kept.sections(address)
        if kept is not None:
            return kept
        question = Question(address, kinds=_KINDS, elsewhere=True)
        said = self._web.ask(service, question, _pdf)
        if isinstance(said, Silent):
            return said
        sections: tuple[Section, ...] = ()
        if not isinstance(said, Missing):
            text, why = self._read_pdf(said)
            if why:
                return Silent(service.name, "gave a PDF that cannot be read")
            sections = sections_of(text)
        self._kept.keep_sections(sections, address)
        return sections


def _pdf(body: bytes) -> bytes:
    """The bytes of a PDF. Raises ValueError for a page that says where to find one."""
    if b"%PDF-" not in body[:1024]:
        raise Broken("no PDF")
    return body
