"""Four literature services over HTTP on loopback: what is made of their answers, and of none."""

import json
import time
from collections.abc import Sequence

import pytest

from reviser.adapters.cache import FileCache
from reviser.adapters.web import arxiv, crossref, openalex, semantic_scholar
from reviser.adapters.web.client import Web
from reviser.adapters.web.kept import Kept
from reviser.adapters.workers import Threads
from reviser.app.lookup_settings import LookupSettings
from reviser.app.services import services
from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.resolve import Resolved, Unresolved, resolve
from reviser.literature.sources import Silent, Source, Wanted
from tests.fakes.scholar.server import Scholar, Trouble, scholar
from tests.fakes.scholar.works import SERVICES, Update, Work

KITES = Work(
    "Kites fly higher in steady wind",
    ("Ada Byron", "Jan van der Meer"),
    2020,
    doi="10.5555/kites",
    arxiv="2001.00001",
    abstract="We fly kites in winds of two kinds. They fly higher in the steady one.",
    cited_by=7,
    cites=("10.5555/knots",),
    volume="3",
    number="2",
    pages="10-19",
)
KNOTS = Work(
    "Knots that hold",
    ("The Knot Collaboration",),
    1999,
    "Proceedings of Ropes",
    "inproceedings",
    doi="10.5555/knots",
)
PREPRINT = Work("Sand remembers", ("Bo Li",), 2022, arxiv="2202.00002", abstract="Sand does.")
LIBRARY = (KITES, KNOTS, PREPRINT)

EVERY = [
    Wanted("kites", KITES.title, ("Byron",), 2020, doi=KITES.doi),
    Wanted("knots", KNOTS.title, ("Knot Collaboration",), 1999, doi=KNOTS.doi),
    Wanted("sand", PREPRINT.title, ("Li",), 2022, arxiv=PREPRINT.arxiv),
    Wanted("none", "Nobody wrote this one", ("Nemo",), 2001, doi="10.5555/none"),
]


def sources(site: Scholar, monkeypatch: pytest.MonkeyPatch, **more: object) -> Sequence[Source]:
    site.reviser(monkeypatch)
    cache = FileCache(lambda: None, lambda _: None, lambda _: None)
    return services(LookupSettings(names=SERVICES, **more), cache).sources  # type: ignore[arg-type]


def papers(answer: object) -> tuple[Paper, ...]:
    assert not isinstance(answer, Silent), str(answer)
    return tuple(answer)  # type: ignore[arg-type]


def test_each_service_is_asked_once_for_all_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar(*LIBRARY) as site:
        for source in sources(site, monkeypatch):
            found = [papers(answer) for answer in source.by_id(EVERY)]
            has = {
                "OpenAlex": [1, 1, 0, 0],
                "Semantic Scholar": [1, 1, 1, 0],
                "Crossref": [1, 1, 0, 0],
                "arXiv": [0, 0, 1, 0],
            }
            assert [len(some) for some in found] == has[source.name]
            for wanted, some in zip(EVERY, found, strict=True):
                assert all(paper.title == wanted.title for paper in some)
        assert dict(site.asked) == dict.fromkeys(SERVICES, 1)


def test_what_openalex_says_of_a_work(monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar(*LIBRARY) as site:
        (paper,) = papers(sources(site, monkeypatch)[0].by_id(EVERY)[0])
    assert paper == Paper(
        source="OpenAlex",
        id="W2000000000",
        title=KITES.title,
        authors=(Author("Byron", "Ada"), Author("van der Meer", "Jan")),
        year=2020,
        venue="Journal of Kites",
        kind="article",
        doi="10.5555/kites",
        arxiv="2001.00001",
        abstract=KITES.abstract,
        cited_by=7,
        cites=("W2000000001",),
        volume="3",
        number="2",
        pages="10--19",
        publisher="Kite Press",
        url="https://doi.org/10.5555/kites",
    )


def test_what_the_others_say_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar(*LIBRARY) as site:
        by = {s.name: s for s in sources(site, monkeypatch)}
        wanted = [Wanted("kites", doi=KITES.doi, arxiv=KITES.arxiv)]
        said = {name: papers(source.by_id(wanted)[0]) for name, source in by.items()}
    for name in ("Semantic Scholar", "Crossref", "arXiv"):
        (paper,) = said[name]
        assert (paper.title, paper.year, paper.doi) == (KITES.title, 2020, KITES.doi)
        assert paper.abstract == KITES.abstract
        assert paper.authors[0].family == "Byron"
    assert said["Crossref"][0].cites == ("doi:10.5555/knots",)
    assert said["Semantic Scholar"][0].cited_by == said["Crossref"][0].cited_by == 7
    assert said["arXiv"][0].kind == "misc"
    assert said["Semantic Scholar"][0].arxiv == said["arXiv"][0].arxiv == KITES.arxiv


@pytest.mark.parametrize("name", SERVICES)
def test_titles_are_found_and_searched_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar(*LIBRARY) as site:
        source = sources(site, monkeypatch)[SERVICES.index(name)]
        answers = source.by_title([Wanted("kites", KITES.title, ("Byron",)), EVERY[3], Wanted("x")])
        assert papers(answers[0])[0].title == KITES.title
        assert KITES.title not in {paper.title for paper in papers(answers[1])}
        assert papers(answers[2]) == ()
        assert papers(source.search("kites wind", 1))[0].title == KITES.title
        assert papers(source.search("", 3)) == papers(source.search("  ", 3)) == ()
        assert papers(source.search("zeppelin", 3)) == ()


def test_titles_with_signs_that_mean_something_to_a_service(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    odd = Work('Is "A|B" (or: B, C) AND not D? A 5% OR 6% case', doi="10.5555/odd", arxiv="2003.1")
    with scholar(*LIBRARY, odd) as site:
        for source in sources(site, monkeypatch):
            answer = source.by_title([Wanted("odd", odd.title, ("Byron",))])[0]
            if source.name != "arXiv":
                assert papers(answer)[0].title == odd.title
            else:
                assert not isinstance(answer, Silent)


def test_titles_at_arxiv_are_asked_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [Work(f"The kite number {n}", arxiv=f"2001.{n:05d}") for n in range(10, 30)]
    wanted = [Wanted(f"k{n}", work.title) for n, work in enumerate(many)]
    with scholar(*many) as site:
        answers = sources(site, monkeypatch)[3].by_title(wanted)
        assert [papers(a)[0].title for a in answers] == [w.title for w in many]
        assert site.asked["arxiv"] == 3


def test_a_doi_that_filters_cannot_hold_is_looked_up_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sici = Work("Old names", doi="10.1002/(sici)1097-0258(19980815/30)17:15<1661::aid>3.0.co;2-2,x")
    with scholar(*LIBRARY, sici) as site:
        for source in sources(site, monkeypatch)[:3]:
            answers = source.by_id([EVERY[0], Wanted("old", doi=sici.doi), EVERY[3]])
            assert [len(papers(a)) for a in answers] == [1, 1, 0]
            assert papers(answers[1])[0].doi == sici.doi
        assert site.asked["openalex"] == site.asked["crossref"] == 2


def test_markup_and_entities_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = "CO<sub>2</sub> &amp;amp; <i>kites</i>\u200b"
    told = (
        "<jats:sec><jats:title>Aims</jats:title><jats:p>p &lt; 0.05 &amp; more.</jats:p></jats:sec>"
    )
    work = Work(
        raw,
        ("J&ouml;rg M&amp;uuml;ller",),
        doi="10.5555/raw",
        arxiv="2001.00009",
        abstract="It grew, x &lt; 3 &amp;amp; y, in <b>all</b> kites that we had.",
        raw={"crossref": {"abstract": told, "subtitle": ["A <b>survey</b>"]}},
    )
    with scholar(work) as site:
        wanted = [Wanted("raw", doi=work.doi, arxiv=work.arxiv)]
        for source in sources(site, monkeypatch):
            (paper,) = papers(source.by_id(wanted)[0])
            assert paper.title.startswith("CO2 & kites")
            assert paper.authors[0].family == "Müller"
            if source.name == "Crossref":
                assert paper.title == "CO2 & kites: A survey"
                assert paper.abstract == "Aims: p < 0.05 & more."
            else:
                assert paper.abstract == "It grew, x < 3 & y, in all kites that we had."


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("retraction", "retraction"),
        ("withdrawal", "withdrawal"),
        ("expression_of_concern", "expression of concern"),
        ("correction", ""),
    ],
)
def test_notices_at_crossref(kind: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work("Bad kites", doi="10.5555/bad", update=Update(kind))
    with scholar(work) as site:
        (paper,) = papers(sources(site, monkeypatch)[2].by_id([Wanted("b", doi=work.doi)])[0])
    wanted = Notice(expected, "10.5555/notice", "2021-03-04") if expected else None
    assert paper.notice == wanted


def test_notices_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    marked = Work(
        "RETRACTED ARTICLE: Bad kites",
        doi="10.5555/bad",
        arxiv="2001.00009",
        update=Update(),
        raw={"arxiv": {"comment": "This paper has been withdrawn due to an error in section 2"}},
    )
    with scholar(marked) as site:
        wanted = [Wanted("b", doi=marked.doi, arxiv=marked.arxiv)]
        for source in sources(site, monkeypatch):
            (paper,) = papers(source.by_id(wanted)[0])
            assert paper.title == "Bad kites"
            assert paper.notice is not None
            assert paper.notice.kind == "retraction"


def test_a_notice_is_not_taken_for_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    notice = Work(
        "Retraction: Bad kites",
        doi="10.5555/notice",
        raw={"crossref": {"update-to": [{"DOI": "10.5555/bad", "type": "retraction"}]}},
    )
    with scholar(Work("Bad kites", doi="10.5555/bad"), notice) as site:
        source = sources(site, monkeypatch)[2]
        found = papers(source.by_title([Wanted("b", "Bad kites", ("Byron",))])[0])
        assert [paper.doi for paper in found] == ["10.5555/bad"]
        assert len(papers(source.by_id([Wanted("n", doi=notice.doi)])[0])) == 1


def test_a_rerun_asks_nothing_and_a_new_work_only_about_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with scholar(*LIBRARY) as site:
        site.reviser(monkeypatch)
        cache = FileCache(lambda: None, lambda _: None, lambda _: None)

        def run(wanted: Sequence[Wanted], **more: bool) -> list[object]:
            made = services(LookupSettings(names=SERVICES, **more), cache).sources  # type: ignore[arg-type]
            said: list[object] = []
            for source in made:
                said += [*source.by_id(wanted), *source.by_title(wanted), source.search("kite", 2)]
            return said

        first = run(EVERY[:3])
        asked = site.asked.total()
        assert run(EVERY[:3]) == first
        assert run(EVERY[:3], offline=True) == first
        assert site.asked.total() == asked
        before = len(site.requests)
        run(EVERY)
        later = site.requests[before:]
        assert later
        assert not any("5555/kites" in json.dumps(r.query) or b"kites" in r.body for r in later)


def test_what_is_kept_grows_old(monkeypatch: pytest.MonkeyPatch) -> None:
    day = 86_400.0
    now = [1000 * day]
    with scholar(*LIBRARY) as site:
        cache = FileCache(lambda: None, lambda _: None, lambda _: None)
        kept = Kept(cache, lambda: now[0])
        source = crossref.Crossref(
            Web(sleep=lambda _: None), crossref.service(site.url("crossref"), mail=""), kept
        )
        for days, asked in ((0, 2), (1, 2), (3, 3), (40, 5), (-50, 7)):
            now[0] += days * day
            source.by_id([EVERY[0]])
            source.by_id([EVERY[3]])
            assert site.asked["crossref"] == asked, days


def test_keys_and_mail_go_to_their_service_and_into_no_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[bytes] = []
    cache = FileCache(lambda: None, written.append, lambda _: None)
    with scholar(*LIBRARY) as site:
        site.reviser(monkeypatch)
        site.keys.update({"openalex": "KEY-ONE", "semantic-scholar": "KEY-TWO"})
        monkeypatch.setenv("OPENALEX_API_KEY", "KEY-ONE")
        monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", "KEY-TWO")
        monkeypatch.setenv("REVISER_MAILTO", "ada@example.org")
        made = services(LookupSettings(names=SERVICES), cache).sources
        for source in made:
            assert not any(isinstance(answer, Silent) for answer in source.by_id(EVERY))
        shown = {r.service: f"{dict(r.query)} {dict(r.headers)}" for r in site.requests}
        assert "KEY-ONE" in shown["openalex"]
        assert "KEY-TWO" in shown["semantic-scholar"]
        assert not any("KEY" in shown[name] for name in ("crossref", "arxiv"))
        assert [n for n in SERVICES if "ada@" in shown[n]] == ["openalex", "crossref"]
        assert "KEY" not in repr([s._service for s in made])  # type: ignore[attr-defined]
    cache.save()
    assert b"KEY" not in written[0]
    with scholar(*LIBRARY) as site:
        # Another key changes nothing of what is kept.
        monkeypatch.setenv("OPENALEX_API_KEY", "KEY-THREE")
        monkeypatch.setenv("REVISER_OPENALEX_URL", made[0]._service.base_url)  # type: ignore[attr-defined]
        again = services(LookupSettings(names=("openalex",)), cache).sources[0]
        assert papers(again.by_id(EVERY)[0])[0].title == KITES.title
        assert site.asked.total() == 0


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (Trouble.REFUSED, "unreachable"),
        (Trouble.ERROR, "is out of order"),
        (Trouble.BROKEN, "gave an answer that cannot be read"),
        (Trouble.CUT, "gave an answer that cannot be read"),
        (Trouble.PAGE, "gave an answer that cannot be read"),
        (Trouble.ELSEWHERE, "sends elsewhere"),
        (Trouble.FORBIDDEN, "needs a key"),
    ],
)
@pytest.mark.parametrize("name", SERVICES)
def test_every_trouble_has_its_word(
    name: str, trouble: Trouble, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(*LIBRARY) as site:
        site.trouble(name, trouble)
        site.reviser(monkeypatch)
        made = _quick(site, name)
        answers = [*made.by_id(EVERY), *made.by_title(EVERY)]
        silent = [answer for answer in answers if isinstance(answer, Silent)]
        assert len(silent) >= 5
        if trouble is Trouble.FORBIDDEN and name in {"crossref", "arxiv"}:
            why = "refused the question"
        assert {str(answer) for answer in silent} == {f"{made.name} {why}"}
        assert all(answer == () for answer in answers if not isinstance(answer, Silent))


def _quick(site: Scholar, name: str) -> Source:
    """A source that does not wait."""
    web, kept, url = Web(sleep=lambda _: None), Kept(), site.url(name)
    match name:
        case "openalex":
            return openalex.OpenAlex(web, openalex.service(url, key="", mail=""), kept)
        case "semantic-scholar":
            service = semantic_scholar.service(url, key="")
            return semantic_scholar.SemanticScholar(web, service, kept)
        case "crossref":
            return crossref.Crossref(web, crossref.service(url, mail=""), kept)
    return arxiv.Arxiv(web, arxiv.service(url), kept)


@pytest.mark.parametrize("name", SERVICES)
def test_a_passing_trouble_passes(name: str) -> None:
    with scholar(*LIBRARY) as site:
        for trouble in (Trouble.ERROR, Trouble.BUSY, Trouble.BROKEN, Trouble.SLOW):
            site.trouble(name, trouble, times=1)
            answer = _quick(site, name).by_id([Wanted("k", doi=KITES.doi, arxiv=KITES.arxiv)])[0]
            assert papers(answer)[0].title == KITES.title


def test_wrong_works_are_answers_that_resolving_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar(*LIBRARY) as site:
        for name in SERVICES:
            site.trouble(name, Trouble.WRONG)
        found = resolve(EVERY, sources(site, monkeypatch), Threads(8))
    assert all(isinstance(one, Unresolved) for one in found)


@pytest.mark.parametrize(
    "trouble",
    [Trouble.REFUSED, Trouble.BLACK_HOLE, Trouble.MUTE, Trouble.DRIP, Trouble.ERROR, Trouble.BUSY],
)
def test_with_every_service_down_fifty_works_are_unchecked_within_ten_seconds(
    trouble: Trouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = [
        Wanted(
            f"w{n}",
            f"The kite number {n}",
            ("Byron",),
            2020,
            doi=f"10.5555/w{n}" if n % 2 else "",
            arxiv=f"2001.{n:05d}" if n % 3 else "",
        )
        for n in range(50)
    ]
    with scholar(*LIBRARY) as site:
        for name in SERVICES:
            site.trouble(name, trouble)
        made = sources(site, monkeypatch)
        begun = time.monotonic()
        found = resolve(wanted, made, Threads(8))
        spent = time.monotonic() - begun
    assert spent < 10
    for one in found:
        assert isinstance(one, Unresolved)
        assert len(one.silent) == 4
        assert not one.answered
        assert not one.why.startswith("not found")


def test_one_service_down_leaves_the_others_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar(*LIBRARY) as site:
        site.trouble("openalex", Trouble.REFUSED)
        found = resolve(EVERY, sources(site, monkeypatch), Threads(8))
    assert [type(one) for one in found] == [Resolved, Resolved, Resolved, Unresolved]
    assert isinstance(found[3], Unresolved)
    assert [str(silent) for silent in found[3].silent] == ["OpenAlex unreachable"]
