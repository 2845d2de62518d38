/** Single-key shortcuts that never fire while somebody types or a dialog is open. */

import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { isComposing } from "@/lib/composition";
import { digitOf, isCharacter, letterOf } from "@/lib/key-position";

const TEXT =
  "input:not([type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=searchbox], [role=combobox], [role=spinbutton]";
const OVERLAY = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";
/** Where the focus says that keys are meant as commands, also where a script has put it there. */
const COMMANDS = "[data-commands]";

export function typing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT) !== null;
}

export const overlayOpen = () =>
  document.querySelector(`:is(${OVERLAY})[data-state=open], dialog[open]`) !== null;

let textLast = false;

/**
 * Note whether a text field was the last thing used, from the page's start on. A field that goes away, or the
 * focus that a closed panel gives back, is nothing that was used. What an input method takes in a field reaches
 * nothing else of the page: Enter there sends nothing, Escape closes nothing.
 */
export function watchUse(): void {
  let tabbed = false;
  addEventListener("pointerdown", ({ target }) => (textLast = typing(target)), true);
  addEventListener(
    "keydown",
    (event) => {
      tabbed = event.key === "Tab";
      if (!typing(event.target)) return;
      textLast = true;
      if (isComposing(event)) event.stopPropagation();
    },
    true,
  );
  addEventListener(
    "focusin",
    ({ target }) => {
      if (typing(target)) textLast = true;
      else if (tabbed || (target instanceof Element && target.closest(COMMANDS))) textLast = false;
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

/** True where a plain key is a command: the focus is on no text, and text was not the last thing used. */
const plainKeys = () => !textLast && !typing(document.activeElement);

const USES = ["pointerdown", "keydown", "focusin", "focusout"] as const;

/** Whether plain keys are commands now, as the person goes from text to elsewhere and back. */
export const usePlainKeys = () =>
  useSyncExternalStore((onChange) => {
    // An element that gives the focus away still has it while it says so.
    const later = () => queueMicrotask(onChange);
    for (const use of USES) addEventListener(use, later, true);
    return () => {
      for (const use of USES) removeEventListener(use, later, true);
    };
  }, plainKeys);

type Handlers = Record<string, (event: KeyboardEvent) => void>;
type Binding = { current: { handlers: Handlers; when: (event: KeyboardEvent) => boolean } };

const bindings: Binding[] = [];

/** What a key does now. The latest binding wins: what has just appeared means what it says on its button. */
export function actionOf(event: KeyboardEvent): ((event: KeyboardEvent) => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return undefined;
  const writes = isCharacter(event.key);
  if (writes && textLast) return undefined;
  // What a key says comes first: on a Thai keyboard 2 writes a slash.
  const keys = writes ? [letterOf(event), digitOf(event), event.key] : [event.key];
  for (const key of keys) {
    const bound =
      key && bindings.findLast(({ current }) => current.handlers[key] && current.when(event))?.current;
    if (bound) return bound.handlers[key];
  }
  return undefined;
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
  // Before it is painted, since a key may be pressed as soon as it is seen.
  useLayoutEffect(() => {
    if (bindings.length === 0) window.addEventListener("keydown", onKey);
    bindings.push(latest);
    return () => {
      bindings.splice(bindings.indexOf(latest), 1);
      if (bindings.length === 0) window.removeEventListener("keydown", onKey);
    };
  }, []);
}
