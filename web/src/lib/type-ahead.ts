/** What is typed outside of text fields reaches the composer, or a field that is still to come. */
import { actionOf, noteText, overlayOpen, textWasLast, typing } from "@/lib/hotkeys";

let waiting = "";

/** Pass characters on to the composer, from the page's start on. */
export function watchTyping(): void {
  addEventListener("keydown", passOn);
  // A key comes first and then its character: the field that had the key may have gone meanwhile.
  addEventListener("keypress", passOn);
}

function passOn(event: KeyboardEvent): void {
  if (event.defaultPrevented || !isText(event) || typing(event.target)) return;
  if (document.querySelector("[data-awaits-field]")) {
    keep(event);
    return;
  }
  if (overlayOpen() || actionOf(event)) return;
  const composer = document.querySelector<HTMLElement>("[data-composer]");
  // The browser writes the character where the focus is once the key has been handled.
  if (composer) composer.focus();
  else if (document.querySelector("[data-awaits-composer]")) keep(event);
}

function keep(event: KeyboardEvent): void {
  event.preventDefault();
  noteText();
  if (event.key.length === 1) waiting += event.key;
}

/** Take what was typed while no composer, or no field, was there. */
export function takeTyped(): string {
  const typed = waiting;
  waiting = "";
  return typed;
}

const PRESSED = "button, summary, input, [role=radio], [role=checkbox], [role=option], [role=menuitem]";

/** A key that writes something; the space bar presses buttons, and scrolls unless text was being written. */
function isText(event: KeyboardEvent): boolean {
  const { key, target } = event;
  const altGraph = event.getModifierState("AltGraph");
  if (event.metaKey || (!altGraph && (event.ctrlKey || event.altKey))) return false;
  if (key === " ") return textWasLast() && !(target instanceof Element && target.matches(PRESSED));
  return [...key].length === 1 || key === "Dead" || key === "Process";
}
