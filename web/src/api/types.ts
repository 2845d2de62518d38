/** The wire's types, named as the server names them. */

export type ReplyStatus = "waiting" | "streaming" | "completed" | "incomplete" | "failed" | "stopped";
export type TurnStatus = "running" | "completed" | "failed" | "stopped" | "interrupted";
export type MatchStatus = "open" | "voted" | "void";
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";
export type Channel = "text" | "reasoning";

export interface Problem {
  code: string;
  title: string;
  detail?: string | null;
}

export interface Prices {
  input: number;
  output: number;
}

export interface ModelCard {
  id: string;
  name: string;
  organization: string;
  family: string;
  license: string;
  kind: "single" | "ensemble";
  capabilities: string[];
  tags: string[];
  context_window: number | null;
  prices: Prices | null;
  description: string | null;
  provider: string | null;
  local: boolean;
  demo: boolean;
  enabled: boolean;
}

export interface Metrics {
  ttft_ms: number | null;
  duration_ms: number;
  input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  tokens_per_second: number | null;
  cost_micros: number | null;
  estimated: boolean;
}

export interface ReplyView {
  id: string;
  seat: string;
  path: string;
  round: number;
  purpose: string;
  attempt: number;
  status: ReplyStatus;
  text: string;
  text_end: number;
  reasoning: string;
  reasoning_end: number;
  finish_reason: FinishReason | null;
  metrics: Metrics | null;
  error: Problem | null;
}

export interface NoteView {
  seq: number;
  name: string;
  round: number;
  key: string;
  data: unknown;
}

export interface SeatView {
  id: string;
  name: string;
  role: string;
  label: string;
  model: ModelCard | null;
}

export interface RatedSeat {
  model_id: string;
  name: string;
  organization: string;
  license: string;
  metrics: Metrics | null;
  elo_before: number;
  elo_after: number;
}

export interface VoteView {
  vote_id: string;
  vote: string;
  reason: string | null;
  counted: boolean;
  not_counted_reason: string | null;
  created_at: string;
  seats: Record<string, RatedSeat>;
}

export interface BallotView {
  choices: string[];
  open: boolean;
}

export interface MatchView {
  id: string;
  session_id: string;
  index: number;
  mode: string;
  status: MatchStatus;
  blind: boolean;
  paced: boolean;
  seats: SeatView[];
  brief: Record<string, unknown>;
  ballot: BallotView | null;
  vote: VoteView | null;
  void: Problem | null;
  created_at: string;
}

export type TurnInput = { type: "prompt"; text: string } | { type: "continue" };

export interface TurnView {
  id: string;
  match_id: string;
  session_id: string;
  index: number;
  input: TurnInput;
  status: TurnStatus;
  play: number;
  round: number;
  replies: ReplyView[];
  notes: NoteView[];
  error: Problem | null;
  created_at: string;
}

export interface SessionCard {
  id: string;
  title: string;
  mode: string;
  archived: boolean;
  created_at: string;
  updated_at: string;
}

export interface MatchRecord {
  match: MatchView;
  turns: TurnView[];
}

export interface SessionView {
  session: SessionCard;
  matches: MatchRecord[];
}

export interface SessionList {
  sessions: SessionCard[];
  next_cursor: string | null;
}

export interface About {
  name: string;
  version: string;
  mode: string;
  demo: boolean;
  pacing: "even" | "natural";
  models: number;
  config_path: string;
  max_prompt_chars: number;
}

export interface Seating {
  roles: string[];
  members: [number, number];
  draw: "chosen" | "equal";
  blind: boolean;
  paced: boolean;
  ballot: string[];
}

export interface ModeInfo {
  name: string;
  title: string;
  summary: string;
  seating: Seating;
  brief_schema: Record<string, unknown>;
}
