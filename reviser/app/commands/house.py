"""Commands about the program itself: rules, init, doctor, demo."""

import sys
from pathlib import Path

import click

from reviser.app.choices import WORKFLOWS
from reviser.app.commands.lookup_options import lookup_settings
from reviser.app.commands.options import looking_options, verbose_option
from reviser.app.outcome import CLEAN, USAGE
from reviser.errors import UsageError


@click.command("rules")
def rules_command() -> int:
    """List the rules, each with its severity and what it finds."""
    from reviser.app.page import Piece, page_for, show
    from reviser.app.text_output import SEVERITY_STYLE
    from reviser.pipeline.checking import known_rules

    page = page_for(sys.stdout)
    known = known_rules()
    width = max(len(rule) for rule in known)
    for rule, (severity, summary) in known.items():
        page.add(
            f"{rule:<{width}}  ",
            Piece(f"{severity.value:<7}", SEVERITY_STYLE[severity]),
            f"  {summary}",
            hang=width + 11,
        )
    show(page, sys.stdout)
    return CLEAN


@click.command("init")
@click.argument("path", default=".", metavar="[PATH]")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@click.option(
    "--github",
    "kinds",
    type=click.Choice(WORKFLOWS),
    is_flag=False,
    flag_value=WORKFLOWS[0],
    multiple=True,
    help="Write a GitHub workflow instead (pull-request where none is named). Repeatable.",
)
@click.option(
    "--action-ref",
    metavar="OWNER/NAME@HASH",
    help="The repository and commit that the workflows take reviser from.",
)
@click.option(
    "--model",
    metavar="NAME",
    help="Write the workflows pull-request and commands so that they ask this chat model.",
)
@click.option("--base-url", metavar="URL", help="Its endpoint, where it is not OpenAI's own.")
def init_command(
    path: str,
    *,
    force: bool,
    kinds: tuple[str, ...],
    action_ref: str | None,
    model: str | None,
    base_url: str | None,
) -> int:
    """Write a commented reviser.toml beside the paper, or the workflows of a GitHub repository."""
    if kinds:
        from reviser.app.workflows import ACTION, write_workflows

        kinds = tuple(dict.fromkeys(kinds))
        files = write_workflows(
            Path(path), kinds, action=action_ref, force=force, model=model, base_url=base_url
        )
        for file in files:
            click.echo(f"{file} is ready; commit and push it.")
        if model is not None or any(kind.endswith("-model") for kind in kinds):
            click.echo("Keep the model's key as the repository's secret REVISER_API_KEY (Settings, "
                       "Secrets and variables, Actions).", err=True)  # fmt: skip
        if action_ref is None:
            click.echo(f"First put your copy of reviser in place of {ACTION}, or name it by "
                       "--action-ref: there is no public one yet.", err=True)  # fmt: skip
        return CLEAN
    if model is not None or base_url is not None:
        raise UsageError(
            "--model and --base-url are written into workflows", hint="Give --github besides."
        )
    from reviser.adapters.files import locate
    from reviser.app.initialise import initialise

    written = initialise(locate(Path(path)).root, force=force)
    click.echo(f"{written} is ready; every line in it is optional.")
    return CLEAN


@click.command("doctor")
@click.option(
    "--nli",
    envvar="REVISER_NLI",
    show_envvar=True,
    metavar="MODEL",
    help="The verifier you mean to use, so that what it would send is told.",
)
@click.option(
    "--base-url",
    envvar="REVISER_BASE_URL",
    show_envvar=True,
    metavar="URL",
    help="The endpoint you mean to ask with --verifier llm.",
)
@looking_options
def doctor_command(nli: str | None, base_url: str | None, **given: object) -> int:
    """Say what is installed, in which version, and what would leave this machine."""
    from reviser.adapters.openai_chat.endpoint import Endpoint
    from reviser.app.doctor import doctor_page
    from reviser.app.page import page_for, show
    from reviser.app.services import set_up

    endpoint = Endpoint(model="", base_url=base_url) if base_url else None
    chat = endpoint.host if endpoint is not None and not endpoint.is_here else ""
    page = page_for(sys.stdout)
    services = set_up(lookup_settings(given))
    complete = doctor_page(page, nli, chat=chat, asks=endpoint is not None, services=services)
    show(page, sys.stdout)
    return CLEAN if complete else USAGE


@click.command("demo")
@click.argument("folder", required=False)
@click.option(
    "--scripted",
    is_flag=True,
    help="Show reviewing and rewriting as well, with canned replies in the place of a model.",
)
@verbose_option
def demo_command(folder: str | None, scripted: bool, verbose: bool) -> int:
    """Improve a copy of the bundled paper and show everything that happens.

    The copy goes to FOLDER, which must not hold anything yet, or to a temporary folder.
    """
    from reviser.app.demo import run_demo

    target = Path(folder) if folder is not None else None
    return run_demo(target, verbose=verbose, scripted=scripted)
