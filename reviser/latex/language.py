"""In which language a text is written, or no answer where that is not plain."""

import re
from collections import Counter
from collections.abc import Mapping

_MARKUP = re.compile(r"\\[A-Za-z@]+|\$[^$]{0,400}\$|https?://\S+|\b\S{0,64}@\S+")
_SCRIPTS: Mapping[str, re.Pattern[str]] = {
    "latin": re.compile(r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "kana": re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc]"),
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"),
    "hangul": re.compile(r"[\uac00-\ud7a3\u1100-\u11ff]"),
    # Greek, Armenian, Hebrew, Arabic, the scripts of India, Thai, Lao, Georgian.
    "other": re.compile(r"[\u0370-\u03ff\u0531-\u06ff\u0900-\u0eff\u10a0-\u10ff]"),
}
_RUSSIAN = re.compile(r"[ыэёЫЭЁ]")
_UKRAINIAN = re.compile(r"[іїєґІЇЄҐ]")
_NEIGHBOURS = re.compile(r"[ўјљњћђџѓќәғқңөұүһЎЈЉЊЋЂЏЃЌӘҒҚҢӨҰҮҺ]")
# Only words written small count: names, acronyms and German nouns say nothing here.
_SMALL_WORD = re.compile(r"(?<![\w'’])[^\W\d_A-ZÀ-ÖØ-ÞА-ЯЁІЇЄҐ][^\W\d_]*(?![\w])")
_LONGEST_LOOK = 400_000

# The commonest words that carry grammar, written for this purpose; a word may serve several
# languages, since it is the sum that decides.
_GRAMMAR: Mapping[str, str] = {
    "en": """the of and to in is that for with as are this be on by we an from which it or have
        has not can was were these their our its at than such more but been also using between
        into other may both when where while how all most they however only each through used
        show shows then over under about there here some any will would could should does do
        if one two new based what who given many several same very no so per within without""",
    "de": """der die das und in zu den mit von ist für auf ein eine einer eines einem einen nicht
        sich dem des im werden wird als auch es an bei oder sind wir aus durch nach wie dass daß
        hat haben kann können über um zur zum so nur sowie diese dieser dieses diesem wurde
        wurden zwischen unter vor aber wenn noch mehr sehr ihre seine ob wobei dabei damit""",
    "fr": """le la les de des du et en un une est que qui dans pour par sur au aux ce cette ces
        nous avec pas plus ne se sont ou son sa ses être à d l qu il elle ils ont été leur leurs
        entre sans mais comme peut où dont ainsi aussi même très deux si afin après chaque notre
        nos tout tous peuvent permet fait lors""",
    "es": """el la los las de del y en un una es que se por para con no su sus al lo como más este
        esta estos estas son o entre ha han ser sobre también pero sin muy fue está puede pueden
        cada donde hay desde cuando ya según hasta nuestro nuestra mediante así sino les porque
        dos todos uno e""",
    "it": """il la lo gli le di del della dei delle degli e in un una uno che è per con non si al
        alla ai alle da dal dalla nel nella nei sono come più anche questo questa questi queste
        tra su sul sulla ma o ha hanno essere può possono dove quando ogni stato nostro nostra
        ed viene quindi senza due così loro dell""",
    "pt": """o a os as de do da dos das e em um uma é que se por para com não no na nos nas ao aos
        à como mais este esta estes estas são ou entre foi ser sua seu suas seus também mas sem
        muito está pode podem cada onde pelo pela quando já até nosso nossa isso essa esse foram
        tem têm dois assim""",
    "nl": """de het een van en in is dat op te zijn met voor niet die aan er om door als bij ook
        maar dan of uit wordt worden we deze dit naar tot over kan kunnen hebben heeft werd werden
        tussen meer nog wel zo geen hun onder waar waarbij wij ons onze zich zoals echter""",
    "sv": """och att det som en på är av för med den till inte om ett har de vi kan från eller vid
        men var så detta denna dessa genom mellan även när också""",
    "da": """og at det som en på er af for med den til ikke om et har de vi kan fra eller ved
        men var så dette denne disse gennem mellem også når blev bliver""",
    "pl": """i w z na do że się jest nie to o jak dla po od przez są oraz które który która tego
        tej może być lub ich między także jako""",
    "cs": """a v se na je že s z do pro jako k o by za které který která jsou nebo mezi tak také
        jeho této tento""",
    "tr": """ve bir bu için ile olarak olan da de daha çok en gibi kadar sonra üzerinde ise veya
        ancak tarafından her""",
    "id": """yang dan di dari untuk dengan pada ini dalam adalah tidak dapat oleh sebagai atau
        juga akan ke telah lebih""",
    "ro": """și de la în a cu pe care este nu un o din pentru mai se sunt prin sau ca fost dintre
        acest această""",
    "hu": """a az és hogy nem is egy ez meg de ha mint csak már vagy el van kell lehet amely
        között""",
    "fi": """ja on ei se että oli ovat myös kuin mutta tai joka jotka sekä tämä tässä voidaan
        sen""",
    "ca": """el la els les de del i en un una és que per amb no es al als com més aquest aquesta
        són o entre ha han ser sobre també però sense""",
    "la": """et in est non ad cum ut quod qui ex sed si per ab esse aut quae sunt etiam atque hoc
        enim nec""",
    "vi": """và của là có trong được cho các một những không với này để đã từ khi người""",
    "ru": """и в не на что с по для как из к от это мы при или а также же так о но был была было
        были его их может быть между если то все этого этой которые который которая является
        более чем только можно до за под над у через где""",
    "uk": """і в у не на що з для як до та це ми при або а також є про але був була було були його
        їх може бути між якщо то всі цього цієї які який яка більше ніж тільки можна від за під
        через де й""",
    "bg": """и на в за от се да не с по че са като е при или към до това може както които който
        която между ще бъде""",
    "sr": """и у је на да се за са од као што не по који која које или су али из до ово може
        између""",
}
_KNOWN = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "ru", "uk"})
_WORDS = {language: frozenset(words.split()) for language, words in _GRAMMAR.items()}
_CYRILLIC = frozenset({"ru", "uk", "bg", "sr"})
# A text needs this share of grammar words, and this lead over the next language's share.
_ENOUGH = 0.14
_LEAD = 0.04
_FEWEST_HITS = 3


def detect(text: str) -> str:
    """The ISO 639-1 code of the language `text` is mostly in, or "" when unsure.

    Answers en, de, fr, es, it, pt, nl, ru, uk, zh, ja or ko. Other languages it knows enough of
    to stay silent. Looks at no more than the first 400,000 characters.
    """
    text = _MARKUP.sub(" ", text[:_LONGEST_LOOK])
    letters = {script: len(pattern.findall(text)) for script, pattern in _SCRIPTS.items()}
    # One ideograph or syllable says about as much as two letters.
    east = letters["kana"] + letters["han"] + letters["hangul"]
    if east >= 4 and east * 2 > letters["latin"] + letters["cyrillic"] + letters["other"]:
        return _eastern(letters, east)
    if letters["other"] >= max(letters["latin"], letters["cyrillic"]):
        return ""
    words = Counter(match.group() for match in _SMALL_WORD.finditer(text))
    if letters["cyrillic"] > letters["latin"]:
        return _cyrillic(text, words, letters["cyrillic"])
    return _by_grammar(words, _WORDS.keys() - _CYRILLIC)


def _eastern(letters: Mapping[str, int], east: int) -> str:
    if letters["hangul"] * 2 > east:
        return "ko"
    if letters["kana"] * 10 > east:
        return "ja"
    return "zh" if letters["han"] * 10 >= east * 9 else ""


def _cyrillic(text: str, words: Counter[str], letters: int) -> str:
    """By the letters that only one language has; by grammar where a short text has none."""
    if len(_NEIGHBOURS.findall(text)) * 100 > letters:
        return ""
    russian, ukrainian = len(_RUSSIAN.findall(text)), len(_UKRAINIAN.findall(text))
    if letters >= 40 and max(russian, ukrainian) * 200 > letters:
        if ukrainian * 5 < russian:
            return "ru"
        return "uk" if russian * 5 < ukrainian else ""
    return _by_grammar(
        Counter({word: n for word, n in words.items() if "\u0400" <= word[0] <= "\u04ff"}),
        _CYRILLIC,
    )


def _by_grammar(words: Counter[str], languages: frozenset[str] | set[str]) -> str:
    total = words.total()
    hits = {
        language: sum(n for word, n in words.items() if word in _WORDS[language])
        for language in languages
    }
    ranked = sorted(hits, key=lambda language: (-hits[language], language))
    best, second = ranked[0], ranked[1]
    enough = hits[best] >= max(_FEWEST_HITS, _ENOUGH * total)
    ahead = hits[best] - hits[second] >= max(1, _LEAD * total)
    return best if enough and ahead and best in _KNOWN else ""
