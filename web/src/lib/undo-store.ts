/** Votes that this tab saved, and until when each can be undone. */
import { create } from "zustand";

export const UNDO_S = 10;

interface UndoStore {
  vote: string | null;
  /** By the clock of `performance.now()`. */
  until: number;
}

const useStore = create<UndoStore>()(() => ({ vote: null, until: 0 }));

/** Begin the ten seconds of a vote. */
export const offerUndo = (vote: string) =>
  useStore.setState({ vote, until: performance.now() + UNDO_S * 1000 });

/** End them. */
export const endUndo = () => useStore.setState({ vote: null });

/** Until when a vote can be undone; null once it is too late, or if another tab cast it. */
export const useUndoUntil = (vote: string): number | null =>
  useStore((state) => (state.vote === vote ? state.until : null));
