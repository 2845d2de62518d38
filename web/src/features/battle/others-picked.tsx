/** The bar of what everybody picked between the two, where the ballot was. */

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type CSSProperties, useEffect, useState } from "react";
import { headToHeadQuery, standingsKey } from "@/api/standings";
import type { MatchView, VoteView } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import { isWithdrawn } from "@/features/arena/vote-status";
import { pickedOf } from "@/features/battle/others";
import { choiceLabel, pickOf, type Side, sidesOf } from "@/features/battle/seats";
import { cn } from "@/lib/cn";
import { formatPercent } from "@/lib/format";

/** The widths of the ballot, from which the bar begins. */
const BALLOT: Record<string, number> = { tie: 0.25, both_bad: 0.25 };

/** The counts follow a vote within moments: they are read so often after it. */
const READS = 5;
const READ_MS = 1000;

export function OthersPicked({ match, vote }: { match: MatchView; vote: VoteView }) {
  const [left, right] = sidesOf(match);
  const [a, b] = [left?.seat.model, right?.seat.model];
  const recent = Date.now() - Date.parse(vote.created_at) < READS * READ_MS * 2;
  const { data } = useQuery({
    ...headToHeadQuery(a?.id ?? "", b?.id ?? ""),
    // Counted with this vote, and without it once it is withdrawn.
    queryKey: [...standingsKey, "picked", vote.vote_id, String(isWithdrawn(vote))],
    placeholderData: undefined,
    refetchInterval: ({ state }) => (recent && state.dataUpdateCount < READS ? READ_MS : false),
    enabled: Boolean(a && b),
  });
  const moved = useAfterPaint(data !== undefined);
  if (!left || !right || !a || !b) return null;
  const pick = pickOf(match);
  const sides: Record<string, Side> = { [left.seat.name]: left, [right.seat.name]: right };
  const none = { wins: 0, losses: 0, ties: 0, both_bad: 0 };
  const picked = pickedOf(
    data?.overall ?? none,
    [left.seat.name, right.seat.name],
    vote.counted && pick ? pick : null,
  );
  return (
    <div>
      <ul aria-label="What others picked" className="flex gap-1">
        {picked.shares.map(({ choice, share }) => (
          <Share
            key={choice}
            label={choiceLabel(choice, match)}
            side={sides[choice]}
            mirrored={choice === right.seat.name}
            yours={choice === pick}
            share={data && picked.votes > 0 ? formatPercent(share) : "–"}
            width={moved && picked.votes > 0 ? share : (BALLOT[choice] ?? 1)}
          />
        ))}
      </ul>
      <p className="num mt-1.5 min-h-4.5 px-0.5 text-xs text-ink-2 max-sm:hidden">
        {data && picked.sentence}
      </p>
    </div>
  );
}

interface ShareProps {
  label: string;
  side: Side | undefined;
  mirrored: boolean;
  yours: boolean;
  share: string;
  width: number;
}

function Share({ label, side, mirrored, yours, share, width }: ShareProps) {
  const style = { flexGrow: width, ...(side && { "--seat": side.color }) } as CSSProperties;
  const model = side?.seat.model;
  return (
    <li
      style={style}
      className={cn(
        "share",
        side ? "share-side" : "share-middle",
        mirrored && "flex-row-reverse",
        yours && "share-yours",
      )}
    >
      {model && <ModelMark organization={model.organization} name={model.name} />}
      {model ? (
        <span className="min-w-0 truncate max-sm:sr-only">{model.name}</span>
      ) : (
        <span className="order-last text-xs text-ink-2 max-sm:sr-only">{label}</span>
      )}
      {side && <span className="flex-1" />}{" "}
      <span className={cn("num font-semibold", side ? "text-lg max-sm:text-sm" : "text-sm")}>{share}</span>
      {yours && (
        <span className="flex items-center gap-1 text-xs font-semibold text-gold">
          <Check aria-hidden="true" className="size-3.5 stroke-[2.6]" />
          <span className="max-sm:sr-only">You</span>
        </span>
      )}
    </li>
  );
}

/** False until what stands there has been painted, so that it can move from there. */
function useAfterPaint(ready: boolean): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (!ready) return;
    const frame = requestAnimationFrame(() => setPainted(true));
    return () => cancelAnimationFrame(frame);
  }, [ready]);
  return painted;
}
