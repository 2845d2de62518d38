/** A chat needs nothing between its text and the composer. */
export const ChatDock = () => null;
