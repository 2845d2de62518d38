"""Whole numbers: prime factors, divisors, greatest common divisors, number bases and sequences."""

import math
import random
import re
from collections.abc import Callable

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.question import Question

_INTEGER = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])|(?<![\d.])\d+(?!\.?\d)")
_FACTORS = re.compile(
    r"\b(prime factor|factori[sz]e|factori[sz]ation|factors? of|divisors?|is .{0,20}prime|prime\?)",
    re.IGNORECASE,
)
_COMMON = re.compile(
    r"\b(gcd|greatest common|highest common|lcm|least common|lowest common)\b", re.IGNORECASE
)
_BASES = re.compile(
    r"\b(in|to|into|as) (?P<base>binary|hex(?:adecimal)?|octal|roman(?: numerals?)?)\b", re.IGNORECASE
)
_FIRST = re.compile(
    r"\bfirst (?P<count>\d{1,3}|ten|five|twenty)?\s*(?P<kind>primes?|prime numbers?|fibonacci(?: numbers?)?|square(?:s| numbers?)|"
    r"cubes?|powers of (?:2|two)|triangular numbers?)", re.IGNORECASE)  # fmt: skip
_TIMES_TABLE = re.compile(
    r"\b(?:(?P<a>\d{1,4}) times table|(?:times|multiplication) table (?:of|for) (?P<b>\d{1,4}))\b",
    re.IGNORECASE,
)
_LARGEST = 10**11


def integers(question: Question, rng: random.Random) -> Finding | None:
    """Answer a question about whole numbers."""
    del rng
    text = question.subject
    if (first := _FIRST.search(text)) is not None:
        return _sequence(first)
    if table := _TIMES_TABLE.search(text):
        return _times_table(int(table["a"] or table["b"]))
    if len(text) > 600:
        return None
    found = [int(number.replace(",", "")) for number in _INTEGER.findall(text) if len(number) < 20]
    if not found or max(found) > _LARGEST:
        return None
    if _COMMON.search(text) and len(found) >= 2:
        return _common(found[0], found[1])
    if base := _BASES.search(text):
        return _in_base(found[0], base["base"].lower())
    if _FACTORS.search(text) and found[0] > 1:
        return _factors(found[0])
    return None


def prime_factors(number: int) -> list[int]:
    """Return the prime factors in order, repeated as often as they divide."""
    factors: list[int] = []
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    return [*factors, number] if number > 1 else factors


def _factors(number: int) -> Finding:
    factors = prime_factors(number)
    prime = len(factors) == 1
    powers = [(p, factors.count(p)) for p in dict.fromkeys(factors)]
    written = " × ".join(f"{p}^{n}" if n > 1 else f"{p}" for p, n in powers)
    divisors = math.prod(n + 1 for _, n in powers)
    steps: list[str] = []
    rest = number
    for factor in factors[:-1]:
        steps.append(f"{rest:,} ÷ {factor} = {rest // factor:,}")
        rest //= factor
    steps.append(f"{rest:,} is prime: nothing up to {math.isqrt(rest):,} divides it")
    return Finding(
        topic=f"the prime factors of {number:,}",
        answer=f"{number:,} is a **prime number**." if prime else f"{number:,} = **{written}**.",
        rough="Prime." if prime else f"{written}.",
        steps=tuple(steps),
        points=(
            f"It has {divisors} divisors, 1 and itself among them.",
            f"Its digits add up to {sum(map(int, str(number)))}.",
        ),
        table=None if prime else Table(("prime", "exponent"), tuple((str(p), str(n)) for p, n in powers)),
        caveat="Order aside, there is only one such product for each number.",
        check=f"Multiply them back: do you get {number:,}?",
        value=float(number),
        method="I divided by 2 and the odd numbers in turn, up to the square root of what was left.",
    )


def _common(a: int, b: int) -> Finding:
    divisor = math.gcd(a, b)
    multiple = math.lcm(a, b)
    steps: list[str] = []
    x, y = max(a, b), min(a, b)
    while y:
        steps.append(f"{x:,} = {x // y:,} × {y:,} + {x % y:,}")
        x, y = y, x % y
    return Finding(
        topic=f"the common divisor and multiple of {a:,} and {b:,}",
        answer=f"The greatest common divisor of {a:,} and {b:,} is **{divisor:,}**, the least common multiple **{multiple:,}**.",
        rough=f"{divisor:,} and {multiple:,}.",
        steps=tuple(steps),
        points=("The two have no common factor." if divisor == 1 else f"Both are multiples of {divisor:,}.",),
        caveat="The product of divisor and multiple is the product of the two numbers.",
        check="When does Euclid's rule stop, and why must it?",
        value=float(divisor),
        method="I used Euclid's algorithm.",
        facts=(("greatest common divisor", f"{divisor:,}"), ("least common multiple", f"{multiple:,}")),
    )


def _in_base(number: int, base: str) -> Finding | None:
    if base.startswith("roman"):
        if not 0 < number < 4000:
            return None
        written, digits = (
            _roman(number),
            "Larger signs stand first; a smaller one before a larger is taken away.",
        )
    else:
        size = {"b": 2, "h": 16, "o": 8}[base[0]]
        written = format(number, {2: "b", 16: "X", 8: "o"}[size])
        digits = f"Each place counts {size} times as much as the one to its right."
    return Finding(
        topic=f"{number:,} in {base}",
        answer=f"{number:,} in {base} is **{written}**.",
        rough=f"{written}.",
        points=(digits,),
        table=Table(("system", "written"), (("decimal", f"{number}"), ("binary", f"{number:b}"), ("octal", f"{number:o}"), ("hexadecimal", f"{number:X}"))),
        caveat="Leading zeros are left out.",
        check="How many digits would twice the number need?",
        method="I divided by the base again and again and read the rests backwards.",
    )  # fmt: skip


def _roman(number: int) -> str:
    signs = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
             (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip
    written = ""
    for value, sign in signs:
        written += sign * (number // value)
        number %= value
    return written


def _sequence(match: re.Match[str]) -> Finding:
    words = {"ten": 10, "five": 5, "twenty": 20}
    stated = (match["count"] or "10").lower()
    count = min(words.get(stated) or int(stated), 60)
    kind = match["kind"].lower()
    if kind.startswith("prime"):
        name, rule, numbers = "primes", "each is divisible by 1 and itself alone", _primes(count)
    elif kind.startswith("fib"):
        name, rule, numbers = "Fibonacci numbers", "each is the sum of the two before it", _fibonacci(count)
    else:
        name, rule, power = next(entry for start, entry in _FORMULAS.items() if kind.startswith(start))
        numbers = [power(n) for n in range(1, count + 1)]
    shown = ", ".join(f"{number}" for number in numbers)
    return Finding(
        topic=f"the first {count} {name}",
        answer=f"The first {count} {name}: **{shown}**.",
        rough=f"{shown}.",
        points=(f"The rule: {rule}.", f"Their sum is {sum(numbers):,}."),
        table=Table(
            ("place", "number"), tuple((str(n), f"{number:,}") for n, number in enumerate(numbers[:12], 1))
        ),
        check="What comes next, and how do you know?",
        caveat="Some people start counting at zero.",
        value=float(numbers[-1]),
        method="I generated them by their rule.",
    )


_FORMULAS: dict[str, tuple[str, str, Callable[[int], int]]] = {
    "square": ("squares", "n times n", lambda n: n * n),
    "cube": ("cubes", "n times n times n", lambda n: n**3),
    "power": ("powers of two", "each is twice the one before", lambda n: 2 ** (n - 1)),
    "triang": ("triangular numbers", "1 + 2 + … + n", lambda n: n * (n + 1) // 2),
}


def _primes(count: int) -> list[int]:
    primes: list[int] = []
    number = 2
    while len(primes) < count:
        if all(number % prime for prime in primes if prime * prime <= number):
            primes.append(number)
        number += 1
    return primes


def _fibonacci(count: int) -> list[int]:
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers[:count]


def _times_table(number: int) -> Finding:
    rows = tuple((f"{n} × {number}", f"{n * number:,}") for n in range(1, 11))
    return Finding(
        topic=f"the times table of {number}",
        answer=f"From {number} to {number * 10:,} in steps of {number}.",
        work=Table(("times", "product"), rows).markdown(),
        points=(f"The ten products add up to {number * 55:,}.",),
        check="Which two lines add up to the last one?",
        method="I multiplied.",
    )
