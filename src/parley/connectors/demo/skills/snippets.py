"""The collection of short programs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Snippet:
    """A program for one task, in one or more languages; `pattern` recognises the task."""

    pattern: str
    title: str
    family: str
    idea: str
    sources: dict[str, str]
    points: tuple[str, ...] = ()
    example: str | None = None
    caveat: str | None = None
    check: str | None = None


SNIPPETS: tuple[Snippet, ...] = (
    Snippet(
        r"fizz ?-?buzz", "FizzBuzz", "first steps", "Test for 15 first, because it is the case that both others hide.",
        {
            "python": 'for n in range(1, 101):\n    word = "Fizz" * (n % 3 == 0) + "Buzz" * (n % 5 == 0)\n    print(word or n)',
            "javascript": 'for (let n = 1; n <= 100; n++) {\n  const word = (n % 3 ? "" : "Fizz") + (n % 5 ? "" : "Buzz");\n  console.log(word || n);\n}',
        },
        ("An empty text counts as false, so the number is printed.",), "15 prints FizzBuzz, 9 prints Fizz.",
        "Building the word from parts is short; three plain ifs are easier to read.", "What changes if 7 should say Bang?",
    ),
    Snippet(
        r"revers(e|es|ing) (a |the |an? )?(string|text|word)", "a string reversal", "strings", "A slice with step −1 walks through the string backwards.",
        {
            "python": "def reverse(text: str) -> str:\n    return text[::-1]",
            "javascript": 'const reverse = (text) => [...text].reverse().join("");',
        },
        ("It makes a new string; strings cannot be changed in place.",), 'reverse("stone") gives "enots".',
        "Characters made of several code points, such as flags, come apart.", "How would you reverse only the words?",
    ),
    Snippet(
        r"palindrome", "a palindrome test", "strings", "Keep letters and digits only, then compare with the reverse.",
        {
            "python": "def is_palindrome(text: str) -> bool:\n    kept = [c.casefold() for c in text if c.isalnum()]\n    return kept == kept[::-1]",
            "javascript": 'const isPalindrome = (text) => {\n  const kept = text.toLowerCase().replace(/[^\\p{L}\\p{N}]/gu, "");\n  return kept === [...kept].reverse().join("");\n};',
        },
        ("casefold() compares letters more strictly than lower().",), 'is_palindrome("Never odd or even") is True.',
        "An empty text counts as a palindrome.", "Can you do it without making a second list?",
    ),
    Snippet(
        r"binary search|bisect", "binary search", "searching", "Halve the range that can still hold the value until nothing is left.",
        {
            "python": "def binary_search(items: list[int], wanted: int) -> int | None:\n    low, high = 0, len(items)\n    while low < high:\n        middle = (low + high) // 2\n        if items[middle] < wanted:\n            low = middle + 1\n        else:\n            high = middle\n    return low if low < len(items) and items[low] == wanted else None",
            "javascript": "function binarySearch(items, wanted) {\n  let low = 0;\n  let high = items.length;\n  while (low < high) {\n    const middle = (low + high) >>> 1;\n    if (items[middle] < wanted) low = middle + 1;\n    else high = middle;\n  }\n  return items[low] === wanted ? low : -1;\n}",
        },
        ("It takes about log₂ n steps: 20 for a million entries.", "The range is half-open: low is in it, high is not."),
        "binary_search([1, 3, 5, 7], 5) gives 2.", "The list must be sorted; otherwise the answer is meaningless.", "Which of several equal values does it find?",
    ),
    Snippet(
        r"fibonacci", "Fibonacci numbers", "numbers", "Keep the last two numbers and add them.",
        {
            "python": "def fibonacci(count: int) -> list[int]:\n    numbers, a, b = [], 0, 1\n    for _ in range(count):\n        numbers.append(a)\n        a, b = b, a + b\n    return numbers",
            "javascript": "function fibonacci(count) {\n  const numbers = [];\n  let [a, b] = [0, 1];\n  for (let i = 0; i < count; i++) {\n    numbers.push(a);\n    [a, b] = [b, a + b];\n  }\n  return numbers;\n}",
        },
        ("Plain recursion needs exponential time; this needs one addition per number.",), "fibonacci(8) gives 0, 1, 1, 2, 3, 5, 8, 13.",
        "Some people start at 1.", "Why does the plain recursive version get so slow?",
    ),
    Snippet(
        r"factorial", "the factorial", "numbers", "Multiply the numbers from 1 to n.",
        {"python": 'def factorial(n: int) -> int:\n    if n < 0:\n        raise ValueError("n must not be negative")\n    product = 1\n    for k in range(2, n + 1):\n        product *= k\n    return product'},
        ("The empty product is 1, so 0! = 1.",), "factorial(5) gives 120.", "In daily use math.factorial is faster.", "How many zeros end 100!?",
    ),
    Snippet(
        r"\bprimes?\b|sieve", "the primes up to n", "numbers", "Cross out the multiples of every prime, beginning at its square.",
        {"python": "def primes_up_to(limit: int) -> list[int]:\n    is_prime = [True] * (limit + 1)\n    is_prime[0:2] = [False, False]\n    for n in range(2, int(limit**0.5) + 1):\n        if is_prime[n]:\n            is_prime[n * n :: n] = [False] * len(is_prime[n * n :: n])\n    return [n for n, prime in enumerate(is_prime) if prime]"},
        ("This is the sieve of Eratosthenes.",), "primes_up_to(20) gives 2, 3, 5, 7, 11, 13, 17, 19.",
        "It needs memory for every number up to the limit, and a limit of at least 1.", "Why is it enough to begin at n × n?",
    ),
    Snippet(
        r"quick-? ?sort", "quicksort", "searching", "Choose a pivot, put the smaller values before it and the larger ones behind, and sort both parts.",
        {
            "python": "def quicksort(items: list[int]) -> list[int]:\n    if len(items) < 2:\n        return items\n    pivot = items[len(items) // 2]\n    smaller = [item for item in items if item < pivot]\n    equal = [item for item in items if item == pivot]\n    larger = [item for item in items if item > pivot]\n    return quicksort(smaller) + equal + quicksort(larger)",
        },
        ("On average it needs about n log n comparisons; unlucky pivots make it n².", "Sorting in place with swaps saves the three new lists."),
        "quicksort([3, 1, 2]) gives [1, 2, 3].", "This version makes new lists; sorted() is the right tool in daily use.", "Which order of the items makes every pivot a bad one?",
    ),
    Snippet(
        r"bubble-? ?sort", "bubble sort", "searching", "Swap neighbours that stand the wrong way round until a pass swaps nothing.",
        {
            "python": "def bubble_sort(items: list[int]) -> list[int]:\n    done = list(items)\n    for end in range(len(done) - 1, 0, -1):\n        swapped = False\n        for n in range(end):\n            if done[n] > done[n + 1]:\n                done[n], done[n + 1] = done[n + 1], done[n]\n                swapped = True\n        if not swapped:\n            break\n    return done",
        },
        ("After each pass the largest of the rest stands at its place.",), "bubble_sort([3, 1, 2]) gives [1, 2, 3].",
        "It needs about n² comparisons; sorted() is the right tool in daily use.", "How many passes does a sorted list take?",
    ),
    Snippet(
        r"insertion-? ?sort", "insertion sort", "searching", "Take the items one by one, and put each at its place among those before it.",
        {
            "python": "def insertion_sort(items: list[int]) -> list[int]:\n    done = list(items)\n    for n in range(1, len(done)):\n        item, place = done[n], n\n        while place > 0 and done[place - 1] > item:\n            done[place] = done[place - 1]\n            place -= 1\n        done[place] = item\n    return done",
        },
        ("On a list that is nearly sorted it is very fast.",), "insertion_sort([3, 1, 2]) gives [1, 2, 3].",
        "In general it needs about n² steps; sorted() is the right tool in daily use.", "Why do equal items keep their order?",
    ),
    Snippet(
        r"merge-? ?sort|sorting algorithm|sort (a |an |the )?(list|array)", "merge sort", "searching",
        "Sort both halves, then merge them by always taking the smaller front.",
        {"python": "def merge_sort(items: list[int]) -> list[int]:\n    if len(items) < 2:\n        return items\n    middle = len(items) // 2\n    left, right = merge_sort(items[:middle]), merge_sort(items[middle:])\n    merged = []\n    while left and right:\n        merged.append((left if left[0] <= right[0] else right).pop(0))\n    return merged + left + right"},
        ("It needs about n log n comparisons, whatever the order.",), "merge_sort([3, 1, 2]) gives [1, 2, 3].",
        "pop(0) is slow on long lists; sorted() is the right tool in daily use.", "Where would it lose its stability if <= became <?",
    ),
    Snippet(
        r"word (count|frequency)|count (the )?words|most (common|frequent) words", "a word count", "strings", "Split into words and let a Counter count.",
        {
            "python": "import re\nfrom collections import Counter\n\n\ndef most_common_words(text: str, count: int = 10) -> list[tuple[str, int]]:\n    words = re.findall(r\"[\\w']+\", text.casefold())\n    return Counter(words).most_common(count)",
            "bash": "tr -cs '[:alpha:]' '\\n' < text.txt | tr '[:upper:]' '[:lower:]' | sort | uniq -c | sort -rn | head",
        },
        ("casefold() makes “The” and “the” one word.",), None, "What counts as a word is your decision: the pattern is it.", "Should “don't” be one word or two?",
    ),
    Snippet(
        r"read (a |the )?(csv|file)|csv|open (a |the )?file", "a CSV reader", "files", "Let the csv module do the quoting, and close the file by a with block.",
        {"python": 'import csv\n\nwith open("people.csv", newline="", encoding="utf-8") as file:\n    for row in csv.DictReader(file):\n        print(row["name"], row["city"])'},
        ("Each row is a dictionary with the header as keys.",), None, "Splitting at commas by hand breaks at the first quoted comma.", "What happens with a row that is too short?",
    ),
    Snippet(
        r"\b(inner|left|right|outer|sql)\b.{0,20}\bjoin|join .{0,20}tables?", "a SQL join", "databases",
        "INNER JOIN keeps rows with a partner on both sides; LEFT JOIN keeps every row of the left.",
        {"sql": "SELECT customers.name, COUNT(orders.id) AS orders\nFROM customers\nLEFT JOIN orders ON orders.customer_id = customers.id\nGROUP BY customers.id, customers.name\nORDER BY orders DESC;"},
        ("Without a partner the columns of the right side are NULL.", "COUNT(orders.id) does not count NULL, so such customers show 0."),
        None, "A condition on the right table in WHERE turns a LEFT JOIN into an INNER JOIN.", "Which customers would an INNER JOIN lose?",
    ),
    Snippet(
        r"(second|2nd|nth).{0,12}highest|top (n|\d+) (per|in each)", "the second highest value in SQL", "databases", "Number the different values from the top and take the second.",
        {"sql": "SELECT salary\nFROM (\n    SELECT salary, DENSE_RANK() OVER (ORDER BY salary DESC) AS place\n    FROM employees\n) AS ranked\nWHERE place = 2\nLIMIT 1;"},
        ("DENSE_RANK gives equal salaries the same place and skips none.",), None, "With ROW_NUMBER two equal top salaries would take places 1 and 2.", "What should come out if there is only one salary?",
    ),
    Snippet(
        r"(email|e-mail).{0,20}(regex|valid)|regex.{0,20}(email|e-mail)", "a check for e-mail addresses", "strings", "Ask only for one @ with something on both sides and a dot behind it.",
        {"python": 'import re\n\nEMAIL = re.compile(r"[^@\\s]+@[^@\\s]+\\.[^@\\s]+")\n\n\ndef looks_like_email(text: str) -> bool:\n    return EMAIL.fullmatch(text) is not None'},
        ("The full grammar is huge; a stricter pattern rejects real addresses.",), 'looks_like_email("a@b.org") is True.', "Only a message that arrives proves an address.", "Which valid address does it reject?",
    ),
    Snippet(
        r"(http|web|api) ?(get )?request|fetch (a |an |the )?(url|api|json|page)|call an api", "a web API request", "files", "Check the status, set a limit of time, then read the JSON.",
        {
            "javascript": 'const response = await fetch("https://example.org/data.json", {\n  signal: AbortSignal.timeout(5000),\n});\nif (!response.ok) throw new Error(`Status ${response.status}`);\nconst data = await response.json();',
            "bash": "curl --fail --max-time 5 https://example.org/data.json",
        },
        ("fetch does not fail on status 404 by itself.",), None, "Without a limit of time a silent server holds you for ever.", "What would you do on status 429?",
    ),
    Snippet(
        r"(find|remove|detect).{0,20}duplicates", "a search for duplicates", "searching", "Remember what was seen in a set.",
        {"python": "def duplicates(items: list[str]) -> list[str]:\n    seen: set[str] = set()\n    return [item for item in items if item in seen or seen.add(item)]"},
        ("A look-up in a set takes the same time however large it is.",), 'duplicates(["a", "b", "a"]) gives ["a"].', "seen.add returns None, which counts as false; clever, and not everybody likes it.", "How would you keep the first of each instead?",
    ),
    Snippet(
        r"cent(er|re) a div|cent(er|re).{0,20}(css|div)", "a centred box in CSS", "files", "Make the parent a grid and let it place its items in the centre.",
        {"css": ".parent {\n  display: grid;\n  place-items: center;\n  min-height: 100dvh;\n}"},
        ("place-items sets both directions at once.",), None, "Without a height there is no room to centre in.", "What should happen if the box is taller than its parent?",
    ),
    Snippet(
        r"(two|2) ?sum", "two numbers with a given sum", "searching", "Remember each number, and look for its complement.",
        {"python": "def two_sum(numbers: list[int], target: int) -> tuple[int, int] | None:\n    places: dict[int, int] = {}\n    for place, number in enumerate(numbers):\n        if target - number in places:\n            return places[target - number], place\n        places[number] = place\n    return None"},
        ("One pass is enough; two nested loops would need n² steps.",), "two_sum([2, 7, 11, 15], 9) gives (0, 1).", "Only the first pair that is found comes back.", "What if the list is sorted already?",
    ),
)  # fmt: skip
