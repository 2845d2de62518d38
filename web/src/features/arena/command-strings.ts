/** The texts of the area's commands and shortcuts. */
type Shown = string | number;

export const COMMAND_STRINGS = {
  newSession: "New session",
  stopAnswers: "Stop answers",
  modes: "Modes",
  modeWords: (mode: Shown) => `mode ${mode}`,
  sessions: "Sessions",
  sessionWords: "session",
  chats: "Chat with a model",
  chatWords: (organisation: Shown, id: Shown) => `chat with model ${organisation} ${id}`,
  message: "Message",
  send: "Send",
  newLine: "New line",
} as const;
