"""Words of two titles: in what they may differ and mean the same, and what tells works apart."""

import re
from collections.abc import Sequence

ARTICLES = frozenset({"a", "an", "the"})
JOINTS = frozenset({"of", "on", "in", "for", "to", "at", "with", "by", "from", "and", "into", "as"})
_NUMBERS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th",
}  # fmt: skip
_ROMAN = {
    "ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11",
    "xii": "12", "xiii": "13", "xiv": "14", "xv": "15", "xvi": "16", "xvii": "17", "xviii": "18",
    "xix": "19", "xx": "20",
}  # fmt: skip
_ROMAN_LETTERS = {"i": "1", "v": "5", "x": "10"}
_COUNTED = frozenset(
    {"part", "volume", "vol", "paper", "book", "chapter", "phase", "type", "class", "stage", "pt"}
)
_SHORT = {
    "vs": "versus", "vol": "volume", "pt": "part", "eds": "editors", "intl": "international",
    "centre": "center", "centres": "centers", "theatre": "theater", "fibre": "fiber",
    "fibres": "fibers", "metre": "meter", "metres": "meters", "litre": "liter", "grey": "gray",
    "programme": "program", "programmes": "programs", "catalogue": "catalog", "defence": "defense",
    "offence": "offense", "licence": "license", "practise": "practice", "judgement": "judgment",
    "acknowledgement": "acknowledgment", "ageing": "aging", "artefact": "artifact",
    "artefacts": "artifacts", "aluminium": "aluminum", "sulphur": "sulfur", "sulphate": "sulfate",
    "manoeuvre": "maneuver", "sceptical": "skeptical", "plough": "plow", "tyre": "tire",
    "analogue": "analog", "dialogue": "dialog", "dialogues": "dialogs", "enrol": "enroll",
    "connexion": "connection",
    "fulfil": "fulfill", "skilful": "skillful", "mould": "mold", "colour": "color",
}  # fmt: skip
_OUR = re.compile(
    r"^(.*(?:col|behavi|neighb|fav|lab|tum|harb|hum|vap|flav|hon|rum|endeav|arm|od|rig|sav|clam))"
    r"our"
)
_ISE = re.compile(r"(?<=[a-z]{3})([iy])s(?=e$|ed$|es$|er$|ers$|ing$|ation$|ations$|ational$)")
_DOUBLE_L = re.compile(r"ll(?=ing$|ed$|er$|ers$|ings$)")
_MEDICAL = (("haem", "hem"), ("paed", "ped"), ("oestr", "estr"), ("leukaem", "leukem"),
            ("anaem", "anem"), ("anaesth", "anesth"), ("oedem", "edem"), ("foet", "fet"),
            ("oesoph", "esoph"), ("diarrhoe", "diarrhe"), ("orthopaed", "orthoped"),
            ("gynaec", "gynec"), ("caes", "ces"), ("ischaem", "ischem"))  # fmt: skip

_APART = frozenset(
    {
        "erratum", "errata", "corrigendum", "corrigenda", "correction", "corrections", "addendum",
        "addenda", "retraction", "withdrawal", "reply", "replies", "rejoinder", "rebuttal", "part",
        "volume", "chapter", "edition", "revisited", "reloaded", "reconsidered", "retracted",
        "withdrawn", "editorial", "obituary", "preface", "foreword", "reanalysis", "reprint",
        "reprinted", "abridged", "translated",
    }
)  # fmt: skip
# They tell works apart where they are most of what one title has more: ": supplementary data".
_APART_ALONE = frozenset(
    {
        "comment", "comments", "commentary", "response", "discussion", "discussions", "letter",
        "supplement", "supplementary", "supplemental", "supporting", "appendix", "appendices",
        "lecture", "lectures", "again", "update", "updated", "extended", "abstract", "poster",
        "demo", "demonstration", "keynote", "tutorial", "workshop", "slides", "review", "reviewed",
        "interview", "translation", "selected", "proceedings", "note", "notes", "remark",
        "remarks", "solutions", "manual", "workbook", "companion", "answer", "answers",
        "continued", "sequel", "followup", "follow", "replication", "protocol", "errors",
        "dataset", "data", "code", "software", "podcast", "video", "summary", "synopsis", "book",
        "thesis", "survey", "invited", "talk", "still", "afterword",
    }
)  # fmt: skip
_FEW = 5
_NEGATIONS = frozenset({"not", "no", "non", "never", "without", "nor", "neither", "cannot", "dont",
                        "isnt", "doesnt", "arent", "wont", "cant", "against"})  # fmt: skip
_BEFORE_A_NUMBER = _COUNTED | frozenset(
    {"volume", "no", "number", "report", "study", "lecture", "release", "version", "edition",
     "experiment", "section", "series", "wave", "round", "year"}
)  # fmt: skip
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_OPPOSED = (
    ("hyper", "hypo"), ("inter", "intra"), ("macro", "micro"), ("mini", "maxi"), ("adsor", "absor"),
    ("pro", "pre"), ("per", "pre"), ("endo", "ecto"), ("ortho", "para"), ("iso", "aniso"),
    ("afferent", "efferent"), ("inductive", "deductive"), ("causal", "casual"),
    ("perspective", "prospective"), ("perspective", "proscpective"), ("genetic", "generic"),
    ("mortality", "morality"), ("discrete", "discreet"), ("homo", "hemi"), ("super", "supra"),
)  # fmt: skip
_SHORTEST_MISTYPED = 6
"""Letters of a word from which a wrong letter in it is taken for a slip: shorter ones are often
two words of the language ("task", "mask")."""
_LONG = 10
"""Letters of a word from which two wrong letters are taken for slips."""


def normal_words(words: Sequence[str]) -> tuple[str, ...]:
    """Folded words in one spelling: American, with figures for numbers."""
    found: list[str] = []
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        last = number == len(words) - 1
        if word in _ROMAN_LETTERS and (before in _COUNTED or (last and number > 1)):
            found.append(_ROMAN_LETTERS[word])
        else:
            found.append(_normal(word))
    return tuple(found)


def _normal(word: str) -> str:
    for table in (_NUMBERS, _ROMAN, _SHORT):
        if word in table:
            return table[word]
    if not word.isascii() or len(word) < 5:
        return word
    for british, american in _MEDICAL:
        word = word.replace(british, american)
    word = _OUR.sub(r"\1or", word)
    return _DOUBLE_L.sub("l", _ISE.sub(r"\1z", word))


def harmless(run: Sequence[str], other: Sequence[str]) -> int:
    """How many slips of the pen turn one run of words into another; -1 when it takes more."""
    first = [word for word in run if word not in ARTICLES]
    second = [word for word in other if word not in ARTICLES]
    joined = "".join(first), "".join(second)
    if joined[0] == joined[1]:
        return 0
    if JOINTS.issuperset(first) and JOINTS.issuperset(second):
        return max(len(first), len(second))
    if len(first) == len(second):
        slips = [
            JOINTS.issuperset((a, b)) or _mistyped(a, b)
            for a, b in zip(first, second, strict=True)
            if a != b
        ]
        return len(slips) if all(slips) else -1
    return 1 if min(len(first), len(second)) == 1 and _mistyped(*joined) else -1


def tells_apart(words: Sequence[str]) -> str:
    """The word among those that one title has more than another which makes them two works: "Part",
    "reply", a number of a sequel; "" for none."""
    before = ""
    few = len(words) <= _FEW
    for word in words:
        numbered = word.isdecimal() and (not before or before in _BEFORE_A_NUMBER)
        if word in _APART or (few and word in _APART_ALONE) or numbered or _YEAR.fullmatch(word):
            return word
        before = word
    return ""


def turns_round(words: Sequence[str]) -> bool:
    """Whether there is a negation among the words."""
    return not _NEGATIONS.isdisjoint(words)


def _mistyped(one: str, other: str) -> bool:
    """Whether one word can be the other with a letter wrong, missing, doubled or swapped."""
    short, long = sorted((one, other), key=lambda word: (len(word), word))
    if not (short.isalpha() and long.isalpha()) or short[0] != long[0] or short in _NEGATIONS:
        return False
    if len(short) > 2 and long in (short + "s", short + "es"):
        return True
    if len(short) < _SHORTEST_MISTYPED or not {short, long}.isdisjoint(_APART):
        return False
    for left, right in _OPPOSED:
        if (left in one and right in other) or (right in one and left in other):
            return False
    return distance(short, long, 2) <= (2 if len(short) >= _LONG else 1)


def distance(one: str, other: str, most: int) -> int:
    """How many letters must be put in, taken out, changed or swapped with their neighbour to turn
    one word into the other; `most` + 1 when it is more than `most`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        above, row, before = row, [i], above
        for j, right in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
