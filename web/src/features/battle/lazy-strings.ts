/** The texts of what loads after the first page: the pool of models, the list of shortcuts. */

export const LAZY_STRINGS = {
  sampling: {
    equal: "Parley picks two at random. Every pair is equally likely.",
    weighted: "Parley picks two at random, using the weights in the model list.",
    informative:
      "Parley picks two at random and favours pairs whose votes improve the leaderboard most. One in ten picks is uniform.",
  },
  voteAgain: "Start a new battle to vote again.",
  poolTitle: "Models in the pool",
  poolHint: " Unavailable models are skipped.",
  poolPictured: " The question has a picture: these models can read it.",
  poolTag: "Tag models with {tag} in the model list to use only those. ",
  allModels: "All models",
  voteShortcuts: "Vote (press Shift Tab from the message first)",
} as const;
