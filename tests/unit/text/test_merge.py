import pytest

from reviser.text.merge import Merged, carried

BASE = b"one\ntwo\r\nthree\nfour\nfive"


@pytest.mark.parametrize(
    ("wanted", "current", "result", "missed"),
    [
        (b"one\n2\r\nthree\nfour\nfive", BASE, b"one\n2\r\nthree\nfour\nfive", 0),
        # An edit on the very next line, where a patch with context would fail.
        (
            b"one\n2\r\nthree\nfour\nfive",
            b"zero\none\ntwo\r\n3\nfour\nfive",
            b"zero\none\n2\r\n3\nfour\nfive",
            0,
        ),
        # Lines put in stay behind the line they followed, or before the one they preceded.
        (
            b"one\ntwo\r\nextra\nthree\nfour\nfive",
            b"one\ntwo\r\n3\nfour\nfive",
            b"one\ntwo\r\nextra\n3\nfour\nfive",
            0,
        ),
        (
            b"one\ntwo\r\nextra\nthree\nfour\nfive",
            b"one\n2\nthree\nfour\nfive",
            b"one\n2\nextra\nthree\nfour\nfive",
            0,
        ),
        (b"zero\n" + BASE, BASE + b"\n", b"zero\n" + BASE + b"\n", 0),
        # Edited over: what is there stays.
        (
            b"one\n2\r\nthree\nfour\n5",
            b"one\nTWO\nthree\nfour\nfive",
            b"one\nTWO\nthree\nfour\n5",
            1,
        ),
        (b"one\n2\r\n3\nfour\nfive", b"one\ntwo\r\nmine\nthree\nfour\nfive", None, 1),
        (b"one\ntwo\r\nfour\nfive", b"", None, 1),
    ],
)
def test_a_change_is_carried_where_it_still_has_its_place(wanted, current, result, missed):
    assert carried(BASE, wanted, current) == Merged(current if result is None else result, missed)
