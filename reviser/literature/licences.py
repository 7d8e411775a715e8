"""The licence of a text in one form, whatever a service calls it."""

import re

_CREATIVE = re.compile(r"\bcc[\s_-]*by((?:[\s_-]*(?:nc|nd|sa))*)", re.IGNORECASE)
_ADDRESS = re.compile(
    r"creativecommons\.org/(?:licenses/by((?:-(?:nc|nd|sa))*)|(publicdomain))(?:/|\b)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"nc|nd|sa", re.IGNORECASE)
_FREE = re.compile(r"\bcc[\s_-]*0\b|\bcc[\s_-]*zero\b", re.IGNORECASE)
_PUBLIC = re.compile(r"\bpublic[\s_-]*domain\b|\bpd\b", re.IGNORECASE)
_LONGEST = 60


def licence_of(said: str) -> str:
    """ "cc-by", "cc-by-nc-nd", "cc0", "public-domain" for what is one of them ("CCBY",
    "http://creativecommons.org/licenses/by/4.0/", "CC BY 4.0"), else the text in lower case with
    dashes; an address that is not known gives ""."""
    found = _ADDRESS.search(said)
    if found is not None:
        return "cc0" if found[2] and "zero" in said else _joined(found[1], bool(found[2]))
    if "://" in said:
        return ""
    if _FREE.search(said):
        return "cc0"
    if (creative := _CREATIVE.search(said)) is not None:
        return _joined(creative[1], public=False)
    if _PUBLIC.search(said):
        return "public-domain"
    return re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")[:_LONGEST]


def _joined(parts: str | None, public: bool) -> str:
    if public:
        return "public-domain"
    return "-".join(["cc-by", *(part.lower() for part in _PARTS.findall(parts or ""))])
