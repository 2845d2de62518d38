/** Why votes are kept but not counted, in plain words. */

interface Reason {
  /** Behind a number of votes: "52 too fast". */
  few: string;
  /** As a sentence's end, about one vote. */
  why: string;
}

/** Why a vote is saved but not counted, by the server's word for it. */
const REASONS: Record<string, Reason> = {
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
  guest: {
    few: "of guests",
    why: "votes of guests are not counted here. Create an account for votes that count.",
  },
  open: { few: "with names visible", why: "the models’ names were visible." },
  unrated: { few: "in unrated modes", why: "this mode is not rated." },
  excluded_voter: { few: "of excluded voters", why: "its voter was excluded." },
  withdrawn: { few: "withdrawn", why: "you withdrew it." },
  replaced: { few: "replaced by a later vote", why: "you voted again, and the later vote counts." },
};

const plain = (reason: string) => reason.replaceAll("_", " ");

/** A reason that this page does not know is shown as it comes. */
export const fewNotCounted = (reason: string): string => REASONS[reason]?.few ?? plain(reason);

export const whyNotCounted = (reason: string | null | undefined): string =>
  reason
    ? `Saved, but not counted in the ratings: ${REASONS[reason]?.why ?? `${plain(reason)}.`}`
    : "Saved, but not counted in the ratings.";
