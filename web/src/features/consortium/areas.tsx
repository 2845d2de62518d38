/** What is still open, each a question that one click puts into the composer. */

import { CornerDownLeft } from "lucide-react";
import { STRINGS } from "@/features/consortium/strings";
import { askable } from "@/features/consortium/words";

interface AreasProps {
  areas: readonly string[];
  nameMembers: (text: string) => string;
  final: boolean;
  onAsk: ((question: string) => void) | undefined;
  onLight: (area: string | null) => void;
}

const CHIP =
  "max-w-full rounded-[15px] border px-3 py-1 text-left text-xs leading-snug [overflow-wrap:anywhere]";

export function Areas({ areas, nameMembers, final, onAsk, onLight }: AreasProps) {
  return (
    <section aria-label={final ? STRINGS.openQuestions : STRINGS.toRefine} className="flex flex-col gap-1.5">
      <h4 className="text-xs text-ink-3">
        {final ? STRINGS.openQuestions : STRINGS.toRefineNextRound}
        {onAsk && <span className="max-sm:hidden"> {STRINGS.askNextHint}</span>}
      </h4>
      <ul className="flex flex-wrap gap-2">
        {areas.map((area) => (
          <li key={area} className="flex max-w-full min-w-0">
            {onAsk ? (
              <button
                type="button"
                className={`${CHIP} inline-flex items-center gap-2 border-accent/40 text-accent hover:border-accent`}
                onClick={() => onAsk(askable(area))}
                onPointerEnter={() => onLight(area)}
                onPointerLeave={() => onLight(null)}
                onFocus={() => onLight(area)}
                onBlur={() => onLight(null)}
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
    </section>
  );
}
