/** The one reducer of a turn: live, reload, replay and a second tab all go through it. */
import type { TurnEvent } from "@/api/events";
import type { Interjection, MatchView, NoteView, ReplyView, TurnStatus, TurnView } from "@/api/types";
import { blank, restarted } from "@/turn/blank-reply";
import { reduceTools } from "@/turn/reduce-tools";

export interface TurnState {
  match: MatchView | null;
  turn: TurnView | null;
  /** The turn has reached its one end. */
  ended: boolean;
  /** Something is missing: the state is kept, a new snapshot must be asked for. */
  gap: boolean;
}

export const emptyTurn: TurnState = { match: null, turn: null, ended: false, gap: false };

/** A turn that is played, or that the server will take up again: it has not come to its end. */
export const isUnfinished = (status: TurnStatus) => status === "running" || status === "interrupted";

/** Apply one event. Pure; applying an event twice gives the same as once; unknown kinds change nothing. */
export function reduceTurn(state: TurnState, event: TurnEvent): TurnState {
  if (event.kind === "turn.snapshot") {
    return { match: event.match, turn: event.turn, ended: !isUnfinished(event.turn.status), gap: false };
  }
  const { turn } = state;
  if (turn === null) return lost(state);
  switch (event.kind) {
    case "turn.started":
      if (event.play <= turn.play) return state;
      return { ...state, ended: false, turn: { ...turn, play: event.play, status: "running", error: null } };
    case "round.started":
      return startRound(state, turn, event);
    case "reply.started":
      return startReply(state, turn, event);
    case "reply.delta":
      return extendReply(state, turn, event);
    case "part.added":
      return addPart(state, turn, event);
    case "reply.progressed":
      return progress(state, turn, event);
    case "reply.completed":
      return endReply(state, turn, event, {
        status: "completed",
        finish_reason: event.finish_reason,
        metrics: event.metrics,
        error: null,
        parts: event.parts,
      });
    case "reply.failed":
      return endReply(state, turn, event, {
        status: event.status,
        metrics: event.metrics,
        error: event.error,
        parts: event.parts,
      });
    case "note.added":
      return addNote(state, turn, event.note);
    case "input.added":
      return addInterjection(state, turn, event.interjection);
    case "ballot.opened":
      return withMatch(state, (match) => ({
        ...match,
        ballot: match.ballot && { ...match.ballot, choices: event.choices, open: true },
      }));
    case "match.revealed":
      return { ...state, match: event.match };
    case "turn.completed":
      return { ...state, ended: true, turn: { ...turn, status: "completed", error: null } };
    case "turn.failed":
      return voided(
        { ...state, ended: true, turn: { ...silenced(turn), status: "failed", error: event.error } },
        event,
      );
    case "turn.stopped":
      return { ...state, ended: true, turn: { ...silenced(turn), status: "stopped" } };
    case "tool.called":
    case "tool.returned": {
      const tools = reduceTools(turn.tools, event);
      if (tools === turn.tools) return state;
      return tools ? { ...state, turn: { ...turn, tools } } : lost(state);
    }
    default:
      return ignored(state, event);
  }
}

/** Unknown kinds of a newer server; the parameter's type makes the switch above exhaustive. */
function ignored(state: TurnState, _event: never): TurnState {
  return state;
}

function lost(state: TurnState): TurnState {
  return state.gap ? state : { ...state, gap: true };
}

function startRound(
  state: TurnState,
  turn: TurnView,
  event: Extract<TurnEvent, { kind: "round.started" }>,
): TurnState {
  const changed = turn.interjections.some(
    ({ id, round }) => event.heard.includes(id) && round !== event.round,
  );
  if (event.round <= turn.round && !changed) return state;
  const interjections = turn.interjections.map((said) =>
    event.heard.includes(said.id) ? { ...said, round: event.round } : said,
  );
  return { ...state, turn: { ...turn, round: Math.max(turn.round, event.round), interjections } };
}

/** What the person said while the turn ran; which round heard it is told when that begins. */
function addInterjection(state: TurnState, turn: TurnView, said: Interjection): TurnState {
  if (turn.interjections.some((known) => known.id === said.id)) return state;
  return { ...state, turn: { ...turn, interjections: [...turn.interjections, said] } };
}

function startReply(
  state: TurnState,
  turn: TurnView,
  event: Extract<TurnEvent, { kind: "reply.started" }>,
): TurnState {
  const known = turn.replies.find((reply) => reply.id === event.reply_id);
  if (known && event.attempt <= known.attempt) return state;
  const { seat, path, round, purpose, order, attempt } = event;
  const fresh: ReplyView = { ...blank(event.reply_id, attempt), seat, path, round, purpose, order };
  const others = turn.replies.filter((reply) => reply !== known);
  const replies = [...others, fresh].sort((a, b) => a.order - b.order);
  const tools = turn.tools.filter((call) => call.reply_id !== event.reply_id || call.attempt >= attempt);
  return { ...state, turn: { ...turn, replies, tools } };
}

function extendReply(
  state: TurnState,
  turn: TurnView,
  event: Extract<TurnEvent, { kind: "reply.delta" }>,
): TurnState {
  const known = turn.replies.find((reply) => reply.id === event.reply_id);
  if (!known) return lost(state);
  if (event.attempt < known.attempt) return state;
  const reply = event.attempt > known.attempt ? restarted(known, event.attempt) : known;
  const [body, end] = [event.channel, `${event.channel}_end` as const];
  if (event.end <= reply[end]) return withReply(state, turn, known, reply);
  if (event.offset !== reply[end]) return lost(withReply(state, turn, known, reply));
  return withReply(state, turn, known, { ...reply, [body]: reply[body] + event.text, [end]: event.end });
}

function addPart(
  state: TurnState,
  turn: TurnView,
  event: Extract<TurnEvent, { kind: "part.added" }>,
): TurnState {
  const known = turn.replies.find((reply) => reply.id === event.reply_id);
  if (!known) return lost(state);
  if (event.attempt < known.attempt) return state;
  const reply = event.attempt > known.attempt ? restarted(known, event.attempt) : known;
  if (event.index < reply.parts.length) return withReply(state, turn, known, reply);
  if (event.index > reply.parts.length) return lost(withReply(state, turn, known, reply));
  return withReply(state, turn, known, { ...reply, parts: [...reply.parts, event.part] });
}

/** How far a picture is. It is not stored, and a missed one does not matter: the next one says more. */
function progress(
  state: TurnState,
  turn: TurnView,
  event: Extract<TurnEvent, { kind: "reply.progressed" }>,
): TurnState {
  const known = turn.replies.find((reply) => reply.id === event.reply_id);
  if (!known || event.attempt !== known.attempt) return state;
  return withReply(state, turn, known, { ...known, progress: event.progress });
}

/** A note is unique by its name, round and key: a later one takes the place of an earlier one. */
const sameNote = (a: NoteView, b: NoteView) => a.name === b.name && a.round === b.round && a.key === b.key;

function addNote(state: TurnState, turn: TurnView, note: NoteView): TurnState {
  const known = turn.notes.find((other) => sameNote(other, note));
  if (known && known.seq >= note.seq) return state;
  const notes = [...turn.notes.filter((other) => other !== known), note];
  return { ...state, turn: { ...turn, notes } };
}

interface ReplyEnd {
  reply_id: string;
  attempt: number;
  text_end: number;
  reasoning_end: number;
}

function endReply(state: TurnState, turn: TurnView, event: ReplyEnd, outcome: Partial<ReplyView>): TurnState {
  const known = turn.replies.find((reply) => reply.id === event.reply_id);
  if (!known) return lost(state);
  if (event.attempt < known.attempt) return state;
  const reply = event.attempt > known.attempt ? restarted(known, event.attempt) : known;
  if (event.text_end > reply.text_end || event.reasoning_end > reply.reasoning_end) {
    return lost(withReply(state, turn, known, reply));
  }
  const { progress: _, ...ended } = reply;
  return withReply(state, turn, known, { ...ended, ...outcome });
}

function withReply(state: TurnState, turn: TurnView, known: ReplyView, next: ReplyView): TurnState {
  if (next === known) return state;
  const replies = turn.replies.map((reply) => (reply === known ? next : reply));
  return { ...state, turn: { ...turn, replies } };
}

function withMatch(state: TurnState, change: (match: MatchView) => MatchView): TurnState {
  return state.match ? { ...state, match: change(state.match) } : state;
}

/** A blind match whose turn failed is void: nothing of it can be voted on. */
function voided(state: TurnState, event: Extract<TurnEvent, { kind: "turn.failed" }>): TurnState {
  if (event.error.code !== "battle_void") return state;
  return withMatch(state, (match) => ({
    ...match,
    status: "void",
    void: event.error,
    ballot: match.ballot && { ...match.ballot, open: false },
  }));
}

/** No reply goes on once its turn has ended early. */
function silenced(turn: TurnView): TurnView {
  const open = (reply: ReplyView) => reply.status === "waiting" || reply.status === "streaming";
  if (!turn.replies.some(open)) return turn;
  return {
    ...turn,
    replies: turn.replies.map((reply) => (open(reply) ? { ...reply, status: "stopped" } : reply)),
  };
}
