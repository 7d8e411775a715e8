"""Bring in who judges: the embedded model, a verifier if one is named, the texts of cited works."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reviser.app.choices import CORPUS
from reviser.app.keeping import cache_of
from reviser.app.opening import Opened
from reviser.app.settings import nearest
from reviser.app.ticking import progress
from reviser.errors import UsageError
from reviser.literature.sources import Searchable
from reviser.pipeline.checking import Judges, Options, known_rules
from reviser.ports import Cache, Entailment, Progress
from reviser.review.baseline import Baseline
from reviser.verify.ensemble import Ensemble

if TYPE_CHECKING:
    from reviser.app.chatting import Chats
    from reviser.app.locking import Locked


def options_of(opened: Opened, *, accepted: Baseline | None) -> Options:
    """What the pipeline is asked for; `accepted` is the baseline that holds.

    Raises UsageError for a rule that does not exist.
    """
    settings = opened.settings
    known = known_rules()
    for rule in settings.rules:
        if rule not in known:
            close = nearest(rule, known)
            hint = f"Did you mean {close!r}? " if close else ""
            raise UsageError(
                f"--rule: there is no rule {rule!r}", hint=f"{hint}`reviser rules` lists them."
            )
    changed = None
    if settings.diff is not None:
        from reviser.adapters.git.changed import changed_lines

        changed = changed_lines(opened.project.root, settings.diff)
    return Options(
        claims=settings.claims,
        verify=settings.verify,
        prune=settings.prune,
        repair=settings.repair,
        rules=settings.rules,
        ignores=settings.ignores,
        baseline=accepted,
        changed=changed,
    )


def judges_of(
    opened: Opened,
    *,
    chats: "Chats | None" = None,
    seen: Progress | None = None,
    locked: "Locked | None" = None,
) -> Judges:
    """Who is asked about cited works; says on the error stream which texts could not be used.

    With `chats` the verifier `llm` is one of them, paid from their purse. What is `locked` is not
    asked for again, neither of models nor of services.
    """
    from reviser.adapters.embedding import MiniLM

    settings = opened.settings
    cache = cache_of(opened) if settings.verify else None
    entailment = verifier(settings.nli, cache) if settings.nli and settings.verify else None
    seen = seen or progress()
    judges = Judges(MiniLM(cache=cache), entailment, progress=seen)
    if settings.llm is not None and settings.verify and chats is not None:
        helper = chats.roles.helper.name
        judges = replace(
            judges,
            entailment=beside(entailment, chats.verifier),
            sentences=chats.sentences,
            asked=lambda: next(one for one in chats.asked() if one.model == helper),
        )
    elif settings.llm is not None and settings.verify:
        from reviser.app.chatting import chat_judge

        chat = chat_judge(opened, settings.llm, seen)
        judges = replace(
            judges,
            entailment=beside(entailment, chat.entailment),
            sentences=chat.sentences,
            asked=chat.asked,
        )
    if settings.verify:
        from reviser.app.gathering import evidence_of

        found = evidence_of(
            opened, seen, None if locked is None else partial(locked.settled, judges)
        )
        judges = replace(
            judges,
            sources=found.texts,
            beyond=(*_corpus(opened), *found.beyond),
            gathered=found.gathered,
            more=found.gathered.more if found.gathered is not None else None,
        )
    return judges if locked is None else locked.judges(judges)


def _corpus(opened: Opened) -> tuple[Searchable, ...]:
    """The reader's own literature, where there is any: it is searched before any service."""
    if not opened.settings.corpus and not (opened.project.root / CORPUS).exists():
        return ()
    from reviser.app.corpus import library_of

    library = library_of(opened)
    return () if library is None else (library.corpus,)


def beside(local: Entailment | None, chat: Entailment) -> Entailment:
    """The chat model, together with a verifier on this machine where one is named as well."""
    return chat if local is None else Ensemble((local, chat))


def verifier(model: str, cache: Cache | None) -> Entailment:
    """The verifier `model`: a folder or a public name, or several between commas, asked together.

    With a cache it is loaded when it has something new to judge. Raises ReviserError when it, or
    the extra it needs, is not there."""
    names = [name.strip() for name in model.split(",") if name.strip()]
    if not names:
        raise UsageError("--nli names no model", hint="Give a folder or a public name.")
    members = [_cross_encoder(name, cache) for name in names]
    return members[0] if len(members) == 1 else Ensemble(members)


def _cross_encoder(model: str, cache: Cache | None) -> Entailment:
    from reviser.adapters.cached_entailment import CachedEntailment
    from reviser.adapters.entailment import CrossEncoderEntailment, model_identity

    folder = Path(model).expanduser()
    name = str(folder) if folder.is_dir() else model
    if cache is None:
        return CrossEncoderEntailment(name)
    identity = model_identity(name)
    return CachedEntailment(name, identity, lambda: CrossEncoderEntailment(name), cache)
