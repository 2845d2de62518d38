/** The candidates of a search as a tree: each below the one that it was written from. */

import type { Candidate } from "@/features/lab/improve-api";
import { cn } from "@/lib/cn";
import { formatCost } from "@/lib/format";

interface CandidateTreeProps {
  candidates: readonly Candidate[];
  shown: number | undefined;
  onShow: (number: number) => void;
}

export function CandidateTree(props: CandidateTreeProps) {
  return (
    <div role="group" aria-label="Candidates" className="overflow-x-auto">
      <Branch {...props} parent={null} />
    </div>
  );
}

/** Whether a candidate stands below another one: a merged one below its first parent. */
const isBelow = ({ parents }: Candidate, parent: number | null) => (parents[0] ?? null) === parent;

function Branch({ parent, ...props }: CandidateTreeProps & { parent: number | null }) {
  const { candidates, shown, onShow } = props;
  const here = candidates.filter((each) => isBelow(each, parent));
  if (here.length === 0) return null;
  return (
    <ul className={cn("flex flex-col gap-1", parent !== null && "mt-1 ml-1.5 border-l border-line pl-1.5")}>
      {here.map((each) => (
        <li key={each.number}>
          <button
            type="button"
            aria-pressed={shown === each.number}
            onClick={() => onShow(each.number)}
            className={cn(
              "flex w-full min-h-8 touch:min-h-11 items-center gap-2 rounded-sm px-2 py-1 text-left text-sm hover:bg-raised",
              shown === each.number && "bg-raised",
            )}
          >
            <i
              aria-hidden="true"
              className={cn(
                "size-2.5 shrink-0 rounded-full border",
                each.state === "best" ? "border-good bg-good" : "border-ink-3",
              )}
            />
            <span className="shrink-0">{nameOf(each)}</span>
            {each.state === "best" && <Mark>best</Mark>}
            {each.version !== null && each.number > 0 && <Mark>v{each.version}</Mark>}
            <span className="flex-1" />
            {each.cost_usd > 0 && (
              <span className="num min-w-0 truncate text-xs text-ink-3">
                {formatCost(each.cost_usd * 1e6)}
              </span>
            )}
            <span className="num font-medium">{(each.score * 100).toFixed(1)}</span>
          </button>
          <Branch {...props} parent={each.number} />
        </li>
      ))}
    </ul>
  );
}

function Mark({ children }: { children: React.ReactNode }) {
  return (
    <span className="rounded-sm border border-good/60 px-1.5 text-xs font-normal text-good">{children}</span>
  );
}

export const nameOf = ({ number, version }: Candidate) =>
  number === 0 ? `First prompt, v${version}` : `Candidate ${number}`;
