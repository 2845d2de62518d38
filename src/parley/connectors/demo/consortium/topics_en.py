"""Rules of thumb in English, written by hand."""

from parley.connectors.demo.consortium.topic import Topic

ENGLISH: tuple[Topic, ...] = (
    Topic(
        "moving systems",
        r"websites?|servers?|hosting|hosts?|migrat\w+|databases?|deploy\w*|cloud|upgrad\w+|backups?|domains?",
        (
            "Agree first on what must keep working on the day of the change: that list decides every later quarrel.",
            "Make an inventory of everything that depends on the old place, such as mail, certificates and scheduled jobs, before anything is moved.",
            "Move one small, unimportant part this week: it shows more than another planning meeting.",
            "Name one person who may stop the change: shared responsibility is nobody's at night.",
            "Take a full backup and restore it once on another machine: a backup that was never restored is only a hope.",
            "Keep the old place running beside the new one for a while: then going back stays a small step.",
        ),
    ),
    Topic(
        "software design",
        r"microservices?|monoliths?|rewrit\w+|refactor\w*|frameworks?|code ?bases?|architectures?|apis?|tabs|typescript|legacy|bugs?|unit tests?|testing|frontend|backend|software",
        (
            "Write down which change should become easier afterwards: a design without that sentence cannot be judged.",
            "Draw the parts and what each may know of the others before choosing tools: borders are harder to change than libraries.",
            "Build the thinnest version that runs from end to end: it finds the wrong assumptions early.",
            "Choose what the people who will maintain it already know: the best tool that nobody can repair is a debt.",
            "Put tests around what works today before touching it: otherwise nobody can tell a change from a fault.",
            "Try it on one real case and keep notes: the second case costs half, and shows what was luck.",
        ),
    ),
    Topic(
        "money",
        r"rent|buy(?:ing)?|invest\w*|sav(?:e|ing) money|savings|mortgages?|loans?|budget\w*|money|debts?|flat|house|salary|cars?|prices?|pension",
        (
            "Say for how many years it should fit: over a short time flexibility is worth more, over a long one the total cost.",
            "List every yearly cost on both sides, including repairs, fees and time, before comparing anything.",
            "Get one real offer this week: a real figure ends most of the guessing.",
            "Talk with everyone who will pay or live with it: money quarrels are mostly quarrels about unspoken plans.",
            "Keep a reserve for several bad months out of the calculation: what forces people to sell is rarely the plan itself.",
            "Ask somebody who did it some years ago what it really cost: the surprises repeat themselves.",
        ),
    ),
    Topic(
        "sleep and rest",
        r"sleep\w*|tired|insomnia|stress\w*|burn-?out|nap|wake up|rest(?:ed)?",
        (
            "Say what shall be better by day, not how many hours it takes: that is what the nights are for.",
            "Fix the hour of getting up first and let the hour of going to bed follow: the morning sets the clock.",
            "Put the screen and the coffee away earlier from tonight on: both are easy to try and easy to undo.",
            "Settle with those who share the room what wakes you: light, noise and warmth are the cheapest to change.",
            "See a doctor if it goes on for weeks: behind bad nights there may be something that no habit mends.",
            "Keep a short diary of evenings and nights: after two weeks it shows which habit costs the sleep.",
        ),
    ),
    Topic(
        "work and career",
        r"jobs?|careers?|quit|resign|promotion|freelanc\w*|employers?|sabbatical|retire\w*",
        (
            "Write down what the next step must give you that the present one cannot: leaving alone is no goal.",
            "Look for the next thing before ending the present one: the order decides how freely you can choose.",
            "Ask this week for a smaller version, such as fewer hours or unpaid leave: often it can be had.",
            "Talk with those whose plans hang on your income: they will carry a part of it.",
            "Count for how many months the savings last, and set the date at which you would turn back.",
            "Ask two people who did it what surprised them: the surprises are what no plan holds.",
        ),
    ),
    Topic(
        "health and training",
        r"marathon|running|exercis\w*|workouts?|fit(?:ness)?|diet|healthy?|weight|gym|swimm?ing",
        (
            "Set one goal that can be measured in some weeks: without it every bad day looks like failure.",
            "Build a steady base first and add to it in small steps: most injuries come from adding too much at once.",
            "Start with a version so short that it cannot be skipped: regular beats heroic.",
            "Do it with somebody or tell somebody the day and the hour: company keeps more plans alive than will does.",
            "Stop at pain and ask a doctor before a hard start: I have no knowledge of the body in question.",
            "Keep a short diary of what was done and how it felt: after a few weeks it shows what really helps.",
        ),
    ),
    Topic(
        "teams",
        r"teams?|meetings?|projects?|managers?|remote(?:ly)?|office|hir(?:e|ing)|colleagues?|compan(?:y|ies)|start-?ups?|boss|customers?|four-day week|staff|deadlines?",
        (
            "Agree on what a good result looks like before talking about means: half of all disagreements end there.",
            "Write down who decides, who is asked and who is told: then do the work in that order.",
            "Cut the first step until it fits into one week: a small result convinces more than a plan.",
            "Ask the people who will bear it before it is decided: they know the obstacle that the plan leaves out.",
            "Decide beforehand which sign would make you stop: afterwards everybody finds a reason to go on.",
            "Look back together after a month and change one thing: teams improve by small corrections.",
        ),
    ),
    Topic(
        "learning",
        r"learn\w*|study\w*|exams?|courses?|practi[sc]e|languages?|piano|guitar|teach\w*|school|university|students?|memori[sz]e|read(?:ing)? more",
        (
            "Say what you want to be able to do in three months: it tells which half of the material can be left out.",
            "Cover the foundations in order before the tricks: gaps at the bottom cost more later.",
            "Begin with a quarter of an hour a day from today on: the habit matters more than the plan.",
            "Find somebody who learns with you or corrects you: alone, mistakes become habits.",
            "Test yourself without looking things up: reading again feels like knowing and is not.",
            "Explain each piece aloud in your own words: where you get stuck is what to read next.",
        ),
    ),
    Topic(
        "travel and moving house",
        r"trips?|travel\w*|holidays?|vacation|visit\w*|flights?|moving to|move to|relocat\w*|itinerary|tours?",
        (
            "Decide what must not be missed and let the rest be a bonus: a full plan has no room for the place itself.",
            "Fix the nights and the long ways first, then fill the days: the frame is what is hard to change.",
            "Book the one thing that sells out today: all else can wait.",
            "Ask everybody who comes along for one wish: a trip of one person's wishes is tiring for the others.",
            "Check papers, opening days and the way back before paying: these are the mistakes that money does not mend.",
            "Leave one part in four empty: what you learn on the spot goes there.",
        ),
    ),
    Topic(
        "writing and speaking",
        r"presentations?|speech(?:es)?|essays?|articles?|blog\w*|cv|résumé|novels?|stor(?:y|ies)|audience|talks?|public speaking|interviews?",
        (
            "Write the one sentence that should be remembered before anything else: what does not serve it can go.",
            "Order the material as question, answer, reason and example: readers look for it that way.",
            "Write a bad first version in one sitting: it is easier to mend a page than to begin one.",
            "Picture one particular listener and speak to that person: everybody is an audience nobody has met.",
            "Cut whatever you would skip as a reader: length is the most common fault.",
            "Read it aloud once and time it: the ear finds what the eye forgives.",
        ),
    ),
    Topic(
        "a decision",
        r"",
        (
            "Write down what would have to be true for each side to be right: often only one of these can be checked.",
            "Compare the costs of trying, of failing and of going back, in that order.",
            "Try the side that can be tried within a week: what you learn decides better than more thinking.",
            "Ask those who would have to live with the result: they see costs that the one who decides does not.",
            "Look at what cannot be undone, and wait with that part: a late decision is dear, a final one dearer.",
            "Ask somebody who chose each side what they would do again: two honest stories beat ten opinions.",
        ),
        general=True,
    ),
    Topic(
        "a way of doing something",
        r"",
        (
            "Say how you will notice that it is done: a goal that can be seen keeps the work short.",
            "Split it into the first step, the risky step and the last step, and plan these three.",
            "Do the smallest useful piece today: it shows what the plan has forgotten.",
            "Find out who has done it before and ask for the one thing they would change.",
            "Try the riskiest part early and on a small scale: a late surprise is the dear one.",
            "Note what worked after each step: the second time is where the notes pay.",
        ),
        general=True,
    ),
    Topic(
        "an explanation",
        r"",
        (
            "A good explanation of {subject} says what belongs to it, what does not, and gives one example.",
            "Go from what can be seen to the mechanism and then to the exception: in this order most things can be followed.",
            "One good reference work read first saves an evening of scattered pages.",
            "Ask somebody who works with it daily which part beginners get wrong.",
            "Check every name, date and figure against a second source: I have none of my own here.",
            "Explain it aloud to somebody else: where you get stuck is what to look up next.",
        ),
        general=True,
    ),
    Topic(
        "an open question",
        r"",
        (
            "Settle first what the key words are taken to mean: {subject} can be meant in more than one way.",
            "Separate what is known, what is assumed and what is wished, and go through them in that order.",
            "Look for the one fact that would change the answer: get that before anything else.",
            "Ask whom the answer concerns: they may mean something else by the question.",
            "Look for the best case against your first idea: what survives it is worth keeping.",
            "Take one concrete example and follow it to the end: general answers hide where they fail.",
        ),
        general=True,
    ),
)
"""The topics in the order in which they are looked for; the general ones come last."""
