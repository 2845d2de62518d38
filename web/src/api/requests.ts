/** One function per call of the HTTP contract that answers with JSON. */
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { forgetSessions } from "@/api/offline";
import type { ModeCard } from "@/api/types";
import { learnIds } from "@/lib/seal-keys";

type Signal = { signal: AbortSignal };
type Input = components["schemas"]["StartTurn"]["input"];

export const getAbout = ({ signal }: Signal) => answerOf(api.GET("/api/about", { signal }));

/** The client's types widen a pair to a list; the document says that `members` is a pair. */
export const getModes = async ({ signal }: Signal) =>
  (await answerOf(api.GET("/api/modes", { signal }))).modes as ModeCard[];

export const getModelList = ({ signal }: Signal) => answerOf(api.GET("/api/models", { signal }));

export interface SessionFilter {
  search: string;
  /** Only the archived ones; without it a search and a tag find all, other lists those outside the archive. */
  archived?: boolean;
  /** Only those of one mode; null lists all. */
  mode?: string | null;
  tag?: string | null;
  /** Only the pinned ones, or only the others; without it both. */
  pinned?: boolean;
}

const PAGE_SIZE = 50;

export const listSessions = (
  { search, archived, mode, tag, pinned }: SessionFilter,
  cursor: string | null,
  { signal }: Signal,
) =>
  answerOf(
    api.GET("/api/sessions", {
      params: {
        query: {
          search,
          limit: PAGE_SIZE,
          ...(archived && { archived }),
          ...(mode && { mode }),
          ...(tag && { tag }),
          ...(pinned !== undefined && { pinned }),
          ...(cursor !== null && { cursor }),
        },
      },
      signal,
    }),
  );

const session = (session_id: string) => ({ params: { path: { session_id } } });

export async function getSession(id: string, { signal }: Signal) {
  const view = await answerOf(api.GET("/api/sessions/{session_id}", { ...session(id), signal }));
  for (const { match, turns } of view.matches) learnIds(id, [match.id, ...turns.map((turn) => turn.id)]);
  return view;
}

export const getSeal = (id: string, { signal }: Signal) =>
  answerOf(api.GET("/api/sessions/{session_id}/seal", { ...session(id), signal }));

export const patchSession = (id: string, change: { title?: string; archived?: boolean; pinned?: boolean }) =>
  answerOf(api.PATCH("/api/sessions/{session_id}", { ...session(id), body: change }));

export async function deleteSession(id: string) {
  await answerOf(api.DELETE("/api/sessions/{session_id}", session(id)));
  await forgetSessions([id]);
}

export const restoreSession = (id: string) =>
  answerOf(api.POST("/api/sessions/{session_id}/restore", session(id)));

/** Stop a turn, or what one seat is saying. */
export const stopTurn = (turn_id: string, seat?: string) =>
  answerOf(
    api.POST("/api/turns/{turn_id}/stop", {
      params: { path: { turn_id } },
      ...(seat !== undefined && { body: { seat } }),
    }),
  );

export const interject = (turn_id: string, input: Input) =>
  answerOf(api.POST("/api/turns/{turn_id}/interject", { params: { path: { turn_id } }, body: { input } }));

export const getAttempts = (turn_id: string, { signal }: Signal) =>
  answerOf(api.GET("/api/turns/{turn_id}/attempts", { params: { path: { turn_id } }, signal }));

export const castVote = (
  match_id: string,
  vote: string,
  reason: string | null,
  turn_id: string | null = null,
) =>
  answerOf(
    api.POST("/api/matches/{match_id}/vote", {
      params: { path: { match_id } },
      body: { vote, ...(reason && { reason }), ...(turn_id && { turn_id }) },
    }),
  );
