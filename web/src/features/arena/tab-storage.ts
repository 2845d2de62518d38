/** A store that several tabs keep together: each writes only what it changed, so that none undoes the others' texts. */
import type { PersistStorage } from "zustand/middleware";

type Kept = Record<string, unknown>;

/**
 * What is stored once this tab has written: entries of maps one by one, anything else as a whole. `base` is what this
 * tab had read or written before; what it left alone stays as another tab stored it.
 */
export function merged(base: Kept, mine: Kept, stored: Kept, depth = 2): Kept {
  const result: Kept = {};
  for (const key of new Set([...Object.keys(stored), ...Object.keys(mine)])) {
    const [before, now, other] = [base[key], mine[key], stored[key]];
    if (depth > 1 && isMap(now) && isMap(other)) {
      result[key] = merged(isMap(before) ? before : {}, now, other, depth - 1);
      continue;
    }
    const value = same(now, before) ? other : now;
    if (value !== undefined) result[key] = value;
  }
  return result;
}

/** An entry of a map, by the names of both. */
export type Entry = readonly [map: string, entry: string];

/** The entries of maps in which two states differ. */
export function changedIn(maps: readonly string[], before: Kept, now: Kept): Entry[] {
  return maps.flatMap((map) => {
    const [one, other] = [before[map], now[map]].map((each) => (isMap(each) ? each : {})) as [Kept, Kept];
    const entries = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return entries.filter((entry) => !same(one[entry], other[entry])).map((entry) => [map, entry] as const);
  });
}

/** `theirs` with these entries as they are in `mine`. */
export function withEntries(theirs: Kept, mine: Kept, entries: readonly Entry[]): Kept {
  const result = { ...theirs };
  for (const [map, entry] of entries) {
    const { [entry]: _, ...others } = (result[map] ?? {}) as Kept;
    const value = (mine[map] as Kept | undefined)?.[entry];
    result[map] = value === undefined ? others : { ...others, [entry]: value };
  }
  return result;
}

const isMap = (value: unknown): value is Kept =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const same = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other);

interface TabOptions<S> {
  name: string;
  /** Maps whose entries are the same in every tab at once. */
  live: readonly (keyof S & string)[];
  /** The entry of those maps that each tab has for itself. */
  own: string;
  take: (changed: Partial<S>) => void;
}

/** What another tab stores so soon after this one may not have what this one wrote. */
const STALE_MS = 1000;

export function tabStorage<S>({ name, live, own, take }: TabOptions<S>): PersistStorage<S> {
  let base: Kept = {};
  /** When this tab changed an entry last. */
  const touched = new Map<string, { entry: Entry; at: number }>();
  /** The live maps of `state`, each with this tab's own entry as it is in `mine`. */
  const withOwn = (state: Kept, mine: Kept): Kept =>
    Object.fromEntries(
      live.map((key) => {
        const [all, kept] = [{ ...(state[key] as Kept | undefined) }, mine[key] as Kept | undefined];
        if (kept && own in kept) all[own] = kept[own];
        else delete all[own];
        return [key, all];
      }),
    );
  const ownOf = (state: Kept) => withOwn({}, state);

  addEventListener("storage", ({ key, newValue }) => {
    const stored = key === name ? parsed(newValue) : null;
    if (!stored) return;
    const theirs = withOwn(stored, base);
    const recent = [...touched.values()].filter(({ at }) => performance.now() - at < STALE_MS);
    const changed = withEntries(
      theirs,
      base,
      recent.map(({ entry }) => entry),
    );
    base = { ...base, ...changed };
    take(changed as Partial<S>);
    // A tab in another process may have read before this one wrote, and written after it.
    if (!same(changed, theirs)) write(localStorage, name, { ...stored, ...changed });
  });

  return {
    getItem: () => {
      const shared = read(localStorage, name);
      const mine = read(sessionStorage, name);
      base = { ...shared, ...(mine && withOwn(shared ?? {}, mine)) };
      return { state: base as S };
    },
    setItem: (_, { state }) => {
      const plain = JSON.parse(JSON.stringify(state)) as Kept;
      for (const entry of changedIn(live, base, plain)) {
        touched.set(entry.join(" "), { entry, at: performance.now() });
      }
      write(localStorage, name, merged(base, plain, read(localStorage, name) ?? {}));
      write(sessionStorage, name, ownOf(plain));
      base = plain;
    },
    removeItem: () => localStorage.removeItem(name),
  };
}

const read = (storage: Storage, name: string) => parsed(storage.getItem(name));

function parsed(text: string | null): Kept | null {
  try {
    return text === null ? null : (JSON.parse(text) as { state: Kept }).state;
  } catch {
    return null;
  }
}

function write(storage: Storage, name: string, state: Kept): void {
  try {
    storage.setItem(name, JSON.stringify({ state, version: 0 }));
  } catch {
    // A full or blocked storage only means that it is not remembered.
  }
}
