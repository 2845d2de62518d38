/** The keys of opened sealed sessions: in this tab's memory and nowhere else, so a reload forgets them. */
import { create } from "zustand";

/** What begins the next session sealed: its key, and how a passkey or a passphrase wraps it. */
export interface SealDraft {
  key: string;
  wrap: SealWrap;
}

export interface SealWrap {
  kind: "passphrase" | "passkey";
  salt: string;
  nonce: string;
  key: string;
  iterations?: number | null;
  credential_id?: string | null;
}

/** The seal of the session that is about to begin; null while it is unsealed. */
export const useSealDraft = create<{ draft: SealDraft | null }>()(() => ({ draft: null }));

/** By the id of a session, a match or a turn. */
const keys = new Map<string, string>();

/** Remember a session's key, for its matches and turns too. */
export function learnKey(key: string, ...ids: (string | undefined)[]): void {
  for (const id of ids) if (id) keys.set(id, key);
}

/** Remember whose key it is of what a sealed session has; nothing of any other session. */
export function learnIds(sessionId: string, ids: readonly string[]): void {
  const key = keys.get(sessionId);
  if (key) learnKey(key, ...ids);
}

/** Close a sealed session: nothing of its key stays in this tab. */
export function forgetKey(sessionId: string): void {
  const key = keys.get(sessionId);
  for (const [id, known] of keys) if (known === key) keys.delete(id);
}

export const isOpened = (sessionId: string) => keys.has(sessionId);

/** The key of the sealed session that a request is about. */
export function keyOf(path: string): string | undefined {
  for (const part of path.split("/")) {
    const key = keys.get(part);
    if (key) return key;
  }
  return undefined;
}

/** Whether nothing that is typed in a place may be kept in this browser. */
export const isUnkept = (place: string) =>
  place === "new" ? useSealDraft.getState().draft !== null : isOpened(place);
