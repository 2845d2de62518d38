"""Units of measure, by what they measure and how large they are."""

import re
from functools import cache

_TABLE = """
time 1 s sec secs second seconds sekunde sekunden seconde secondes segundo segundos 秒
time 0.001 ms millisecond milliseconds millisekunden
time 60 min mins minute minutes minuten minuto minutos 分钟
time 3600 h hr hrs hour hours stunde stunden heure heures hora horas 小时
time 86400 day days tag tage tagen jour jours día días
time 604800 week weeks woche wochen semaine semaines semana semanas
time 2629800 month months monat monate monaten mois mes meses
time 31557600 year years jahr jahre jahren an ans année années año años
time 315576000 decade decades jahrzehnt jahrzehnte
time 3155760000 century centuries jahrhundert jahrhunderte siècle siècles
length 1 m meter meters metre metres metern mètre mètres metro metros 米 メートル
length 0.001 mm millimeter millimeters millimetre millimetres
length 0.01 cm centimeter centimeters centimetre centimetres zentimeter centimètres
length 1000 km kilometer kilometers kilometre kilometres kilometern kilomètre kilomètres kilómetros 公里 キロメートル
length 1609.344 mile miles mi meile meilen
length 0.3048 ft foot feet
length 0.0254 inch inches zoll
length 0.9144 yard yards
mass 1 kg kilogram kilograms kilogramm kilo kilos kilogrammes 公斤
mass 0.001 g gram grams gramm grammes gramos
mass 0.000001 mg milligram milligrams milligramm
mass 1000 t ton tons tonne tonnes tonnen toneladas
mass 0.45359237 lb lbs
volume 1 l liter liters litre litres litern litros
volume 0.001 ml milliliter milliliters millilitres
volume 0.01 cl
volume 3.785411784 gallon gallons
speed 1 m/s
speed 1000 km/s
speed 0.2777777778 km/h kph kmh
speed 0.44704 mph
area 1 m² sqm
area 1000000 km²
share 0.01 % percent prozent ％
data 1 byte bytes
data 1000 kb kilobyte kilobytes
data 1000000 mb megabyte megabytes
data 1000000000 gb gigabyte gigabytes
data 1000000000000 tb terabyte terabytes
data 1024 kib
data 1048576 mib
data 1073741824 gib
data 0.125 bit bits
power 1 w watt watts
power 1000 kw kilowatt kilowatts
power 1000000 mw megawatt megawatts
energy 1 kwh
frequency 1 hz
frequency 1000 khz
frequency 1000000 mhz
frequency 1000000000 ghz
usd 1 $ usd dollar dollars dólares
eur 1 € eur euro euros
gbp 1 £ gbp
yen 1 ¥ yen
angle 1 ° degree degrees grad degrés grados
celsius 1 °c
fahrenheit 0.5555555556 °f
kelvin 1 kelvin
"""

_PHRASES = {
    r"(?:degrees?|grad|degrés?|grados) (?:celsius|c\b)": "°c",
    r"(?:degrees?|grad|degrés?|grados) (?:fahrenheit|f\b)": "°f",
    r"(?:miles per hour)": "mph",
    r"(?:kilomet(?:er|re)s? per hour|km pro stunde|stundenkilometer)": "km/h",
    r"(?:kilomet(?:er|re)s? per second)": "km/s",
    r"(?:met(?:er|re)s? per second)": "m/s",
    r"(?:per ?cent|pour ?cent|por ciento|pro ?zent)": "%",
    r"(?:square kilomet(?:er|re)s?|quadratkilometer)": "km²",
    r"(?:square met(?:er|re)s?|quadratmeter)": "m²",
    r"(?:us dollars?|us-dollar)": "usd",
}

UNITS: dict[str, tuple[str, float]] = {
    name: (row.split()[0], float(row.split()[1]))
    for row in _TABLE.strip().splitlines()
    for name in row.split()[2:]
}
"""Unit in lower case → its dimension and its size in the dimension's base."""

_NAMES = "|".join(sorted((re.escape(name) for name in UNITS), key=len, reverse=True))


@cache
def unit_pattern() -> re.Pattern[str]:
    """Return what a unit after a number looks like; compiled when first used, which takes milliseconds."""
    return re.compile(
        rf"[ \u00a0\u202f-]?(?:(?P<phrase>{'|'.join(_PHRASES)})|(?P<name>{_NAMES}))"
        r"(?![^\W\d_\u3040-\u30ff\u3400-\u9fff])",
        re.IGNORECASE,
    )


def unit_of(match: re.Match[str]) -> tuple[str, float]:
    """Return the dimension and the size of a unit that `unit_pattern` found."""
    if match["phrase"]:
        lowered = match["phrase"].lower()
        name = next(unit for pattern, unit in _PHRASES.items() if re.fullmatch(pattern, lowered))
    else:
        name = match["name"].lower()
    return UNITS[name]
