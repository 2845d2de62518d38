/** Sends a prompt where the plan says, and tells how that went. */
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { type ApiError, asApiError } from "@/api/problem";
import { useComposer } from "@/features/arena/composer-store";
import type { Plan } from "@/features/arena/mode-feature";
import { useTurns } from "@/turn/turns-context";

interface Ask {
  send: (text: string, plan: Plan) => Promise<void>;
  sending: boolean;
  /** Why the last prompt was not taken, and which one that was. */
  refused: { error: ApiError; text: string } | null;
  clearError: () => void;
}

/** The draft is cleared only once the server has the prompt. */
export function useAsk(sessionId: string | null, mode: string): Ask {
  const turns = useTurns();
  const navigate = useNavigate();
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<Ask["refused"]>(null);

  const send = useCallback(
    async (text: string, plan: Plan) => {
      if (plan.kind === "wait") return;
      setSending(true);
      setRefused(null);
      try {
        const { path, body } = target(sessionId, mode, text, plan);
        const state = await turns.start(path, body);
        const session = state.match?.session_id ?? sessionId;
        const { setDraft, setMode } = useComposer.getState();
        setDraft(sessionId ?? "new", "");
        setMode(mode);
        if (session) await navigate({ to: "/s/$session", params: { session }, search: {} });
      } catch (error) {
        setRefused({ error: asApiError(error), text });
      } finally {
        setSending(false);
      }
    },
    [turns, navigate, sessionId, mode],
  );
  return { send, sending, refused, clearError: useCallback(() => setRefused(null), []) };
}

function target(
  sessionId: string | null,
  mode: string,
  prompt: string,
  plan: Exclude<Plan, { kind: "wait" }>,
) {
  if (plan.kind === "turn") {
    return { path: `/api/matches/${plan.matchId}/turns`, body: { input: { type: "prompt", text: prompt } } };
  }
  const { kind: _, ...seating } = plan;
  const path = sessionId ? `/api/sessions/${sessionId}/matches` : "/api/sessions";
  return { path, body: { prompt, mode, ...seating } };
}
