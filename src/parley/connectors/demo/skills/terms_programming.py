"""The glossary's terms of programming and networks."""

from parley.connectors.demo.skills.term import Term

PROGRAMMING_TERMS: tuple[Term, ...] = (
    Term(
        "recursion",
        ("recursive",),
        "A function that calls itself on a smaller case until one is so small that the answer is "
        "known. Each call waits for the one below.",
        (
            "It needs a base case and progress towards it.",
            "Every recursion can be written as a loop with a stack.",
        ),
        "The size of a folder: its files plus the size of each folder in it.",
        "Without a base case it ends in a stack overflow.",
        "What is the smallest case, and what does it return?",
        ("big O notation",),
    ),
    Term(
        "big O notation",
        ("big o", "time complexity"),
        "How the cost of a program grows with its input, constants left out. O(n) doubles with the "
        "input, O(n²) quadruples.",
        ("O(log n) hardly grows at all.", "It speaks of growth and not of seconds."),
        "Binary search is O(log n), a good sort O(n log n).",
        "For small inputs the constants it leaves out decide.",
        "What would a tenfold input do to your program?",
        ("hash table",),
    ),
    Term(
        "hash table",
        ("hash map", "hashmap", "dictionary"),
        "A store that computes from the key where the value lies, so that finding takes the same time "
        "however full it is. Collisions go to the next free place or a small list.",
        ("Keys must not change.", "It grows by moving everything to a larger table now and then."),
        "A dict in Python, a Map in JavaScript.",
        "A bad hash function puts everything in one place.",
        "What do you lose compared with a sorted list?",
        ("big O notation",),
    ),
    Term(
        "regex",
        ("regular expression", "regular expressions"),
        "A pattern for text: characters, classes, repetitions and groups. It finds, checks or cuts "
        "out pieces.",
        (
            ". is any character, \\d a digit, + one or more, ? maybe.",
            "Greedy repetitions take as much as they can.",
        ),
        "\\d{4}-\\d{2}-\\d{2} finds dates such as 2024-05-17.",
        "Nested repetitions can take exponential time; nested structures such as HTML need a parser.",
        "What is the shortest text that it should not match?",
        ("parser",),
    ),
    Term(
        "parser",
        ("parsing",),
        "A program that turns text into structure by the rules of a grammar. It says what belongs to "
        "what, or where the text breaks the rules.",
        ("A lexer cuts the text into words first.", "Good error messages are half of the work."),
        "“2 + 3 * 4” becomes a tree with + on top.",
        "Splitting at commas is not parsing, as the first quoted comma shows.",
        "What should happen at the first error?",
        ("regex",),
    ),
    Term(
        "SQL join",
        ("joins", "inner join", "left join", "outer join", "sql joins"),
        "Putting rows of two tables together where a condition holds, usually equal keys. The kind of "
        "join decides what happens to rows without a partner.",
        ("INNER keeps pairs only, LEFT keeps all of the left side.", "Several partners make several rows."),
        "Customers LEFT JOIN orders: customers without orders stay, with NULL.",
        "A filter on the right table in WHERE undoes a LEFT JOIN.",
        "How many rows come out if three match on each side?",
        ("index", "transaction"),
    ),
    Term(
        "index",
        ("database index",),
        "A sorted copy of some columns with pointers to the rows, so that a database need not read "
        "everything. It makes reading faster and writing slower.",
        ("It helps with equality, ranges and order.", "On several columns, their order counts."),
        "An index on (city, name) helps a search by city, not by name alone.",
        "On small tables it is often ignored, and rightly so.",
        "Which of your queries reads a whole table?",
        ("SQL join",),
    ),
    Term(
        "transaction",
        ("database transaction", "ACID"),
        "Several changes that happen together or not at all. A database keeps them apart from others "
        "and, once confirmed, never loses them.",
        ("ACID: atomic, consistent, isolated, durable.", "Long transactions hold up others."),
        "Taking money from one account and adding it to another.",
        "Isolation has levels; the default is rarely the strictest.",
        "What may another reader see halfway through?",
        ("race condition",),
    ),
    Term(
        "DNS",
        ("domain name system",),
        "The internet's directory: it turns names such as example.org into addresses. Answers are "
        "cached for as long as their TTL says.",
        (
            "Resolvers ask from the root downwards.",
            "A record is an IPv4 address, AAAA an IPv6 one, MX the mail server.",
        ),
        "example.org → 93.184.x.x, kept for an hour.",
        "A change is seen by everybody only after the old TTL has run out.",
        "Why does a new address work for you and not for a friend?",
        ("HTTP", "TCP"),
    ),
    Term(
        "HTTP",
        (),
        "The protocol of the web: a request with method, path and headers, and a response with a "
        "status and a body. Each request stands alone.",
        ("2xx worked, 4xx is your mistake, 5xx the server's.", "GET must not change anything."),
        "GET /index.html → 200 and the page.",
        "Without TLS everybody on the way can read it.",
        "What should a client do on 429?",
        ("TLS", "REST"),
    ),
    Term(
        "TLS",
        ("HTTPS", "SSL"),
        "Encryption between two programs on a network, with a proof of the server's identity by "
        "certificate. HTTPS is HTTP inside it.",
        ("A short handshake agrees on keys.", "It protects the way, not the ends."),
        "The padlock in a browser's address bar.",
        "A valid certificate says who it is, not that they are honest.",
        "Who vouches for the one who vouches?",
        ("HTTP",),
    ),
    Term(
        "TCP",
        ("UDP", "TCP/IP"),
        "TCP delivers bytes in order and again if they are lost; UDP sends single packets and "
        "promises nothing. The first is for pages, the second for calls and games.",
        ("TCP slows down when packets are lost.", "A connection opens with a handshake of three steps."),
        "Web pages use TCP, or QUIC on top of UDP.",
        "A TCP connection can be dead without either side knowing.",
        "What do you prefer in a phone call: late or lost?",
        ("HTTP", "DNS"),
    ),
    Term(
        "REST",
        ("REST API", "API"),
        "An API lets programs talk to each other; in the REST style there are resources with "
        "addresses, and the methods of HTTP act on them. State is in the resources and not in the "
        "connection.",
        (
            "GET reads, POST adds, PUT replaces, DELETE removes.",
            "PUT and DELETE may be repeated without harm.",
        ),
        "GET /books/42, DELETE /books/42.",
        "Not everything is a resource; some actions stay awkward.",
        "Which of your calls may safely be sent twice?",
        ("HTTP", "idempotence"),
    ),
    Term(
        "idempotence",
        ("idempotent", "idempotency"),
        "Doing it twice has the same effect as doing it once. That makes retries safe.",
        ("A key sent along lets a server recognise repetitions.", "Reading is idempotent by nature."),
        "“Set the price to 5” is; “raise the price by 1” is not.",
        "The same effect does not mean the same answer.",
        "How would you make a payment idempotent?",
        ("REST",),
    ),
    Term(
        "race condition",
        ("race conditions", "data race"),
        "A fault that depends on who comes first when things happen at once. It shows rarely, and "
        "mostly in production.",
        ("Locks, transactions or single owners prevent it.", "Tests seldom catch it by accident."),
        "Two people book the last seat in the same second.",
        "“Check, then act” is wrong unless nothing can happen in between.",
        "Where do you check something that may change before you use it?",
        ("deadlock", "transaction"),
    ),
    Term(
        "deadlock",
        ("deadlocks",),
        "Two or more wait for each other and none can go on. Each holds what another needs.",
        ("Taking locks in one fixed order prevents it.", "Databases detect it and give one side an error."),
        "A holds the pen and wants the paper; B holds the paper and wants the pen.",
        "A time limit hides it more often than it cures it.",
        "In which order do you take your locks?",
        ("race condition",),
    ),
    Term(
        "async",
        ("asyncio", "event loop", "async/await", "asynchronous"),
        "Doing other things while waiting: one thread runs many tasks and switches whenever one waits "
        "for the network or a disk. It helps with waiting, not with computing.",
        ("await marks where a switch may happen.", "One blocking call stops everybody."),
        "A thousand open connections on a single thread.",
        "It saves threads, not processor time.",
        "Which of your calls would block the loop?",
        ("race condition", "threads"),
    ),
    Term(
        "cache",
        ("caching",),
        "Keeping a result near at hand because it will be needed again. It trades memory and "
        "freshness for speed.",
        (
            "The hard part is knowing when it is out of date.",
            "Least recently used is thrown out first, as a rule.",
        ),
        "A browser keeps a logo for a day.",
        "A wrong cached answer is wrong very quickly.",
        "What may be stale, and for how long?",
        ("hash table",),
    ),
    Term(
        "Git",
        ("version control", "git rebase", "git merge"),
        "A history of snapshots of files, each with a message and its parents. Branches are names for "
        "snapshots; merging joins two histories.",
        ("Commits are named by their content's hash.", "Rebase rewrites history, merge keeps it."),
        "git switch -c fix, commit, merge.",
        "Do not rewrite history that others have.",
        "What should a commit message say that the change does not?",
        ("hash",),
    ),
    Term(
        "hash",
        ("hash function", "hashing", "sha-256"),
        "A short fingerprint of data: the same data give the same one, and the smallest change "
        "another. From a cryptographic one nobody finds the data, or others with the same one.",
        ("SHA-256 has 256 bits.", "It is no encryption: there is no way back."),
        "A download's checksum.",
        "Passwords need slow, salted hashes; a plain one is guessed fast.",
        "Why does a salt help?",
        ("hash table", "Git"),
    ),
    Term(
        "unit test",
        ("unit tests", "unit testing"),
        "A small program that calls one piece of code and checks what comes back. Many of them run in "
        "seconds and say at once what broke.",
        ("Good names read like sentences.", "A test that cannot fail is worth nothing."),
        "add(2, 2) must be 4.",
        "They say that the pieces work, not that they fit together.",
        "Which change to the code would your test not notice?",
        ("regression test",),
    ),
    Term(
        "JSON",
        (),
        "A text format for data: objects, lists, strings, numbers, true, false and null. It is easy "
        "to read for people and programs.",
        ("Keys are strings in double quotes.", "There are no comments and no dates."),
        '{"name": "Lin", "tags": ["a", "b"]}',
        "Large integers lose digits where numbers are floats.",
        "How would you write a date in it?",
        ("parser",),
    ),
    Term(
        "Unicode",
        ("UTF-8",),
        "A number for every character of every script; UTF-8 writes these numbers in one to four "
        "bytes, ASCII unchanged. What people see as one sign may be several numbers.",
        (
            "There are about 150,000 characters.",
            "The same look can be written in two ways, so compare normalised.",
        ),
        "é is U+00E9, or e followed by U+0301.",
        "The length of a text depends on what you count: bytes, code points or signs.",
        "How long is a flag emoji?",
        ("JSON",),
    ),
    Term(
        "container",
        ("docker", "containers"),
        "A program packed with all it needs and run apart from the rest, on the host's kernel. It "
        "starts in a moment and runs the same everywhere.",
        (
            "An image is the recipe's result, a container a running one.",
            "It is lighter than a virtual machine and less apart.",
        ),
        "docker run -p 8080:80 nginx",
        "What it stores inside is gone with it, unless a volume is attached.",
        "What of yours must survive a restart?",
        ("virtual machine",),
    ),
    Term(
        "closure",
        ("closures",),
        "A function that remembers the variables of the place where it was made. It carries its "
        "surroundings along.",
        (
            "It is how callbacks keep their context.",
            "It holds the variable itself and not a copy of its value.",
        ),
        "def adder(n): return lambda x: x + n",
        "Functions made in a loop all see the last value of its variable.",
        "What is kept alive by it?",
        ("recursion",),
    ),
)
