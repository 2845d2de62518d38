/** What is still open, each a question that one click puts into the composer. */

import { CornerDownLeft } from "lucide-react";
import { askable } from "@/features/consortium/words";

interface OpenQuestionsProps {
  areas: readonly string[];
  nameMembers: (text: string) => string;
  final: boolean;
  onAsk: ((question: string) => void) | undefined;
  onHighlight: (area: string | null) => void;
}

const CHIP =
  "max-w-full rounded-[15px] border px-3 py-1 text-left text-xs leading-snug [overflow-wrap:anywhere]";

export function OpenQuestions({ areas, nameMembers, final, onAsk, onHighlight }: OpenQuestionsProps) {
  return (
    <div role="group" aria-label={final ? "Open questions" : "To refine"} className="flex flex-col gap-1.5">
      <h4 className="text-xs text-ink-3">
        {final ? "Open questions" : "To refine in the next round"}
        {onAsk && <span className="max-sm:hidden"> · click to ask next</span>}
      </h4>
      <ul className="flex flex-wrap gap-2">
        {areas.map((area) => (
          <li key={area} className="flex max-w-full min-w-0">
            {onAsk ? (
              <button
                type="button"
                className={`${CHIP} inline-flex items-center gap-2 border-accent/40 text-accent hover:border-accent`}
                onClick={() => onAsk(askable(area))}
                onPointerEnter={() => onHighlight(area)}
                onPointerLeave={() => onHighlight(null)}
                onFocus={() => onHighlight(area)}
                onBlur={() => onHighlight(null)}
              >
                {nameMembers(area)}
                <CornerDownLeft aria-hidden="true" className="size-3 shrink-0" />
              </button>
            ) : (
              <span className={`${CHIP} border-line text-ink-2`}>{nameMembers(area)}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
