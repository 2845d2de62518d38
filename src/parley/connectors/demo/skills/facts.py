"""A few facts that people try first: capitals, planets, and constants of nature."""

import random
import re

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question

_COUNTRIES = """
France=Paris, Germany=Berlin, Italy=Rome, Spain=Madrid, Portugal=Lisbon, Austria=Vienna, Switzerland=Bern,
Poland=Warsaw, Greece=Athens, Sweden=Stockholm, Norway=Oslo, Denmark=Copenhagen, Finland=Helsinki, Iceland=Reykjavik,
Ireland=Dublin, the United Kingdom=London, England=London, Scotland=Edinburgh, the Netherlands=Amsterdam,
Belgium=Brussels, Hungary=Budapest, Romania=Bucharest, Bulgaria=Sofia, Croatia=Zagreb, Serbia=Belgrade,
Czechia=Prague, Ukraine=Kyiv, Russia=Moscow, Turkey=Ankara, Egypt=Cairo, Morocco=Rabat, Kenya=Nairobi, Nigeria=Abuja,
Ethiopia=Addis Ababa, Ghana=Accra, the United States=Washington D.C., Canada=Ottawa, Mexico=Mexico City,
Brazil=Brasília, Argentina=Buenos Aires, Chile=Santiago, Peru=Lima, Colombia=Bogotá, Cuba=Havana, China=Beijing,
Japan=Tokyo, South Korea=Seoul, India=New Delhi, Pakistan=Islamabad, Bangladesh=Dhaka, Thailand=Bangkok,
Vietnam=Hanoi, Indonesia=Jakarta, the Philippines=Manila, Malaysia=Kuala Lumpur, Australia=Canberra,
New Zealand=Wellington, Iran=Tehran, Iraq=Baghdad, Saudi Arabia=Riyadh, Nepal=Kathmandu, Mongolia=Ulaanbaatar
"""
_CAPITALS: dict[str, str] = {
    country: city
    for country, _, city in (" ".join(pair.split()).partition("=") for pair in _COUNTRIES.split(","))
}
_SURPRISING = {
    "Australia": "Many people expect Sydney.", "Canada": "Many people expect Toronto.", "Brazil": "Many people expect Rio de Janeiro.",
    "Turkey": "Many people expect Istanbul.", "Switzerland": "In law it is only the federal city.", "New Zealand": "Many people expect Auckland.",
    "the Netherlands": "The government sits in The Hague.", "Nigeria": "Many people expect Lagos.", "Morocco": "Many people expect Casablanca.",
}  # fmt: skip
_KNOWN: tuple[tuple[str, str, str, str], ...] = (
    # pattern, topic, answer, rough
    (r"speed of light", "the speed of light", "Light travels at **299,792,458 m/s** in a vacuum, exactly, because the metre is defined by it.", "300,000 km/s."),
    (r"speed of sound", "the speed of sound", "Sound travels at about **343 m/s** in dry air at 20 °C.", "340 m/s."),
    (r"(value|digits) of (pi|π)\b|what is (pi|π)\b", "the number π", "π is **3.14159265358979…**, the ratio of a circle's circumference to its diameter.", "3.14."),
    (r"\beuler'?s number\b|value of e\b", "Euler's number", "e is **2.71828182845904…**, the base of natural growth.", "2.72."),
    (r"golden ratio", "the golden ratio", "The golden ratio is (1 + √5) / 2 = **1.6180339887…**.", "1.62."),
    (r"(distance|far).{0,20}(moon)\b", "the distance of the Moon", "The Moon is **384,400 km** away on average.", "380,000 km."),
    (r"(distance|far).{0,20}(sun)\b", "the distance of the Sun", "The Sun is about **149.6 million km** away: one astronomical unit.", "150 million km."),
    (r"how many planets|(list|name).{0,20}planets", "the planets", "Eight planets: **Mercury, Venus, Earth, Mars, Jupiter, Saturn, Uranus, Neptune**.", "Eight."),
    (r"(largest|biggest) planet", "the largest planet", "**Jupiter**, with eleven times the diameter of the Earth.", "Jupiter."),
    (r"(highest|tallest) mountain", "the highest mountain", "**Mount Everest**, 8,849 m above sea level.", "Everest."),
    (r"(boiling|boil).{0,20}water|water.{0,20}boil", "the boiling point of water", "Water boils at **100 °C** (212 °F) at sea level, and earlier on a mountain.", "100 °C."),
    (r"why is the sky blue", "the blue of the sky", "Air scatters short waves far more than long ones (with the fourth power of the frequency), so **blue light reaches us from everywhere**.", "Blue scatters most."),
    (r"why do (the )?leaves (change|turn)", "the colours of autumn", "The green chlorophyll breaks down, and **the yellow that was there all along** shows.", "The green goes; yellow stays."),
    (r"meaning of life", "the meaning of life", "A famous novel answers **42**; I can only confirm that 42 = 2 × 3 × 7.", "42, they say."),
)  # fmt: skip
_COMPILED = tuple(
    (re.compile(pattern, re.IGNORECASE), topic, answer, rough) for pattern, topic, answer, rough in _KNOWN
)


def facts(question: Question, rng: random.Random) -> Finding | None:
    """Answer from the table, where the question matches an entry."""
    del rng
    text = question.subject
    if len(text) > 160:
        return None
    if re.search(r"\bcapital\b", text, re.IGNORECASE):
        for country, city in _CAPITALS.items():
            bare = country.removeprefix("the ")
            if re.search(rf"\b{bare}\b", text, re.IGNORECASE):
                return _capital(country, city)
    for pattern, topic, answer, rough in _COMPILED:
        if pattern.search(text):
            return Finding(
                topic=topic,
                answer=answer,
                rough=rough,
                points=("It is one of a few facts that I know by heart.",),
                caveat="I looked it up in a short table of my own and did not measure it.",
                check="How could one find it out without looking it up?",
                method="It stands in a small table of facts.",
            )
    return None


def _capital(country: str, city: str) -> Finding:
    surprise = _SURPRISING.get(country)
    return Finding(
        topic=f"the capital of {country}",
        answer=f"The capital of {country} is **{city}**.",
        rough=f"{city}.",
        points=(surprise,) if surprise else (f"I know the capitals of {len(_CAPITALS)} countries.",),
        caveat=surprise or "Capitals move sometimes; my table does not.",
        check="Which city would you have guessed, and why?",
        method="It stands in a small table of capitals.",
        facts=(("country", country), ("capital", city)),
    )
