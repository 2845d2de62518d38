/** What happens in a turn and in a session, as the streams tell it. */
import type {
  Channel,
  FinishReason,
  MatchView,
  Metrics,
  NoteView,
  Problem,
  ReplyStatus,
  TurnView,
  VoteView,
} from "@/api/types";

export type TurnEvent =
  | { kind: "turn.snapshot"; match: MatchView; turn: TurnView }
  | { kind: "turn.started"; turn_id: string; play: number }
  | { kind: "round.started"; turn_id: string; round: number }
  | {
      kind: "reply.started";
      turn_id: string;
      reply_id: string;
      seat: string;
      path: string;
      round: number;
      purpose: string;
      attempt: number;
    }
  | {
      kind: "reply.delta";
      reply_id: string;
      attempt: number;
      channel: Channel;
      offset: number;
      end: number;
      text: string;
    }
  | {
      kind: "reply.completed";
      turn_id: string;
      reply_id: string;
      attempt: number;
      text_end: number;
      reasoning_end: number;
      finish_reason: FinishReason | null;
      metrics: Metrics | null;
    }
  | {
      kind: "reply.failed";
      turn_id: string;
      reply_id: string;
      attempt: number;
      status: ReplyStatus;
      text_end: number;
      reasoning_end: number;
      metrics: Metrics | null;
      error: Problem | null;
    }
  | { kind: "note.added"; turn_id: string; note: NoteView }
  | {
      kind: "tool.called";
      turn_id: string;
      reply_id: string;
      call_id: string;
      name: string;
      arguments: string;
    }
  | {
      kind: "tool.returned";
      turn_id: string;
      reply_id: string;
      call_id: string;
      content: string;
      failed: boolean;
    }
  | { kind: "ballot.opened"; turn_id: string; match_id: string; choices: string[] }
  | { kind: "match.revealed"; match_id: string; match: MatchView; vote: VoteView }
  | { kind: "turn.completed"; turn_id: string }
  | { kind: "turn.failed"; turn_id: string; error: Problem }
  | { kind: "turn.stopped"; turn_id: string };

export type SessionEvent =
  | { kind: "match.revealed"; match_id: string; match: MatchView; vote: VoteView }
  | { kind: "turn.added"; session_id: string; match_id: string; turn_id: string }
  | { kind: "session.changed"; session_id: string; deleted: boolean };
