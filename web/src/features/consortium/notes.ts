/** What the server announces of a consortium: `src/parley/modes/consortium/notes.py` has the same shapes. */

export interface AnswerNote {
  iteration: number;
  seat: string;
  answer: string;
  thought_process: string | null;
  confidence: number | null;
  parsed: boolean;
}

export interface LeftOutNote {
  iteration: number;
  seat: string;
  problem: { code: string; title: string; detail?: string | null };
}

export type AgreementKind = "all" | "some" | "one" | "number" | "disputed";

/** Code points `start` to `end` of the seat's answer. */
export interface Sentence {
  start: number;
  end: number;
  kind: AgreementKind;
  group: number | null;
}

export interface AgreementNote {
  iteration: number;
  consensus: number | null;
  pairs: { left: string; right: string; similarity: number }[];
  families: string[][];
  silent: string[];
  sentences: Record<string, Sentence[]>;
}

export interface WordCount {
  word: string;
  count: number;
  weight: number;
}

export interface WordsNote {
  iteration: number;
  seats: Record<string, WordCount[]>;
}

export interface RankingNote {
  iteration: number;
  mean_ranks: { seat: string; mean_rank: number }[];
  ballots: { judge: string; order: string[] }[];
  eliminated: string[];
}

export interface VerdictNote {
  iteration: number;
  synthesis: string;
  confidence: number | null;
  analysis: string;
  dissent: string;
  refinement_areas: string[];
  needs_iteration: boolean | null;
  ranking: string[];
  /** The seats in the order in which the arbiter saw them: the first is its "Member 1". */
  shown: string[];
  parsed: boolean;
  first_impression: string | null;
  warning: string | null;
  settled: boolean;
}

export interface Worth {
  cost_usd: number | null;
  /** Models whose replies are not in the cost. */
  unpriced?: string[];
  duration_ms: number;
  best_single: { seat: string; model: string; cost_usd: number | null; duration_ms: number } | null;
}

export interface ResultNote {
  iteration: number;
  settled: boolean;
  worth: Worth;
  warnings: string[];
}

export interface ConsortiumNotes {
  "consortium.answer/1": AnswerNote;
  "consortium.left_out/1": LeftOutNote;
  "consortium.agreement/1": AgreementNote;
  "consortium.words/1": WordsNote;
  "consortium.ranking/1": RankingNote;
  "consortium.verdict/1": VerdictNote;
  "consortium.result/1": ResultNote;
}
