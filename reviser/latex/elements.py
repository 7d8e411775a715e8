"""What stands in a .tex or .bib file, each part with its place; the words all rooms above share."""

from dataclasses import dataclass
from enum import StrEnum

from reviser.text.source import Place


@dataclass(frozen=True, slots=True)
class Key:
    """A citation key or label name where it is used.

    `editable` is False when the key does not stand literally at the use (it comes out of a
    macro's body, or is glued together), so that no edit may touch it there; `at` is then the
    whole use.
    """

    name: str
    at: Place
    editable: bool = True


class CitationForm(StrEnum):
    """How a citation reads in the sentence."""

    PARENTHETICAL = "parenthetical"  # \citep, \parencite, \cite: [1], (Smith, 2020)
    TEXTUAL = "textual"  # \citet, \textcite: Smith (2020), part of the sentence's grammar
    AUTHOR = "author"  # \citeauthor
    YEAR = "year"  # \citeyear, \citeyearpar
    TITLE = "title"  # \citetitle
    FOOTNOTE = "footnote"  # \footcite, \footfullcite
    FULL = "full"  # \fullcite, \bibentry
    UNSEEN = "unseen"  # \nocite: in the bibliography, not in the sentence


@dataclass(frozen=True, slots=True)
class Citation:
    """One use of a citation command. `command` has no backslash and keeps its star."""

    at: Place
    command: str
    form: CitationForm
    keys: tuple[Key, ...]
    notes: tuple[str, ...] = ()
    via: str | None = None  # the standard command behind a user's own macro


@dataclass(frozen=True, slots=True)
class Label:
    """A \\label or a label given as an option (lstlisting and the like)."""

    at: Place
    name: Key


@dataclass(frozen=True, slots=True)
class Reference:
    """One use of \\ref, \\eqref, \\cref, \\autoref and their kin, or of a macro that wraps them."""

    at: Place
    command: str
    names: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A sectioning command. `level` is 0 for \\part, 1 \\chapter, 2 \\section … 6 \\subparagraph;
    `title` is the inside of the title's braces."""

    at: Place
    command: str
    level: int
    title: Place
    starred: bool


@dataclass(frozen=True, slots=True)
class Float:
    """A figure, table, algorithm … environment. `captions` are the insides of their braces."""

    at: Place
    environment: str
    captions: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Footnote:
    """A \\footnote, \\thanks or \\footnotetext; `body` is the inside of its braces."""

    at: Place
    body: Place


@dataclass(frozen=True, slots=True)
class Math:
    """Inline or displayed mathematics, delimiters included."""

    at: Place
    display: bool


@dataclass(frozen=True, slots=True)
class Comment:
    """From the percent sign to the end of its line, the line end not included."""

    at: Place


@dataclass(frozen=True, slots=True)
class Skipped:
    """Text TeX does not typeset as prose: verbatim-likes, \\iffalse bodies, after \\end{document}.

    `kind` is one of "verbatim", "iffalse", "comment environment", "after end".
    """

    at: Place
    kind: str


@dataclass(frozen=True, slots=True)
class Include:
    """A request for another file, as written; `target` has macros unexpanded."""

    at: Place
    command: str
    target: str
    folder: str = ""  # first argument of \import and \subimport


@dataclass(frozen=True, slots=True)
class BibliographyUse:
    """\\bibliography, \\addbibresource …: one per named file, as written."""

    at: Place
    command: str
    target: str


@dataclass(frozen=True, slots=True)
class Macro:
    """A definition the paper makes: \\newcommand, \\def, \\NewDocumentCommand, \\newenvironment …

    `arguments` counts them all; `default` is the optional first argument's value, None when all
    are mandatory; `delimited` marks \\def with a parameter text other than #1#2…
    """

    name: str
    at: Place
    command: str
    arguments: int
    default: str | None
    body: Place
    delimited: bool = False


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A stretch that could not be read; everything around it was."""

    at: Place
    why: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a bibliography entry.

    `raw` is the value as written, delimiters included, and stands at `at`; `text` is what it
    says: strings expanded, TeX accents decoded, braces and markup removed, spaces folded.
    """

    name: str  # lower case
    raw: str
    text: str
    at: Place


@dataclass(frozen=True, slots=True)
class BibEntry:
    """An entry of a .bib, or a \\bibitem (`kind` is then "bibitem" and its text the field "note").

    `at` runs from the @ to the closing delimiter. `kind` and field names are lower case.
    """

    key: str
    kind: str
    fields: tuple[Field, ...]
    at: Place
    key_at: Place

    def get(self, name: str) -> str:
        """The text of the field `name`, or an empty string."""
        for field in self.fields:
            if field.name == name:
                return field.text
        return ""
