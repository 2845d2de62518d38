"""What the demo computes is right."""

import contextlib
import io
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.connectors.demo.characters import CHARACTERS, Character
from parley.connectors.demo.finding import Finding
from parley.connectors.demo.performer import perform
from parley.connectors.demo.question import read_question
from parley.connectors.demo.skills import SKILLS
from parley.connectors.demo.skills.glossary import TERMS, terms_in
from parley.connectors.demo.skills.snippets import SNIPPETS
from parley.connectors.demo.skills.syllables import syllables, syllables_of_line
from parley.connectors.demo.skills.verse_lines import ACROSTIC, FIVES, SEVENS
from parley.kernel.messages import Message


def finding_for(prompt: str) -> tuple[str, Finding]:
    question = read_question([Message("user", prompt)])
    for name, skill in SKILLS.items():
        if (finding := skill(question, random.Random(1))) is not None:
            return name, finding
    raise AssertionError(f"no skill answers {prompt!r}")


ANSWERS = [
    ("What is 17*23+4?", "arithmetic", "= **395**"),
    ("What is 18% of 245 + 12?", "arithmetic", "**56.1**"),
    ("what is 2^10 - 24", "arithmetic", "**1,000**"),
    ("(1 + 2) * (3 - 4) / 5 =", "arithmetic", "**-0.6**"),
    ("1,234 times 5", "arithmetic", "**6,170**"),
    ("square root of 144", "arithmetic", "= **12**"),
    ("What happens if I divide 10 by 3?", "arithmetic", "≈ **3.333333333**"),
    ("what is 5!", "arithmetic", "**120**"),
    ("convert 10 miles to km", "units", "**16.09344 km**"),
    ("How many feet are in a mile?", "units", "**5,280 ft**"),
    ("100 F in C", "units", "**37.7778 °C**"),
    ("-40 celsius to fahrenheit", "units", "**-40 °F**"),
    ("How many days between 2024-02-10 and 2024-12-24?", "dates", "**318 days**"),
    ("How many days from 24 December 2024 to 10 Feb 2024?", "dates", "**318 days**"),
    ("What day of the week was 20 July 1969?", "dates", "**Sunday**"),
    ("What is 1 month after 2024-01-31?", "dates", "29 February 2024"),
    ("prime factors of 5040", "integers", "2^4 × 3^2 × 5 × 7"),
    ("Is 97 a prime number?", "integers", "**prime number**"),
    ("gcd of 84 and 36", "integers", "**12**"),
    ("42 in binary", "integers", "**101010**"),
    ("What is 2024 in Roman numerals?", "integers", "**MMXXIV**"),
    ("first ten fibonacci numbers", "integers", "0, 1, 1, 2, 3, 5, 8, 13, 21, 34"),
    ("Sort: pear, fig, Apple", "lists", "Apple, fig, pear"),
    ("Sort these numbers descending: 3, 11, 2, 9.5", "lists", "11, 9.5, 3, 2"),
    ("What is the median of 3, 9, 1, 4?", "lists", "**3.5**"),
    ("What is the sum of 1 to 100?", "lists", "**5,050**"),
    ("If a train travels 60 km/h for 2.5 hours, how far does it go?", "rates", "**150 km**"),
    ("3 apples cost $6, what do 5 apples cost?", "rates", "**$10**"),
    ("How many r's are in strawberry?", "wordplay", "**3**"),
    ('How many syllables are in "beautiful"?', "wordplay", "**3 syllables**"),
    ("Is “Never odd or even” a palindrome?", "wordplay", "Yes"),
    ("Are listen and silent anagrams?", "wordplay", "Yes"),
    ('reverse the word "stone"', "wordplay", "enots"),
    ("What is the capital of Australia?", "facts", "Canberra"),
    ("What is a p-value?", "glossary", "null hypothesis"),
    ("Explain Bradley-Terry", "glossary", "paired comparisons"),
    ("Elo vs Bradley-Terry", "comparison", "**Elo**"),
    ("What's the difference between mean and median?", "comparison", "**median**"),
    ("Should I learn Rust or Go?", "drafts", "“Rust” and “Go”"),
    ("I feel sad about my job", "mirror", "you feel sad about your job"),
]


@pytest.mark.parametrize(("prompt", "skill", "words"), ANSWERS)
def test_a_question_is_answered(prompt: str, skill: str, words: str) -> None:
    name, finding = finding_for(prompt)
    assert name == skill
    assert words.lower() in finding.answer.lower()


TEXT = (
    "The river rises in the hills and runs to the sea. It feeds three towns on its way. In spring the river floods "
    "the low meadows. The towns built walls against the river long ago. Nobody measures the river any more."
)


def test_a_summary_is_made_of_the_texts_own_sentences() -> None:
    _, finding = finding_for(f"Summarise this: {TEXT}")
    assert finding.work is not None
    kept = [line.removeprefix("- ") for line in finding.work.splitlines()]
    assert 0 < len(kept) < 5
    assert all(sentence in TEXT for sentence in kept)


@pytest.mark.parametrize(
    "prompt",
    ["Summarise this: The cat sat.", "Summarise this: One sentence of six words.", "shorten:\n\nNo. Yes."],
)
def test_a_text_too_short_to_shorten_is_told_so(prompt: str) -> None:
    skill, finding = finding_for(prompt)
    assert skill == "prose"
    assert "too short to shorten" in finding.answer


def test_a_short_text_of_two_sentences_is_summarised() -> None:
    _, finding = finding_for("Summarise this: The cat sat down. It slept.")
    assert finding.work == "The cat sat down."


def test_words_are_counted() -> None:
    assert (
        f"**{len(TEXT.split())} words** in 5 sentences" in finding_for(f"Count the words: {TEXT}")[1].answer
    )


@pytest.mark.parametrize(
    ("word", "count"),
    [("cat", 1), ("stone", 1), ("stones", 1), ("little", 2), ("walked", 1), ("wanted", 2), ("window", 2), ("river", 2),
     ("beautiful", 3), ("evening", 2), ("roses", 2), ("poem", 2), ("algorithm", 4), ("rhythm", 1), ("being", 2)],
)  # fmt: skip
def test_syllables_are_counted(word: str, count: int) -> None:
    assert syllables(word) == count


def test_every_stock_line_has_its_syllables_and_its_letter() -> None:
    assert {line: syllables_of_line(line) for line in FIVES if syllables_of_line(line) != 5} == {}
    assert {line: syllables_of_line(line) for line in SEVENS if syllables_of_line(line) != 7} == {}
    assert all(line[0] == letter for letter, lines in ACROSTIC.items() for line in lines)
    assert len(ACROSTIC) == 26


def test_an_acrostic_spells_its_word() -> None:
    _, finding = finding_for("Write an acrostic for WATER")
    assert finding.work is not None
    assert "".join(line.removeprefix("**")[0] for line in finding.work.splitlines()) == "WATER"


def test_a_haiku_has_three_lines() -> None:
    for prompt in (
        "Write a haiku about rain",
        "a haiku about hippopotamuses in Constantinople",
        "write me a haiku",
    ):
        _, finding = finding_for(prompt)
        assert finding.work is not None
        assert [syllables_of_line(line) for line in finding.work.splitlines()] == [5, 7, 5]


def test_the_glossary_has_many_terms_and_each_finds_itself() -> None:
    assert len(TERMS) >= 60
    for term in TERMS:
        assert terms_in(f"What is {term.name}?")[0] is term


PYTHON = [snippet for snippet in SNIPPETS if "python" in snippet.sources]


@pytest.mark.parametrize("snippet", PYTHON, ids=lambda snippet: snippet.title)
def test_the_python_programs_compile(snippet: object) -> None:
    compile(snippet.sources["python"], "snippet", "exec")  # type: ignore[attr-defined]


def run(title: str, expression: str) -> object:
    source = next(snippet.sources["python"] for snippet in PYTHON if snippet.title == title)
    names: dict[str, object] = {}
    exec(source, names)
    return eval(expression, names)


@pytest.mark.parametrize(
    ("title", "expression", "result"),
    [
        ("a string reversal", "reverse('stone')", "enots"),
        ("a palindrome test", "is_palindrome('Never odd or even')", True),
        ("binary search", "[binary_search([1, 3, 5, 7], n) for n in (1, 5, 7, 8, 0)]", [0, 2, 3, None, None]),
        ("Fibonacci numbers", "fibonacci(8)", [0, 1, 1, 2, 3, 5, 8, 13]),
        ("the factorial", "[factorial(0), factorial(5)]", [1, 120]),
        ("the primes up to n", "primes_up_to(20)", [2, 3, 5, 7, 11, 13, 17, 19]),
        ("merge sort", "merge_sort([3, 1, 2, 3])", [1, 2, 3, 3]),
        ("quicksort", "[quicksort([3, 1, 2, 3]), quicksort([])]", [[1, 2, 3, 3], []]),
        ("bubble sort", "[bubble_sort([3, 1, 2, 3]), bubble_sort([])]", [[1, 2, 3, 3], []]),
        ("insertion sort", "[insertion_sort([3, 1, 2, 3]), insertion_sort([])]", [[1, 2, 3, 3], []]),
        ("a word count", "most_common_words('a b A', 1)", [("a", 2)]),
        (
            "a check for e-mail addresses",
            "[looks_like_email(t) for t in ('a@b.org', 'a@b', '@b.c')]",
            [True, False, False],
        ),
        ("a search for duplicates", "duplicates(['a', 'b', 'a'])", ["a"]),
        ("two numbers with a given sum", "two_sum([2, 7, 11, 15], 9)", (0, 1)),
    ],
)
def test_the_python_programs_do_what_they_say(title: str, expression: str, result: object) -> None:
    assert run(title, expression) == result


@pytest.mark.parametrize(
    ("prompt", "topic"),
    [
        ("Explain how a Bradley-Terry leaderboard works to a cook", "Bradley-Terry"),
        ("Write a haiku about rate limits", "a haiku about rate limits"),
        ("What is 17% of 2,340, step by step?", "17% of 2,340"),
        (
            "Write a Python function that checks whether a string is a palindrome",
            "a palindrome test",
        ),
    ],
)
def test_the_subjects_of_the_example_prompts_read_like_things(prompt: str, topic: str) -> None:
    assert finding_for(prompt)[1].topic == topic


@pytest.mark.parametrize(
    ("prompt", "title", "note"),
    [
        ("Write a quicksort in Rust", "quicksort", "I have this only in Python, not in Rust."),
        ("Quick sort in C++", "quicksort", "I have this only in Python, not in C++."),
        ("merge sort in Go", "merge sort", "I have this only in Python, not in Go."),
        ("factorial in JavaScript", "the factorial", "I have this only in Python, not in JavaScript."),
        (
            "FizzBuzz in TypeScript",
            "FizzBuzz",
            "I have this only in Python and JavaScript, not in TypeScript.",
        ),
        ("Write a bubble sort in Python", "bubble sort", None),
        ("implement a sorting algorithm", "merge sort", None),
        ("binary search in JavaScript", "binary search", None),
    ],
)
def test_a_program_in_another_language_than_asked_for_says_so(
    prompt: str, title: str, note: str | None
) -> None:
    _, finding = finding_for(prompt)
    assert (finding.topic, finding.note) == (title, note)


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=lambda character: character.id)
def test_the_missing_language_is_told_in_front_in_every_style(character: Character) -> None:
    text = perform(character, [Message("user", "Write a quicksort in Rust")], 0).text
    assert text.startswith("I have this only in Python, not in Rust.\n\n")
    assert "def quicksort" in text


def test_fizzbuzz_counts_to_a_hundred() -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run("FizzBuzz", "None")
    lines = out.getvalue().split()
    assert (len(lines), lines[2], lines[4], lines[14], lines[15]) == (100, "Fizz", "Buzz", "FizzBuzz", "16")


NASTY = ["(" * 30_000, "1" * 30_000, "a" * 100_000, "reverse " + "!" * 20_000, "sort: " + "a, " * 20_000, "\ud83d half",
         "what is " + "1+" * 250 + "1", "9**9**9**9", "2^200^3", "is " + "x " * 9000 + "a palindrome", " " * 50_000,
         "summarise: " + "word. " * 9000, "“" * 9000, "2024-01-01 " * 3000, "1/0", "0^-1", "sqrt(-4)=", "5 % 0 =",
         "9" * 40 + " * " + "9" * 40, "0 apples cost $3, 5 apples", "prime factors of 99999999977", "\x00", "|", "{s}",
         "write a poem about {s} {0} {topic}", "mean of 1, 1"]  # fmt: skip


@pytest.mark.parametrize("prompt", NASTY, ids=range(len(NASTY)))
def test_no_prompt_breaks_it_or_holds_up_the_event_loop(prompt: str) -> None:
    for character in CHARACTERS.values():
        start = time.thread_time()
        speech = perform(character, [Message("user", prompt)], 0)
        assert speech.text
        speech.text.encode()
        assert time.thread_time() - start < 0.2


VOCABULARY = (
    "what is the sum of mean sort : 3 7.5 , 12% km in miles haiku about r's days between 2024-01-31 and plus * ( ) ^ "
    "prime factors python write a how many letters email to my boss should i or name ideas for I feel ? ! \n\n “ ” |"
)
WORDS = st.sampled_from(VOCABULARY.split(" "))


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=14).map(" ".join) | st.text(max_size=80))
def test_any_words_are_answered(prompt: str) -> None:
    for character in CHARACTERS.values():
        assert perform(character, [Message("user", prompt)], 0).text
