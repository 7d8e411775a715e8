"""The options that several commands share, and the settings value they become."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from reviser.app.choices import CHATTING, CLAIMS, DEFAULT_NLI, FAIL_ON, REPAIR, VERIFIERS
from reviser.app.commands.evidence_options import keeping, texts_option
from reviser.app.commands.lock_options import lock_options
from reviser.app.commands.lookup_options import corpus_option, lookup_options, lookup_settings
from reviser.app.commands.model_options import (
    cross_encoder,
    model_options,
    model_settings,
    part_options,
)
from reviser.app.commands.revising_options import review_settings, revising_options

if TYPE_CHECKING:
    from reviser.app.model_settings import ModelSettings
    from reviser.app.settings import Settings
    from reviser.review.suppress import Ignore

Function = Callable[..., object]
Decorator = Callable[[Function], Function]

_FILE = "reviser.file"


def _settings_file(ctx: click.Context, _: click.Parameter, value: str) -> Path:
    """Hand click the settings file of the paper at `value` as defaults."""
    from reviser.adapters.files import Folder, locate
    from reviser.app.settings import read_settings

    path = Path(value)
    found = read_settings(Folder(locate(path).root))
    ctx.meta[_FILE] = found
    ctx.default_map = {key.replace("-", "_"): v for key, v in found.values.items()}
    return path


def path_argument(function: Function) -> Function:
    """PATH, which also brings in the settings file beside the paper."""
    return click.argument(
        "path", default=".", callback=_settings_file, is_eager=True, metavar="[PATH]"
    )(function)


def option(*names: str, variable: str = "", **rest: Any) -> Decorator:
    """An option that a variable may set too: REVISER_ and its name, or `variable`."""
    variable = variable or f"REVISER_{names[-1].lstrip('-').upper().replace('-', '_')}"
    return click.option(*names, envvar=variable, show_envvar=True, **rest)


def together(*decorators: Decorator) -> Decorator:
    """Several options as one decorator, shown in this order."""

    def decorate(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def reading_options(function: Function) -> Function:
    """What decides which files are the paper."""
    return together(
        option("--main", metavar="FILE", help="The main .tex file, where it is not found."),
        option(
            "--bib",
            multiple=True,
            metavar="FILE",
            help="A bibliography to read instead of those the paper names. Repeatable.",
        ),
        option(
            "--language",
            metavar="CODE",
            help="The paper's language (en, de, ...), where it is not recognised.",
        ),
    )(function)


def checking_options(function: Function) -> Function:
    """What decides what is checked and against what, what is proposed, and what fails."""
    return together(
        _evidence_options, verifying_options, _choosing_options, _judging_options, looking_options
    )(function)


def reading_only_options(function: Function) -> Function:
    """All of these where nothing is proposed, and no finding makes it fail."""
    return together(_evidence_options, verifying_options, _choosing_options, looking_options)(
        function
    )


def gathering_options(function: Function) -> Function:
    """What decides which texts of cited works are at hand, where nothing is checked."""
    return together(sources_option, keeping_options, looking_options)(function)


def commit_options(function: Function) -> Function:
    """What of these holds for a paper at a commit, where the commits say what changed, and no
    model is asked."""
    return together(
        reading_options, _evidence_options, _rule_option, _baseline_option, _judging_options
    )(function)


def planning_options(function: Function) -> Function:
    """The same where models are asked. All about them is the operator's to say; prompts are the
    bundled ones, for a folder of others may be one that the pull request brought."""

    def without_templates(*names: str, **rest: Any) -> Decorator:
        return together() if "--templates" in names else option(*names, **rest)

    return together(
        commit_options,
        looking_options,
        verifier_option,
        *model_options(without_templates),
        reviewing_options,
        writing_options,
    )(function)


sources_option, keeping_options = texts_option(option), together(*keeping(option))


def _evidence_options(function: Function) -> Function:
    return together(
        sources_option,
        nli_option,
        option(
            "--claims",
            type=click.Choice(CLAIMS),
            default="group",
            show_default=True,
            help="One claim for each citation group, or for each sentence.",
        ),
        option(
            "--verify/--no-verify",
            variable="REVISER_VERIFY",
            default=True,
            help="Whether cited works are compared with what is claimed (default: yes).",
        ),
        *lock_options(option),
        keeping_options,
    )(function)


nli_option = option(
    "--nli",
    metavar="MODEL",
    help="A citation verifier: a cross-encoder's folder or public name; several, with "
    "commas between them, are asked together. Needs the extra 'models'.",
)

_LOCAL = (
    "'embedded' compares topics with the model that comes along; 'nli' asks the verifier that "
    f"--nli names, else {DEFAULT_NLI}."
)
_CHAT = (
    " 'llm' asks the chat model that --model names. 'ensemble' asks both: support by their mean, "
    "contradiction only where all see one."
)
_UNSAID = " Default: nli where --nli is given, else embedded."


def looking_options(function: Function) -> Function:
    """Which literature is looked at beyond the bibliography."""
    return together(*lookup_options(option), corpus_option(option))(function)


def verifying_options(function: Function) -> Function:
    """Who verifies, a chat model among them."""
    return together(verifier_option, *model_options(option))(function)


def locking_options(function: Function) -> Function:
    """What decides which verdicts the lockfile keeps."""
    return together(looking_options, _evidence_options, verifying_options)(function)


def reviewing_options(function: Function) -> Function:
    """Whether models review and rewrite, and how."""
    return together(*revising_options(option))(function)


def writing_options(function: Function) -> Function:
    """Who writes edits, where it is not the helper."""
    return together(*part_options(option, "writer"))(function)


def evaluating_options(function: Function) -> Function:
    """Who reports how good the result is."""
    return together(*part_options(option, "evaluator"))(function)


verifier_option = option(
    "--verifier", type=click.Choice(VERIFIERS), help=f"{_LOCAL}{_CHAT}{_UNSAID}"
)


def _choosing_options(function: Function) -> Function:
    return together(_rule_option, _diff_option, _baseline_option)(function)


_rule_option = option(
    "--rule",
    "rules",
    variable="REVISER_RULE",
    multiple=True,
    metavar="ID",
    help="Only this rule; see 'reviser rules'. Repeatable.",
)

_diff_option = option(
    "--diff",
    metavar="BASE",
    help="Only what changed since this git revision (main, HEAD~3, 'main...').",
)

_baseline_option = option(
    "--baseline",
    metavar="FILE",
    help="The accepted findings; reviser-baseline.json at the paper's root is found by itself.",
)


def _judging_options(function: Function) -> Function:
    return together(
        option(
            "--prune/--no-prune",
            variable="REVISER_PRUNE",
            default=True,
            help="Whether removing a citation may be proposed (default: yes).",
        ),
        option(
            "--repair",
            type=click.Choice(REPAIR),
            default="default",
            show_default=True,
            help="Which citations are mended: off topic or contradicted ones; all a verifier "
            "found unsupported; none.",
        ),
        option(
            "--fail-on",
            type=click.Choice(FAIL_ON),
            default="error",
            show_default=True,
            help="The least severity that makes the exit code 1.",
        ),
    )(function)


compile_option = option(
    "--compile/--no-compile",
    variable="REVISER_COMPILE",
    default=False,
    help="Whether TeX is run on a copy of the paper with each edit, which is refused when that "
    "brings an error or an undefined reference (default: no). Shell escape is off.",
)


def destination_option(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A file to write to, refused at once and not when all the work is done."""
    if value:
        from reviser.app.writing import destination

        destination(value)
    return value


output_option = option(
    "--output",
    callback=destination_option,
    metavar="FILE",
    help="Write the report to this file instead of the terminal.",
)

verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Show notes, and every verdict with its evidence."
)


def format_option(*formats: str) -> Decorator:
    """--format with the formats this command knows; the first is the default."""
    return option(
        "--format",
        "form",
        variable="REVISER_FORMAT",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How the report is written.",
    )


def settings_of(ctx: click.Context) -> "Settings":
    """The settings of the command at hand, whoever set them."""
    from reviser.app.settings import FileSettings

    file = ctx.meta.get(_FILE)
    from_file = frozenset(
        name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
    )
    ignores = file.ignores if isinstance(file, FileSettings) else ()
    return _settings(ctx.params["path"], ctx.params, ignores, from_file)


def settings_at(ctx: click.Context, path: Path, *, review: bool = False) -> "Settings":
    """The settings that hold for the paper at `path`, a copy of another commit: what flags and
    environment said to the command at hand, else what the settings file beside `path` says.
    `review`: one was asked for since.

    Raises what `read_settings` raises.
    """
    from reviser.adapters.files import Folder, locate
    from reviser.app.settings import read_settings

    file = read_settings(Folder(locate(path).root))
    said = {key.replace("-", "_"): value for key, value in file.values.items()}
    silent = {ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP}
    from_file = frozenset(n for n in said if ctx.get_parameter_source(n) in {None, *silent})
    given = {**ctx.params, **{name: said[name] for name in from_file}}
    if review:
        given["review"] = True
    return _settings(path, given, file.ignores, from_file)


def _settings(
    path: Path,
    given: Mapping[str, Any],
    ignores: "tuple[Ignore, ...]",
    from_file: frozenset[str],
) -> "Settings":
    from reviser.app.settings import Settings

    given = {"templates": None, **given}
    nli, llm = verifiers_of(given)
    return Settings(
        path=path,
        main=given.get("main"),
        bib=given.get("bib", ()),
        fail_on=given.get("fail_on", "error"),
        claims=given.get("claims", "group"),
        prune=given.get("prune", True),
        repair=given.get("repair", "default"),
        sources=given.get("sources", ()),
        corpus=given.get("corpus"),
        lookup=lookup_settings(given),
        baseline=given.get("baseline"),
        lock=given.get("lock", "auto"),
        lock_abstracts=given.get("lock_abstracts", False),
        language=given.get("language") or "",
        nli=nli,
        llm=llm,
        review=review_settings(given, model_settings(given)) if given.get("review") else None,
        verify=given.get("verify", True),
        compile=given.get("compile", False),
        cache=given.get("cache", True),
        cache_folder=given.get("cache_folder"),
        rules=given.get("rules", ()),
        diff=given.get("diff"),
        ignores=ignores,
        from_file=from_file,
    )


def verifiers_of(given: Mapping[str, Any]) -> "tuple[str | None, ModelSettings | None]":
    """The cross-encoder and the chat model that are to verify, each None where it is not."""
    chat = model_settings(given) if given.get("verifier") in CHATTING else None
    return cross_encoder(given.get("verifier"), given.get("nli")), chat
