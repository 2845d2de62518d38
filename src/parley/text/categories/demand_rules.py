"""Rules that are signs of a demanding task. Patterns are bounded."""

from parley.text.categories.rule import rule

TECHNICAL = rule(
    "technical words",
    1.0,
    r"\b(?:algorithm|architecture|distributed|latency|throughput|concurren\w{2,4}|scalab\w{1,6}|consisten(?:cy|"
    r"t hash)|"
    r"encryption|cryptograph\w{1,4}|protocol|neural|transformer|gradient|regression|bayesian|quantum|"
    r"thermodynamic\w{0,3}|"
    r"enzyme|protein|genom\w{1,4}|pharmac\w{2,9}|diagnos\w{2,4}|pathophysiolog\w{1,4}|jurisdiction|liabilit\w{1,3}|"
    r"statute|derivative|macroeconom\w{2,4}|monetary|amortiz\w{2,5}|semiconductor|capacitor|tensor|topolog\w{1,4}|"
    r"kubernetes|postgres\w{0,3}|microservice\w{0,1}|transaction|deadlock|race condition|memory leak|index(?:es|ing)|"
    r"compiler|recursion|complexity|theorem|proof|matrix|eigen\w{3,8}|polynomial|probability|hypothesis|"
    r"statistic\w{0,4}|benchmark|contamination|empirical|randomi[sz]ed|attrition|cash-flow|cost of capital|"
    r"föderal\w{0,2}|rechtlich\w{0,2}|regulator\w{1,3}|treaty|fascism|germline|crispr|"
    r"latency|replica|constitutional|inflation|"
    r"stoichiometr\w{1,4}|oxidation|epistemolog\w{1,4}|phenomenolog\w{1,4}|optimi[sz]ation|constraints?|"
    r"wahrscheinlichkeit|architektur|verteilte[ns]?|datenbank\w{0,3}|verschlüsselung|hypothese|thermodynamik|"
    r"probabilité|architecture|cryptographie|probabilidad|arquitectura|termodinámica)\b",
)
PARTS = rule(
    "several parts",
    1.0,
    r"^\s{0,8}(?:\d[.)]|[-*•]|[a-d]\))\s.{1,400}\n(?:.{0,400}\n){0,3}?\s{0,8}(?:\d[.)]|[-*•]|[a-d]\))\s",
    r"\b(?:first|zuerst|d'abord|primero)\b[^\n]{3,200}\b(?:then|next|after that|dann|danach|ensuite|puis|luego|"
    r"después)\b",
    r"\?[^?]{10,400}\?[^?]{5,400}\?",
    r"\(\w\)[^(]{5,300}\(\w\)",
)
REASONING = rule(
    "a reason to think",
    1.0,
    r"\b(?:prove|derive|justify|compare|contrast|analy[sz]e|evaluate|critique|trade-?offs?|optimi[sz]e|debug|"
    r"diagnose|why does|"
    r"why is|explain why|root cause|design an?|strategy|step[- ]by[- ]step|pros and cons|implications?|argue|"
    r"what would happen|assess|address|propose|discuss|criticis[em]|reflect on|weigh|hypothes[ei]s|"
    r"failure modes?|counterarguments?|"
    r"give your own|consider(?:ing)?|prioriti[sz]e|plan)\b",
    r"\b(?:beweise|begründe|vergleiche|entwirf|analysiere|bewerte|vor- und nachteile|warum|entwirf|abwäg\w{1,4}|"
    r"optimiere)\b",
    r"\b(?:prouve|démontre|justifie|compare|analyse|évalue|avantages et inconvénients|conçois)\b",
    r"\b(?:demuestra|justifica|compara|analiza|evalúa|ventajas y desventajas|diseña)\b",
    r"证明|分析|比较|設計|比較|докажи|сравни|проанализируй",
)
FIGURES = rule("figures", 1.0, r"\d(?:\D{1,200}?\d){2}")

PROOF = rule(
    "something to prove",
    1.0,
    r"\b(?:prove|derive|show) (?:that|the|by|it)\b|\bcounterexample|\bbeweise|\bdémontre|\bdemuestra|证明|докажи",
)
DETAIL_CHARS = 180
"""Characters from which on a prompt is called detailed: about thirty words."""
