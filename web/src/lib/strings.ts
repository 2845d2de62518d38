/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  today: "Today",
  yesterday: "Yesterday",
  lastWeek: "Last 7 days",
  older: "Older",
  justNow: "just now",
  secondsAgo: (seconds: Shown) => `${seconds} s ago`,
  minutesAgo: (minutes: Shown) => `${minutes} min ago`,
  hoursAgo: (hours: Shown) => `${hours} h ago`,
  oneDayAgo: "1 day ago",
  daysAgo: (days: Shown) => `${days} days ago`,
  nearlyCertain: "over 99.9%",
  nearlyImpossible: "under 1%",
  clipboardRefused: "Can’t copy. Allow clipboard access in your browser.",
  notCounted: "Saved, but not counted in the ratings.",
  notCountedBecause: (why: Shown) => `Saved, but not counted in the ratings: ${why}`,
} as const;

/** What is counted: one of it, and many. */
export const NOUNS = {
  model: ["model", "models"],
  openPoint: ["open point", "open points"],
  other: ["other", "others"],
  preset: ["saved line-up", "saved line-ups"],
  prompt: ["prompt", "prompts"],
  row: ["row", "rows"],
  session: ["session", "sessions"],
  time: ["time", "times"],
  validRow: ["valid row", "valid rows"],
  vote: ["vote", "votes"],
  voter: ["voter", "voters"],
} as const;

interface Reason {
  /** Behind a number of votes: "52 too fast". */
  few: string;
  /** As a sentence's end, about one vote. */
  why: string;
}

/** Why a vote is saved but not counted, by the server's word for it. */
export const REASONS: Record<string, Reason> = {
  identity_leak: {
    few: "with an answer that names its model",
    why: "an answer names its model or maker, so the battle was not blind.",
  },
  identity_question: {
    few: "asking for the model’s identity",
    why: "the question asks which model answers, so the battle was not blind.",
  },
  too_fast: { few: "too fast", why: "the vote was too fast for anyone to have read the answers." },
  duplicate_prompt: {
    few: "with a repeated prompt",
    why: "the same two models already answered this prompt.",
  },
  open: { few: "with names visible", why: "the models’ names were visible." },
  unrated: { few: "in unrated modes", why: "this mode is not rated." },
  excluded_voter: { few: "of excluded voters", why: "its voter was excluded." },
  withdrawn: { few: "withdrawn", why: "you withdrew it." },
  replaced: { few: "replaced by a later vote", why: "you voted again, and the later vote counts." },
};
