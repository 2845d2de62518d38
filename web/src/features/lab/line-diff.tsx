/** Two texts line by line, with the words that differ marked. */

import { diffLines, diffWordsWithSpace } from "diff";
import { cn } from "@/lib/cn";

interface Line {
  kind: "same" | "added" | "removed";
  pieces: { text: string; own: boolean }[];
}

/** The lines of both texts; a removed line and the added one after it are compared word by word. */
function linesOf(before: string, after: string): Line[] {
  const parts = diffLines(before, after);
  return parts.flatMap((part, at): Line[] => {
    const kind = part.added ? "added" : part.removed ? "removed" : "same";
    const partner = kind === "added" ? parts[at - 1] : kind === "removed" ? parts[at + 1] : undefined;
    const pairs = partner && (kind === "added" ? partner.removed : partner.added);
    const marked = pairs
      ? kind === "added"
        ? diffWordsWithSpace(partner.value, part.value).filter((it) => !it.removed)
        : diffWordsWithSpace(part.value, partner.value).filter((it) => !it.added)
      : [{ value: part.value, added: false, removed: false }];
    return split(
      marked.map(({ value, added, removed }) => ({ text: value, own: Boolean(added || removed) })),
    ).map((pieces) => ({ kind, pieces }));
  });
}

function split(pieces: Line["pieces"]): Line["pieces"][] {
  const lines: Line["pieces"][] = [[]];
  for (const { text, own } of pieces) {
    text.split("\n").forEach((line, at) => {
      if (at > 0) lines.push([]);
      if (line) lines.at(-1)?.push({ text: line, own });
    });
  }
  if (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

const SIGNS = { same: " ", added: "+", removed: "−" };
const LOOKS = { same: "", added: "bg-good/12", removed: "bg-bad/12" };

export function LineDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = linesOf(before, after);
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={label}
      className="max-h-[60vh] overflow-auto rounded-md border border-line bg-surface py-1.5 font-mono text-[12.5px] leading-relaxed"
    >
      {lines.map(({ kind, pieces }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids
        <div key={at} className={cn("flex px-2.5", LOOKS[kind])}>
          <span
            aria-hidden="true"
            className={cn("w-5 shrink-0 select-none", kind === "added" ? "text-good" : "text-bad")}
          >
            {SIGNS[kind]}
          </span>
          {kind !== "same" && <span className="sr-only">{kind}: </span>}
          <span className="min-w-0 whitespace-pre-wrap break-words">
            {pieces.map(({ text, own }, piece) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no ids
                key={piece}
                className={cn(own && (kind === "added" ? "rounded-xs bg-good/30" : "rounded-xs bg-bad/30"))}
              >
                {text}
              </span>
            ))}
            {pieces.length === 0 && " "}
          </span>
        </div>
      ))}
    </div>
  );
}
