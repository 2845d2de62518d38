import type { PairCell } from "@/api/standings-types";
import { cn } from "@/lib/cn";
import { counted, formatPercent } from "@/lib/format";

type Outcomes = Pick<PairCell, "wins" | "losses" | "ties" | "both_bad" | "votes">;

interface OutcomeBarProps {
  outcomes: Outcomes;
  left: { name: string; color: string };
  right: { name: string; color: string };
  /** The bar with figures in it and a legend under it. */
  big?: boolean;
}

/** How votes fell between two models, as shares of one bar: won, tied, both bad, lost. */
export function OutcomeBar({ outcomes, left, right, big = false }: OutcomeBarProps) {
  const parts = [
    { name: `${left.name} won`, votes: outcomes.wins, style: { background: left.color } },
    { name: "Tie", votes: outcomes.ties, style: { background: "var(--ink-3)", opacity: 0.55 } },
    { name: "Both bad", votes: outcomes.both_bad, style: { background: "var(--ink-3)", opacity: 0.28 } },
    { name: `${right.name} won`, votes: outcomes.losses, style: { background: right.color } },
  ];
  const summary = parts.map((part) => `${part.name}: ${part.votes}`).join(", ");
  return (
    <div>
      <div
        role="img"
        aria-label={summary}
        className={cn("flex gap-px overflow-clip rounded-full bg-raised", big ? "h-4" : "h-1.5")}
      >
        {parts.map(
          (part) =>
            part.votes > 0 && (
              <i
                key={part.name}
                title={`${part.name}: ${counted(part.votes, "vote")}`}
                className="block min-w-0.5 transition-[flex-grow] duration-500"
                style={{ flexGrow: part.votes, flexBasis: 0, ...part.style }}
              />
            ),
        )}
      </div>
      {big && (
        <ul aria-hidden="true" className="num mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {parts.map((part) => (
            <li key={part.name} className="flex min-w-0 items-center gap-2">
              <i className="size-2 shrink-0 rounded-full" style={part.style} />
              <span className="text-ink-2 normal-nums [overflow-wrap:anywhere]">{part.name}</span>
              <span className="font-medium">{part.votes}</span>
              <span className="text-ink-3">
                {formatPercent(outcomes.votes > 0 ? part.votes / outcomes.votes : null)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
