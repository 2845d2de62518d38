/** Single-key shortcuts that never fire while somebody types or a dialog is open. */
import { useEffect, useRef } from "react";

const TEXT = "input, textarea, select, [contenteditable=true]";
const OVERLAY = "[role=dialog], [role=menu], [role=listbox]";

export function typing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT) !== null;
}

/** Focus is in text, in a scrolling area or in an overlay: keys there mean something else. */
export function keysAreTaken(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest(`${TEXT}, ${OVERLAY}, [data-scroll-area]`) !== null || overlayOpen();
}

export const overlayOpen = () => document.querySelector(`${OVERLAY}[data-state=open]`) !== null;

type Handlers = Record<string, (event: KeyboardEvent) => void>;

/**
 * Bind keys on the window. `when` decides from the event whether keys act at all; modifiers never match a
 * plain key.
 */
export function useHotkeys(handlers: Handlers, when: (event: KeyboardEvent) => boolean): void {
  const latest = useRef({ handlers, when });
  latest.current = { handlers, when };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      const { handlers, when } = latest.current;
      const handler = handlers[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!handler || !when(event)) return;
      event.preventDefault();
      handler(event);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
