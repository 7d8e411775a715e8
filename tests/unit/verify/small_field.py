"""A bibliography of eight works of two fields, and sentences that cite them rightly."""

from collections.abc import Mapping

ENTRIES: Mapping[str, Mapping[str, str]] = {
    "wear": {
        "author": "Lee, Ann and Roe, Bo",
        "title": "Wear of Dry Bearings",
        "year": "2019",
        "abstract": "Steel bearings wear faster when they run dry. Without oil the loss of steel "
        "doubles within a year. Chromium halves the wear of dry steel bearings.",
    },
    "oil": {
        "author": "Kim, Sun",
        "title": "Oil Films in Bearings",
        "year": "2012",
        "abstract": "An oil film separates the shaft from the bearing. The film breaks under heavy "
        "load. Thick oil keeps the film at low speed.",
    },
    "noise": {
        "author": "Berg, Eva",
        "title": "Listening to Worn Bearings",
        "year": "2015",
        "abstract": "Worn bearings emit noise of a typical frequency. A microphone hears the noise "
        "months before the bearing fails. Noise grows with the wear of the bearing.",
    },
    "shaft": {
        "author": "Novak, Jan",
        "title": "Bent Shafts and Seals",
        "year": "2003",
        "abstract": "A bent shaft loads the seal on one side. Seals leak when the shaft bends by "
        "more than 40 micrometres. Straight shafts keep seals tight for 12 years.",
    },
    "pump": {
        "author": "Silva, Rui",
        "title": "Cavitation in Pumps",
        "year": "1999",
        "abstract": "Pumps fail under cavitation when the inlet pressure falls. Bubbles collapse "
        "at the impeller and pit its steel. A wider inlet prevents cavitation of the pump.",
    },
    "turbine": {
        "author": "Olsen, Kari",
        "title": "Cracks in Turbine Blades",
        "year": "2008",
        "abstract": "Turbine blades crack at their root after many starts. Cracks grow with every "
        "start of the turbine. Coated blades of turbines crack later.",
    },
    "valve": {
        "author": "Haddad, Sami",
        "title": "Sticking Valves",
        "year": "2017",
        "abstract": "Valves stick when scale builds up on the stem. Sticking valves delay the "
        "control of the plant. Monthly strokes keep valves of a plant free.",
    },
    "bread": {
        "author": "Moreau, Luc",
        "title": "Sourdough and its Yeasts",
        "year": "2011",
        "abstract": "Sourdough bread rises by wild yeasts and lactic bacteria. Rye flour feeds "
        "bacteria better than wheat flour. Cold dough ferments slowly overnight.",
    },
}

SENTENCES = (
    r"Without oil the loss of steel in dry bearings doubles within a year~\citep{wear}.",
    r"The oil film that separates shaft and bearing breaks under heavy load~\citep{oil}.",
    r"A microphone hears the noise of worn bearings months before they fail~\citep{noise}.",
    r"Seals leak when the shaft bends by more than 40 micrometres~\citep{shaft}.",
    r"Pumps fail under cavitation when the pressure at the inlet falls~\citep{pump}.",
    r"Turbine blades crack at their root after many starts of the turbine~\citep{turbine}.",
    r"Valves stick when scale builds up on their stem~\citep{valve}.",
)
