/** Waits with what moves the page until the press that caused it has become a click. */

const SETTLED_MS = 250;
let pressed = false;

if (typeof window !== "undefined") {
  const down = () => {
    pressed = true;
  };
  const up = () => {
    pressed = false;
  };
  window.addEventListener("pointerdown", down, true);
  window.addEventListener("pointerup", up, true);
  window.addEventListener("pointercancel", up, true);
}

/** Run `act` once no button or finger is down, and what was pressed has been clicked. */
export function afterPress(act: () => void): void {
  setTimeout(() => (pressed ? afterPress(act) : act()), SETTLED_MS);
}
