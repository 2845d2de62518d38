/** From whom the two are drawn, and how; nobody may choose them, or the battle would not be blind. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronDown, Shuffle } from "lucide-react";
import { aboutQuery, modelsQuery } from "@/api/queries";
import type { About } from "@/api/types";
import { battlePool } from "@/features/battle/plan";
import { ModelMark } from "@/features/standings/model-name";
import { counted } from "@/lib/format";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

const DRAWN: Record<About["sampling"], string> = {
  equal: "Parley picks two at random. Every pair is equally likely.",
  weighted: "Parley picks two at random, using the weights in the model list.",
  informative:
    "Parley picks two at random and favours pairs whose votes improve the leaderboard most. One in ten picks is uniform.",
};

export function BattleChips() {
  const { data: models } = useQuery(modelsQuery);
  const { data: about } = useQuery(aboutQuery);
  if (!models) return null;
  const pool = battlePool(models);
  const size = counted(pool.length, "model");
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="chip" size="sm" aria-label={`Pool: ${size}`}>
          <Shuffle aria-hidden="true" />
          <span className="num">Pool: {size}</span>
          <ChevronDown aria-hidden="true" className="size-3.5!" />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        side="top"
        aria-label="Pool"
        className="flex max-h-[min(480px,var(--radix-popover-content-available-height))] w-[min(380px,calc(100vw-24px))] flex-col"
      >
        <div className="border-b border-line px-4 py-3 text-sm">
          <h2 className="font-semibold">Models in the pool</h2>
          <p className="mt-1 text-ink-2">{about && DRAWN[about.sampling]} Unavailable models are skipped.</p>
        </div>
        <ul className="min-h-0 flex-1 overflow-y-auto px-2 py-1.5" data-scroll-area>
          {pool.map((model) => (
            <li key={model.id} className="flex min-h-9 items-center gap-2.5 px-2 py-1 text-sm">
              <ModelMark model={model} />
              <span className="min-w-0 flex-1 leading-tight [overflow-wrap:anywhere]">{model.name}</span>
              <span className="max-w-2/5 text-right text-xs text-ink-3 [overflow-wrap:anywhere]">
                {model.organization}
              </span>
            </li>
          ))}
        </ul>
        <p className="border-t border-line px-4 py-2.5 text-xs text-ink-3">
          Tag models with <code className="font-mono">battle</code> in the model list to use only those.{" "}
          <Link to="/models" className="text-ink-2 underline underline-offset-2 hover:text-ink">
            All models
          </Link>
        </p>
      </PopoverContent>
    </Popover>
  );
}
