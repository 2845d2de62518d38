/** A text of the address that is typed into a field. */
import { useEffect, useRef, useState } from "react";

const TYPED_MS = 250;

const same = (one: string, other: string) => one.trim() === other.trim();

/**
 * The text as it is typed, which reaches the address a moment after the last key. What comes back from there late never
 * stands in for what was typed since; a text that the address got from elsewhere does.
 */
export function useTyped(value: string, onTyped: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const underWay = useRef<string[]>([]);
  useEffect(() => {
    const own = underWay.current.findIndex((text) => same(text, value));
    underWay.current = own < 0 ? [] : underWay.current.slice(own + 1);
    if (own < 0) setTyped(value);
  }, [value]);
  useEffect(() => {
    if (same(typed, underWay.current.at(-1) ?? value)) return;
    const timer = setTimeout(() => {
      underWay.current.push(typed);
      onTyped(typed);
    }, TYPED_MS);
    return () => clearTimeout(timer);
  });
  return [typed, setTyped];
}
