import { expect, it } from "vitest";
import { changedIn, merged, tabStorage, withEntries } from "@/features/arena/tab-storage";

it("keeps what another tab wrote meanwhile, and what it removed stays removed", () => {
  const base = { drafts: { one: "a", two: "b", gone: "c" }, mode: "chat" };
  const mine = { drafts: { one: "a and more", two: "b", gone: "c" }, mode: "chat" };
  const stored = { drafts: { one: "a", two: "other", three: "new" }, mode: "battle" };
  expect(merged(base, mine, stored)).toEqual({
    drafts: { one: "a and more", two: "other", three: "new" },
    mode: "battle",
  });
});

it("removes what this tab removed, and nothing else", () => {
  const base = { drafts: { one: "a", two: "b" } };
  expect(merged(base, { drafts: { two: "b" } }, { drafts: { one: "a", two: "c" } })).toEqual({
    drafts: { two: "c" },
  });
});

it("takes an entry as a whole: two line-ups are never mixed", () => {
  const base = { setups: { compare: { places: [1], brief: { order: "x" } } } };
  const mine = { setups: { compare: { places: [2], brief: { order: "x" } } } };
  const stored = { setups: { compare: { places: [1], brief: { order: "y" } } } };
  expect(merged(base, mine, stored)).toEqual(mine);
});

it("writes everything where nothing is stored", () => {
  expect(merged({}, { drafts: { new: "a" }, mode: "chat" }, {})).toEqual({
    drafts: { new: "a" },
    mode: "chat",
  });
});

it("names the entries that changed, and puts them back where another tab did not know them", () => {
  const before = { drafts: { one: "a", two: "b" }, sent: { x: "1" }, mode: "chat" };
  const now = { drafts: { one: "a!", three: "c" }, sent: { x: "1" }, mode: "battle" };
  const entries = changedIn(["drafts", "sent"], before, now);
  expect(entries).toEqual([
    ["drafts", "one"],
    ["drafts", "two"],
    ["drafts", "three"],
  ]);
  const theirs = { drafts: { one: "a", two: "b", four: "d" }, sent: {} };
  expect(withEntries(theirs, now, entries)).toEqual({
    drafts: { one: "a!", three: "c", four: "d" },
    sent: {},
  });
});

it("keeps what was typed here, though another tab stored over it without having read it", () => {
  const stores = { local: new Map<string, string>(), session: new Map<string, string>() };
  const listeners: ((event: unknown) => void)[] = [];
  const storageOf = (store: Map<string, string>) => ({
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  });
  Object.assign(globalThis, {
    localStorage: storageOf(stores.local),
    sessionStorage: storageOf(stores.session),
    addEventListener: (_: string, listener: (event: unknown) => void) => listeners.push(listener),
  });
  interface State {
    drafts: Record<string, string>;
  }
  let state: State = { drafts: {} };
  const storage = tabStorage<State>({
    name: "kept",
    live: ["drafts"],
    own: "new",
    take: (changed) => {
      state = { ...state, ...changed };
    },
  });
  storage.getItem("kept");
  state = { drafts: { session: "typed" } };
  storage.setItem("kept", { state, version: 0 });
  const stale = JSON.stringify({ state: { drafts: { other: "theirs" } }, version: 0 });
  stores.local.set("kept", stale);
  for (const listener of listeners) listener({ key: "kept", newValue: stale });
  expect(state.drafts).toEqual({ session: "typed", other: "theirs" });
  expect(JSON.parse(stores.local.get("kept") ?? "").state.drafts).toEqual(state.drafts);
});
