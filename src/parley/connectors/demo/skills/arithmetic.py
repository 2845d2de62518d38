"""Arithmetic: finds an expression in a question, evaluates it exactly, and shows the steps."""

import ast
import math
import random
import re
from fractions import Fraction

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import roughly, rounded, show

_NUMBER = r"\d+(?:\.\d+)?"
_WORDED: tuple[tuple[str, str], ...] = (
    (r"(?<=\d),(?=\d{3}\b)", ""),
    (rf"({_NUMBER})\s*(?:%|percent|per cent)\s+of\s+", r"(\1/100)*"),
    (rf"\bdivide ({_NUMBER}) by ({_NUMBER})", r"\1/\2"),
    (rf"\bmultiply ({_NUMBER}) (?:by|with|and) ({_NUMBER})", r"\1*\2"),
    (rf"\bsubtract ({_NUMBER}) from ({_NUMBER})", r"\2-\1"),
    (rf"\badd ({_NUMBER}) (?:and|to) ({_NUMBER})", r"\1+\2"),
    (r"\bhalf of\s+", "0.5*"),
    (r"\b(?:double|twice)\s+(?=\d|\()", "2*"),
    (rf"(?:square root of|sqrt of|√)\s*\(?\s*({_NUMBER})\s*\)?", r"sqrt(\1)"),
    (rf"\b({_NUMBER})\s*!(?!=)", r"fact(\1)"),
    (rf"\bfactorial of\s+({_NUMBER})", r"fact(\1)"),
    (r"\bplus\b|\badded to\b", "+"),
    (r"\bminus\b", "-"),
    (r"\btimes\b|\bmultiplied by\b|[×·∙]|(?<=\d)\s*x\s*(?=\d)", "*"),
    (r"\bdivided by\b|÷|(?<=\d)\s+over\s+(?=\d)", "/"),
    (r"\b(?:raised )?to the (?:power of\s+)?(\d+)(?:st|nd|rd|th)?(?: power)?\b", r"**\1"),
    (r"\bsquared\b", "**2"),
    (r"\bcubed\b", "**3"),
    (r"\bmod(?:ulo)?\b", "%"),
    (r"\^", "**"),
    (r"[−–—]", "-"),
)  # fmt: skip
_EXPRESSION = re.compile(r"(?:sqrt|fact|[\d(.])(?:sqrt|fact|[\d\s.+\-*/%()])*[\d)]")
_ASKS = re.compile(
    r"(what(’|')?s|what is|how much|calculate|compute|evaluate|solve|work out|=|equals?)\b|[=?]\s*$",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"\W*(?:and|now|then|ok)?\W*(?:what (?:about|if you)\W*)?"
    r"(?:add|(?P<op>plus|minus|times|multiplied by|divided by|[-+*×/÷^])|"
    r"(?P<verb>subtract|multiply (?:it )?by|divide (?:it )?by))"
    rf"\s*(?P<rest>{_NUMBER}.{{0,20}})",
    re.IGNORECASE | re.DOTALL,
)
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "−",
    ast.Mult: "×",
    ast.Div: "÷",
    ast.Pow: "^",
    ast.Mod: "mod",
}
_VERBS = {"subtract": "-", "multiply": "*", "divide": "/"}
MOST_CHARACTERS = 600
_BIGGEST = Fraction(10) ** 60


def arithmetic(question: Question, rng: random.Random) -> Finding | None:
    """Answer a sum that the question contains, or one that goes on from the last result."""
    del rng
    if len(question.subject) > MOST_CHARACTERS:
        return None
    found = find_sum(question.subject)
    if found is None and question.earlier and (going_on := _CONTINUES.fullmatch(question.text)):
        before = find_sum(question.earlier[-1])
        if before is not None:
            sign = going_on["op"] or _VERBS.get((going_on["verb"] or "add").split()[0].lower(), "+")
            found = find_sum(f"= ({before[0]}) {sign} {going_on['rest']}")
    if found is None:
        return None
    source, value, steps = found
    shown = source.replace("**", "^").replace("*", " × ").replace("/", " ÷ ").replace("fact(", "factorial(")
    shown = (
        re.sub(r"\s+", " ", re.sub(r"(?<=[\d)])\s*([+-])\s*", r" \1 ", shown)).strip().replace(" - ", " − ")
    )
    exact = show(value)
    is_exact = "e" not in exact and Fraction(exact.replace(",", "")) == value
    return Finding(
        topic=re.sub(r"^\(([\d.]+) ÷ 100\) × ([\d.]+)$", _percentage, shown),
        answer=f"{shown} {'=' if is_exact else '≈'} **{exact}**.",
        rough=roughly(value),
        steps=tuple(steps),
        points=_remarks(value),
        check=f"Does the size look right? Rounding first gives roughly {rounded(value, 1)}.",
        caveat="Powers come first, then products and quotients, then sums; other brackets, other result."
        if len(steps) > 1
        else "It takes the numbers as given; if they were rounded, so is this.",
        value=float(value),
        method="I evaluated the expression exactly, with fractions, one operation at a time.",
        facts=(("expression", shown), ("result", exact)),
    )


def _percentage(match: re.Match[str]) -> str:
    return f"{match[1]}% of {show(Fraction(match[2]))}"


def _remarks(value: Fraction) -> tuple[str, ...]:
    if value.denominator > 1:
        return (
            (f"As a fraction: {value.numerator}/{value.denominator}.",) if value.denominator < 10**6 else ()
        )
    return (f"The result is {'odd' if value % 2 else 'even'}.",) if 2 < abs(value) < 10**12 else ()


def find_sum(text: str) -> tuple[str, Fraction, list[str]] | None:
    """Return (expression, value, steps) for the longest sum in the text; None if there is none."""
    worded = text
    for pattern, plain in _WORDED:
        worded = re.sub(pattern, plain, worded, flags=re.IGNORECASE)
    candidates = sorted(
        (match.group().strip() for match in _EXPRESSION.finditer(worded)), key=len, reverse=True
    )
    for candidate in candidates[:3]:
        if not re.search(r"[+*/%]|\*\*|sqrt|fact", candidate) and not _ASKS.search(text):
            continue
        if re.fullmatch(r"[\d./-]+", candidate) and re.fullmatch(
            r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}", candidate
        ):
            continue
        steps: list[str] = []
        try:
            value = _value(ast.parse(candidate, mode="eval").body, steps)
        except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, MemoryError, RecursionError):
            continue
        if steps:
            return candidate, value, steps
    return None


def _value(node: ast.expr, steps: list[str]) -> Fraction:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _value(node.operand, steps)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return _function(node.func.id, _value(node.args[0], steps), steps)
    if not isinstance(node, ast.BinOp) or type(node.op) not in _SIGNS:
        raise ValueError("not a sum")
    left, right = _value(node.left, steps), _value(node.right, steps)
    result = _apply(node.op, left, right)
    if abs(result) > _BIGGEST:
        raise OverflowError
    steps.append(f"{show(left)} {_SIGNS[type(node.op)]} {show(right)} = {show(result)}")
    return result


def _apply(op: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    if isinstance(op, ast.Add):
        return left + right
    if isinstance(op, ast.Sub):
        return left - right
    if isinstance(op, ast.Mult):
        return left * right
    if isinstance(op, ast.Div):
        return left / right
    if isinstance(op, ast.Mod):
        return left % right
    if abs(right) > 200 or (abs(left) > 10**6 and abs(right) > 10):
        raise OverflowError
    return left ** int(right) if right.denominator == 1 else Fraction(float(left) ** float(right))


def _function(name: str, argument: Fraction, steps: list[str]) -> Fraction:
    if name == "sqrt" and argument >= 0:
        whole = math.isqrt(int(argument)) if argument.denominator == 1 else 0
        result = Fraction(whole) if whole * whole == argument else Fraction(math.sqrt(argument))
        steps.append(f"√{show(argument)} = {show(result)}")
        return result
    if name == "fact" and argument.denominator == 1 and 0 <= argument <= 40:
        result = Fraction(math.factorial(int(argument)))
        steps.append(f"{argument}! = {show(result)}")
        return result
    raise ValueError("not a function that is known")
