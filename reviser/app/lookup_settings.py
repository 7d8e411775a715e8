"""Which literature services are asked, and for how long. All of it is the operator's to set; keys
and the mail address are secrets, read from the environment alone."""

from dataclasses import dataclass

SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupSettings:
    """What the options of the same names say. `names` are the services in the order in which they
    are believed, none where nothing is looked up; `seconds` is the time that a run spends asking
    them, all of it together. `related` asks for works that
    the references have in common."""

    names: tuple[str, ...] = ()
    seconds: float = SECONDS
    full_text: bool = False
    offline: bool = False
    related: bool = False
