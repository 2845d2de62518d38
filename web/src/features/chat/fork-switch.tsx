/** Leads from one way on to the next where a conversation went on in several. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useContext } from "react";
import { BranchingContext } from "@/features/arena/turn-place";
import { IconButton } from "@/ui/icon-button";

export function ForkSwitch({ turnId }: { turnId: string }) {
  const { forks, pick } = useContext(BranchingContext);
  const fork = forks.get(turnId);
  if (!fork) return null;
  const { shown, ways } = fork;
  return (
    <div role="group" aria-label="Branches" className="-mt-3 ml-auto flex items-center text-xs text-ink-3">
      <IconButton
        size="icon-sm"
        label="Previous branch"
        disabled={shown === 0}
        onClick={() => pick(fork, shown - 1)}
      >
        <ChevronLeft />
      </IconButton>
      <span className="num" aria-live="polite">
        {shown + 1} of {ways.length}
      </span>
      <IconButton
        size="icon-sm"
        label="Next branch"
        disabled={shown === ways.length - 1}
        onClick={() => pick(fork, shown + 1)}
      >
        <ChevronRight />
      </IconButton>
    </div>
  );
}
