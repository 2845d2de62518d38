/** Brings the cursor to the composer, wherever it stands on the page. */
export const focusComposer = () => focusAtEnd(document.querySelector("[data-composer]"));

/** Put the cursor behind what is written. */
export function focusAtEnd(area: HTMLTextAreaElement | null): void {
  area?.focus({ preventScroll: true });
  area?.setSelectionRange(area.value.length, area.value.length);
}
