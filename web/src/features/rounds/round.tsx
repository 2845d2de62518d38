/** One round under its title; a past one is a line that unfolds. */

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { roundAnchor, useAnchor, useAnchors } from "@/features/rounds/anchors";
import { cn } from "@/lib/cn";

interface RoundProps {
  number: number;
  title?: string;
  /** It is the only one: its title is for those who hear it. */
  alone?: boolean;
  /** How it stands while it is open, or what it came to where it is past. */
  line?: string;
  /** Folded to its line unless it was opened. */
  past?: boolean;
  /** Beside the title of an open round. */
  controls?: ReactNode;
  /** Stands under it, also where the round is folded. */
  below?: (open: boolean) => ReactNode;
  children: ReactNode;
}

export function Round({
  number,
  title = `Round ${number}`,
  alone = false,
  line,
  past = false,
  controls,
  below,
  children,
}: RoundProps) {
  const { opened, fold } = useAnchors();
  const anchor = useAnchor(roundAnchor(number));
  const open = !past || opened.has(number);
  return (
    <div {...anchor} role="group" aria-label={title} className="flex min-w-0 flex-col gap-3">
      {!alone && (
        <div className={cn("flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5", controls && "min-h-8")}>
          {past ? (
            <h3 className="flex min-w-0 grow basis-72">
              <button
                type="button"
                aria-expanded={open}
                onClick={() => fold(number)}
                className="focus-inset flex w-full min-w-0 touch:min-h-11 items-center gap-2 rounded-md border border-line px-3 py-1.5 text-left text-sm text-ink-2 hover:border-line-strong hover:text-ink"
              >
                <ChevronRight
                  aria-hidden="true"
                  className={cn("size-4 shrink-0 transition-transform", open && "rotate-90")}
                />
                <span className="shrink-0 font-medium text-ink">{title}</span>
                <span className="num min-w-0">{line}</span>
              </button>
            </h3>
          ) : (
            <h3 className="text-sm">
              <span className="font-semibold">{title}</span>
              {line && <span className="num text-ink-3"> · {line}</span>}
            </h3>
          )}
          {open && controls && <div className={cn("min-w-0", !past && "ml-auto")}>{controls}</div>}
        </div>
      )}
      {open && children}
      {below?.(open)}
    </div>
  );
}
