/** Why votes are kept but not counted, in plain words. */

interface Words {
  /** Behind a number of votes: "52 too fast". */
  few: string;
  /** As a sentence's end, about one vote. */
  why: string;
}

const REASONS: Record<string, Words> = {
  identity_leak: {
    few: "with an answer that names its model",
    why: "an answer names its model or maker, so the battle was not blind.",
  },
  identity_question: {
    few: "asking for the model’s identity",
    why: "the question asks which model answers, so the battle was not blind.",
  },
  too_fast: { few: "too fast", why: "the vote came faster than the answers can be read." },
  duplicate_prompt: {
    few: "with a repeated prompt",
    why: "the same two models already answered this prompt.",
  },
  open: { few: "with names visible", why: "the models’ names were visible." },
  unrated: { few: "in unrated modes", why: "this mode is not rated." },
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
