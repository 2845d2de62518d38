/** Single-key shortcuts that never fire while somebody types or a dialog is open. */
import { useEffect, useRef } from "react";

const TEXT = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
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
type Binding = { current: { handlers: Handlers; when: (event: KeyboardEvent) => boolean } };

const bindings: Binding[] = [];

/** The latest binding wins: what has just appeared means what it says on its button. */
function onKey(event: KeyboardEvent) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const binding = bindings.findLast(({ current }) => current.handlers[key] && current.when(event));
  if (!binding) return;
  event.preventDefault();
  binding.current.handlers[key]?.(event);
}

/**
 * Bind keys on the window. `when` decides from the event whether keys act at all; modifiers never match a
 * plain key.
 */
export function useHotkeys(handlers: Handlers, when: (event: KeyboardEvent) => boolean): void {
  const latest = useRef({ handlers, when });
  latest.current = { handlers, when };
  useEffect(() => {
    if (bindings.length === 0) window.addEventListener("keydown", onKey);
    bindings.push(latest);
    return () => {
      bindings.splice(bindings.indexOf(latest), 1);
      if (bindings.length === 0) window.removeEventListener("keydown", onKey);
    };
  }, []);
}
