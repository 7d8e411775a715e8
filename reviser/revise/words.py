"""The words of prose that carry a claim's truth: numbers, units, negations, modality, direction.

English only; `atoms` says so where another language is edited. The tables are data: a word that
is missing is one line. Every pattern is linear in the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_NUMBER_WORDS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds
thousand thousands million millions billion billions trillion dozen dozens half halves third thirds
quarter quarters tenth zero once twice thrice double doubled doubles doubling triple tripled
triples tripling halved halving twofold threefold tenfold single pair couple
"""
_NEGATIONS = """
not no never none nor neither nothing nobody nowhere without cannot hardly barely scarcely lack
lacks lacked lacking fail fails failed failing failure absent absence refute refutes refuted
contradict contradicts contradicted disprove disproves disproved deny denies denied except excluding
excludes excluded despite instead unlike
"""
_MODALITY = """
may might can could shall should will would must need ought seem seems seemed appear appears
appeared suggest suggests suggested indicate indicates indicated imply implies implied hint hints
likely unlikely possible possibly impossible probable probably potential potentially perhaps maybe
presumably apparently plausible plausibly tend tends tended believe believed think thought expect
expected assume assumes assumed hypothesize hypothesise hypothesized hypothesised conjecture
conjectured speculate claim claims claimed argue argues argued report reports reported allegedly
prove proves proved proven demonstrate demonstrates demonstrated show shows showed shown confirm
confirms confirmed establish establishes established guarantee guarantees guaranteed ensure ensures
ensured certain certainly clear clearly definite definitely evident evidently obvious obviously
undoubtedly does did do cause causes caused causing correlate correlates correlated correlation
associated association causal attempt attempts attempted aim aims try tries tried preliminary
partly partially largely mostly mainly significantly significant insignificant
"""
_DIRECTION = """
more less fewer greater smaller larger bigger higher lower better worse best worst faster slower
stronger weaker longer shorter earlier later older newer cheaper costlier easier harder deeper
shallower wider narrower denser sparser most least maximum minimum maximal minimal max min upper
highest lowest largest smallest greatest fewest fastest slowest strongest weakest longest shortest
above below over under beyond within before after until since increase increases increased
increasing decrease decreases decreased decreasing reduce reduces reduced reducing reduction grow
grows grew grown growth shrink shrinks shrank rise rises rose risen rising fall falls fell fallen
falling drop drops dropped gain gains gained loss losses lost improve improves improved improving
improvement improvements degrade degrades degraded degrading degradation worsen worsens worsened
outperform outperforms outperformed underperform underperforms underperformed exceed exceeds
exceeded surpass surpasses surpassed positive positively negative negatively accelerate accelerates
accelerated decelerate strengthen strengthens weaken weakens raise raises raised superior inferior
first last former latter left right enable enables enabled prevent prevents prevented support
supports supported oppose opposes opposed accept accepts accepted reject rejects rejected true
false correct incorrect same different similar equal unequal
"""
_QUANTIFIERS = """
all every each any some many much few several both either only always often sometimes rarely seldom
usually frequently generally typically occasionally entirely completely fully wholly exactly
precisely about approximately roughly nearly almost around up else exclusively solely merely just
majority minority everywhere everyone everything anything whole average mean median per
"""

KIND_OF: dict[str, str] = {
    word: kind
    for kind, table in (
        ("quantifier", _QUANTIFIERS),
        ("direction", _DIRECTION),
        ("modality", _MODALITY),
        ("negation", _NEGATIONS),
        ("number", _NUMBER_WORDS),
    )
    for word in table.split()
}

_UNIT_WORDS = """
    % \\% ‰ ° s ms us ns ps fs µs μs min mins h hr hrs d sec secs second seconds millisecond
milliseconds microsecond microseconds minute minutes hour hours day days week weeks month months
year years yr decade decades century centuries m mm cm km nm pm um µm μm meter meters metre
metres     kilometer kilometers kilometre kilometres mile miles inch inches foot feet ft g kg mg
ug µg μg t     ton tons tonne tonnes gram grams kilogram kilograms lb lbs l ml ul µl μl liter
liters litre litres     b kb mb gb tb pb kib mib gib tib bit bits byte bytes kbit mbit gbit bps
kbps mbps gbps hz khz mhz     ghz thz v mv kv a ma ka w kw mw gw wh kwh mwh j kj mj ev kev mev
gev tev k c f n kn pa kpa mpa gpa     bar mbar atm psi mol mmol cal kcal db dbm px pt pp percent
percentage point points degree degrees     deg rad fold x times flops gflops tflops token tokens
parameter parameters sample samples epoch     epochs step steps layer layers user users
participant participants patient patients people     paper papers study studies dollar dollars
usd eur euro euros bn
"""

_UNITS = frozenset(_UNIT_WORDS.split())

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_DIGITS = re.compile(r"[-+−±]?\d[\d.,:/]*")
_AFTER_NUMBER = re.compile(r"(?:\\[,;:! ]|[~\s-]|\{\})?(\\?%|‰|°|[^\W\d_]+)")
_PREFIXES = ("un", "in", "im", "il", "ir", "non", "non-", "dis", "mis", "anti", "anti-", "de", "a")


class Found(NamedTuple):
    """A word or number that carries meaning: what sort, its words, and where in the text."""

    kind: str
    words: str
    start: int
    stop: int


def numbers(text: str) -> Iterator[Found]:
    """Every number written in digits, its sign and its unit with it, spaces between them folded."""
    for match in _DIGITS.finditer(text):
        digits = match[0].rstrip(".,:/")
        stop = match.start() + len(digits)
        unit = _AFTER_NUMBER.match(text, stop)
        if unit and unit[1].lower() in _UNITS:
            yield Found("number", f"{digits} {unit[1]}", match.start(), unit.end())
        else:
            yield Found("number", digits, match.start(), stop)


def words(text: str) -> Iterator[Found]:
    """Every word, in its own case; `kind` is "word"."""
    for match in _WORD.finditer(text):
        yield Found("word", match[0], match.start(), match.end())


def charged(word: str) -> str | None:
    """The kind of a word that carries a claim's truth, or None for any other word."""
    plain = word.lower().replace("’", "'")
    if plain.endswith("n't"):
        return "negation"
    return KIND_OF.get(plain)


def opposite(one: str, other: str) -> bool:
    """Whether two words differ by a negating prefix alone ("stable", "unstable")."""
    shorter, longer = sorted((one.lower(), other.lower()), key=len)
    if len(shorter) < 3 or not longer.endswith(shorter):
        return False
    return longer[: len(longer) - len(shorter)] in _PREFIXES
