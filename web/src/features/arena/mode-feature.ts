/** What a mode's feature brings to the arena. A feature is one folder with a `mode.ts`. */
import type { LucideIcon } from "lucide-react";
import { type ComponentType, createContext, useContext } from "react";
import type { components } from "@/api/__generated__/schema";
import type { MatchRecord, ModeCard, ModelCard, SeatSettings, SeatView } from "@/api/types";
import { isUnfinished } from "@/turn/reduce-turn";

/** Where a conversation is carried on from: a seat's words up to a turn. */
export interface ContinueFrom {
  turn_id: string;
  seat: string;
}

/** What a person gives a turn, or says while it runs. */
export type Given = components["schemas"]["StartTurn"]["input"];
export type InputType = Given["type"];

/** What the composer knows when it asks a feature what the next prompt will do. */
export interface Situation {
  /** The session's last match, where it is of this mode. */
  record: MatchRecord | null;
  /** The session's matches, as far as they are shown. */
  matches?: readonly MatchRecord[];
  /** The model chosen in the composer. */
  model: string | null;
  from: ContinueFrom | null;
}

/** A situation with what a line-up is chosen from. */
export interface Choosing extends Situation {
  /** The catalog; undefined until it is here. */
  models: readonly ModelCard[] | undefined;
  /** The mode as the server describes it; undefined until it is here. */
  info: ModeCard | undefined;
  /** What was chosen in the composer of this place, as the feature stored it; null where nothing was. */
  setup: unknown;
  /** The person's own instructions for new chats, null without; undefined until they are here. */
  instructions?: string | null | undefined;
}

/** What the next prompt will do: go on in the match, begin a new one, or nothing yet. */
export type Plan =
  | { kind: "turn"; matchId: string; seats?: components["schemas"]["ChangeSeats"] }
  | {
      kind: "match";
      seats?: Record<string, string>;
      brief?: Record<string, unknown>;
      seat_settings?: Record<string, SeatSettings>;
      continue_from?: ContinueFrom;
      /** From where single seats carry on, each with its own history. */
      continue_seats?: Record<string, ContinueFrom>;
    }
  | { kind: "wait"; why: string };

/** Why nothing is sent while files are on their way. */
export const UPLOADING = "Uploading…";

/** Nothing yet: what the plan needs is on its way. */
export const LOADING = { kind: "wait", why: "Loading…" } as const;

export interface MatchProps {
  record: MatchRecord;
  /** The session's last match: the one that goes on. */
  active: boolean;
  /** The number of the match's first turn within the session, from 1. */
  firstTurn: number;
}

export interface ChipsProps extends Choosing {
  onSetup: (setup: unknown) => void;
  onModel: (id: string) => void;
  onLeave: () => void;
}

/** How the composer calls what a person says between two questions. */
export interface InputWords {
  words: Partial<Record<InputType, { label: string; placeholder: string }>>;
  /** Who is asked or skipped, where the model's name does not tell. */
  seatName: (record: MatchRecord, seat: SeatView) => string;
  /** What a text is where nothing was chosen; null for a new question. */
  usual: (record: MatchRecord) => InputType | null;
}

export interface Examples {
  /** Questions that the demo models have answers to. */
  demo: readonly string[];
  /** Questions to real models. */
  real: readonly string[];
}

export interface ModeFeature {
  name: string;
  icon: LucideIcon;
  /** What a new session of this mode is called on its button. */
  newLabel: string;
  /** What happens in it, on its card; without one, what the server says of it. */
  sentence?: string;
  /** The same as a drawing of 176 × 76. */
  Picture: ComponentType;
  /** Questions to try; without them, those of every mode. */
  examples?: Examples;
  hint?: string;
  /** Whether the page follows the tail of what is written, or each panel its own. */
  follows: "page" | "panels";
  placeholder: (record: MatchRecord | null) => string;
  plan: (situation: Choosing) => Plan;
  Match: ComponentType<MatchProps>;
  /** Stands between the match and the composer: a ballot, a verdict, a way on. */
  Dock: ComponentType<{ record: MatchRecord }>;
  Chips: ComponentType<ChipsProps>;
  /** Stands beside the send button: what the next prompt will take. */
  Estimate?: ComponentType<{ situation: Choosing; draft: string }>;
  /** Stands under the composer of a new session: what was saved to begin with. */
  Saved?: ComponentType<{ onSetup: (setup: unknown) => void }>;
  /** A question can be asked in another way from within a conversation; the ways are browsed where they part. */
  branches?: boolean;
  /** What was chosen in the composer belongs to the conversation, and the next one begins without. */
  forgets?: boolean;
  /** It tells screen readers itself what has ended. */
  announces?: boolean;
  /** Left out where the general words fit. */
  inputWords?: InputWords;
}

export interface KnownMode {
  info: ModeCard;
  feature: ModeFeature;
}

/** The server's modes, in its order. */
export const ModesContext = createContext<readonly KnownMode[]>([]);
export const useModes = () => useContext(ModesContext);

/** Finds the feature that shows a mode: one of its own, else the general one. */
export const FeatureContext = createContext<(mode: string) => ModeFeature>(() => {
  throw new Error("There is no FeatureContext above.");
});
export const useFeature = (mode: string) => useContext(FeatureContext)(mode);

export const NO_MATCHES: readonly MatchRecord[] = [];

export const lastTurn = (record: MatchRecord | null) => record?.turns.at(-1) ?? null;
export const isRunning = (record: MatchRecord | null) => {
  const turn = lastTurn(record);
  return turn !== null && isUnfinished(turn.status);
};
