"""Learning a paper's own commands from its definitions, in the files it is made of."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from reviser.latex.choices import behind, choice
from reviser.latex.commands import ADDRESSES, CITATIONS
from reviser.latex.definitions import Head, Parameter
from reviser.latex.dialect import (
    Dialect,
    UserCommand,
    WrappedCitation,
    WrappedNames,
    WrappedText,
    definitions,
)
from reviser.latex.elements import Citation, CitationForm, Reference
from reviser.latex.environments import EnvironmentLesson, learn_environments
from reviser.latex.plainwords import plain_words
from reviser.latex.scan import scan, with_verbatims
from reviser.latex.structure import PLAIN, STYLE_FILE, Lexicon
from reviser.latex.tex import TexFile, read_tex, standard_names
from reviser.text.source import Place, Source

_DEFINES = re.compile(
    r"\\(?:(?:re)?new|provide|Declare|(?:New|Renew|Provide)|[egx]?def\b|let\b|Define|exclude"
    r"|Custom|Recustom|newcites|@name|cs_|futurelet|protected@)"
)
_STYLE_SUFFIXES = (".sty", ".cls", ".def", ".ltx", ".clo")
_WORD = re.compile(r"\\([A-Za-z@]+)")
_LAST_WORD = re.compile(r"\\([A-Za-z@]+)\*?\s*$")
_ARGUMENT = re.compile(r"#([1-9])")
_CAPTION = re.compile(r"\\caption(?:of\{[^{}#]*\})?\*?(?:\[[^\[\]]*\])?\{[^{}#]*#([1-9])[^{}#]*\}")
_NEW_CITES = re.compile(r"\\newcites\s*\{([A-Za-z,\s]{1,100})\}")
_MOST_PASSES = 6
_MOST_CITES = 20
_MOST_DEFINITIONS = 5


@dataclass(frozen=True, slots=True)
class _Defined:
    """One definition: its head and the words of its bodies."""

    head: Head
    command: str
    bodies: tuple[str, ...]
    style: bool  # it stands in a style file

    @property
    def body(self) -> str:
        return self.bodies[0] if self.bodies else ""


@dataclass(slots=True)
class _Lesson:
    """What has been learnt so far."""

    commands: dict[str, UserCommand] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    environments: EnvironmentLesson = field(default_factory=EnvironmentLesson)
    defined: frozenset[str] = frozenset()
    lexicon: Lexicon = PLAIN

    def dialect(self) -> Dialect:
        """It all as a value; later lessons do not change it."""
        return Dialect(
            commands=MappingProxyType(dict(self.commands)),
            aliases=MappingProxyType(dict(self.aliases)),
            texts=MappingProxyType(dict(self.texts)),
            environments=MappingProxyType(dict(self.environments.names)),
            defined=self.defined,
            lexicon=self.lexicon,
        )


def learn(sources: Iterable[Source]) -> Dialect:
    """The dialect of the paper that `sources` (its .tex and its own style files) make up.

    Linear in their length; never raises. Where a macro is defined twice, a definition that
    cites is preferred, so that a draft's switch cannot hide citations.
    """
    lesson = _Lesson()
    commands: dict[str, list[_Defined]] = {}
    environments: dict[str, list[tuple[str, ...]]] = {}
    for source in sources:
        if _DEFINES.search(source.text) is None:
            continue
        lesson.lexicon = with_verbatims(lesson.lexicon, source.text)
        _learn_bibliographies(lesson, source.text)
        for one in _definitions(source):
            if one.head.environment:
                environments.setdefault(one.head.name, []).append(one.bodies)
            else:
                commands.setdefault(one.head.name, []).append(one)
    _settle(commands, environments)
    lesson.defined = frozenset(commands)
    _learn_texts(lesson, commands)
    _learn_aliases(lesson, commands)
    _learn_wrappers(lesson, commands)
    _learn_aliases(lesson, commands)
    if chosen := _learn_choices(lesson, commands):
        rest = {name: found for name, found in commands.items() if name not in chosen}
        _learn_wrappers(lesson, rest)
    _learn_discards(lesson, commands)
    pairs = {
        name: [(one.head, one.body) for one in found if one.bodies]
        for name, found in commands.items()
    }
    lesson.environments, lesson.lexicon = learn_environments(lesson.lexicon, environments, pairs)
    lesson.lexicon = _inline_verbatims(lesson.lexicon, commands)
    return lesson.dialect()


def _settle(
    commands: dict[str, list[_Defined]], environments: dict[str, list[tuple[str, ...]]]
) -> None:
    """Keep a few definitions of each name, and see \\def\\x and \\def\\endx as an environment."""
    for name, found in commands.items():
        # A generated file may define one name a thousand times.
        del found[_MOST_DEFINITIONS:-_MOST_DEFINITIONS]
        end = commands.get(f"end{name}")
        if end is not None:
            environments.setdefault(name, []).append((found[-1].body, end[-1].body))
    for bodies in environments.values():
        del bodies[_MOST_DEFINITIONS:-_MOST_DEFINITIONS]


def _definitions(source: Source) -> Iterable[_Defined]:
    style = source.path.lower().endswith(_STYLE_SUFFIXES)
    scanned = scan(source.text, STYLE_FILE if style else PLAIN)
    for found in definitions(scanned, source.path):
        bodies = tuple(source.text[span.start : span.stop] for span in found.bodies)
        yield _Defined(found.head, found.macro.command, bodies, style)


def _learn_texts(lesson: _Lesson, commands: Mapping[str, Sequence[_Defined]]) -> None:
    waiting = {
        name: found[-1].body
        for name, found in commands.items()
        if found[-1].bodies and not found[-1].head.parameters and not found[-1].head.delimited
    }
    for _ in range(_MOST_PASSES):
        said = {name: plain_words(body, lesson.texts) for name, body in waiting.items()}
        learnt = {name: words for name, words in said.items() if words is not None}
        if not learnt:
            return
        lesson.texts |= learnt
        waiting = {name: body for name, body in waiting.items() if name not in learnt}


def _learn_bibliographies(lesson: _Lesson, text: str) -> None:
    """multibib's \\newcites{x}{…}: \\citex, \\nocitex, \\bibliographyx and so on."""
    for match in _NEW_CITES.finditer(text):
        for suffix in match.group(1).split(","):
            names = (*CITATIONS, "bibliography") if suffix.strip().isalpha() else ()
            for name in names:
                if name + suffix.strip() not in CITATIONS:
                    lesson.aliases[name + suffix.strip()] = name


def _learn_aliases(lesson: _Lesson, commands: Mapping[str, Sequence[_Defined]]) -> None:
    """Macros that are another command: \\let\\old\\cite, \\newcommand{\\ct}{\\citet}."""
    target: dict[str, str] = {}
    for name, found in commands.items():
        for one in found:
            if "cite command" in _shape(one):
                target[name] = _declared(one)
            elif one.head.equal.startswith("\\"):
                target[name] = one.head.equal[1:]
            elif not one.head.parameters and (last := _LAST_WORD.search(one.body)):
                target.setdefault(name, last.group(1))
    known = standard_names() | set(lesson.commands)
    for name in target:
        end = name
        for _ in range(_MOST_PASSES):
            if end not in target or (end in known and end != name):
                break
            end = target[end]
        if end in known and end != name:
            lesson.aliases[name] = end


def _shape(one: _Defined) -> str:
    declares = one.command in ("DeclareCiteCommand", "RenewCiteCommand", "DeclareMultiCiteCommand")
    return "cite command" if declares else ""


def _declared(one: _Defined) -> str:
    if one.command == "DeclareMultiCiteCommand":
        return "cites"
    wrapper = "".join(one.bodies)
    return "footcite" if "footnote" in wrapper.lower() else "parencite"


def _learn_wrappers(lesson: _Lesson, commands: Mapping[str, Sequence[_Defined]]) -> None:
    known = set(standard_names())
    fresh = known | set(lesson.aliases) | set(lesson.commands)
    words = {
        name: frozenset(_WORD.findall(" ".join(one.body for one in found)))
        for name, found in commands.items()
    }
    for _ in range(_MOST_PASSES):
        dialect = replace(lesson.dialect(), lexicon=replace(lesson.lexicon, at_letter=True))
        learnt: dict[str, UserCommand] = {}
        for name, found in commands.items():
            if not words[name].isdisjoint(fresh) and name not in lesson.aliases:
                made = _best(name, found, dialect)
                if made is not None and made != lesson.commands.get(name):
                    learnt[name] = made
        if not learnt:
            return
        lesson.commands |= learnt
        fresh = set(learnt)


def _best(name: str, found: Sequence[_Defined], dialect: Dialect) -> UserCommand | None:
    """The definition that cites most, the last of equals; None when none does anything."""
    best: UserCommand | None = None
    for one in found:
        made = _wrapper(name, one, dialect)
        if made.wraps and (best is None or len(made.citations) >= len(best.citations)):
            best = made
    return best


def _wrapper(name: str, one: _Defined, dialect: Dialect) -> UserCommand:
    read = read_tex(Source("", one.body), dialect)
    return UserCommand(
        name=name,
        parameters=one.head.parameters,
        citations=_citations(read, name),
        references=tuple(
            WrappedNames(ref.command, names)
            for ref in read.references[:_MOST_CITES]
            if (names := _names(ref, one))
        ),
        labels=tuple(label.name.name for label in read.labels[:_MOST_CITES]),
        includes=tuple(
            WrappedNames(i.command, (i.target,), i.folder) for i in read.includes[:_MOST_CITES]
        ),
        bibliographies=tuple(
            WrappedNames(use.command, (use.target,)) for use in read.bibliographies[:_MOST_CITES]
        ),
        footnotes=tuple(
            WrappedText("footnote", number)
            for note in read.footnotes[:_MOST_CITES]
            if (number := _only_argument(read, note.body))
        ),
        headings=tuple(
            WrappedText(heading.command, number, heading.starred)
            for heading in read.headings[:_MOST_CITES]
            if (number := _only_argument(read, heading.title))
        ),
        captions=tuple(
            WrappedText("caption", int(number)) for number in _CAPTION.findall(one.body)[:1]
        ),
    )


def _names(reference: Reference, one: _Defined) -> tuple[str, ...]:
    """The labels a reference names. A style file's fixed ones (a last page, a running head) are
    labels that the style sets itself, out of sight."""
    names = (key.name for key in reference.names)
    return tuple(name for name in names if not one.style or "#" in name)


def _only_argument(read: TexFile, place: Place) -> int:
    """The number of the one argument that stands at `place`, 0 if there is not just one."""
    numbers = set(_ARGUMENT.findall(read.source[place.span]))
    return int(numbers.pop()) if len(numbers) == 1 else 0


def _citations(read: TexFile, name: str) -> tuple[WrappedCitation, ...]:
    """The citations of a body; those of the same keys are one, as in a possessive
    \\citeauthor{#1}'s (\\citeyear{#1})."""
    by_keys: dict[tuple[str, ...], list[Citation]] = {}
    for citation in read.citations[:_MOST_CITES]:
        command = citation.via or citation.command
        if command != name:
            by_keys.setdefault(tuple(key.name for key in citation.keys), []).append(citation)
    wrapped: list[WrappedCitation] = []
    for keys, together in by_keys.items():
        main = together[0]
        wrapped.append(
            WrappedCitation(
                command=(main.via or main.command).rstrip("*"),
                form=_form(read, together),
                keys=keys,
                notes=tuple(note for citation in together for note in citation.notes),
            )
        )
    return tuple(wrapped)


def _form(read: TexFile, together: Sequence[Citation]) -> CitationForm:
    forms = {citation.form for citation in together}
    if CitationForm.AUTHOR in forms and len(forms) > 1:
        return CitationForm.TEXTUAL
    for note in read.footnotes:
        if note.body.span.covers(together[0].at.span):
            return CitationForm.FOOTNOTE
    return together[0].form


def _learn_choices(lesson: _Lesson, commands: Mapping[str, Sequence[_Defined]]) -> set[str]:
    """Macros that are one of two others, as a star or a bracket says: the names of them."""
    standard = standard_names()
    learnt: set[str] = set()
    for name, found in commands.items():
        chosen = choice(found[-1].body) if not found[-1].head.parameters else None
        if chosen is None or name in standard:
            continue
        parameter, target = chosen
        target = lesson.aliases.get(target, target)
        if target in CITATIONS:
            lesson.aliases[name] = target
            learnt.add(name)
        elif target in lesson.commands:
            made = behind(name, parameter, lesson.commands[target])
            if made is not None:
                lesson.aliases.pop(name, None)
                lesson.commands[name] = made
                learnt.add(name)
    return learnt


def _learn_discards(lesson: _Lesson, commands: Mapping[str, Sequence[_Defined]]) -> None:
    """Arguments that no definition of a macro uses, as in \\newcommand{\\hide}[1]{}."""
    known = standard_names()
    for name, found in commands.items():
        if name in known or name in lesson.commands or name in lesson.aliases:
            continue
        if all(one.head.equal == "\\@gobble" for one in found):
            lesson.commands[name] = _gobbler(name)
            continue
        if not all(one.bodies and one.head.parameters == found[0].head.parameters for one in found):
            continue
        dropped = _unused(found)
        if dropped:
            lesson.commands[name] = UserCommand(
                name, found[0].head.parameters, discards=frozenset(dropped)
            )


def _gobbler(name: str) -> UserCommand:
    return UserCommand(name, (Parameter("m"),), discards=frozenset({1}))


def _unused(found: Sequence[_Defined]) -> set[int]:
    parameters = found[0].head.parameters
    used = {int(number) for one in found for number in _ARGUMENT.findall(one.body)}
    numbers = {n for n, parameter in enumerate(parameters, start=1) if parameter.kind in "mo"}
    return numbers - used


def _inline_verbatims(lexicon: Lexicon, commands: Mapping[str, Sequence[_Defined]]) -> Lexicon:
    """Macros that are \\verb, \\lstinline or \\url under another name."""
    letter_by_letter = {"verb", "lstinline", "mintinline", *ADDRESSES} | lexicon.inline_verbatims
    found: set[str] = set()
    for name, defined in commands.items():
        one = defined[-1]
        last = _LAST_WORD.search(one.body)
        target = one.head.equal[1:] or (last.group(1) if last else "")
        if target in letter_by_letter and not one.head.parameters and name not in ADDRESSES:
            found.add(name)
        kinds = "".join(parameter.kind for parameter in one.head.parameters)
        if kinds.endswith("v") and "m" not in kinds:
            found.add(name)
    if not found:
        return lexicon
    return replace(lexicon, inline_verbatims=lexicon.inline_verbatims | found)
