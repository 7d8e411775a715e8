"""Which services are asked, as the options, the environment and the doctor say it."""

import click
import pytest
from click.testing import CliRunner

from reviser.app.choices import SERVICES
from reviser.app.commands.lookup_options import lookup_settings
from reviser.app.commands.options import looking_options
from reviser.app.doctor import doctor_page
from reviser.app.lookup_settings import LookupSettings
from reviser.app.page import Page
from reviser.app.services import Services, services, set_up
from reviser.errors import UsageError


def read(*arguments: str, **environment: str) -> LookupSettings:
    found: list[LookupSettings] = []

    @click.command()
    @looking_options
    def command(**given: object) -> None:
        found.append(lookup_settings(given))

    done = CliRunner().invoke(command, arguments, env=environment, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return found[0]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("off", ()),
        ("", ()),
        ("all", SERVICES),
        ("ALL", SERVICES),
        ("arxiv,openalex", ("openalex", "arxiv")),
        (" crossref , crossref", ("crossref",)),
        ("Semantic-Scholar", ("semantic-scholar",)),
    ],
)
def test_names_of_services(said: str, names: tuple[str, ...]) -> None:
    assert read("--lookup", said).names == names
    assert read(REVISER_LOOKUP=said).names == names


@pytest.mark.parametrize("said", ["google", "all,google", "openalex,off", "all,openalex,x"])
def test_what_is_no_service(said: str) -> None:
    with pytest.raises(UsageError):
        read("--lookup", said)


def test_nothing_is_asked_by_itself() -> None:
    assert read() == LookupSettings() == lookup_settings({})
    assert services(read()) == Services()


def test_the_rest() -> None:
    said = read("--lookup", "all", "--lookup-seconds", "30", "--full-text", "--offline")
    assert (said.seconds, said.full_text, said.offline) == (30.0, True, True)
    assert read(REVISER_FULL_TEXT="1", REVISER_LOOKUP_SECONDS="9").full_text


def test_a_base_url_is_https_or_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVISER_ARXIV_URL", "http://example.org/api")
    with pytest.raises(UsageError, match="the address of arxiv is not usable"):
        services(LookupSettings(names=("arxiv",)))
    services(LookupSettings(names=("openalex",)))
    monkeypatch.setenv("REVISER_ARXIV_URL", "https://mirror.example.org/api/")
    assert [source.name for source in services(LookupSettings(names=("arxiv",))).sources] == [
        "arXiv"
    ]


def test_the_doctor_says_what_is_set_up_and_shows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", "s3cret-key")
    monkeypatch.delenv("SEMANTIC_SCHOLAR_API_KEY", raising=False)
    monkeypatch.setenv("REVISER_MAILTO", "ada@example.org")
    page = Page()
    doctor_page(page, None, services=set_up(LookupSettings(names=("openalex",))))
    text = " ".join(page.plain.split())
    assert "openalex at https://api.openalex.org: OPENALEX_API_KEY is set; asked" in text
    assert "SEMANTIC_SCHOLAR_API_KEY is not set" in text
    assert "REVISER_MAILTO is set" in text
    assert "not asked unless --lookup names it" in text
    assert "s3cret" not in text
    assert "ada@" not in text
