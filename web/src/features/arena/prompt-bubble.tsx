/** What the person asked, at the right; a long one is folded. */

import { memo, useMemo, useState } from "react";
import { cut } from "@/components/markdown/pieces";
import type { Stored } from "@/features/arena/attachments/attaching";
import { Attached } from "@/features/arena/attachments/lazy-parts";
import { STRINGS } from "@/features/arena/strings";
import { PromptMenu } from "@/features/arena/turn-menus";
import { cn } from "@/lib/cn";

const FOLD_CHARS = 700;
const FOLD_LINES = 9;

interface PromptBubbleProps {
  text: string;
  attachments: readonly Stored[];
}

export const PromptBubble = memo(function PromptBubble({ text, attachments }: PromptBubbleProps) {
  const [open, setOpen] = useState(false);
  // Laid out piece by piece, since a person may paste anything; folded, nothing but its beginning.
  const pieces = useMemo(() => cut(text), [text]);
  const long = text.length > FOLD_CHARS || text.split("\n").length > FOLD_LINES;
  return (
    <div className="group/prompt relative ml-auto w-fit max-w-[min(640px,88%)] rounded-lg rounded-br-xs border border-line bg-bubble px-[15px] py-2.5 text-md leading-relaxed">
      <h2 className="sr-only">{STRINGS.youAsked}</h2>
      <PromptMenu className="absolute top-1 right-full mr-0.5 text-ink-3 opacity-0 group-hover/prompt:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100" />
      {attachments[0] && <Attached files={attachments} />}
      <div
        className={cn(
          "whitespace-pre-wrap [font-variant-ligatures:none] [overflow-wrap:anywhere]",
          long && !open && "line-clamp-5",
          long && open && "max-h-[40vh] overflow-y-auto",
        )}
      >
        {pieces.length === 1
          ? text
          : (long && !open ? pieces.slice(0, 1) : pieces).map((piece, index) => (
              <div
                key={String(index)}
                className="[contain-intrinsic-size:auto_300px] [content-visibility:auto]"
              >
                {piece}
              </div>
            ))}
      </div>
      {long && (
        <button
          type="button"
          className="mt-1 touch:min-h-11 touch:min-w-11 text-xs font-medium text-ink-2 underline underline-offset-2 hover:text-ink"
          onClick={() => setOpen(!open)}
        >
          {open ? STRINGS.showLess : STRINGS.showMore}
        </button>
      )}
    </div>
  );
});
