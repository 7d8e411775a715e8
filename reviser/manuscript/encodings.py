"""The encoding that a file, or the paper for all its files, says it is written in."""

import re

from reviser.manuscript.resolve import uncommented

# inputenc's option names that Python knows under another name, or not by the same one.
_CODECS = {
    "latin1": "latin-1",
    "latin2": "iso8859-2",
    "latin3": "iso8859-3",
    "latin4": "iso8859-4",
    "latin5": "iso8859-9",
    "latin9": "iso8859-15",
    "latin10": "iso8859-16",
    "ansinew": "cp1252",
    "applemac": "mac-roman",
    "macce": "mac-latin2",
    "maccyr": "mac-cyrillic",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "koi8-ru": "koi8-u",
    "gb": "gbk",
    "gbk": "gbk",
    "bg5": "big5",
    "sjis": "cp932",
    "shift_jis": "cp932",
    "windows-31j": "cp932",
    "euc": "euc-jp",
    "euc-jp": "euc-jp",
    "jis": "iso2022-jp",
    "ks": "euc-kr",
    "windows cyrillic": "cp1251",
    "windows latin 1": "cp1252",
    "isolatin": "latin-1",
    "isolatin2": "iso8859-2",
    "isolatin9": "iso8859-15",
    "macosroman": "mac-roman",
    **{f"cp{n}": f"cp{n}" for n in (437, 850, 852, 855, 858, 865, 866, 932)},
    **{f"cp{n}": f"cp{n}" for n in range(1250, 1259)},
    **{f"windows-{n}": f"cp{n}" for n in range(1250, 1259)},
    **{f"iso-8859-{n}": f"iso8859-{n}" for n in (1, 2, 3, 4, 5, 7, 9, 13, 15, 16)},
    **{f"iso8859-{n}": f"iso8859-{n}" for n in (1, 2, 3, 4, 5, 7, 9, 13, 15, 16)},
    **{f"iso8859_{n}": f"iso8859-{n}" for n in (1, 2, 3, 4, 5, 7, 9, 13, 15, 16)},
}
_PACKAGE = re.compile(r"\[([^\[\]]{1,200})\]\s{0,20}\{(?:inputenc|inputenx|luainputenc)\}")
_COMMAND = re.compile(
    r"\\(?:inputencoding|begin\s{0,9}\{CJK\*?\}(?:\[[^\]]{0,40}\])?)\s{0,9}\{([^{}]{1,40})\}"
)
_HEADER = re.compile(
    r"^%[^\r\n]{0,40}?(?:!TEX encoding\s{0,9}=|coding[:=]|Encoding:)[ \t]{0,9}([\w\- ]{1,40})",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 2_000
_LONGEST_LOOK = 2_000_000


def declared(data: bytes) -> str | None:
    """The Python codec that the file's own text names, or None: inputenc's last option, a CJK
    environment, an editor's line at the top (`% !TEX encoding`, `-*- coding -*-`), JabRef's."""
    text = data[:_LONGEST_LOOK].decode("latin-1")
    header = _HEADER.search(text[:_HEAD])
    if header and (codec := _codec(header[1])):
        return codec
    if "inputenc" not in text and "{CJK" not in text and "inputenx" not in text:
        return None
    live = uncommented(text)
    names = [option for match in _PACKAGE.finditer(live) for option in match[1].split(",")]
    names += [match[1] for match in _COMMAND.finditer(live)]
    return next((codec for name in reversed(names) if (codec := _codec(name))), None)


def _codec(name: str) -> str | None:
    folded = name.strip().lower()
    return _CODECS.get(folded) or _CODECS.get(folded.split(" ")[0])
