/** What came of a tool's call, in words. Pure. */
import type { ToolCallView } from "@/api/types";

export interface Outcome {
  /** One line. */
  summary: string;
  /** The whole result or error; null without one. */
  text: string | null;
  failed: boolean;
}

export function outcomeOf({ result }: ToolCallView, running: boolean): Outcome {
  if (!result) {
    return { summary: running ? "Running…" : "Not finished", text: null, failed: false };
  }
  const { error, parts, text } = result;
  if (error) {
    return {
      summary: error.title,
      text: [error.title, error.detail].filter(Boolean).join(" "),
      failed: true,
    };
  }
  const files = parts.length > 0 ? `Files: ${parts.length}` : "";
  const whole = [text, files].filter(Boolean).join("\n") || "No output";
  return { summary: whole.split("\n", 1)[0] ?? "", text: whole, failed: false };
}
