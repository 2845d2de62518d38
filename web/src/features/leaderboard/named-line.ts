/** The line that the address names: how it is marked, and brought into sight. */

export const NAMED = "bg-accent/10 shadow-[inset_3px_0_0_var(--accent)]";

/** Bring a line into sight when it is first there; later the reader may scroll away from it. */
export function showOnce(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: "center" });
}
