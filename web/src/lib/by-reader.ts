/** The events by which a reader, and not the page, begins to move what is read. */
export const BY_READER = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
