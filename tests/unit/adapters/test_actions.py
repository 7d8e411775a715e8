import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.adapters.actions import MOST, SUMMARY_LIMIT, Event, Runner, annotation, command
from reviser.errors import UsageError


@pytest.fixture
def place(tmp_path):
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"action": "opened"}))
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REPOSITORY": "owner/paper",
        "GITHUB_RUN_ID": "77",
        "GITHUB_SERVER_URL": "https://git.example.org/",
        "GITHUB_API_URL": "https://git.example.org/api/v3",
        "GITHUB_ACTOR": "ada",
        "GITHUB_SHA": "12" * 20,
        "GITHUB_REF": "refs/heads/main",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }


def runner(environment):
    return Runner(environment, io.StringIO())


def said(one):
    return one._stream.getvalue().splitlines()


def outputs(path):
    """What the runner reads out of the file, as its documentation has it."""
    found, lines = {}, iter(path.read_text(encoding="utf-8").split("\n"))
    for line in lines:
        if "<<" in line:
            name, end = line.split("<<", 1)
            value = []
            for part in lines:
                if part == end:
                    break
                value.append(part)
            found[name] = "\n".join(value)
        elif line:
            found[line.partition("=")[0]] = line.partition("=")[2]
    return found


def test_what_the_runner_tells(place):
    told = runner(place)
    assert told.present
    assert told.event() == Event("pull_request", {"action": "opened"})
    assert told.repository == "owner/paper"
    assert told.run_url == "https://git.example.org/owner/paper/actions/runs/77"
    assert told.api_url == "https://git.example.org/api/v3"
    assert (told.actor, told.sha, told.ref) == ("ada", "12" * 20, "refs/heads/main")


def test_outside_of_a_workflow():
    alone = runner({})
    assert not alone.present
    assert (alone.run_id, alone.run_url, alone.server_url) == (None, "", "https://github.com")
    alone.output("findings", "3")
    alone.job_summary("text")
    with pytest.raises(UsageError, match="GITHUB_EVENT_NAME is not set"):
        alone.event()
    with pytest.raises(UsageError, match="GITHUB_REPOSITORY is not set"):
        _ = alone.repository


@pytest.mark.parametrize("name", ["owner", "owner/paper/x", "owner/pa per", "../x", "a/b\n"])
def test_a_repository_has_two_parts(place, name):
    with pytest.raises(UsageError, match="not owner/name"):
        _ = runner({**place, "GITHUB_REPOSITORY": name}).repository


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no JSON"),
        (b"[1]", "no JSON object"),
        (b"[" * 100_000, "no JSON"),
        (b"\xff", "no JSON"),
    ],
)
def test_a_payload_that_is_none(place, tmp_path, content, why):
    (tmp_path / "event.json").write_bytes(content)
    with pytest.raises(UsageError, match=why):
        runner(place).event()


def test_a_payload_that_is_too_large_or_gone(place, tmp_path):
    with (tmp_path / "event.json").open("wb") as file:
        file.truncate(25 * 1024 * 1024 + 1)
    with pytest.raises(UsageError, match="larger than 25 MB"):
        runner(place).event()
    (tmp_path / "event.json").unlink()
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        runner(place).event()


@given(values=st.lists(st.text(alphabet=st.sampled_from("ab\n<=_en:%")), max_size=4))
def test_outputs_are_what_was_set_and_no_others(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("out") / "output"
    one = runner({"GITHUB_OUTPUT": str(path)})
    for number, value in enumerate(values):
        one.output(f"name{number}", value)
    if values:
        assert outputs(path) == {f"name{n}": value for n, value in enumerate(values)}


def test_an_outputs_name_is_ours(place):
    with pytest.raises(ValueError, match="no name of an output"):
        runner(place).output("a\nb", "x")


def test_a_delimiter_that_stands_in_the_value_is_not_used(place, tmp_path, monkeypatch):
    words = iter(["aa", "bb"])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(words))
    runner(place).output("patch", "x\nend_aa\nconclusion=success")
    assert outputs(tmp_path / "output") == {"patch": "x\nend_aa\nconclusion=success"}


def test_the_summary_never_grows_over_the_limit(place, tmp_path):
    one = runner(place)
    one.job_summary("# First")
    one.job_summary("é" * SUMMARY_LIMIT)
    one.job_summary("third")
    content = (tmp_path / "summary").read_bytes()
    assert content.startswith(b"# First\n")
    assert SUMMARY_LIMIT - 10 < len(content) <= SUMMARY_LIMIT
    assert content.decode("utf-8").rstrip().endswith("(cut off: a summary holds 1 MiB)")


def test_half_characters_do_not_stop_it(place, tmp_path):
    one = runner(place)
    one.job_summary("\udcff")
    one.output("x", "\udcff")
    assert outputs(tmp_path / "output") == {"x": "?"}


def test_secrets_are_masked_line_by_line(place):
    one = runner(place)
    one.mask("s3cret%\n\nsecond")
    one.mask("")
    assert said(one) == ["::add-mask::s3cret%25", "::add-mask::second"]


def test_annotations_are_escaped_and_counted(place):
    one = runner(place)
    hostile = "50%: see\n::add-mask::x"
    assert one.annotate("warning", hostile, title="a,b:c", path="p,q.tex", lines=(3, 4))
    assert said(one) == [
        "::warning file=p%2Cq.tex,line=3,endLine=4,title=a%2Cb%3Ac::50%25: see%0A::add-mask::x"
    ]
    shown = [one.annotate("warning", "x", path="p", lines=(1, 1)) for _ in range(MOST)]
    assert shown == [True] * (MOST - 1) + [False]
    assert one.annotate("error", "x", path="p", lines=(1, 1))
    assert len(said(one)) == MOST + 1


def test_an_annotation_shows_what_would_hide_or_steer():
    told = annotation("notice", "a\x1b[2Jb\u202e\r::error::x", path="p", lines=(2, 2), column=5)
    assert told == "::notice file=p,line=2,endLine=2,col=5::a<U+001B>[2Jb<U+202E> ::error::x"


@given(message=st.text(), value=st.text(min_size=1))
def test_a_command_is_one_line_and_comes_back_unescaped(message, value):
    line = command("error", message, {"title": value})
    match = re.fullmatch(r"::error title=([^:,\r\n]*)::([^\r\n]*)", line)
    assert match is not None
    assert unescaped(match[1], "%3A:", "%2C,") == value
    assert unescaped(match[2]) == message


def unescaped(text, *more):
    """As the runner's ActionCommand does it, the per cent sign last."""
    for code in (*more, "%0D\r", "%0A\n", "%25%"):
        text = text.replace(code[:3], code[3])
    return text


def test_groups_and_stops_end_whatever_happens(place):
    one = runner(place)
    with pytest.raises(KeyError), one.group("a\nb"), one.stopped():
        raise KeyError
    lines = said(one)
    assert lines[0] == "::group::a b"
    word = lines[1].removeprefix("::stop-commands::")
    assert re.fullmatch(r"[0-9a-f]{32}", word)
    assert lines[2:] == [f"::{word}::", "::endgroup::"]
