/** What a picture to share shows of a turn. A mode makes it only of what its viewer may see and show. */
import type { ModelCard } from "@/api/types";

export interface ShownAnswer {
  name: string;
  /** Who made the model, and its licence; empty where nobody knows. */
  maker: string;
  organization: string;
  /** The colour of its seat, as CSS. */
  color: string;
  text: string;
  /** What the vote changed, or what the answer took. */
  facts: string;
  /** What the picture leaves out besides words: "2 files not shown". */
  without: string;
  picked: boolean;
}

export interface Scene {
  /** "Battle", "Compare". */
  kind: string;
  question: string;
  /** Under the question: its files. */
  asked: string;
  /** What a person or an arbiter came to; in gold what a person did. */
  result: string;
  byPerson: boolean;
  /** More about it: a reason, why a vote doesn't count. */
  more: string[];
  answers: ShownAnswer[];
  /** When it was asked, ISO 8601. */
  at: string;
}

const known = (text: string | null | undefined) => Boolean(text) && text !== "Unknown";

/** A model's maker and licence in one line. */
export const makerOf = (model: ModelCard | null | undefined): string =>
  [model?.organization, model?.license].filter(known).join(" · ");

/** What a picture does not show of what came with a text. */
export const filesLeftOut = (count: number): string =>
  count === 0 ? "" : count === 1 ? "1 file not shown" : `${count} files not shown`;

/** A safe name for the picture's file, from the question. */
export const fileName = ({ kind, question }: Pick<Scene, "kind" | "question">): string => {
  const words = `${kind} ${question}`.normalize("NFKD").replace(/\p{M}/gu, "");
  const plain = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60);
  return `${plain.replace(/^-|-$/g, "")}.png`;
};
