/** What the person asked, at the right; a long one is folded. */
import { useMemo, useState } from "react";
import { cut } from "@/components/markdown/pieces";
import { cn } from "@/lib/cn";

const FOLD_CHARS = 700;
const FOLD_LINES = 9;

export function PromptBubble({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  // Laid out piece by piece, since a person may paste anything; folded, nothing but its beginning.
  const pieces = useMemo(() => cut(text), [text]);
  const long = text.length > FOLD_CHARS || text.split("\n").length > FOLD_LINES;
  return (
    <div className="ml-auto w-fit max-w-[min(640px,88%)] rounded-lg rounded-br-xs bg-raised px-[15px] py-2.5 text-md leading-relaxed">
      <h2 className="sr-only">You asked</h2>
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
          className="mt-1 text-xs font-medium text-ink-2 underline underline-offset-2 hover:text-ink"
          onClick={() => setOpen(!open)}
        >
          {open ? "Show less" : "Show all of it"}
        </button>
      )}
    </div>
  );
}
