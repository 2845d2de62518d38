/** What the person said besides the question, and when. */

import type { Interjection, TurnView } from "@/api/types";
import { RelativeTime } from "@/components/relative-time";
import { interjectionAnchor, useAnchor } from "@/features/rounds/anchors";

type Input = Interjection["input"] | TurnView["input"];

interface InterjectionBubbleProps {
  id: string;
  input: Input;
  title: string;
  /** When, as the server writes times. */
  at: string;
  /** Why nobody has heard it yet. */
  note?: string | undefined;
}

export function InterjectionBubble({ id, input, title, at, note }: InterjectionBubbleProps) {
  const text = "text" in input ? input.text : "";
  return (
    <div
      {...useAnchor(interjectionAnchor(id))}
      className="ml-auto w-fit max-w-[min(640px,88%)] rounded-lg rounded-br-xs border border-line bg-bubble px-[15px] py-2 text-sm"
    >
      <p className="text-xs text-ink-2">
        {title} · <RelativeTime at={at} />
      </p>
      {text && <p className="mt-0.5 text-md whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}
      {note && <p className="mt-0.5 text-xs text-ink-2">{note}</p>}
    </div>
  );
}

/** The input without its text, as a sentence; `conclusion` is what the mode's end is called. */
export function inputTitle(input: Input, nameOf: (seat: string) => string, conclusion: string): string {
  switch (input.type) {
    case "add":
      return "You added a fact";
    case "steer":
      return "You gave a direction";
    case "ask":
      return `You asked ${nameOf(input.seat)}`;
    case "skip":
      return input.seat ? `You skipped ${nameOf(input.seat)}` : "You skipped a round";
    case "synthesise":
      return `You asked for ${conclusion}`;
    case "continue":
      return input.to_end ? "You let it run to the end" : "You continued";
    default:
      return "You said";
  }
}
