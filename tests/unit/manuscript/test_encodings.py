import codecs

import pytest

from reviser.manuscript import encodings
from reviser.manuscript.encodings import declared


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (r"\usepackage[latin1]{inputenc}", "latin-1"),
        (r"\usepackage [cp1251] {inputenc}", "cp1251"),
        (r"\usepackage[utf8,cp1251]{inputenc}", "cp1251"),
        (r"\RequirePackage[ansinew]{inputenc}", "cp1252"),
        (r"\usepackage[koi8-r]{inputenc}\inputencoding{cp866}", "cp866"),
        ("%\\usepackage[latin1]{inputenc}\n\\usepackage[latin2]{inputenc}", "iso8859-2"),
        (r"\usepackage{CJK}\begin{CJK}{GBK}{song}", "gbk"),
        (r"\usepackage{CJK}\begin{CJK*}{Bg5}{bsmi}", "big5"),
        ("% !TEX encoding = Windows Cyrillic\n", "cp1251"),
        ("% -*- coding: euc-jp -*-\n", "euc-jp"),
        ("% Encoding: Cp1252\n@book{a,}", "cp1252"),
        (r"\usepackage[utf8]{inputenc}", None),
        (r"\usepackage[martian]{inputenc}", None),
        ("no word of it", None),
        ("", None),
    ],
)
def test_declared_codecs(text: str, codec: str | None) -> None:
    data = text.encode("latin-1")
    assert declared(data) == codec


def test_every_codec_is_one_that_python_has() -> None:
    for codec in encodings._CODECS.values():
        assert codecs.lookup(codec)


def test_bytes_that_are_no_text_declare_nothing() -> None:
    assert declared(bytes(range(256)) * 10) is None
