/** Why votes are kept but not counted, in plain words. */

interface Words {
  /** Behind a number of votes: "52 too fast". */
  few: string;
  /** As a sentence's end, about one vote. */
  why: string;
}

const REASONS: Record<string, Words> = {
  identity_leak: {
    few: "with an answer that named its model",
    why: "an answer names its model or maker, so the battle was not blind.",
  },
  identity_question: {
    few: "asked who answers",
    why: "the question asks who answers, so the battle was not blind.",
  },
  too_fast: { few: "too fast", why: "it came faster than the answers can be read." },
  duplicate_prompt: {
    few: "asked the same again",
    why: "the same two models had been asked the same before.",
  },
  open: { few: "with names in sight", why: "the names were in sight." },
  unrated: { few: "that are not rated", why: "votes of this mode are not rated." },
  replaced: { few: "replaced by later ones", why: "you voted again, and the later vote stands." },
};

const plain = (reason: string) => reason.replaceAll("_", " ");

/** A reason that this page does not know is shown as it comes. */
export const fewNotCounted = (reason: string): string => REASONS[reason]?.few ?? plain(reason);

export const whyNotCounted = (reason: string | null | undefined): string =>
  reason
    ? `Saved, but not counted in the ratings: ${REASONS[reason]?.why ?? `${plain(reason)}.`}`
    : "Saved, but not counted in the ratings.";
