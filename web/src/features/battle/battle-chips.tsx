/** From whom the two are drawn, and how; nobody may choose them, or the battle would not be blind. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ChevronDown, Shuffle } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { lazyPart } from "@/components/lazy-part";
import { useComposer } from "@/features/arena/composer-store";
import { battlePool } from "@/features/battle/plan";
import { STRINGS } from "@/features/battle/strings";
import { counted } from "@/lib/format";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Skeleton } from "@/ui/skeleton";

const Pool = lazyPart(
  () => import("@/features/battle/pool").then((part) => part.Pool),
  <Skeleton className="m-3 h-40" />,
);

export function BattleChips() {
  const { data: models } = useQuery(modelsQuery);
  const { session: place = "new" } = useParams({ strict: false });
  const pictured = useComposer(({ attached }) =>
    Boolean(attached[place]?.some(({ stored }) => stored?.text_sha256 === null)),
  );
  if (!models) return null;
  const pool = battlePool(models).filter(({ capabilities }) => !pictured || capabilities.includes("vision"));
  const size = counted(pool.length, "model");
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="chip" size="sm" aria-label={STRINGS.poolOf(size)}>
          <Shuffle aria-hidden="true" />
          <span className="num">{STRINGS.poolOf(size)}</span>
          <ChevronDown aria-hidden="true" className="size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label={STRINGS.pool}
        className="flex max-h-[min(480px,var(--radix-popover-content-available-height))] w-[min(380px,calc(100vw-24px))] flex-col"
      >
        <Pool models={pool} pictured={pictured} />
      </PopoverContent>
    </Popover>
  );
}
