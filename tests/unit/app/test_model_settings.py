"""Who is asked where, with whose key, and at whose price."""

from dataclasses import replace

import pytest

from reviser.app.model_settings import ModelSettings, Own, endpoint_of, price_for
from reviser.budget import Price
from reviser.errors import UsageError

HERE = "http://localhost:11434/v1"
OPENAI = "https://api.openai.com/v1"
OTHER = "https://models.example/v1"
BASE = ModelSettings(
    model="gpt-4o-mini",
    base_url=OPENAI,
    temperature=0.0,
    reply_tokens=1024,
    context=8192,
    timeout=60.0,
    parallel=8,
    headers='{"x-secret": "h"}',
    body='{"secret": "b"}',
    max_cost=1.0,
    max_calls=10,
    max_total_tokens=1000,
    max_minutes=1.0,
)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REVISER_API_KEY", "REVISER_WRITER_API_KEY", "REVISER_EVALUATOR_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "openai-key")


def key(settings: ModelSettings, part: str) -> str:
    return endpoint_of(getattr(settings, part), timeout=1.0).key


def test_the_writer_is_the_helper_where_nothing_else_is_said() -> None:
    writer = BASE.writer
    assert replace(writer, part="helper", key_names=BASE.helper.key_names) == BASE.helper
    assert endpoint_of(writer, timeout=1.0) == endpoint_of(BASE.helper, timeout=1.0)
    assert BASE.evaluator is None


def test_each_setting_of_the_writer_is_its_own() -> None:
    own = Own(
        model="big",
        base_url=OTHER,
        temperature=0.7,
        reply_tokens=2000,
        context=64_000,
        headers='{"a": "1"}',
        body='{"b": 2}',
        price="1/2",
    )
    writer = replace(BASE, own_writer=own).writer
    assert (writer.model, writer.base_url, writer.temperature) == ("big", OTHER, 0.7)
    assert (writer.reply_tokens, writer.context) == (2000, 64_000)
    endpoint = endpoint_of(writer, timeout=5.0)
    assert (dict(endpoint.headers), dict(endpoint.body)) == ({"a": "1"}, {"b": 2})
    assert endpoint.timeout == 5.0
    assert price_for(writer) == Price(1, 2)


def test_a_temperature_of_zero_is_a_setting() -> None:
    settings = replace(BASE, temperature=0.5, own_writer=Own(temperature=0.0))
    assert settings.writer.temperature == 0.0


def test_an_evaluator_is_there_once_anything_is_said_of_it() -> None:
    evaluator = replace(BASE, own_evaluator=Own(model="judge")).evaluator
    assert evaluator is not None
    assert (evaluator.model, evaluator.base_url) == ("judge", OPENAI)


@pytest.mark.parametrize("part", ["writer", "evaluator"])
def test_what_may_be_secret_stays_with_the_helpers_host(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVISER_API_KEY", "helper-key")
    for url in (OTHER, HERE, "http://api.openai.com/v1", "https://api.openai.com:8443/v1"):
        settings = replace(BASE, **{f"own_{part}": Own(base_url=url)})
        found = endpoint_of(getattr(settings, part), timeout=1.0) if "8443" not in url else None
        if "http://api" in url:
            assert found is not None
            assert found.key != "helper-key"
            assert found.headers == {}
        elif found is not None:
            assert (found.key, found.headers, found.body) == ("", {}, {})
    near = replace(BASE, **{f"own_{part}": Own(model="big")})
    assert key(near, part) == "helper-key"
    assert endpoint_of(getattr(near, part), timeout=1.0).headers == {"x-secret": "h"}


def test_a_part_has_a_key_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVISER_API_KEY", "helper-key")
    monkeypatch.setenv("REVISER_WRITER_API_KEY", "writer-key")
    assert key(BASE, "writer") == "writer-key"
    assert key(BASE, "helper") == "helper-key"
    assert key(replace(BASE, own_writer=Own(base_url=OTHER)), "writer") == "writer-key"


def test_openais_key_goes_to_openai_alone() -> None:
    assert key(BASE, "writer") == "openai-key"
    assert key(replace(BASE, own_writer=Own(base_url=OTHER)), "writer") == ""
    abroad = replace(BASE, base_url=OTHER, own_writer=Own(base_url=OPENAI))
    assert (key(abroad, "helper"), key(abroad, "writer")) == ("", "openai-key")


def test_who_has_no_key_for_openai_is_told_which_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    settings = replace(BASE, base_url=OTHER, own_writer=Own(base_url=OPENAI))
    with pytest.raises(UsageError, match="where the writer is asked") as caught:
        key(settings, "writer")
    assert "REVISER_WRITER_API_KEY" in caught.value.hint
    assert "--writer-base-url" in caught.value.hint


def test_a_price_belongs_to_a_model_at_a_place() -> None:
    priced = replace(BASE, price="1/2")
    assert price_for(priced.writer) == Price(1, 2)
    big = replace(priced, own_writer=Own(model="gpt-4o"))
    assert price_for(big.writer) == Price(2.5, 10.0)
    unknown = replace(priced, own_writer=Own(base_url=OTHER, model="nobody-knows"))
    assert price_for(unknown.writer) is None
    with pytest.raises(UsageError, match="--writer-price"):
        price_for(replace(BASE, own_writer=Own(price="cheap")).writer)


@pytest.mark.parametrize("name", ["headers", "body"])
def test_what_is_wrong_is_named_and_not_shown(name: str) -> None:
    settings = replace(BASE, own_writer=Own(**{name: "[secret-1]"}))
    with pytest.raises(UsageError, match=f"--writer-extra-{name}") as caught:
        endpoint_of(settings.writer, timeout=1.0)
    assert "secret-1" not in str(caught.value)
    assert "secret" not in repr(BASE)
