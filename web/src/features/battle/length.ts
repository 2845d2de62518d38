/** How large the answers are set. Pure. */
import type { ReplyView } from "@/api/types";

const SHORT_CHARS = 700;
const SHORT_LINES = 12;

/** All answers of a turn are short enough for large letters: neither side is set apart from the other. */
export const isShort = (replies: readonly Pick<ReplyView, "text">[]): boolean =>
  replies.every(({ text }) => text.length <= SHORT_CHARS && text.split("\n").length <= SHORT_LINES);
