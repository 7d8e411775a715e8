"""Words that give orders to whoever judges a text, told from words that report such orders.

An order is told from a report of one by its place: it opens a sentence ("ignore all ..."), while
a report goes on ("prompts that tell a model to ignore all ...").
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from reviser.text.source import Span

# Between two words there may be line ends and, in a comment, the percent signs of its lines.
_GAP = r"[\s~%]{1,20}"


def _order(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", _GAP), re.IGNORECASE)


_ANY = r"(?:all |any |the |your |of |these |my |its |this |paper's |paper’s ){0,4}"
_PRAISE = r"(?:positive|favou?rable|glowing|enthusiastic|excellent|perfect|high(?:est)?|top)"
_REVIEW = r"(?:peer )?(?:reviews?|evaluations?|assessments?|feedback|ratings?|scores?)"
_FAULTS = (
    r"(?:negatives?|negative (?:aspects|points|comments)|weakness(?:es)?|flaws?|limitations?"
    r"|shortcomings?|criticisms?|drawbacks?|problems)"
)
# Orders that nobody gives in a paper for another reason.
_STRONG = (
    _order(
        rf"\b(?:ignore|disregard|forget|override) {_ANY}(?:previous|prior|above|earlier|preceding"
        r"|foregoing|other) (?:instructions?|prompts?|directions?|commands?|guidelines)\b"
    ),
    _order(
        r"\b(?:give|provide|write|produce|output|generate|return) (?:us |me )?(?:an? )?"
        rf"(?:only (?:an? )?{_PRAISE} {_REVIEW}"
        rf"|(?:very |strongly |highly )?{_PRAISE} {_REVIEW} only)\b"
    ),
    _order(
        r"\b(?:do not|don['’]t|never) (?:highlight|mention|point out|raise|list|report) "
        rf"{_ANY}(?:negatives?\b|negative (?:aspects|points|comments)"
        r"|weaknesses (?:of|in) (?:this|the) (?:paper|manuscript|work|submission))"
    ),
    _order(r"\bforget everything (?:above|before this|you (?:were|have been) told)\b"),
    _order(
        r"\b(?:include|use|mention|insert) (?:both )?the (?:phrase|sentence|word)s?\b"
        r"[^.\n]{1,120}? in (?:your|the|any) review\b"
    ),
)
# Addressed to a machine in so many words: strong wherever they stand.
_ADDRESSED = (
    _order(
        r"\bas an? (?:large |AI |artificial intelligence ){0,2}"
        r"(?:language model|LLM|AI (?:reviewer|assistant|model)|reviewer),? you"
        r" (?:should|must|need to|are to|have to|shall|will)\b"
    ),
    _order(
        r"\bif you are an? (?:large |AI |automated ){0,2}"
        r"(?:language model|LLM|AI|chatbot|AI (?:reviewer|assistant|model|agent))\b,?"
        r" (?:reading|reviewing|asked|please|you|then|evaluating|and)\b"
    ),
)
# Orders that count beside another one, or after words that address a machine.
_WEAK = (
    _order(
        r"\b(?:give|provide|write|produce|output|generate) (?:us |me )?(?:an? )?"
        rf"(?:very |strongly |highly |overwhelmingly )?{_PRAISE} {_REVIEW}\b"
    ),
    _order(
        r"\b(?:do not|don['’]t|never) (?:highlight|mention|point out|raise|list|report) "
        rf"{_ANY}{_FAULTS}\b"
    ),
    _order(
        r"\b(?:recommend|suggest|vote for) (?:strong |clear |its |the |an? ){0,2}"
        r"(?:acceptance|accept|accepting|publication)\b"
    ),
    _order(r"\b(?:accept|strongly accept|rate|score) this (?:paper|submission|manuscript)\b"),
    _order(
        r"\b(?:emphasi[sz]e|highlight|praise|focus on) "
        rf"(?:only )?{_ANY}(?:exceptional |outstanding |impactful |strong )?"
        r"(?:strengths|merits|contributions?|novelty)\b"
    ),
    _order(
        r"\bdo not (?:reveal|disclose|mention) (?:these|this|the) "
        r"(?:instructions?|prompt|message)\b"
    ),
)
_SENTENCE = (
    r"(?:\A|[.!?][\"')]?\s|\n|[\"'>*])\s{0,4}(?:(?:please|now|then|always|just|only),? ){0,2}"
)
# What only a model that judges a text would obey, and the marks of its turns.
_TO_A_JUDGE = (
    _order(
        rf"{_SENTENCE}(?:you (?:must|should|shall|will|have to|need to|are to) )?"
        r"(?:answer|respond|reply|output|return|print|grade|rate|label|mark|classify|conclude"
        r"|report|set|choose|select|declare|judge)\b[^.\n]{0,60}?"
        r"\b(?:supported|unsupported|contradict\w{1,6}|refuted|yes|grade|verdict|json"
        r"|[\"'](?:yes|no|true|false|supports|[1-5])[\"'])(?!\w)"
    ),
    _order(
        r"\byou are (?:now |no longer )?(?:an? |the )?(?:\w{1,20} ){0,2}(?:assistant|chatbot|AI"
        r"|model|judge|verifier|reviewer|system)\b"
    ),
    _order(
        r"\b(?:note|message|notice|reminder|attention|dear) (?:to |for |all |any |every ){0,2}"
        r"(?:large )?(?:language models?|LLMs?|chatbots?|AI (?:reviewers?|models?|assistants?))"
        r"\s?[:,!]"
    ),
    _order(
        r"\b(?:accept|approve|apply|keep|reject|refuse|post) (?:every|all|any|each|no) "
        r"(?:of )?(?:the |your |my |these )?(?:edits?|suggestions?|revisions?|changes to this)\b"
    ),
    _order(r"\b(?:system|developer|hidden|secret) (?:prompt|message|instructions?)\b"),
    _order(r"\b(?:new|updated|real|actual|important|following) (?:instructions?|task|orders?):"),
    _order(
        r"\b(?:ignore|disregard|forget|override|bypass) (?:\w{1,15} ){0,4}"
        r"(?:instructions?|prompts?|rules|guidelines|directions|commands)\b"
    ),
    re.compile(
        r"<\|[\w ]{1,30}\|>|\[/?INST\]|<</?SYS>>|<</?(?:work|claim)\b"
        r"|</?(?:work|claim|system|assistant|user|instructions?)>|(?:\\?#){2,4}\s*(?:Instruction|System|Response)\b"
        r"|(?:\A|\n|[.!?]\s)\s*(?:system|assistant|user|developer)\s*:",
        re.IGNORECASE,
    ),
)
_VERBS = (
    *("ignore", "disregard", "forget", "override", "give", "provide", "write", "produce", "output"),
    *("generate", "return", "do", "don", "never", "include", "use", "mention", "insert"),
    *("recommend", "suggest", "vote", "accept", "strongly", "rate", "score", "emphasi[sz]e"),
    *("highlight", "praise", "focus"),
)


def _one_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """A whole word among `words`, in any case. A set of first letters, itself blind to the
    ignoring of case, is what the regex engine finds quickest."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(word[1:])
    letters = "".join(letter + letter.upper() for letter in rests)
    choices = "|".join(f"(?<={letter})(?:{'|'.join(rest)})" for letter, rest in rests.items())
    return re.compile(rf"(?-i:[{letters}İıſ])(?<!\w.)(?:{choices})\b", re.IGNORECASE)


# What they begin with: one look for all of them.
_OPENING_VERB = _one_of(_VERBS)
_ORDERS = (*((p, True) for p in _STRONG), *((p, False) for p in _WEAK))
_TO_A_MACHINE = re.compile(
    r"\b(?:LLMs?|language models?|ChatGPT|GPT|chatbots?"
    r"|AI (?:reviewers?|models?|assistants?|agents?))\b",
    re.IGNORECASE,
)
_OPENS_A_SENTENCE = re.compile(
    r"(?:\A|[.!?:;,{}(%]|\n[ \t\r]{0,20}\n|\\\\|\\[A-Za-z@]{1,30}"
    r"|\b(?:please|and|then|now|also|just|must|you|you should))[\s~%*>-]{0,12}\Z",
    re.IGNORECASE,
)
_ANCHORS = (
    *("instruction", "prompt", "direction", "command", "guideline", "review", "evaluation"),
    *("assessment", "feedback", "rating", "score", "negative", "weakness", "language model"),
    *("llm", "you are an", "accept", "publication", "forget everything", "this paper"),
)
_PARAGRAPH_END = re.compile(r"\n[ \t\r]{0,80}\n")
_MOST_ORDERS = 2000  # in one text; no paper has as many
_NEAR = 300  # code points within which orders belong together
_MOST_LOOKS = 5000


class Order(NamedTuple):
    """Words that command, and whether they do so beyond doubt."""

    start: int
    stop: int
    strong: bool


def gives_orders(text: str) -> bool:
    """Whether a text that a model is to judge tells the model what to do.

    Wider than the rule: a sentence "Answer with grade 1." is nobody's concern in a paper, but no
    model should be asked about it.
    """
    if any(pattern.search(text) for pattern in _TO_A_JUDGE):
        return True
    return next(clusters(text, orders_in(text)), None) is not None


def orders_in(text: str) -> list[Order]:
    """Where a text commands, weak orders too, which `clusters` weighs."""
    return list(islice(_orders_in(text), _MOST_ORDERS))


def _orders_in(text: str) -> Iterator[Order]:
    lowered = text.lower()
    if not any(anchor in lowered for anchor in _ANCHORS):
        return
    for verb in _OPENING_VERB.finditer(text):
        start = verb.start()
        if not _OPENS_A_SENTENCE.search(text, max(0, start - 40), start):
            continue
        for pattern, strong in _ORDERS:
            if match := pattern.match(text, start):
                yield Order(start, match.end(), strong)
                break
    for pattern in _ADDRESSED:
        for match in islice(pattern.finditer(text), _MOST_LOOKS):
            yield Order(match.start(), match.end(), strong=True)


def clusters(text: str, orders: list[Order]) -> Iterator[Span]:
    """Stretches of one paragraph in which orders near one another leave no doubt."""
    group: list[Order] = []
    reached = 0
    for order in sorted(orders):
        if group and (
            order.start > reached + _NEAR or _PARAGRAPH_END.search(text, reached, order.start)
        ):
            if _beyond_doubt(text, group):
                yield Span(group[0].start, reached)
            group = []
        group.append(order)
        reached = max(reached, order.stop)
    if group and _beyond_doubt(text, group):
        yield Span(group[0].start, reached)


def _beyond_doubt(text: str, group: list[Order]) -> bool:
    if any(order.strong for order in group):
        return True
    first = group[0].start
    addressed = _TO_A_MACHINE.search(text, max(0, first - _NEAR), first) is not None
    apart = {order.start for order in group}
    return addressed or len(apart) >= 3
