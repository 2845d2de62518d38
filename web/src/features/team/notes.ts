/** What the server announces of a team: `src/parley/modes/team/notes.py` has the same shapes. */

/** Whether the speaker declared it, or it was found in the text. */
export type How = "said" | "found";

/** Tokens read and written, and micro-dollars of those with a price. */
export interface Spent {
  tokens: number;
  cost_micros: number;
  unpriced: boolean;
}

export interface PlanNote {
  strategy: string;
  members: { seat: string; role: string }[];
  lead: string;
  chair: string | null;
  writer: string;
  /** Planned rounds in all, and those that earlier turns have finished. */
  rounds: number;
  done: number;
  pause: "each_round" | "never";
}

export interface SaidNote {
  ref: string;
  seat: string;
  role: string;
  task: string;
  purpose: string;
  reply_id: string;
  /** Code points: what was said is `text[start:end]` of the reply. */
  start: number;
  end: number;
  answers: { ref: string; seat: string; how: How }[];
  position: string | null;
  changed: { text: string; how: How } | null;
  cut_off: boolean;
  problem: { code: string; title: string; detail?: string | null } | null;
  spent: Spent;
}

export interface ChoiceNote {
  seat: string;
  chosen: string[];
  named: string[];
  how: "moderator" | "fallback";
  problem: "failed" | "nonsense" | "nobody" | "absent" | null;
  asks: string | null;
  enough: boolean;
  spent: Spent;
}

export type Why = "rounds" | "person" | "moderator" | "tokens" | "money";

export interface RoundNote {
  kind: "planned" | "asked" | "synthesis";
  left_out: string[];
  done: number;
  rounds: number;
  next: "round" | "pause" | "synthesis" | "end";
  why: Why | null;
  /** On the question so far. */
  spent: Spent;
}

export interface Point {
  text: string;
  refs: string[];
  /** References to no statement. */
  unknown: string[];
  holders: string[];
}

export const PARTS = ["recommendation", "consensus", "disagreements", "assumptions", "minority"] as const;
export type Part = (typeof PARTS)[number];

export interface SynthesisNote extends Record<Part, Point[]> {
  seat: string;
  reply_id: string;
  parsed: boolean;
  warning: string | null;
  spent: Spent;
}

export interface TeamNotes {
  "team.plan/1": PlanNote;
  "team.said/1": SaidNote;
  "team.choice/1": ChoiceNote;
  "team.round/1": RoundNote;
  "team.synthesis/1": SynthesisNote;
}
