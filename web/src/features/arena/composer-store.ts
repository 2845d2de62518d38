import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { components } from "@/api/__generated__/schema";
import { tabStorage } from "@/features/arena/tab-storage";
import { isUnkept, useSealDraft } from "@/lib/seal-keys";

/** A file of a draft: its upload, then what the server stored, or why it could not. */
export interface Attaching {
  key: string;
  name: string;
  size: number;
  /** How much is sent, from 0 to 1. */
  done: number;
  stored: components["schemas"]["Attached"] | null;
  /** The file as it was uploaded, where it was read anew in another encoding. */
  original?: string;
  /** It is read anew in another encoding just now. */
  reading?: boolean;
  error: string | null;
  /** Where it stood in the draft, if it was pasted as text; the text itself until the server has it. */
  pasted?: { at: number; text: string | null };
  /** The upload failed through no fault of the file. */
  again?: boolean;
}

interface ComposerStore {
  /** What has been typed, by session id; "new" is the page of a new session. */
  drafts: Record<string, string>;
  /** What was sent and the server does not have yet, by place. */
  sent: Record<string, string>;
  /** Pictures and files of drafts, by place. */
  attached: Record<string, Attaching[]>;
  /** How many times files were given to a place that are not among its files yet. */
  coming: Record<string, number>;
  /** The models chosen now that cannot see a picture of the draft. */
  unseeing: string[];
  /** The session that takes over what was typed on the page of a new one. */
  heir: string | null;
  /** The mode that was last chosen by hand: new sessions begin in it. */
  mode: string;
  model: string | null;
  /** What was last chosen for a mode, wherever that was. */
  lastSetups: Record<string, unknown>;
  /** What was chosen for a mode in a place, by both; the latest ones. */
  setups: Record<string, unknown>;
  setDraft: (place: string, text: string) => void;
  /** Note that a text is being sent: what is typed from now on is the next draft. */
  begin: (place: string, text: string) => void;
  /** Forget what was sent: the server has it. */
  settle: (place: string) => void;
  /** Put what was sent back before the draft: the server did not take it. */
  giveBack: (place: string) => void;
  handOver: (session: string) => void;
  /** Add to a place's draft what was typed before its composer was there. */
  takeOver: (place: string, typed: string) => void;
  /** Note that files were given to a place; return what to call once they are among its files. */
  awaitFiles: (place: string) => () => void;
  setMode: (mode: string) => void;
  setModel: (model: string) => void;
  setSetup: (mode: string, place: string, setup: unknown) => void;
}

type Texts = Record<string, string>;

const without = (texts: Texts, place: string): Texts => {
  const { [place]: _, ...rest } = texts;
  return rest;
};
const withText = (texts: Texts, place: string, text: string): Texts =>
  text === "" ? without(texts, place) : { ...texts, [place]: text };
/** Without what is typed for sealed sessions, which no browser keeps. */
const kept = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([place]) => !isUnkept(place)));
const joined = (...texts: (string | undefined)[]) => texts.filter(Boolean).join("\n");

const returned = (drafts: Texts, sent: Texts, place: string): Pick<ComposerStore, "drafts" | "sent"> => ({
  drafts: withText(drafts, place, joined(sent[place], drafts[place])),
  sent: without(sent, place),
});

type Stored = Pick<
  ComposerStore,
  "drafts" | "sent" | "attached" | "mode" | "model" | "lastSetups" | "setups"
>;

const NAME = "parley.composer";
const MOST_SETUPS = 40;
export const setupKey = (mode: string, place: string) => `${mode}/${place}`;

/** What was chosen for a mode in a place; where nothing was and it `carries`, what was last chosen anywhere. */
export const useSetup = (mode: string, place: string, carries: boolean): unknown =>
  useComposer(
    ({ setups, lastSetups }) =>
      setups[setupKey(mode, place)] ?? (carries ? (lastSetups[mode] ?? null) : null),
  );

/** Drafts and last choices; they survive a reload. A draft belongs to its place, not to a mode. */
export const useComposer = create<ComposerStore>()(
  persist(
    (set) => ({
      drafts: {},
      sent: {},
      attached: {},
      coming: {},
      unseeing: [],
      heir: null,
      mode: "battle",
      model: null,
      lastSetups: {},
      setups: {},
      setDraft: (place, text) => set(({ drafts }) => ({ drafts: withText(drafts, place, text) })),
      begin: (place, text) =>
        set(({ drafts, sent }) => ({
          sent: withText(sent, place, text),
          drafts: drafts[place]?.trim() === text ? without(drafts, place) : drafts,
        })),
      settle: (place) => set(({ sent }) => ({ sent: without(sent, place) })),
      giveBack: (place) => set(({ drafts, sent }) => returned(drafts, sent, place)),
      handOver: (heir) => set({ heir }),
      takeOver: (place, typed) =>
        set(({ drafts, heir }) => {
          const inherits = heir === place;
          const before = inherits ? joined(drafts[place], drafts.new) : (drafts[place] ?? "");
          const rest = inherits ? without(drafts, "new") : drafts;
          return {
            drafts: withText(rest, place, before + typed),
            heir: inherits || place === "new" ? null : heir,
          };
        }),
      awaitFiles: (place) => {
        const count = (by: number) =>
          set(({ coming }) => ({ coming: { ...coming, [place]: (coming[place] ?? 0) + by } }));
        count(1);
        return () => count(-1);
      },
      setMode: (mode) => set({ mode }),
      setModel: (model) => set({ model }),
      setSetup: (mode, place, setup) =>
        set(({ lastSetups, setups: { [setupKey(mode, place)]: _, ...others } }) => {
          if (setup === null) return { setups: others };
          const latest = Object.entries({ ...others, [setupKey(mode, place)]: setup }).slice(-MOST_SETUPS);
          return { setups: Object.fromEntries(latest), lastSetups: { ...lastSetups, [mode]: setup } };
        }),
    }),
    {
      name: NAME,
      storage: tabStorage<Stored>({
        name: NAME,
        live: ["drafts", "sent", "attached"],
        own: "new",
        take: (changed) => useComposer.setState(changed),
      }),
      partialize: ({ drafts, sent, attached, mode, model, lastSetups, setups }) => ({
        drafts: kept(drafts),
        sent: kept(sent),
        attached,
        mode,
        model,
        lastSetups,
        setups,
      }),
      merge: (stored, initial) => {
        const state = { ...initial, ...(stored as Partial<ComposerStore>) };
        // The page was left while this was being sent: whether it arrived, nobody knows.
        for (const place of Object.keys(state.sent))
          Object.assign(state, returned(state.drafts, state.sent, place));
        return state;
      },
    },
  ),
);

// What was typed before the switch was set is taken out of this browser's storage at once.
useSealDraft.subscribe(() => useComposer.setState(({ drafts }) => ({ drafts: { ...drafts } })));
