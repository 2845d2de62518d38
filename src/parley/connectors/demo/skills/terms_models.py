"""The glossary's terms of models and of comparing them."""

from parley.connectors.demo.skills.term import Term

MODEL_TERMS: tuple[Term, ...] = (
    Term(
        "Bradley-Terry",
        ("Bradley-Terry model", "Bradley–Terry"),
        "A model of paired comparisons: each contestant has a strength, and the chance that one beats "
        "another depends only on the difference of their strengths. It is fitted to all results at "
        "once.",
        (
            "The order of the results does not matter, unlike with Elo.",
            "Ties count as half a win for each side, or get a parameter of their own.",
        ),
        "If A is rated 400 points above B on the usual scale, A wins ten times as often as B.",
        "Strengths are only comparable if everybody is linked by a chain of comparisons.",
        "What happens to a model that has won every single comparison?",
        ("Elo", "confidence interval"),
    ),
    Term(
        "Elo",
        ("Elo rating", "Elo score"),
        "A rating that moves after each game: by the difference between the result and what was "
        "expected, times a step size K. Expected results follow from the difference of the two "
        "ratings.",
        (
            "A difference of 400 points means odds of ten to one.",
            "A large K reacts fast and trembles; a small K is calm and late.",
        ),
        "With equal ratings and K = 32, the winner gains 16 points and the loser gives them.",
        "The rating depends on the order of the games, so two orders of the same results end apart.",
        "Why can a player of 1500 win and gain only one point?",
        ("Bradley-Terry",),
    ),
    Term(
        "token",
        ("tokens", "tokenisation", "tokenization", "tokenizer", "tokeniser"),
        "A piece of text that a language model reads or writes at once: a short word, a part of a "
        "longer one, or a sign. Models count, limit and price everything in tokens.",
        (
            "In English a token is about four characters, or three quarters of a word.",
            "Rare words and other scripts need more tokens.",
        ),
        "“Unbelievable” may be split into “un”, “believ” and “able”.",
        "Every family of models splits text in its own way, so counts differ between them.",
        "Why is it hard for a language model to count the letters of a word?",
        ("context window",),
    ),
    Term(
        "temperature",
        (),
        "A setting that flattens or sharpens the odds from which a language model draws the next "
        "token. At 0 it takes the likeliest one; higher values give rarer ones a chance.",
        (
            "Scores are divided by the temperature before they become probabilities.",
            "It changes variety, not knowledge.",
        ),
        "At 0.2 five answers look alike; at 1.2 they wander.",
        "Even at 0 some servers do not answer the same twice.",
        "Would you raise it for a poem, for a proof, or for neither?",
        ("top-p sampling", "token"),
    ),
    Term(
        "top-p sampling",
        ("top-p", "nucleus sampling"),
        "Drawing the next token only from the smallest set of likely ones whose probabilities add up "
        "to p. The unlikely tail is cut off before the draw.",
        (
            "With p = 1 nothing is cut off.",
            "The set grows where the model is unsure and shrinks where it is sure.",
        ),
        "With p = 0.9 and one token at 95 %, only that one is left.",
        "Changing temperature and top-p together makes effects hard to tell apart.",
        "When does a small p make no difference at all?",
        ("temperature",),
    ),
    Term(
        "context window",
        ("context length",),
        "The number of tokens that a model can take into account at once, question and answer "
        "together. What lies before it is as if it had never been said.",
        (
            "A long conversation fills it, and something must be left out or summarised.",
            "Cost and waiting time grow with what is sent.",
        ),
        "8,000 tokens are about 12 pages of text.",
        "Being inside the window does not mean being noticed: the middle of long texts is often overlooked.",
        "What would you leave out first when it is full?",
        ("token",),
    ),
    Term(
        "hallucination",
        ("hallucinations",),
        "A statement of a model that sounds certain and has no basis. It arises because the model "
        "continues text plausibly and does not look facts up.",
        (
            "Names, figures, quotations and links are the usual victims.",
            "Sources that can be checked help more than asking for honesty.",
        ),
        "A made-up book title by a real author.",
        "A model's own confidence is a weak sign, though not an empty one.",
        "How would you notice one in a field that you do not know?",
        ("retrieval-augmented generation",),
    ),
    Term(
        "retrieval-augmented generation",
        ("RAG",),
        "Looking passages up first and giving them to the model with the question. It answers from "
        "what it was shown instead of from memory alone.",
        ("Passages are usually found by comparing embeddings.", "The answer can name its sources."),
        "Asking a handbook: the three closest paragraphs go into the prompt.",
        "If the search misses the right passage, the answer misses it too.",
        "Which errors does it cure, and which does it add?",
        ("embedding",),
    ),
    Term(
        "embedding",
        ("embeddings",),
        "A list of numbers that stands for a text, made so that texts of similar meaning lie close "
        "together. Closeness is usually measured by the angle between them.",
        (
            "It has a few hundred to a few thousand numbers.",
            "It serves search, grouping and finding near-duplicates.",
        ),
        "“car” lies close to “automobile”, far from “carpet”.",
        "Two embeddings from different models cannot be compared.",
        "Can a text and its opposite lie close together?",
        ("cosine similarity",),
    ),
    Term(
        "prompt",
        ("prompt engineering",),
        "The text that a model is given to continue or to answer. Its wording, order and examples "
        "shape the answer.",
        (
            "Saying what the answer is for often helps more than adding rules.",
            "One good example replaces many adjectives.",
        ),
        "“Summarise for a board, three bullets, no jargon” beats “summarise well”.",
        "What works with one model may fail with the next, or with its next version.",
        "Which sentence of your prompt could be left out?",
        ("system prompt", "few-shot learning"),
    ),
    Term(
        "system prompt",
        ("system message",),
        "Instructions that stand before the conversation and hold for all of it: role, tone, limits. "
        "The person who asks usually does not see them.",
        ("Models are trained to give them more weight.", "They cost tokens in every turn."),
        "“Answer in British English, and ask when something is unclear.”",
        "They are guidance and no lock: do not put secrets in them.",
        "What should go there, and what into the question?",
        ("prompt",),
    ),
    Term(
        "few-shot learning",
        ("few-shot", "zero-shot"),
        "Showing a model a few solved examples in the prompt, so that it continues in the same way. "
        "Nothing in the model changes; with no example it is called zero-shot.",
        ("Form is learnt faster than substance.", "Order and balance of the examples matter."),
        "Three reviews with labels, then a fourth without.",
        "Examples that are all alike teach the wrong rule.",
        "How many examples would you need before training pays off?",
        ("fine-tuning", "prompt"),
    ),
    Term(
        "fine-tuning",
        ("finetuning",),
        "Training a finished model further on examples of one's own. It changes the model's weights "
        "and thereby its habits.",
        (
            "It teaches manner and format better than facts.",
            "Small adapters (LoRA) change a tiny part of the weights.",
        ),
        "A thousand support answers, so that the tone fits.",
        "It can unlearn other things on the way.",
        "Could a better prompt have done it?",
        ("LoRA", "few-shot learning"),
    ),
    Term(
        "LoRA",
        ("low-rank adaptation",),
        "A way to fine-tune by adding two small matrices to each large one and training only these. "
        "The original weights stay as they are.",
        ("It trains far fewer than one per cent of the parameters.", "Adapters can be swapped like lenses."),
        "One base model, ten adapters, ten customers.",
        "It cannot add what the small rank has no room for.",
        "What does the rank decide?",
        ("fine-tuning",),
    ),
    Term(
        "quantisation",
        ("quantization",),
        "Storing a model's weights with fewer bits, such as 4 instead of 16. It needs less memory and "
        "often runs faster, at some cost in quality.",
        ("8 bits are hardly noticed; below 4 it shows.", "It makes large models fit on home computers."),
        "A model of 7 billion weights shrinks from 14 GB to about 4 GB.",
        "Averages hide that rare skills suffer first.",
        "Which tasks would you test before trusting it?",
        ("token",),
    ),
    Term(
        "mixture of experts",
        ("MoE",),
        "A model with many parallel parts of which each token passes only a few, chosen by a small "
        "router. It knows much and computes little per token.",
        (
            "All experts must be in memory, though few are used.",
            "The experts do not divide the world by topic as people would.",
        ),
        "8 experts, 2 used per token.",
        "Its parameter count says little about its speed.",
        "Why must the router be kept from favourites?",
        ("transformer",),
    ),
    Term(
        "transformer",
        ("transformers",),
        "The design behind today's language models: layers in which every token looks at the others "
        "(attention) and is then transformed by itself. All tokens of a text are processed at once.",
        ("It was introduced in 2017.", "Plain attention costs grow with the square of the length."),
        "In “the cat that the dog chased ran”, “ran” looks back at “cat”.",
        "It says nothing about size or training, only about shape.",
        "What would be lost without the positions of the tokens?",
        ("attention",),
    ),
    Term(
        "attention",
        ("self-attention",),
        "A weighted look-back: each token asks all others how relevant they are, and takes a mixture "
        "of what they hold. The weights come from comparing queries with keys.",
        (
            "Several heads look for different things at once.",
            "Stored keys and values (the KV cache) save work while writing.",
        ),
        "“It” in a sentence puts its weight on the noun it stands for.",
        "Weights are no explanation of why a model said something.",
        "What limits how far back it can look?",
        ("transformer",),
    ),
    Term(
        "LLM-as-a-judge",
        ("LLM judge", "model as judge", "AI judge"),
        "Letting a language model compare or grade answers. It is fast and cheap, and agrees with "
        "people often enough to be useful.",
        (
            "Judges favour long answers, the first place, and their own family.",
            "Swapping the places and judging twice removes part of that.",
        ),
        "“Which of these two answers is more helpful, A or B?”",
        "A judge cannot reliably grade what it could not solve itself.",
        "How would you find out how far to trust it?",
        ("blind test",),
    ),
    Term(
        "blind test",
        ("blind comparison", "blind testing", "A/B test", "AB test"),
        "A comparison in which the judge does not know which side is which. It keeps names and "
        "expectations out of the result.",
        (
            "Places are drawn at random, so that they favour nobody.",
            "In an A/B test each person sees only one of the two.",
        ),
        "Two answers without names; who wrote them is shown after the vote.",
        "Style can give a side away even without a name.",
        "What besides the name could tell you who is speaking?",
        ("Bradley-Terry", "LLM-as-a-judge"),
    ),
    Term(
        "latency",
        ("TTFT", "time to first token"),
        "The time until something happens. For language models it is mostly the time to the first "
        "token; after that the tokens per second count.",
        ("Long prompts delay the first token.", "The slowest few per cent annoy more than the average."),
        "0.4 s to the first token, then 60 tokens a second.",
        "An average hides the worst cases: look at the 95th percentile.",
        "Which of the two would you rather halve?",
        ("token", "percentile"),
    ),
    Term(
        "perplexity",
        (),
        "How surprised a language model is by a text, on average: the number of equally likely tokens "
        "it seems to choose among at each step. Lower is better.",
        (
            "It is the exponential of the cross-entropy per token.",
            "It needs the probabilities, which many services do not tell.",
        ),
        "A perplexity of 10: as unsure as a fair choice among ten.",
        "Only models with the same tokens can be compared by it.",
        "Could a model with low perplexity still be useless?",
        ("entropy",),
    ),
)
