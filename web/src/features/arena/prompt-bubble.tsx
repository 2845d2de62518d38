/** What the person asked, at the right; a long one is folded. */

import { memo, useContext, useMemo, useState } from "react";
import { lazyExtra } from "@/components/lazy-part";
import { cut } from "@/components/markdown/pieces";
import { Attached } from "@/features/arena/attachments/lazy-parts";
import type { Stored } from "@/features/arena/attachments/uploads";
import { PromptMenu } from "@/features/arena/turn-menus";
import { TurnPlaceContext } from "@/features/arena/turn-place";
import { cn } from "@/lib/cn";

const AuthorName = lazyExtra(() => import("@/features/accounts/author-name").then((part) => part.AuthorName));

const FOLD_CHARS = 700;
const FOLD_LINES = 9;

const HEADING_CHARS = 160;

const LOOKS = {
  bubble:
    "ml-auto w-fit max-w-[min(640px,88%)] rounded-lg rounded-br-xs border border-line bg-bubble px-[15px] py-2.5 text-md leading-relaxed",
  heading:
    "w-fit max-w-[min(960px,100%)] pr-9 text-[22px] leading-[1.3] font-semibold tracking-[-0.018em] text-balance xl:text-2xl",
  note: "w-fit max-w-[min(960px,100%)] pr-9 text-base text-ink-2",
};

interface PromptBubbleProps {
  text: string;
  attachments: readonly Stored[];
  /** A short question can be the heading of its answers, and a note above a result. */
  as?: keyof typeof LOOKS;
}

export const PromptBubble = memo(function PromptBubble({
  text,
  attachments,
  as = "bubble",
}: PromptBubbleProps) {
  const [open, setOpen] = useState(false);
  // Laid out piece by piece, since a person may paste anything; folded, nothing but its beginning.
  const pieces = useMemo(() => cut(text), [text]);
  const long = text.length > FOLD_CHARS || text.split("\n").length > FOLD_LINES;
  const { author } = useContext(TurnPlaceContext);
  const look = text.length > HEADING_CHARS || text.includes("\n") ? "bubble" : as;
  return (
    <div className={cn("group/prompt relative", LOOKS[look])}>
      <h2 className="sr-only">{author ? "Question" : "You asked"}</h2>
      {author && <AuthorName id={author} />}
      <PromptMenu
        className={cn(
          look === "bubble" ? "top-1 right-full mr-0.5" : "top-0 right-0 touch:-top-2",
          "absolute text-ink-3 opacity-0 group-hover/prompt:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100",
        )}
      />
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
          {open ? "Show less" : "Show more"}
        </button>
      )}
    </div>
  );
});
