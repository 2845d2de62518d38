/** The events by which a reader, and not the page, begins to move what is read. */
export const READER_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
