/** Lays a turn over a session's view. Pure. */

import type { MatchRecord, MatchView, SessionView, TurnView } from "@/api/types";
import { isOpened } from "@/lib/seal-keys";
import type { TurnState } from "@/turn/reduce-turn";

/** The session with this turn and its match replaced or added; a session not known yet is begun. */
export function layTurn(view: SessionView | undefined, state: TurnState): SessionView | undefined {
  const { match, turn } = state;
  if (!match || !turn) return view;
  const base = view ?? beginSession(match.session_id, match.mode, turn);
  const known = base.matches.find((record) => record.match.id === match.id);
  const record: MatchRecord = {
    match: known ? withVotes(match, known.match) : match,
    turns: placeTurn(known?.turns ?? [], turn),
  };
  const matches = known
    ? base.matches.map((each) => (each === known ? record : each))
    : [...base.matches, record].sort((a, b) => a.match.index - b.match.index);
  return { ...base, matches };
}

/** One object for each match as it stands: every frame lays its turn anew, and what is the same is not drawn again. */
const judged = new WeakMap<MatchView, MatchView>();

/** A turn's match with the votes that the session knows: earlier turns may be judged while this one streams. */
function withVotes(match: MatchView, { status, vote, votes }: MatchView): MatchView {
  if (match.status !== status || (votes.length === 0 && match.votes.length === 0)) return match;
  const made = judged.get(match);
  if (made?.votes === votes) return made;
  const merged = { ...match, vote, votes };
  judged.set(match, merged);
  return merged;
}

function placeTurn(turns: TurnView[], turn: TurnView): TurnView[] {
  if (turns.some((each) => each.id === turn.id))
    return turns.map((each) => (each.id === turn.id ? turn : each));
  return [...turns, turn].sort((a, b) => a.index - b.index);
}

function beginSession(id: string, mode: string, turn: TurnView): SessionView {
  const title =
    turn.input.type === "prompt" ? (turn.input.text.trim().split("\n")[0] ?? "").slice(0, 80) : "New";
  return {
    session: {
      id,
      title,
      mode,
      archived: false,
      pinned: false,
      unvoted: false,
      void: false,
      excerpt: null,
      excerpt_turn_id: null,
      tags: [],
      sealed: isOpened(id),
      created_at: turn.created_at,
      updated_at: turn.created_at,
    },
    matches: [],
  };
}
