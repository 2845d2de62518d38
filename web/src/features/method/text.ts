/** The method in words and formulas. */

export interface Section {
  title: string;
  text: string;
}

export const SECTIONS: readonly Section[] = [
  {
    title: "From a vote to a score",
    text: String.raw`
Two hidden models answer the same prompt, and a person says which did better. From many such votes each model gets a
strength $\theta$, so that the chance that one of them, *i*, beats another, *j*, is

$$p_{ij} = \frac{1}{1 + e^{-(\theta_i - \theta_j)}}$$

The strengths are those that make the votes most likely (Bradley & Terry 1952); a tie or both bad is half a win for
either side. The table shows them as points, where 400 points are odds of ten to one and the mean is 1000:

$$\text{score} = 1000 + \frac{400}{\ln 10}\,\theta$$

The maximum is found exactly, so the same votes always give the same table, in whatever order they came.`,
  },
  {
    title: "The interval",
    text: String.raw`
If the same arena were held again and again, 95 of 100 such intervals would hold the truth. It is the score ± 1.96
standard errors, from the sandwich

$$V = H^{+} B\, H^{+}$$

where $H = \sum n\,p\,(1-p)\,(e_i - e_j)(e_i - e_j)^{\top}$ is what the votes are expected to tell, and
$B = \sum (y - p)^2 (e_i - e_j)(e_i - e_j)^{\top}$ how much they really scattered (Huber 1967). The usual inverse of
*H* takes a tie for the throw of a coin, and is too wide where there are many.

**Provisional** means that the votes alone do not place a model: it never won, never lost, or never met the others, even
through third ones. A prior of ± 350 points around the mean of the others then holds it, in the score and in the interval.

**Groups** are models that never met each other at all, not even through third ones. Their scores cannot be compared,
whatever they look like.`,
  },
  {
    title: "Ranks",
    text: String.raw`
**Rank (UB)** is one more than the number of models whose lower bound is above this one's upper bound: LMArena's rule.
Models share a rank until the votes tell them apart.

A model's page also shows the sharper rank **by differences**: one more than the number of models that are better with
95% certainty, judged by the difference itself, $\theta_j - \theta_i > 1.96 \sqrt{V_{ii} + V_{jj} - 2V_{ij}}$. Two intervals
may overlap where the difference is certain.

**Win rate** is what a model won, and half of what it tied, of all its votes. It depends on whom it met; the score does
not.`,
  },
  {
    title: "Can you decide already?",
    text: String.raw`
For the two models at the top: the chance that the first one really is better, $\Phi(\text{lead} / \text{standard error})$;
about how many more votes between the two would make it 95% certain if the lead stayed as it is; and the fewest votes
whose removal would turn the order round. Where that last number is small, a handful of people decide the top.`,
  },
  {
    title: "Style control",
    text: String.raw`
Longer answers with headings win more, whatever they say. With style control the odds of a vote also depend on how the
two answers differ in length, headings, list items and bold passages,

$$x = \frac{a - b}{a + b + 1}$$

and both are fitted together. The scores then hold at equal style, and a card under the table says what each of the four
is worth in points (Li, Angelopoulos & Chiang 2024).`,
  },
  {
    title: "Elo",
    text: String.raw`
What a reveal shows after each vote: $R_a \leftarrow R_a + 32\,(y - E_a)$ with

$$E_a = \frac{1}{1 + 10^{(R_b - R_a)/400}}$$

from 1500. It depends on the order of the votes, never settles and has no interval, so it is shown but not used for
ranks.`,
  },
  {
    title: "What is not counted",
    text: `
Some votes say little about the models. They are kept with their reason, never deleted, and the table can be shown with
them:

- **An answer names its model or maker**, so the battle was not blind.
- **The question asks who answers**: whatever the answers say, such a vote is about names.
- **Too fast**: the vote came faster than the answers can be read.
- **Asked the same again**: the same prompt, put to the same two models once more.
- Votes with **the names in sight** (after a comparison, not a battle) are in neither table. They have one of their own.

Where the votes of one person look like a plan (push one model, always left, at random), the person is flagged for
whoever runs this house to look into. The votes go on counting: honest people have tastes too.

Every vote has its entry in a hash-chained audit log, and so has whatever takes it out of the ratings or puts it into
another category. \`parley audit verify\` finds a later change.`,
  },
  {
    title: "Categories",
    text: `
Each vote is in *Overall*, and in those categories that its prompt belongs to, by rules that anybody can read, or by a
model where this house is set up so. You can correct the categories of your own votes; the tables follow at once. Every
category has a table of its own.`,
  },
];
