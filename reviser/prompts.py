"""Prompts as files: Markdown with TOML front matter, checked both ways, their data fenced.

```
+++
id = "verify-support"
version = 1
reply = "Opinion"
vars = ["claim", "work"]
+++
What the model is told. The same words every time, so that a provider's prefix cache hits.

<!-- data -->
The text of the work: {{ work }}
```

Only what stands below `<!-- data -->` may hold variables. Their values are text of papers, which
anybody may have written: each comes out between two lines that the value cannot contain, without
the characters that nobody sees. A template cannot switch that off.
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from jinja2 import StrictUndefined, Template, TemplateError, meta
from jinja2.sandbox import SandboxedEnvironment

from reviser.errors import SettingsError
from reviser.text.visible import visible_lines

FOLDER = "prompts"
"""Where prompts lie, in the bundled templates and in a folder of one's own."""
LARGEST = 50_000
"""Bytes of a prompt's file."""

_FRONT = re.compile(r"\A\+\+\+\r?\n(.*?)^\+\+\+[ \t]*\r?\n(.*)\Z", re.DOTALL | re.MULTILINE)
_DATA = "<!-- data -->"
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
# No loader: a template can include nothing. Not HTML, so nothing is to be escaped.
_SANDBOX = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt with its data. `label` names template and version for the record."""

    label: str
    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt that was read and checked. `reply` is the name of the class of its replies,
    `digest` the SHA-256 of its body in hex; `own` tells that it came from a user's folder."""

    id: str
    version: int
    reply: str
    vars: frozenset[str]
    system: str
    digest: str
    own: bool
    data: Template

    @property
    def label(self) -> str:
        """`verify-support/1`; a user's own has the beginning of its digest behind it."""
        return f"{self.id}/{self.version}" + (f"+{self.digest[:8]}" if self.own else "")

    def render(self, values: Mapping[str, str]) -> Rendered:
        """The prompt with these values; raises TypeError when they are not the declared ones."""
        if values.keys() != self.vars:
            raise TypeError(f"{self.id}: wants {sorted(self.vars)}, was given {sorted(values)}")
        fencing = {name: fenced(name, value) for name, value in values.items()}
        return Rendered(self.label, self.system, self.data.render(fencing).strip())


def read_prompt(text: str, *, id: str, reply: str, where: str, own: bool = False) -> Prompt:  # noqa: A002 - its name in the file
    """The prompt in a file's text, which must be the one called `id` with that class of replies.

    Raises SettingsError, naming `where`, for anything that is not as the module says.
    """
    match = _FRONT.match(text)
    if match is None:
        raise SettingsError(f"{where}: it does not begin with TOML between two lines of +++")
    try:
        front = tomllib.loads(match[1])
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{where}: its front matter is not TOML: {error}") from error
    wrong = _wrong(front, id, reply)
    if wrong:
        raise SettingsError(f"{where}: {wrong}")
    body = match[2].replace("\r\n", "\n").strip()
    system, found, data = body.partition(_DATA)
    if not found or _DATA in data or not system.strip():
        raise SettingsError(f"{where}: it needs instructions, one line {_DATA}, and its data")
    declared = frozenset(front["vars"])
    return Prompt(
        id=id,
        version=front["version"],
        reply=reply,
        vars=declared,
        system=system.strip(),
        digest=hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest(),
        own=own,
        data=_compiled(system, data, declared, where),
    )


def _wrong(front: Mapping[str, object], id: str, reply: str) -> str:  # noqa: A002
    if front.keys() != {"id", "version", "reply", "vars"}:
        return f"its front matter has {', '.join(sorted(front))}, not id, version, reply and vars"
    version, names = front["version"], front["vars"]
    if front["id"] != id or not _ID.fullmatch(id):
        return f"its id is {front['id']!r}, not {id!r}"
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        return f"its version is {version!r}, not a number from 1"
    if front["reply"] != reply:
        return f"its reply is {front['reply']!r}, not {reply!r}"
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return "its vars are not a list of names"
    return ""


def _compiled(system: str, data: str, declared: frozenset[str], where: str) -> Template:
    try:
        loose = meta.find_undeclared_variables(_SANDBOX.parse(system))
        used = meta.find_undeclared_variables(_SANDBOX.parse(data))
        template: Template = _SANDBOX.from_string(data)
        if used == declared:
            template.render(dict.fromkeys(used, "text"))
    except (TemplateError, ArithmeticError, LookupError, TypeError, RecursionError) as error:
        raise SettingsError(f"{where}: its template cannot be read: {error}") from error
    if loose:
        raise SettingsError(f"{where}: {', '.join(sorted(loose))} stands above {_DATA}")
    if used != declared:
        odd = ", ".join(sorted(used ^ declared))
        raise SettingsError(f"{where}: declared and used variables differ in: {odd}")
    return template


def fenced(name: str, value: str) -> str:
    """The value between two lines that carry its digest: no value can hold its own."""
    shown = visible_lines(value)
    mark = hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()[:16]
    return f"\n<<<{name} {mark}\n{shown}\n{mark} {name}>>>\n"
