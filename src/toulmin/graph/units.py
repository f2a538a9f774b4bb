"""Names of units: Wikidata's as pint knows them, and the codes of currencies."""

from __future__ import annotations

import re

__all__ = ["CURRENCIES", "canonical_unit"]

_WIKIDATA = "http://www.wikidata.org/entity/"

#: Wikidata's common units as pint names them. Unlisted ones keep their entity id: comparable with themselves only.
_WIKIDATA_UNITS = {
    "Q11573": "metre", "Q828224": "kilometre", "Q174728": "centimetre", "Q174789": "millimetre",
    "Q253276": "mile", "Q3710": "foot", "Q218593": "inch", "Q482798": "yard", "Q93318": "nautical_mile",
    "Q1811": "astronomical_unit", "Q531": "light_year", "Q12129": "parsec",
    "Q25343": "metre ** 2", "Q712226": "kilometre ** 2", "Q35852": "hectare", "Q81292": "acre",
    "Q232291": "mile ** 2", "Q857027": "foot ** 2",
    "Q25517": "metre ** 3", "Q4243638": "kilometre ** 3", "Q11582": "litre",
    "Q11570": "kilogram", "Q41803": "gram", "Q3241121": "milligram", "Q191118": "tonne", "Q100995": "pound",
    "Q48013": "ounce",
    "Q11574": "second", "Q723733": "millisecond", "Q7727": "minute", "Q25235": "hour", "Q573": "day", "Q23387": "week",
    "Q5151": "month", "Q577": "year", "Q1092296": "year",
    "Q180154": "kilometre / hour", "Q182429": "metre / second", "Q211256": "mile / hour", "Q128822": "knot",
    "Q3674704": "kilometre / second",
    "Q844211": "kilogram / metre ** 3", "Q13147228": "gram / centimetre ** 3", "Q794261": "metre ** 3 / second",
    "Q11579": "kelvin", "Q25267": "degree_Celsius", "Q42289": "degree_Fahrenheit",
    "Q25236": "watt", "Q3320608": "kilowatt", "Q6982035": "megawatt", "Q5879479": "gigawatt",
    "Q25269": "joule", "Q83327": "electron_volt", "Q12438": "newton", "Q44395": "pascal", "Q103510": "bar",
    "Q39369": "hertz", "Q2143992": "kilohertz", "Q732707": "megahertz", "Q25250": "volt", "Q25272": "ampere",
    "Q33680": "radian", "Q28390": "degree", "Q8799": "byte", "Q41509": "mole", "Q83216": "candela", "Q11229": "percent",
    "Q4917": "USD", "Q4916": "EUR", "Q25224": "GBP", "Q8146": "JPY", "Q39099": "CNY", "Q80524": "INR",
    "Q1104069": "CAD", "Q259502": "AUD", "Q25344": "CHF", "Q122922": "SEK", "Q132643": "NOK", "Q25417": "DKK",
    "Q123213": "PLN", "Q41044": "RUB", "Q173117": "BRL", "Q4730": "MXN", "Q181907": "ZAR", "Q202040": "KRW",
}  # fmt: skip
_DIMENSIONLESS = frozenset({"1", _WIKIDATA + "Q199", "dimensionless"})

#: ISO 4217. No code is a name that pint knows.
CURRENCIES = frozenset(
    re.findall(
        "[A-Z]{3}",
        """AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
        CLP CNY COP CRC CUP CVE CZK DEM DJF DKK DOP DZD EGP ERN ESP ETB EUR FJD FKP FRF GBP GEL GHS GIP GMD GNF GTQ GYD
        HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK ITL JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD
        LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NLG NOK NPR NZD OMR PAB PEN PGK PHP
        PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP
        TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW""",
    )
)


def canonical_unit(unit: str | None) -> str | None:
    """A unit by the name pint has for it, where it is one of Wikidata's common units; else as it is."""
    if unit is None or unit in _DIMENSIONLESS:
        return None
    if unit.startswith(_WIKIDATA):
        return _WIKIDATA_UNITS.get(unit[len(_WIKIDATA) :], unit)
    return unit
