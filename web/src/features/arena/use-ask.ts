/** Sends what a person gives where the plan says, and tells how that went. */
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { type ApiError, asApiError } from "@/api/problem";
import { interject } from "@/api/requests";
import { useComposer } from "@/features/arena/composer-store";
import { named } from "@/features/arena/inputs";
import { type Given, type Plan, useFeature } from "@/features/arena/mode-feature";
import { useSealDraft } from "@/lib/seal-keys";
import { useTurns } from "@/turn/turns-context";

interface Ask {
  /** Begin a turn. */
  send: (input: Given, plan: Plan) => Promise<void>;
  /** Say something to a turn that runs. */
  say: (turnId: string, input: Given) => Promise<void>;
  sending: boolean;
  /** Why the last input was not taken, and the draft that it became again. */
  refused: { error: ApiError; text: string } | null;
  clearError: () => void;
}

/** What is sent leaves the composer at once, and comes back where the server does not take it. */
export function useAsk(sessionId: string | null, mode: string, takesFiles: boolean | undefined): Ask {
  const turns = useTurns();
  const navigate = useNavigate();
  const router = useRouter();
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<Ask["refused"]>(null);
  const place = sessionId ?? "new";
  const { forgets } = useFeature(mode);

  const attempt = useCallback(
    async (input: Given, work: () => Promise<unknown>) => {
      const text = textOf(input);
      const { begin, settle, giveBack } = useComposer.getState();
      setSending(true);
      setRefused(null);
      begin(place, text);
      try {
        await work();
        settle(place);
      } catch (error) {
        giveBack(place);
        const draft = useComposer.getState().drafts[place] ?? "";
        setRefused({ error: asApiError(error), text: draft.trim() });
        return false;
      } finally {
        setSending(false);
      }
      return true;
    },
    [place],
  );

  const send = useCallback(
    async (input: Given, plan: Plan) => {
      if (plan.kind === "wait") return;
      let session = sessionId;
      const draftFiles = (input.type === "prompt" && useComposer.getState().attached[place]) || [];
      const files = takesFiles ? draftFiles.filter(({ stored }) => stored) : [];
      const attachments = named(files.flatMap(({ stored }) => stored ?? []));
      const { path, body } = target(
        sessionId,
        mode,
        files[0] ? ({ ...input, attachments } as Given) : input,
        plan,
      );
      const taken = await attempt(input, async () => {
        const draft = sessionId === null ? useSealDraft.getState().draft : null;
        const state = draft
          ? await turns.start(path, { ...body, seal: { wraps: [draft.wrap] } }, draft.key)
          : await turns.start(path, body);
        // The next session is unsealed again, unless it is sealed anew: each has a key of its own.
        if (draft) useSealDraft.setState({ draft: null });
        session = state.match?.session_id ?? sessionId;
      });
      if (!taken) return;
      const { setSetup, handOver } = useComposer.getState();
      useComposer.setState(({ attached }) => ({
        attached: {
          ...attached,
          [place]: (attached[place] ?? []).filter(({ key }) => !files.some((file) => file.key === key)),
        },
      }));
      // Who joined and left is the match's own now, under the names that they have there.
      if (forgets || (plan.kind === "turn" && plan.seats)) setSetup(mode, place, null);
      // Whoever went elsewhere while it was sent is not fetched back.
      if (router.latestLocation.pathname !== (sessionId ? `/s/${sessionId}` : "/")) return;
      if (session && sessionId === null) handOver(session);
      if (session) await navigate({ to: "/s/$session", params: { session }, search: {} });
    },
    [turns, navigate, router, sessionId, mode, takesFiles, place, forgets, attempt],
  );
  const say = useCallback(
    async (turnId: string, input: Given) => {
      await attempt(input, () => interject(turnId, input));
    },
    [attempt],
  );
  return { send, say, sending, refused, clearError: useCallback(() => setRefused(null), []) };
}

const textOf = (input: Given) => ("text" in input ? input.text : "");

function target(sessionId: string | null, mode: string, input: Given, plan: Exclude<Plan, { kind: "wait" }>) {
  if (plan.kind === "turn") {
    const body = plan.seats ? { input, seats: plan.seats } : { input };
    return { path: `/api/matches/${plan.matchId}/turns`, body };
  }
  const { kind: _, ...seating } = plan;
  const path = sessionId ? `/api/sessions/${sessionId}/matches` : "/api/sessions";
  const files = "attachments" in input && { attachments: input.attachments };
  return { path, body: { prompt: textOf(input), mode, ...seating, ...files } };
}
