"""The machine that reads LaTeX once, left to right, and records where its pieces begin and end."""

import re
from collections.abc import Callable
from functools import lru_cache

from reviser.latex import conditionals
from reviser.latex.commands import ADDRESSES, BRACED_CONDITIONALS, DEFINERS
from reviser.latex.definitions import gap, head
from reviser.latex.delimiters import LONGEST
from reviser.latex.letterwise import Letterwise
from reviser.latex.nesting import (
    COMMENT,
    DEFINITION,
    DOCUMENT,
    ENVIRONMENT,
    GROUP,
    MATH,
    SKIPPED,
    VERBATIM,
)
from reviser.latex.structure import (
    KIND_BITS,
    Lexicon,
    Recording,
)

_BEGIN_NAME = re.compile(r"[ \t]*(?:\r\n?|\n)?[ \t]*\{([^{}\\%$#\r\n]*)\}")
_CHARACTER_CODE = re.compile(r"[ \t]*`(?:\\[\s\S]|[\s\S])")
_REST_OF_LINE = re.compile(r"[ \t]*(?:%[^\r\n]*)?(?=[\r\n]|\Z)")
_ZERO = re.compile(r"[ \t]?0(?=[\s\\])")

_WORD_LETTERS = {"": "A-Za-z", "@": "A-Za-z@", "_": "A-Za-z@_:"}
_Handler = Callable[[str, int, int], int]


@lru_cache(maxsize=64)
def _pattern(letters: str, short: str) -> re.Pattern[str]:
    """What can open or close something; the groups' numbers are the order of the handlers.

    The first character alone decides where to stop, which the regex engine finds about seven
    times as quickly as the beginning of one alternative among many; none repeats a repetition.
    """
    marks = re.escape(short)
    shorts = f"|(?<=[{marks}])()" if short else ""
    return re.compile(
        rf"[\\{{}}%$\n\r{marks}](?:"
        rf"(?<=\{{)((?:[^{{}}\\$%\r\n{marks}]*|\$\$?)\}})"  # 1 a group with nothing in it
        rf"|(?<=\\)([{_WORD_LETTERS[letters]}]+)"  # 2 a control word
        r"|(?<=\\)([()\[\]])"  # 3 mathematics
        r"|(?<=\\)[\s\S]?"
        r"|(?<=%)([^\r\n]*)"  # 4
        r"|(?<=\{)()"  # 5
        r"|(?<=\})()"  # 6
        rf"|(?<=\$)([^$\\{{}}%\r\n{marks}]+\$(?!\$))"  # 7 mathematics with nothing in it
        r"|(?<=\$)(\$?)"  # 8
        r"|((?<=\n)[ \t\r]*\n|(?<=\r)[ \t]*\r)"  # 9 a paragraph's end
        + shorts  # 10
        + ")"
    )


class Scanner(Letterwise):
    """Reads one text; `run` may be called once."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        super().__init__(text)
        self.lexicon = lexicon
        self._reached = 0
        self._letters = "@" if lexicon.at_letter else ""
        self._never_ends: set[str] = set()
        self._conditions: list[bool] = []  # whether the \else part is dead
        self._dead: conditionals.Branches | None = None
        self._special = self._commands()

    def _commands(self) -> dict[str, _Handler]:
        special: dict[str, _Handler] = dict.fromkeys(DEFINERS, self._define)
        special |= dict.fromkeys(ADDRESSES, self.address)
        special |= dict.fromkeys(("catcode", "char", "lccode", "uccode", "mathcode"), self._code)
        special |= dict.fromkeys(self.lexicon.inline_verbatims, self.inline_listing)
        special |= dict.fromkeys(self.lexicon.opens, self._open_by_macro)
        special |= dict.fromkeys(self.lexicon.closes, self._close_by_macro)
        special |= dict.fromkeys(("MakeShortVerb", "DefineShortVerb"), self.short_verb)
        special |= {
            "begin": self._begin,
            "end": self._end,
            "verb": self.verb,
            "lstinline": self.inline_listing,
            "mintinline": self.inline_listing,
            "lstMakeShortInline": self.short_verb,
            "DeleteShortVerb": self.no_short_verb,
            "UndefineShortVerb": self.no_short_verb,
            "lstDeleteShortInline": self.no_short_verb,
            "makeatletter": self._mode,
            "makeatother": self._mode,
            "ExplSyntaxOn": self._mode,
            "ExplSyntaxOff": self._mode,
            "fi": self._fi,
            "else": self._else,
            "endinput": self._endinput,
        }
        return special

    def run(self) -> Recording:
        """Read it all; never raises, whatever the text is."""
        self.push(DOCUMENT, 0, "")
        self._read(0)
        while len(self.stack) > 1:
            self.abandon(len(self.text))
        self.record.stop[0] = len(self.text)
        return self.record

    def _read(self, pos: int) -> None:
        while pos >= 0:
            self._reached = pos
            pos = self._stretch(pos)

    def _stretch(self, pos: int) -> int:
        """Read from `pos` until something must be jumped over; -1 at the limit."""
        record = self.record
        stack = self.stack
        names = record.names
        special = self._special.get
        others = (
            self._simple_group,
            self._simple_group,
            self._math_symbol,
            self._comment,
            self._open_group,
            self._close_group,
            self._simple_math,
            self._dollar,
            self._paragraph,
            self.short_verbatim,
        )
        command_start, command_name = record.command_start.append, record.command_name.append
        command_parent = record.command_parent.append
        pattern = _pattern(self._letters, self.short)
        for match in pattern.finditer(self.text, pos, self.limit):
            group = match.lastindex
            if group is None:
                continue
            if group == 2:
                name = match.group(2)
                start, stop = match.span()
                command_start(start)
                ident = names.get(name)
                if ident is None:
                    ident = record.intern(name)
                command_name(ident)
                command_parent(stack[-1])
                handler = special(name)
                if handler is None:
                    if not name.startswith("if"):
                        continue
                    handler = self._if
                jump = handler(name, start, stop)
            else:
                start, stop = match.span()
                jump = others[group - 1](match.group(), start, stop)
            if jump >= 0:
                return jump
        return -1

    # Groups and mathematics

    def _simple_group(self, _piece: str, start: int, stop: int) -> int:
        self.leaf(GROUP, start, stop, 0)
        return -1

    def _comment(self, _piece: str, start: int, stop: int) -> int:
        self.leaf(COMMENT, start, stop, 0)
        return -1

    def _open_group(self, _piece: str, start: int, _stop: int) -> int:
        self.push(GROUP, start, "")
        return -1

    def _close_group(self, _piece: str, start: int, stop: int) -> int:
        if not self.groups:
            self.problem(start, stop, "closing brace without an opening one")
            return -1
        while len(self.stack) - 1 > self.groups[-1]:
            self.abandon(start)
        node = self.pop(stop)
        if self.record.kind[node] & KIND_BITS != DEFINITION:
            return -1
        _, bodies = self.definitions.pop()
        following = gap(self.text, stop)
        if bodies > 1 and self.text.startswith("{", following) and following < self.limit:
            return self._open_body(following, bodies - 1)
        return -1

    def _open_body(self, brace: int, bodies: int) -> int:
        self.definitions.append((len(self.stack), bodies))
        self.push(DEFINITION, brace, "")
        return brace + 1

    def _math_symbol(self, piece: str, start: int, stop: int) -> int:
        if piece in (r"\(", r"\["):
            self.push(MATH, start, piece)
            return -1
        name = r"\(" if piece == r"\)" else r"\["
        if self.close_named(name, start, stop) is None:
            self.problem(start, stop, f"{piece} without {name}")
        return -1

    def _open_dollar(self) -> str:
        """The $ or $$ that is innermost and open, or nothing."""
        node = self.stack[-1]
        if self.record.kind[node] & KIND_BITS != MATH:
            return ""
        start = self.record.start[node]
        if self.text[start] != "$":
            return ""
        return self.name(node)

    def _simple_math(self, _piece: str, start: int, stop: int) -> int:
        if self._open_dollar() == "$":
            self.pop(start + 1)
            return start + 1
        self.leaf(MATH, start, stop, self.record.intern("$"))
        return -1

    def _dollar(self, piece: str, start: int, stop: int) -> int:
        opened = self._open_dollar()
        if opened == "$":
            self.pop(start + 1)
            return start + 1 if piece == "$$" else -1
        if opened == "$$":
            if piece == "$":
                self.problem(start, stop, "$$ is closed by a single $")
            self.pop(stop)
            return -1
        self.push(MATH, start, piece)
        return -1

    def _paragraph(self, _piece: str, start: int, _stop: int) -> int:
        # TeX ends mathematics at a blank line too, with an error; so one stray $ spoils one
        # paragraph and not the rest of the paper. \[ has an end of its own to wait for.
        if self._open_dollar() or (self.top_kind() == MATH and self._hopeless(start)):
            self.abandon(start)
        return -1

    def _hopeless(self, start: int) -> bool:
        end = {r"\[": r"\]", r"\(": r"\)"}[self.name(self.stack[-1])]
        return self.text.find(end, start, start + LONGEST) < 0

    # Environments

    def _begin(self, _word: str, start: int, stop: int) -> int:
        match = _BEGIN_NAME.match(self.text, stop, self.limit)
        if match is None:
            return -1
        name = match.group(1).strip()
        kind = self.lexicon.verbatims.get(name)
        if kind is None or self.in_definition():
            self.push(ENVIRONMENT, start, name)
            return match.end()
        return self._verbatim_environment(name, kind, start, match.end())

    def _verbatim_environment(self, name: str, kind: str, start: int, stop: int) -> int:
        end_mark = f"\\end{{{name}}}"
        end = -1 if name in self._never_ends else self.text.find(end_mark, stop, self.limit)
        self.push(ENVIRONMENT, start, name)
        if end < 0:
            self._never_ends.add(name)
            return stop
        body = min(self.after_arguments(name, stop), end)
        if body > stop and self.limit == len(self.text):
            # Options hold captions and labels: read them as text, but no further than they go.
            self.limit = body
            self._read(stop)
            self.limit = len(self.text)
            body = max(body, min(self._reached, end))
        skipped = SKIPPED if kind != "verbatim" else VERBATIM
        word = kind if skipped == SKIPPED else name
        self.leaf(skipped, body, end, self.record.intern(word))
        # Within the options something may have been left open; the end closes it.
        self.close_named(name, end, end + len(end_mark))
        return end + len(end_mark)

    def _end(self, _word: str, start: int, stop: int) -> int:
        match = _BEGIN_NAME.match(self.text, stop, self.limit)
        if match is None:
            return -1
        name = match.group(1).strip()
        self._close_environment(name, start, match.end())
        if name == "document" and not self.in_definition() and self.limit == len(self.text):
            self.skip(match.end(), len(self.text), "after end")
            return len(self.text)
        return match.end()

    def _close_environment(self, name: str, start: int, stop: int) -> None:
        closed = self.close_named(name, start, stop)
        if closed is not None:
            self.record.command_parent[-1] = closed
        elif not self.in_definition():
            self.problem(start, stop, f"end of {name[:60]}, which is not open")

    def _open_by_macro(self, word: str, start: int, _stop: int) -> int:
        if not self.in_definition():
            self.push(ENVIRONMENT, start, self.lexicon.opens[word])
        return -1

    def _close_by_macro(self, word: str, start: int, stop: int) -> int:
        if not self.in_definition():
            self._close_environment(self.lexicon.closes[word], start, stop)
        return -1

    # Definitions, conditionals, modes

    def _define(self, word: str, _start: int, stop: int) -> int:
        found = head(self.text, stop, word)
        if found is None or found.stop > self.limit:
            return -1
        if found.body is None or found.body >= self.limit:
            return found.stop
        return self._open_body(found.body, found.bodies)

    def _code(self, _word: str, _start: int, stop: int) -> int:
        match = _CHARACTER_CODE.match(self.text, stop, self.limit)
        return match.end() if match else -1

    def _mode(self, word: str, _start: int, stop: int) -> int:
        if self.in_definition():
            return -1
        outside = "@" if self.lexicon.at_letter else ""
        self._letters = {"makeatletter": "@", "ExplSyntaxOn": "_"}.get(word, outside)
        self.record.modes.append((stop, self._letters))
        return stop

    def _if(self, word: str, start: int, stop: int) -> int:
        if self.in_definition() or word in BRACED_CONDITIONALS or self.limit < len(self.text):
            return -1
        if word == "iffalse" or (word == "if" and _ZERO.match(self.text, stop)):
            branch = self._branches().live_after(start)
            if branch is None:
                self.problem(start, stop, "conditional is never closed")
                return -1
            if branch.otherwise:
                self._conditions.append(False)
            self.skip(stop, branch.start, "iffalse")
            return branch.stop
        self._conditions.append(word == "iftrue")
        return -1

    def _else(self, _word: str, start: int, stop: int) -> int:
        if self.in_definition() or not self._conditions or not self._conditions[-1]:
            return -1
        branch = self._branches().end_of_else(start)
        if branch is None or self.limit < len(self.text):
            return -1
        self._conditions.pop()
        self.skip(stop, branch.start, "iffalse")
        return branch.stop

    def _fi(self, _word: str, _start: int, _stop: int) -> int:
        if self._conditions and not self.in_definition():
            self._conditions.pop()
        return -1

    def _branches(self) -> conditionals.Branches:
        if self._dead is None:
            self._dead = conditionals.Branches(self.text)
        return self._dead

    def _endinput(self, _word: str, _start: int, stop: int) -> int:
        if self.in_definition() or self._conditions or self.limit < len(self.text):
            return -1
        line = _REST_OF_LINE.match(self.text, stop)
        if len(self.stack) > 1 or line is None:
            return -1
        self.skip(line.end(), len(self.text), "after end")
        return len(self.text)
