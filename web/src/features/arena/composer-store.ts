import { create } from "zustand";
import { persist } from "zustand/middleware";

interface ComposerStore {
  /** What has been typed, by session id; "new" is the page of a new session. */
  drafts: Record<string, string>;
  mode: string;
  model: string | null;
  /** What was last chosen for a mode, and in which place. */
  setups: Record<string, { place: string; setup: unknown }>;
  setDraft: (place: string, text: string) => void;
  setMode: (mode: string) => void;
  setModel: (model: string) => void;
  setSetup: (mode: string, place: string, setup: unknown) => void;
}

/** Drafts and last choices; they survive a reload. A draft belongs to its place, not to a mode. */
export const useComposer = create<ComposerStore>()(
  persist(
    (set) => ({
      drafts: {},
      mode: "battle",
      model: null,
      setups: {},
      setDraft: (place, text) =>
        set(({ drafts: { [place]: _, ...rest } }) => ({
          drafts: text === "" ? rest : { ...rest, [place]: text },
        })),
      setMode: (mode) => set({ mode }),
      setModel: (model) => set({ model }),
      setSetup: (mode, place, setup) =>
        set(({ setups }) => ({ setups: { ...setups, [mode]: { place, setup } } })),
    }),
    { name: "parley.composer" },
  ),
);
