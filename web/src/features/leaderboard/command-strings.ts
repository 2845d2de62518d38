/** The texts of the area's commands and shortcuts. */
type Shown = string | number;

export const COMMAND_STRINGS = {
  winRates: "Win rates",
  scoresOverTime: "Scores over time",
  voters: "Voters",
  votersAbout: "vote health",
  method: "Method",
  methodAbout: "how the leaderboard works",
  categoryWords: (id: Shown) => `leaderboard category ${id}`,
  categoryAbout: "leaderboard",
  models: "Models",
  modelWords: (organisation: Shown, id: Shown) => `about page of model ${organisation} ${id}`,
  modelAbout: "scores and votes",
  moveBetweenModels: "Move between models",
  openModel: "Open model",
  compareModels: "Compare selected models",
} as const;
