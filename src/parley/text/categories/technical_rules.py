"""Rules by which prompts are about code or maths. Patterns are bounded, so that none is slow on any text."""

from parley.text.categories.rule import Rule, rule

_LANGUAGES = (
    r"(?:python|javascript|typescript|kotlin|golang|haskell|c\+\+(?:\d\d)?|c#|php|matlab|bash|sql|html|css|"
    r"powershell|"
    r"numpy|pytorch|react(?:\.?js)|vue(?:\.js)?|node(?:\.?js)?|django|fastapi|postgres(?:ql)?|mysql|sqlite|"
    r"docker(?:file)?|kubernetes|regexp?|vba|elixir|terraform|opengl|swiftui|jquery|tailwind|spring boot|arduino|"
    r"json schema|graphql|makefile|verilog|cobol|fortran|pytest|junit|webpack|redis|kafka|pyspark|jupyter)"
)
_AMBIGUOUS = r"(?:java|rust|ruby|perl|scala|lua|excel|latex|flask|pandas|assembly|react|git|unix|linux|spark|azure|aws)"

CODING: tuple[Rule, ...] = (
    rule("a block of code", 1.0, r"```"),
    rule(
        "lines of code",
        1.0,
        r"^\s{0,40}(?:def|class) \w{1,60}\s{0,3}[(:]",
        r"^\s{0,40}#include\s{0,3}[<\"]",
        r"^\s{0,40}(?:from \w[\w.]{0,60} )?import [\w{*][\w.{} ,]{0,80};?$",
        r"\b(?:const|let|var) \w{1,40} ?= ?\S",
        r"\b(?:public|private) (?:static |final )?(?:void|int|class|string)\b",
        r"\b(?:create|alter|drop) table\b|\binsert into\b",
        r"\bselect (?:\*|\w{1,40}\(|\w{1,40}, ?\w)",
        r"\b(?:console\.log|system\.out\.print|printf|println!?)\s?\(",
        r"</(?:div|span|html|body|p|a|ul|li|script|button)>",
        r"\bfunction \w{0,40}\([\w, ]{0,80}\) ?\{",
        r"\w\(\w{0,30}\) ?(?:=>|->) ?\{|\) => ",
        r"\bfor ?\((?:int|let|var) ",
        r"\breturn \w[\w.()+* -]{0,40};",
    ),
    rule(
        "an error of a program",
        1.0,
        r"\btraceback \(most recent",
        r"\b(?:segfault|segmentation fault|stack ?trace|null ?pointer|undefined reference|merge conflict)\b",
        r"\bts\d{4}\b",
    ),
    rule("keywords of a language", 1.0, r"\b(?:let|var|const) (?:and|vs\.?|or|und|et|y) (?:let|var|const)\b"),
    rule("a query in SQL", 1.0, r"\bSELECT\b.{1,200}\bFROM\b", cased=True),
    rule("the name of an error", 1.0, r"\b[A-Z]\w{2,30}(?:Error|Exception)\b", cased=True),
    rule("a programming language", 0.6, r"\b(?:in|of|with) (?:R|C|Go|Swift)\b", cased=True),
    rule("a programming language or tool", 1.0, rf"(?<![a-z0-9_/.-]){_LANGUAGES}(?![a-z0-9_])|파이썬"),
    rule("a word that may be a programming language", 0.6, rf"(?<![a-z0-9_/.-]){_AMBIGUOUS}(?![a-z0-9_])"),
    rule(
        "an algorithm of computer science",
        1.0,
        r"\b(?:quick|merge|heap|bubble|insertion) ?sort\b|\bbig[- ]?o\b|\b(?:time|space) complexity\b|\bdijkstra|"
        r"\bbinary search\b|\blinked list|\blru cache|\bhash ?(?:map|table)\b|\bdynamic programming\b|"
        r"\brace condition|\bdeadlocks?\b|\bgarbage collect",
    ),
    rule(
        "a word of programmers",
        0.5,
        r"\b(?:code|coding|source code|programm?(?:ing|ieren|mer)|function|unit tests?|debug\w{0,4}|bugs?|"
        r"refactor\w{0,4}|"
        r"compil\w{1,6}|algorithm|algorithmus|algorithme|algoritmo|script|api|endpoints?|rest api|class|method|"
        r"variables?|pointers?|arrays?|linked list|binary (?:search|tree)|hash ?map|data ?base|datenbank|query|"
        r"regular expression|recursi(?:on|ve)|decorators?|coroutines?|threads?|mutex|race condition|memory leak|"
        r"commit|pull request|backend|frontend|web ?app|web ?server|website|cli|parser|json|yaml|csv|xml|cron|"
        r"stored procedure|time complexity|dataframe|docstring|type hints?|async(?:hronous)?|funktion|fonction|"
        r"función|funzione|função|programa|programme|código|skript|microservices?|ci/cd|kernel module|compiler|"
        r"framework|interface|loops?|datei(?:en)?|singleton|mock|stack|byte|heap|klassen?|classe|clase|"
        r"constructor|runtime|sdk|callback|npm|pip|repository|lambda|"
        r"iterator|generics?|inheritance|polymorphism|caching|load balancer)\b",
        r"代码|函数|编程|程序|算法|コード|関数|プログラム|код\b|функци|программ|코드|함수",
    ),
    rule(
        "asks for a program",
        0.5,
        r"\b(?:write|implement|create|build|develop|code|optimi[sz]e|fix|debug|refactor|review|design|convert|"
        r"port|explain)\b"
        r".{0,40}\b(?:function|script|code|program|class|query|app|api|regex|algorithm|component|method|module|"
        r"server|parser|bot|test|tests|endpoint|schema|pipeline|macro|formula|snippet|command)\b",
        r"\b(?:schreibe?|programmiere|implementiere|erstelle)\b.{0,40}"
        r"\b(?:funktion|skript|programm|klasse|abfrage|code|methode)\b",
        r"\b(?:écris|écrire|crée|programme|implémente)\b.{0,40}\b(?:fonction|script|programme|classe|requête|code)\b",
        r"\b(?:escribe|crea|programa|implementa|haz)\b.{0,40}\b(?:función|script|programa|clase|consulta|código)\b",
        r"\b(?:scrivi|crea)\b.{0,40}\b(?:funzione|script|programma|classe)\b",
        r"\b(?:escreva|crie|faça)\b.{0,40}\b(?:função|script|programa|classe|código)\b",
        r"(?:写|编写|实现).{0,20}(?:函数|程序|代码|脚本)|напиши.{0,30}(?:функци|программ|скрипт|код)",
        r"(?:関数|プログラム|コード).{0,12}(?:書|作)|(?:함수|코드|프로그램).{0,12}(?:작성|만들)",
    ),
    rule(
        "a file or command of programmers", 0.6, r"\b\w{1,30}\.(?:py|js|ts|tsx|java|cpp|rs|go|sh|sql|ipynb)\b"
    ),
    rule("a command line", 0.6, r"\b(?:git|docker|npm|pip|kubectl|sudo|curl|chmod|grep|awk|sed) [a-z-]{2,}"),
)

MATHS: tuple[Rule, ...] = (
    rule(
        "a formula in LaTeX",
        1.0,
        r"\\(?:frac|int|sum|sqrt|lim|infty|cdot|alpha|theta|begin\{|leq?|geq?|mathbb)",
    ),
    rule(
        "a term of mathematics",
        1.0,
        r"\b(?:equations?|integrals?|derivatives?|differentiat\w{1,5}|eigen\w{3,8}|determinant|polynomials?|"
        r"quadratic|"
        r"theorems?|lemma|prime numbers?|primes|factorial|logarithms?|trigonometr\w{1,4}|hypotenuse|calculus|algebra|"
        r"geometry|probability (?:that|of)|permutations?|combinatori\w{1,4}|modulo|greatest common divisor|gcd|lcm|"
        r"standard deviation|confidence interval|binomial|fibonacci|square root|cube root|divisible by|"
        r"least common multiple|compound interest|arithmetic (?:series|sequence|progression)|geometric series|"
        r"converges?|random variables?|distribution of|expected value|variance|integral domain|abelian|perimeter|"
        r"circumference|umfang|perímetro|périmètre|taylor series|fourier|"
        r"vector space|bijective|injective|isomorphi\w{1,3}|matri(?:x|ces))\b",
        r"\b(?:gleichung(?:en)?|integral|ableitung|primzahl(?:en)?|wahrscheinlichkeit|wurzel aus|dreiecks?|satz des|"
        r"beweise,? dass|quadratische|matrizen|logarithmus|hypotenuse|bruchrechnung|zinseszins)\b",
        r"\b(?:équations?|intégrale|dérivée|nombres? premiers?|probabilité|théorème|racine carrée|hypoténuse)\b",
        r"\b(?:ecuaci(?:ón|ones)|integral|derivada|números? primos?|probabilidad|teorema|raíz cuadrada|hipotenusa)\b",
        r"\b(?:equazion[ei]|derivata|numeri primi|probabilità|radice quadrata|equaç(?:ão|ões)|números primos|"
        r"raiz quadrada)\b",
        r"方程|积分|导数|质数|概率|定理|平方根|三角形|方程式|積分|微分|素数|確率|уравнени|интеграл|производн|вероятност|теорем|방정식|적분|확률",
    ),
    rule(
        "a calculation",
        1.0,
        r"(?<![\w.-])\d[\d.,/]{0,12} ?(?:[*×÷^]|\+|squared|cubed|minus) ?\d[\d.,/]{0,12}(?![\w-])",
        r"\b(?:fractions?|decimals?|percentages?|brüche?|brüchen|fracciones|fractions)\b.{0,60}\d|"
        r"\d.{0,60}\bfractions?\b",
        r"\d ?% (?:discount|off|interest|tax|tip|markup|zinsen|rabatt)\b|\bsum of (?:all |the )?\w",
        r"和を|の和|总和|合計",
        r"(?<![\w./-])\d[\d.,]{0,12} (?:[-−/]|mod|plus|minus|times|divided by|mal|fois|por) \d[\d.,]{0,12}(?![\w/])",
        r"\d ?% (?:of|von|de|di) (?:\w{1,12} )?[$€£]?\d",
        r"\b(?:calculate|compute|evaluate|berechne|calcule[rz]?|calcula|calcola|рассчитай|вычисли)\b.{0,60}\d",
        r"\b\d{0,4}[xyn] ?[-+*/^²³=] ?\d|\bf\(x\)|\b[xy] ?= ?-?\d|[a-z]\^\d",
        r"[∑∫√∞≤≥≠∈∀∃]|(?<![α-ωά-ώ])π(?![α-ωά-ώ])",
    ),
    rule(
        "asks to solve or prove",
        1.0,
        r"\bsolve (?:for|the (?:equation|system|integral|following (?:equation|system)))\b",
        r"\bprove (?:that|the|by)\b",
        r"\bshow that (?:there|every|for|if|any|the (?:sum|set|function|sequence|group|map))\b",
        r"\b(?:find|determine) (?:the )?(?:value of|roots?|area|volume|perimeter|sum of|limit|maximum|minimum|"
        r"number of|smallest|largest) ",
        r"\b(?:löse|beweise) (?:die|das|den|dass)\b|\b(?:résous|résoudre|démontre[rz]?|prouve[rz]?) (?:que|l|la)\b",
        r"\b(?:resuelve|demuestra|calcula) (?:que|la|el)\b",
    ),
    rule(
        "a question for a number",
        0.5,
        r"\b(?:how (?:many|much|long|far|old|fast)|average speed|what (?:do|does|did) .{1,40} cost|when (?:do|"
        r"does|will)|what (?:percent(?:age)?|fraction|"
        r"is the (?:total|average|sum|area|"
        r"volume|probability|chance|odds|price|speed))|what time)\b",
        r"\b(?:wie ?viele?|wie lange|wie weit|wie alt|wie schnell|combien|quel (?:est le )?âge|cuánt[oa]s?|"
        r"quant[oiae]s?)\b",
        r"多少|几个|いくつ|何個|сколько|몇",
    ),
    rule(
        "figures to work with",
        0.5,
        r"\d.{1,120}?\bhow (?:many|much)\b|\bhow many (?:\w{1,12} ){1,6}\d|\d.{1,120}\bcuánt[oa]s|"
        r"\bcuánt[oa]s.{1,120}\d",
        r"\d.{1,100}\d.{1,100}\baverage speed\b|\d.{1,60}\bcosts?\b.{1,60}\d",
        r"\d(?:.{1,160}?)\b(?:km|m|cm|kg|miles?|mph|cents?|ways|hours?|minutes?|days?|years?|dollars?|euros?|"
        r"apples?|people|"
        r"workers?|"
        r"stunden|minuten|tage|jahre|äpfel|heures?|jours?|ans|horas?|días?|años|pommes|manzanas|cards?|coins?|dice)\b"
        r".{0,200}?\d",
        r"\d.{1,80}\d.{1,80}\d",
        r"\b(?:each|every|jeder|chaque|cada)\b.{1,60}\d.{1,160}\bhow (?:many|much|long)|\d.{1,80}\beach\b.{1,80}\d",
        r"[$€£]\d.{1,120}\d",
    ),
)
