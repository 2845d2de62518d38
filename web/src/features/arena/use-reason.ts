/** Why a person votes as they do: kept as drafts are, until the vote has it. */
import { useCallback, useState } from "react";
import { useComposer } from "@/features/arena/composer-store";

export interface Reason {
  text: string;
  write: (text: string) => void;
  /** Forget a text that a vote has now, unless something else was typed meanwhile. */
  settle: (sent: string) => void;
  /** The field is in sight: asked for, or with something in it. */
  shown: boolean;
  /** It was asked for just now. */
  asked: boolean;
  ask: () => void;
}

/** `place` is the id of what is voted on. */
export function useReason(place: string): Reason {
  const draft = `reason:${place}`;
  const text = useComposer((state) => state.drafts[draft] ?? "");
  const [asked, setAsked] = useState(false);
  const write = useCallback((text: string) => useComposer.getState().setDraft(draft, text), [draft]);
  const settle = useCallback(
    (sent: string) => {
      if (useComposer.getState().drafts[draft]?.trim() === sent.trim()) write("");
    },
    [draft, write],
  );
  return { text, write, settle, shown: asked || text !== "", asked, ask: () => setAsked(true) };
}
