"""Licences, notices and names in one form."""

import pytest

from reviser.literature.licences import licence_of
from reviser.literature.names import author_of
from reviser.literature.notices import kind_of_update, says_withdrawn, unmarked
from reviser.literature.paper import Author


@pytest.mark.parametrize(
    ("said", "licence"),
    [
        ("cc-by", "cc-by"),
        ("CCBY", "cc-by"),
        ("CC BY 4.0", "cc-by"),
        ("CCBYNCND", "cc-by-nc-nd"),
        ("CC-BY-SA-4.0", "cc-by-sa"),
        ("http://creativecommons.org/licenses/by/4.0/", "cc-by"),
        ("https://creativecommons.org/licenses/by-nc-nd/4.0/legalcode", "cc-by-nc-nd"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "cc0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "public-domain"),
        ("CC0", "cc0"),
        ("public-domain", "public-domain"),
        ("https://www.elsevier.com/tdm/userlicense/1.0/", ""),
        ("https://example.org/cc-by", ""),
        ("publisher-specific, author manuscript", "publisher-specific-author-manuscript"),
        ("other-oa", "other-oa"),
        ("", ""),
    ],
)
def test_licences(said: str, licence: str) -> None:
    assert licence_of(said) == licence


@pytest.mark.parametrize(
    ("title", "bare", "kind"),
    [
        ("RETRACTED: Kites", "Kites", "retraction"),
        ("Retracted Article: Kites", "Kites", "retraction"),
        ("[RETRACTED] Kites", "Kites", "retraction"),
        ("WITHDRAWN: Kites", "Kites", "withdrawal"),
        ("Retraction: Kites", "Retraction: Kites", ""),
        ("Retracted papers and their citations", "Retracted papers and their citations", ""),
        ("Removed carbon", "Removed carbon", ""),
        ("RETRACTED:", "RETRACTED:", ""),
    ],
)
def test_marks_before_titles(title: str, bare: str, kind: str) -> None:
    assert unmarked(title) == (bare, kind)


def test_kinds_of_updates() -> None:
    assert kind_of_update("expression_of_concern") == "expression of concern"
    assert kind_of_update("Expression of Concern") == "expression of concern"
    assert kind_of_update("removal") == "withdrawal"
    assert kind_of_update("erratum") == kind_of_update("correction") == ""


def test_what_says_that_a_work_was_withdrawn() -> None:
    assert says_withdrawn("This paper has been withdrawn by the author.")
    assert says_withdrawn("Withdrawn: an error in Lemma 2")
    assert not says_withdrawn("Troops were withdrawn. This paper studies why.")
    assert not says_withdrawn("12 pages")


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("Ada B. Byron", Author("Byron", "Ada B.")),
        ("Byron, Ada B.", Author("Byron", "Ada B.")),
        ("Jan van der Meer", Author("van der Meer", "Jan")),
        ("Ludwig van Beethoven Jr.", Author("van Beethoven", "Ludwig")),
        ("Martin King, Jr.", Author("King", "Martin")),
        ("OpenAI", Author("OpenAI")),
        ("The ATLAS Collaboration", Author("The ATLAS Collaboration")),
        ("李 白", Author("白", "李")),
        ("", Author("")),
        (" , ", Author("")),
    ],
)
def test_names(name: str, author: Author) -> None:
    assert author_of(name) == author
