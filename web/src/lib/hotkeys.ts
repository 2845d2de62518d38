/** Single-key shortcuts that never fire while somebody types or a dialog is open. */
import { useEffect, useRef } from "react";

const TEXT = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
const OVERLAY = "[role=dialog], [role=menu], [role=listbox]";

export function typing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT) !== null;
}

export const overlayOpen = () => document.querySelector(`${OVERLAY}[data-state=open]`) !== null;

let textLast = false;

/**
 * Note whether a text field was the last thing used, from the page's start on. A field that goes away, or the
 * focus that a closed panel gives back, is nothing that was used.
 */
export function watchUse(): void {
  let tabbed = false;
  addEventListener("pointerdown", ({ target }) => (textLast = typing(target)), true);
  addEventListener(
    "keydown",
    ({ key, target }) => {
      tabbed = key === "Tab";
      if (typing(target)) textLast = true;
    },
    true,
  );
  addEventListener(
    "focusin",
    ({ target }) => {
      if (typing(target)) textLast = true;
      else if (tabbed) textLast = false;
    },
    true,
  );
}

/** Note that text is being written, although no field is there yet. */
export function noteText(): void {
  textLast = true;
}

/** True where a text field was the last thing used: what is typed is text, wherever the focus has gone. */
export const textWasLast = () => textLast;

type Handlers = Record<string, (event: KeyboardEvent) => void>;
type Binding = { current: { handlers: Handlers; when: (event: KeyboardEvent) => boolean } };

const bindings: Binding[] = [];

/** What a key does now. The latest binding wins: what has just appeared means what it says on its button. */
export function actionOf(event: KeyboardEvent): ((event: KeyboardEvent) => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
  const isCharacter = event.key.length === 1;
  if (isCharacter && textLast) return undefined;
  const key = isCharacter ? event.key.toLowerCase() : event.key;
  return bindings.findLast(({ current }) => current.handlers[key] && current.when(event))?.current.handlers[
    key
  ];
}

function onKey(event: KeyboardEvent) {
  const action = event.defaultPrevented ? undefined : actionOf(event);
  if (!action) return;
  event.preventDefault();
  action(event);
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
