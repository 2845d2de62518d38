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

export function tabStorage<S>({ name, live, own, take }: TabOptions<S>): PersistStorage<S> {
  let base: Kept = {};
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
    const changed = withOwn(stored, base);
    base = { ...base, ...changed };
    take(changed as Partial<S>);
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
