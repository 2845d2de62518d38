"""The glossary's terms of statistics."""

from parley.connectors.demo.skills.term import Term

STATISTICS_TERMS: tuple[Term, ...] = (
    Term(
        "p-value",
        ("p value",),
        "The probability of data at least as extreme as yours, if the null hypothesis were true. "
        "Small values mean that data and hypothesis fit badly.",
        (
            "It is not the probability that the hypothesis is true.",
            "The usual limit of 0.05 is a habit and no law of nature.",
        ),
        "15 heads in 20 throws of a fair coin, or something more extreme: p ≈ 0.04.",
        "Try twenty things and one will fall below 0.05 by chance.",
        "What would you have to know besides to say how likely the hypothesis is?",
        ("null hypothesis", "statistical significance"),
    ),
    Term(
        "null hypothesis",
        (),
        "The assumption that a test tries to shake: usually that there is no effect or no difference. "
        "It is rejected or not rejected, never proved.",
        ("It must be stated before looking at the data.", "Its counterpart is the alternative hypothesis."),
        "“Both versions sell equally well.”",
        "Not rejecting it may only mean too little data.",
        "What result would make you give it up?",
        ("p-value",),
    ),
    Term(
        "statistical significance",
        ("statistically significant", "significance"),
        "A result is called significant if its p-value lies below a limit that was fixed before. It "
        "says that chance alone explains it badly.",
        (
            "It says nothing about how large or important the effect is.",
            "With enough data every tiny difference becomes significant.",
        ),
        "A new button sells 0.1 % more, and a million visits make it significant.",
        "The difference between significant and not significant is often not significant itself.",
        "Would you act on it if the effect were a tenth as large?",
        ("p-value", "effect size"),
    ),
    Term(
        "effect size",
        (),
        "How large a difference is, apart from how sure we are of it. Often it is given in units of "
        "the spread (Cohen's d).",
        ("It does not grow with the sample.", "It makes studies comparable."),
        "d = 0.5: the averages lie half a standard deviation apart.",
        "“Small” and “large” depend on what is at stake.",
        "Which size would matter to you?",
        ("statistical significance",),
    ),
    Term(
        "confidence interval",
        ("confidence intervals",),
        "A range computed so that it covers the true value in, say, 95 of 100 repetitions. A wide one "
        "says that the data decide little.",
        (
            "Four times the data halve its width.",
            "Overlapping intervals do not prove that two values are equal.",
        ),
        "A rating of 1200 ± 30.",
        "A given interval holds the value or does not; the 95 % belong to the procedure.",
        "How would it look with only ten observations?",
        ("p-value", "bootstrap"),
    ),
    Term(
        "bootstrap",
        ("bootstrapping",),
        "Estimating uncertainty by drawing new samples from one's own data, with replacement, and "
        "computing the figure on each. The spread of the results is the uncertainty.",
        ("A thousand draws are usually enough.", "It needs no formula for the figure."),
        "Resample 500 votes 1,000 times and look where the ranking stays.",
        "It cannot repair a sample that is biased.",
        "What should be drawn if the votes of one person belong together?",
        ("confidence interval",),
    ),
    Term(
        "standard deviation",
        (),
        "The usual distance of values from their mean: the square root of the mean squared deviation. "
        "It has the same unit as the values.",
        ("For a normal distribution two thirds lie within one of it.", "For samples one divides by n − 1."),
        "2, 4, 4, 4, 5, 5, 7, 9 has a mean of 5 and a deviation of 2 (dividing by n).",
        "Outliers pull it up strongly.",
        "Why square the deviations instead of taking them as they are?",
        ("variance", "standard error"),
    ),
    Term(
        "variance",
        (),
        "The mean squared deviation from the mean; the square of the standard deviation. Variances of "
        "independent quantities add up.",
        ("Its unit is squared, which makes it hard to picture.", "It is the natural measure in formulas."),
        "A deviation of 2 cm is a variance of 4 cm².",
        "Adding works for variances and not for standard deviations.",
        "What is the variance of the sum of two dice?",
        ("standard deviation",),
    ),
    Term(
        "standard error",
        (),
        "The standard deviation of an estimate, such as a mean: how much it would vary from sample to "
        "sample. It shrinks with the square root of the sample size.",
        (
            "It is the deviation of the data divided by √n.",
            "Two of them on each side make roughly a 95 % interval.",
        ),
        "Deviation 10 and n = 100 give 1.",
        "It measures precision, not correctness.",
        "How many more people do you need to halve it?",
        ("standard deviation", "confidence interval"),
    ),
    Term(
        "mean",
        ("average", "arithmetic mean"),
        "The sum divided by the number of values. It is the balance point of the data.",
        ("Every value pulls at it, extreme ones most.", "It minimises the squared distances."),
        "The mean of 1, 2 and 9 is 4.",
        "In skewed data, such as incomes, few people are near it.",
        "What happens to it if a billionaire enters the room?",
        ("median",),
    ),
    Term(
        "median",
        (),
        "The value in the middle once all are sorted: half lie below and half above. With an even "
        "number it is the mean of the two in the middle.",
        ("It does not care how far away the extremes are.", "It minimises the absolute distances."),
        "The median of 1, 2 and 9 is 2.",
        "It says nothing about the total.",
        "Can half of all people be above average? And above the median?",
        ("mean", "percentile"),
    ),
    Term(
        "percentile",
        ("percentiles", "quantile"),
        "The value below which so many per cent of the data lie. The median is the 50th.",
        ("High percentiles show what the unlucky few meet.", "They cannot be averaged across servers."),
        "95th percentile of 2 s: one request in twenty takes longer.",
        "With few data the high ones rest on one or two values.",
        "Which one describes what your annoyed users see?",
        ("median", "latency"),
    ),
    Term(
        "correlation",
        ("correlated",),
        "How closely two quantities move together along a line, from −1 to 1. Zero means no linear relation.",
        ("It has no direction of cause.", "Curved relations can have none at all."),
        "Height and shoe size: about 0.7.",
        "Both may follow a third thing, as ice cream and drowning follow the heat.",
        "What else could explain that the two go together?",
        ("regression", "causation"),
    ),
    Term(
        "causation",
        ("causality",),
        "One thing brings another about: change the first, and the second changes. Seeing both "
        "together is not enough.",
        ("A random experiment is the surest way to show it.", "Confounders cause both and feign a link."),
        "Watering makes plants grow; wet umbrellas do not make rain.",
        "Even a strong correlation may run the other way round.",
        "What experiment would tell?",
        ("correlation",),
    ),
    Term(
        "regression",
        ("linear regression",),
        "Fitting a line (or a curve) that predicts one quantity from others, with the smallest "
        "squared errors. Its coefficients say how much the prediction changes per unit.",
        ("Residuals show what it misses.", "More inputs always fit the past better, not the future."),
        "Rent = 300 + 12 × square metres.",
        "Outside the range of the data it is guesswork.",
        "What would a curved pattern in the residuals tell you?",
        ("correlation", "overfitting"),
    ),
    Term(
        "logistic regression",
        (),
        "A regression for yes-or-no outcomes: the odds are modelled on a logarithmic scale and turned "
        "into a probability between 0 and 1. Elo and Bradley-Terry are of this kind.",
        ("A coefficient of 0.7 doubles the odds.", "It is fitted by maximum likelihood."),
        "The chance of a click, from hour and device.",
        "With perfectly separated data its coefficients run away.",
        "Why not fit a straight line to zeros and ones?",
        ("regression", "Bradley-Terry"),
    ),
    Term(
        "overfitting",
        ("overfit",),
        "Learning the noise of the data along with the pattern: very good on what was seen, poor on "
        "what is new. Too flexible a model with too little data does it.",
        ("The gap between training and test shows it.", "Simpler models, more data and regularisation help."),
        "A curve through every single point.",
        "Testing again and again on the same data overfits to the test.",
        "How would you notice it before it matters?",
        ("cross-validation", "regression"),
    ),
    Term(
        "cross-validation",
        (),
        "Splitting the data into parts and letting each part be the test once while the rest trains. "
        "The mean of the results estimates how well it does on new data.",
        ("Five or ten parts are usual.", "Data that belong together must stay in one part."),
        "Five parts of 200: train on 800, test on 200, five times.",
        "Choosing the best of many settings by it makes its number too good.",
        "Why would shuffling days of a time series spoil it?",
        ("overfitting",),
    ),
    Term(
        "Bayes' theorem",
        ("Bayes theorem", "Bayes’ theorem", "bayesian", "bayes"),
        "A rule for turning a belief around: how likely a cause is given the evidence, from how "
        "likely the evidence is given the cause and how common the cause is. P(A|B) = P(B|A) · P(A) / "
        "P(B).",
        ("Rare causes stay unlikely even after a good test.", "Today's posterior is tomorrow's prior."),
        "1 in 1,000 is ill, the test is 99 % right: a positive one means about 9 %.",
        "Leaving out how common the cause is, is the classic mistake.",
        "What would a second positive test change?",
        ("p-value",),
    ),
    Term(
        "normal distribution",
        ("gaussian", "bell curve"),
        "The bell curve: symmetric, given by mean and standard deviation. Sums of many small "
        "independent effects come close to it.",
        ("68 % lie within one deviation, 95 % within two.", "Its tails are very thin."),
        "Measurement errors, heights of adults of one sex.",
        "Incomes, delays and file sizes are not of this kind.",
        "What evidence would show that your data are not?",
        ("central limit theorem", "standard deviation"),
    ),
    Term(
        "central limit theorem",
        (),
        "Means of many independent values are nearly normally distributed, whatever the values "
        "themselves look like. That is why so many intervals use the bell curve.",
        ("The spread shrinks with √n.", "Thirty is a rule of thumb and no guarantee."),
        "The mean of 50 dice is almost perfectly bell-shaped.",
        "It fails for values with extremely heavy tails.",
        "What breaks if the values depend on each other?",
        ("normal distribution",),
    ),
    Term(
        "entropy",
        (),
        "The average surprise of a source, in bits: how many yes-or-no questions its outcome needs. "
        "Even odds have the most, certainty has none.",
        ("A fair coin has one bit.", "No code without loss can be shorter on average."),
        "Eight equally likely results: 3 bits.",
        "It measures unpredictability, not meaning.",
        "Which has more: a loaded die or a fair one?",
        ("perplexity",),
    ),
    Term(
        "cosine similarity",
        (),
        "The cosine of the angle between two vectors: 1 for the same direction, 0 for a right angle. "
        "Length plays no part.",
        ("It is the usual measure for embeddings.", "For vectors of length one it is just their product."),
        "(1, 0) and (1, 1) have about 0.71.",
        "What counts as similar differs from model to model.",
        "When would length matter?",
        ("embedding",),
    ),
    Term(
        "Simpson's paradox",
        ("simpson’s paradox", "simpsons paradox"),
        "A trend in every group that turns around when the groups are put together. It happens when "
        "the groups differ in size and in level.",
        ("A hidden third quantity decides the mixture.", "Which view is right depends on what causes what."),
        "A treatment is better for small and for large stones, and worse in total.",
        "More data do not cure it.",
        "Which groups might be hidden in your numbers?",
        ("correlation",),
    ),
)
