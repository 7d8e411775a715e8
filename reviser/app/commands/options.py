"""The options that several commands share, and the settings value they become."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from reviser.app.choices import CLAIMS, FAIL_ON, REPAIR

if TYPE_CHECKING:
    from reviser.app.settings import Settings

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


def _option(*names: str, variable: str = "", **rest: Any) -> Decorator:
    variable = variable or f"REVISER_{names[-1].lstrip('-').upper().replace('-', '_')}"
    return click.option(*names, envvar=variable, show_envvar=True, **rest)


def _together(*decorators: Decorator) -> Decorator:
    def decorate(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def reading_options(function: Function) -> Function:
    """What decides which files are the paper."""
    return _together(
        _option("--main", metavar="FILE", help="The main .tex file, where it is not found."),
        _option(
            "--bib",
            multiple=True,
            metavar="FILE",
            help="A bibliography to read instead of those the paper names. Repeatable.",
        ),
        _option(
            "--language",
            metavar="CODE",
            help="The paper's language (en, de, ...), where it is not recognised.",
        ),
    )(function)


def checking_options(function: Function) -> Function:
    """What decides what is checked and against what, what is proposed, and what fails."""
    return _together(_evidence_options, _choosing_options, _judging_options)(function)


def _evidence_options(function: Function) -> Function:
    return _together(
        _option(
            "--sources",
            metavar="FOLDER",
            help="Texts of cited works, named KEY.txt, KEY.md or KEY.pdf.",
        ),
        _option(
            "--nli",
            metavar="MODEL",
            help="A citation verifier: a cross-encoder's folder or public name. "
            "Needs the extra 'models'.",
        ),
        _option(
            "--claims",
            type=click.Choice(CLAIMS),
            default="group",
            show_default=True,
            help="One claim for each citation group, or for each sentence.",
        ),
        _option(
            "--verify/--no-verify",
            variable="REVISER_VERIFY",
            default=True,
            help="Whether cited works are compared with what is claimed (default: yes).",
        ),
        _option(
            "--cache/--no-cache",
            variable="REVISER_CACHE",
            default=True,
            help="Whether what the models said is kept in .reviser/ for the next run "
            "(default: yes). The verdicts are the same either way.",
        ),
    )(function)


def _choosing_options(function: Function) -> Function:
    return _together(
        _option(
            "--rule",
            "rules",
            variable="REVISER_RULE",
            multiple=True,
            metavar="ID",
            help="Only this rule; see 'reviser rules'. Repeatable.",
        ),
        _option(
            "--diff",
            metavar="BASE",
            help="Only what changed since this git revision (main, HEAD~3, 'main...').",
        ),
        _option(
            "--baseline",
            metavar="FILE",
            help="The accepted findings; reviser-baseline.json at the paper's root is found "
            "by itself.",
        ),
    )(function)


def _judging_options(function: Function) -> Function:
    return _together(
        _option(
            "--prune/--no-prune",
            variable="REVISER_PRUNE",
            default=True,
            help="Whether removing a citation may be proposed (default: yes).",
        ),
        _option(
            "--repair",
            type=click.Choice(REPAIR),
            default="default",
            show_default=True,
            help="Which citations are mended: off topic or contradicted ones; all a verifier "
            "found unsupported; none.",
        ),
        _option(
            "--fail-on",
            type=click.Choice(FAIL_ON),
            default="error",
            show_default=True,
            help="The least severity that makes the exit code 1.",
        ),
    )(function)


def destination_option(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A file to write to, refused at once and not when all the work is done."""
    if value:
        from reviser.app.writing import destination

        destination(value)
    return value


output_option = _option(
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
    return _option(
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
    from reviser.app.settings import FileSettings, Settings

    given = ctx.params
    file = ctx.meta.get(_FILE)
    ignores = file.ignores if isinstance(file, FileSettings) else ()
    return Settings(
        path=given["path"],
        main=given.get("main"),
        bib=given.get("bib", ()),
        fail_on=given.get("fail_on", "error"),
        claims=given.get("claims", "group"),
        prune=given.get("prune", True),
        repair=given.get("repair", "default"),
        sources=given.get("sources"),
        baseline=given.get("baseline"),
        language=given.get("language") or "",
        nli=given.get("nli"),
        verify=given.get("verify", True),
        cache=given.get("cache", True),
        rules=given.get("rules", ()),
        diff=given.get("diff"),
        ignores=ignores,
        from_file=frozenset(
            name for name in given if ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
        ),
    )
