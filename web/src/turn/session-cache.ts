/** Lays a turn over a session's view. Pure. */

import type { MatchRecord, SessionView, TurnView } from "@/api/types";
import type { TurnState } from "@/turn/reduce-turn";
import { STRINGS } from "@/turn/strings";

/** The session with this turn and its match replaced or added; a session not known yet is begun. */
export function layTurn(view: SessionView | undefined, state: TurnState): SessionView | undefined {
  const { match, turn } = state;
  if (!match || !turn) return view;
  const base = view ?? beginSession(match.session_id, match.mode, turn);
  const known = base.matches.find((record) => record.match.id === match.id);
  const record: MatchRecord = { match, turns: placeTurn(known?.turns ?? [], turn) };
  const matches = known
    ? base.matches.map((each) => (each === known ? record : each))
    : [...base.matches, record].sort((a, b) => a.match.index - b.match.index);
  return { ...base, matches };
}

function placeTurn(turns: TurnView[], turn: TurnView): TurnView[] {
  if (turns.some((each) => each.id === turn.id))
    return turns.map((each) => (each.id === turn.id ? turn : each));
  return [...turns, turn].sort((a, b) => a.index - b.index);
}

function beginSession(id: string, mode: string, turn: TurnView): SessionView {
  const title =
    turn.input.type === "prompt"
      ? (turn.input.text.trim().split("\n")[0] ?? "").slice(0, 80)
      : STRINGS.newSession;
  return {
    session: {
      id,
      title,
      mode,
      archived: false,
      pinned: false,
      unvoted: false,
      excerpt: null,
      excerpt_turn_id: null,
      tags: [],
      created_at: turn.created_at,
      updated_at: turn.created_at,
    },
    matches: [],
  };
}
