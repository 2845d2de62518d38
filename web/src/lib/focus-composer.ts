/** Brings the cursor to the composer, wherever it stands on the page. */
export const focusComposer = () => document.querySelector<HTMLElement>("[data-composer]")?.focus();
