/** The method in words and formulas. */

export interface Section {
  title: string;
  text: string;
}

export const SECTIONS: readonly Section[] = [
  {
    title: "From votes to scores",
    text: String.raw`
Two hidden models answer the same prompt, and a person votes for the better answer. From many votes, each model gets a
strength $\theta$, so that the probability that model *i* beats model *j* is

$$p_{ij} = \frac{1}{1 + e^{-(\theta_i - \theta_j)}}$$

The strengths maximise the likelihood of the votes (Bradley & Terry 1952). A tie or both bad counts as half a win for
each side. The table shows strengths as points: 400 points are odds of ten to one, and the mean is 1000.

$$\text{score} = 1000 + \frac{400}{\ln 10}\,\theta$$

The maximum is exact, so the same votes always give the same table, in any order.`,
  },
  {
    title: "Intervals",
    text: String.raw`
The 95% interval of this table stays valid while votes come in: with 95% probability it contains the true score at
every look, whenever you stop. The variance is the sandwich estimate

$$V = H^{+} B\, H^{+}$$

where $H = \sum n\,p\,(1-p)\,(e_i - e_j)(e_i - e_j)^{\top}$ is the information expected from the votes, and
$B = \sum (y - p)^2 (e_i - e_j)(e_i - e_j)^{\top}$ is the scatter observed (Huber 1967). The half width is

$$\sqrt{V (1 + \eta V) \ln \frac{1 + 1/(\eta V)}{\alpha^2}}$$

an asymptotic confidence sequence (Waudby-Smith et al. 2021): the narrowest of three with different $\eta$, which share
$\alpha$ = 5%. It is 1.6 to 2 times as wide as $1.96 \sqrt{V}$, the interval for a single look, where that is ± 3 to ± 400
points.

Votes of one person are alike. Where at least five voters take part, the table is also fitted without each voter in
turn (jackknife), and intervals become as wide as that shows. Where few people cast most votes, Student’s *t* makes up
for it. A mark shows when one voter has more than a tenth of what the votes say about a model.

**Provisional** means that the votes alone can’t place a model: it won every battle, lost every battle, or isn’t
linked to the others by battles. Its score and interval then use a prior of ± 350 points around the mean of the other
models.

**Groups** are sets of models with no battles linking them, directly or through other models. Scores from different
groups can’t be compared.`,
  },
  {
    title: "Public prior",
    text: String.raw`
An operator may start the overall table from published results. They enter the likelihood as votes, scaled so that all
of them together count as the number that the leaderboard names (the power prior of Ibrahim & Chen 2000):

$$\sum_{\text{own}} \ln p \;+\; \frac{N}{\text{published votes}} \sum_{\text{published}} \ln p$$

Your own votes outweigh them over time. Only results between models with own votes count, and a model without own
votes is not listed. Intervals include what the prior knows: they are right if your voters are as far from what was
published as *N* votes are by chance. If the prior is wrong, scores lean towards it by a share of about
*N* / (*N* + own votes), and intervals can miss the truth until own votes outweigh it.

The card below the table says whether the prior helps: each block of own votes is forecast from those before it, with
the prior and without. The difference of log losses has a 95% interval that is valid at every look. Style control, Elo,
categories, the draw of pairs and the check of voters leave the prior out.`,
  },
  {
    title: "Ranks",
    text: `
**Rank (UB)** is 1 + the number of models whose lower bound is above this model's upper bound, as in LMArena. Models
share a rank until the votes separate them. Provisional models rank below all others.

A model's page also shows a sharper rank **by differences**: 1 + the number of models that are better with 95%
confidence, based on the interval of the score difference itself. Two
intervals can overlap even when the difference is clear.

**Win rate** is wins plus half of ties, divided by all votes. Unlike the score, it depends on the opponents.`,
  },
  {
    title: "Is the result clear?",
    text: `
For the top two models, the card says yes only if the interval of their difference, valid at every look, is above
zero. It shows three numbers: the probability that the first is better, given the votes and how far the models of the
table are apart; about how many more votes between them would settle it with 80% probability if the lead is real, and the smallest number
of votes whose removal would change the order. If that number is small, a few people decide who is first.`,
  },
  {
    title: "Style control",
    text: String.raw`
Longer answers with headings win more often, regardless of content. With style control, the odds of a vote also depend
on how the two answers differ in length, headings, list items and bold passages:

$$x = \frac{a - b}{a + b + 1}$$

Strength and style are fitted together. The scores then compare answers of equal style, and a card below the table
shows the effect of each feature in points (Li, Angelopoulos & Chiang 2024).`,
  },
  {
    title: "Elo",
    text: String.raw`
The score shown when a battle is revealed, updated after each vote: $R_a \leftarrow R_a + 32\,(y - E_a)$ with

$$E_a = \frac{1}{1 + 10^{(R_b - R_a)/400}}$$

Every model starts at 1500. Elo depends on the order of the votes, never settles and has no interval, so it is not
used for ranks.`,
  },
  {
    title: "Votes not counted",
    text: `
Some votes say little about the models. They are saved with a reason, never deleted, and you can include them in the
table:

- **An answer names its model or maker**, so the battle was not blind.
- **The question asks which model answers**, so the vote is about names.
- **Too fast**: the vote was too fast for anyone to have read the answers.
- **Repeated prompt**: the same two models already answered this prompt.
- Votes with **names visible** (in a comparison, not a battle) have their own table.

If one person’s votes look planned (always one model, always left), Parley flags the person for the operator. The
votes count until the operator excludes them, and again after they are reinstated.

Every vote, exclusion and category change has an entry in a hash-chained audit log. Run \`parley audit verify\` to
detect later changes.`,
  },
  {
    title: "Categories",
    text: `
Every vote counts in *Overall* and in the categories of its prompt. Parley sets categories by public rules, or by a
model if the server is configured that way. You can edit the categories of your own votes, and the tables update at
once. Each category has its own table.`,
  },
];
