from reviser.latex.elements import Comment, Include
from reviser.manuscript.order import ReadingOrder
from reviser.text.source import Place, Span


def at(path: str, start: int, stop: int) -> Place:
    return Place(path, Span(start, stop))


def include(path: str, start: int, stop: int) -> Include:
    return Include(at(path, start, stop), "input", "x")


def test_an_included_file_is_read_where_it_stands() -> None:
    first, second = include("main", 10, 20), include("main", 30, 40)
    inner = include("a", 5, 8)
    order = ReadingOrder(
        "main",
        {"main": (second, first), "a": (inner,)},
        {first.at: "a", inner.at: "b"},
        {"main": 50, "a": 9, "b": 3},
    )
    assert [(s.path, s.start, s.stop) for s in order.stretches] == [
        ("main", 0, 20),
        ("a", 0, 8),
        ("b", 0, 4),
        ("a", 8, 10),
        ("main", 20, 51),
    ]
    lists = [
        [Comment(at("main", n, n + 1)) for n in (0, 25, 35, 50)],
        [Comment(at("a", n, n)) for n in (0, 9)],
        [Comment(at("b", 3, 3))],
        [],
    ]
    read = [(c.at.path, c.at.span.start) for c in order.merged(lists, lambda c: c.at)]
    assert read == [
        ("main", 0),
        ("a", 0),
        ("b", 3),
        ("a", 9),
        ("main", 25),
        ("main", 35),
        ("main", 50),
    ]
    keys = [order.key(at(path, start, start)) for path, start in read]
    assert keys == sorted(keys)


def test_a_file_nobody_reads_comes_last() -> None:
    order = ReadingOrder("main", {}, {}, {"main": 5})
    assert order.key(at("other", 0, 1)) > order.key(at("main", 5, 5))


def test_a_long_chain_of_includes_needs_no_deep_stack() -> None:
    chain = {f"f{n}": (include(f"f{n}", 0, 1),) for n in range(5_000)}
    follows = {chain[f"f{n}"][0].at: f"f{n + 1}" for n in range(4_999)}
    order = ReadingOrder("f0", chain, follows, {f"f{n}": 2 for n in range(5_000)})
    assert len(order.stretches) == 9_999
