/** One function per call of the HTTP contract. */
import { request } from "@/api/client";
import type {
  About,
  MatchView,
  ModeInfo,
  ModelCard,
  SessionCard,
  SessionList,
  SessionView,
} from "@/api/types";

type Signal = { signal?: AbortSignal };

export const getAbout = ({ signal }: Signal) => request<About>("/api/about", { signal });

export const getModes = async ({ signal }: Signal) =>
  (await request<{ modes: ModeInfo[] }>("/api/modes", { signal })).modes;

export const getModels = async ({ signal }: Signal) =>
  (await request<{ models: ModelCard[] }>("/api/models", { signal })).models;

export interface SessionFilter {
  search: string;
  archived: boolean;
}

export function listSessions(filter: SessionFilter, cursor: string | null, { signal }: Signal) {
  const query = new URLSearchParams({ limit: "50", archived: String(filter.archived) });
  if (filter.search) query.set("search", filter.search);
  if (cursor) query.set("cursor", cursor);
  return request<SessionList>(`/api/sessions?${query}`, { signal });
}

export const getSession = (id: string, { signal }: Signal) =>
  request<SessionView>(`/api/sessions/${encodeURIComponent(id)}`, { signal });

export const patchSession = (id: string, change: { title?: string; archived?: boolean }) =>
  request<SessionCard>(`/api/sessions/${id}`, { method: "PATCH", body: change });

export const deleteSession = (id: string) => request<void>(`/api/sessions/${id}`, { method: "DELETE" });

export const restoreSession = (id: string) =>
  request<SessionCard>(`/api/sessions/${id}/restore`, { method: "POST" });

export const stopTurn = (id: string) => request<unknown>(`/api/turns/${id}/stop`, { method: "POST" });

export interface VoteAnswer {
  vote_id: string;
  vote: string;
  match?: MatchView;
}

export const castVote = (matchId: string, vote: string, reason: string | null) =>
  request<VoteAnswer>(`/api/matches/${matchId}/vote`, {
    method: "POST",
    body: reason ? { vote, reason } : { vote },
  });
