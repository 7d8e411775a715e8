import pytest

from reviser.manuscript import memory as module
from reviser.manuscript.memory import Memory, same
from reviser.text.source import Source

MAIN = Source("m.tex", "\\newcommand{\\seen}[1]{\\citep{#1}}\\seen{a} and $x$.")


def test_the_same_text_is_parsed_once() -> None:
    memory = Memory()
    dialect = memory.dialect([MAIN])
    first = memory.parse(MAIN, dialect)
    assert memory.parse(Source(MAIN.path, MAIN.text), dialect) is first
    assert memory.blocks(first) is memory.blocks(first)
    assert [c.keys[0].name for c in first.citations] == ["a"]


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        (MAIN.text.replace(" and ", " or "), True),
        (MAIN.text + "\\seen{b}", True),
        (MAIN.text.replace("citep", "ref"), False),
        (MAIN.text + "\\newcommand{\\more}{\\cite{z}}", False),
        (MAIN.text + "\\lstnewenvironment{code}{}{}", False),
        ("%" + MAIN.text, False),
    ],
)
def test_macros_are_learnt_again_only_when_definitions_change(text: str, alike: bool) -> None:
    memory = Memory()
    before = memory.dialect([MAIN])
    after = memory.dialect([Source("m.tex", text)])
    assert (after is before) == alike
    assert same(after, Memory().dialect([Source("m.tex", text)]))


def test_a_changed_style_is_always_learnt() -> None:
    memory = Memory()
    style = Source("s.sty", "\\def\\own#1{\\cite{#1}}")
    before = memory.dialect([style, MAIN])
    after = memory.dialect([Source("s.sty", "\\def\\own#1{\\ref{#1}}"), MAIN])
    assert not same(before, after)


def test_what_was_used_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BUDGET", 250)
    memory = Memory()
    dialect = memory.dialect([])
    sources = [Source(f"{n}.tex", str(n) * 100) for n in range(3)]
    first = memory.parse(sources[0], dialect)
    second = memory.parse(sources[1], dialect)
    assert memory.parse(sources[0], dialect) is first
    memory.parse(sources[2], dialect)
    assert memory.parse(sources[0], dialect) is first
    assert memory.parse(sources[1], dialect) is not second
