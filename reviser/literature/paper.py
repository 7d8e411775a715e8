"""A published work as a literature service, a reader's own export or the corpus describes it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Author:
    """A name as its source gives it; an organisation has a family name only."""

    family: str
    given: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """What was published about a work by its publisher after it appeared.

    `kind` is "retraction", "withdrawal" or "expression of concern"; `doi` is the notice's own and
    `date` in ISO form, as far as they are known.
    """

    kind: str
    doi: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """A work, in plain text: no markup, no entities, white space folded. Unknown is "", () or None.

    `source` is the name of the service or file that says so, `id` its own name for the work
    there. `doi` and `arxiv` are normalised (`literature.identifiers`): lower case, no prefix, no
    version. `kind` is the BibTeX entry type that fits. `cites` are identities (`identity`) or ids
    of the same source. `open_text` is the address of an open-access text and `licence` that
    text's, in lower case with dashes ("cc-by", "cc0").
    """

    source: str
    id: str
    title: str
    authors: tuple[Author, ...] = ()
    year: int | None = None
    venue: str = ""
    kind: str = ""
    doi: str = ""
    arxiv: str = ""
    abstract: str = ""
    cited_by: int | None = None
    cites: tuple[str, ...] = ()
    notice: Notice | None = None
    open_text: str = ""
    licence: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    publisher: str = ""
    url: str = ""

    @property
    def identity(self) -> str:
        """One name for the work whoever describes it: "doi:…", "arxiv:…", else its source's."""
        if self.doi:
            return f"doi:{self.doi}"
        if self.arxiv:
            return f"arxiv:{self.arxiv}"
        return f"{self.source}:{self.id}"
