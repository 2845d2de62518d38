/** From whom the two are drawn, and how; nobody may choose them, or the battle would not be blind. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ChevronDown, Image as ImageIcon, type LucideIcon, Shuffle, Wrench } from "lucide-react";
import { placesOf, poolQuery } from "@/api/pool";
import { modelsQuery } from "@/api/queries";
import type { ModelCard } from "@/api/types";
import { lazyPart } from "@/components/lazy-part";
import { useComposer } from "@/features/arena/composer-store";
import type { ChipsProps } from "@/features/arena/mode-feature";
import { draws } from "@/features/arena/model-filter";
import { type Special, specialOf } from "@/features/battle/plan";
import { poolList } from "@/features/battle/pool-state";
import { counted } from "@/lib/format";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Skeleton } from "@/ui/skeleton";

const Pool = lazyPart(
  () => import("@/features/battle/pool").then((part) => part.Pool),
  <Skeleton className="m-3 h-40" />,
);

const SPECIAL: readonly {
  name: Special;
  title: string;
  about: string;
  Icon: LucideIcon;
  able: (model: ModelCard) => boolean;
}[] = [
  { name: "pictures", title: "Pictures", about: "Both sides draw", Icon: ImageIcon, able: draws },
  {
    name: "tools",
    title: "Tools",
    about: "Both sides may call tools that ask nobody. The answers show once both are done",
    Icon: Wrench,
    able: ({ capabilities }) => capabilities.includes("tools"),
  },
];

export function BattleChips({ onSetup, ...situation }: ChipsProps) {
  const special = specialOf(situation);
  const { data: models } = useQuery(modelsQuery);
  const { session: place = "new" } = useParams({ strict: false });
  const pictured = useComposer(({ attached }) =>
    Boolean(attached[place]?.some(({ stored }) => stored?.text_sha256 === null)),
  );
  const { data: pool } = useQuery(poolQuery);
  if (!models || !pool) return null;
  const { ready } = poolList(models, placesOf(pool), pictured, special);
  return (
    <>
      {SPECIAL.map(({ name, title, about, Icon, able }) =>
        special === name || models.some((model) => model.enabled && able(model)) ? (
          <Button
            key={name}
            variant="chip"
            size="sm"
            title={about}
            aria-pressed={special === name}
            className={special === name ? "border-accent! text-accent!" : ""}
            onClick={() => onSetup(special === name ? {} : { [name]: true })}
          >
            <Icon aria-hidden="true" />
            <span className="max-sm:sr-only">{title}</span>
          </Button>
        ) : null,
      )}
      <Popover>
        <PopoverTrigger asChild>
          <Button variant="chip" size="sm" aria-label={`Pool: ${counted(ready, "model")}`}>
            <Shuffle aria-hidden="true" />
            <span className="num">
              <span className="max-sm:hidden">Pool: {counted(ready, "model")}</span>
              <span className="sm:hidden">{ready}</span>
            </span>
            <ChevronDown aria-hidden="true" className="size-3.5! max-sm:hidden" />
          </Button>
        </PopoverTrigger>
        <PopoverContent
          align="start"
          side="top"
          aria-label="Pool"
          className="flex max-h-[min(480px,var(--radix-popover-content-available-height))] w-[min(380px,calc(100vw-24px))] flex-col"
        >
          <Pool models={models} pictured={pictured} special={special} />
        </PopoverContent>
      </Popover>
    </>
  );
}
