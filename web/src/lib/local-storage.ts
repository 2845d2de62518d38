/** Small things that the browser remembers: a widget's state that survives a reload. */
import { useCallback, useState } from "react";

export function readStored<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`parley.${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(`parley.${key}`, JSON.stringify(value));
  } catch {
    // A full or blocked storage only means that it is not remembered.
  }
}

export function useStored<T>(key: string, fallback: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => readStored(key, fallback));
  const store = useCallback(
    (next: T) => {
      setValue(next);
      writeStored(key, next);
    },
    [key],
  );
  return [value, store];
}
