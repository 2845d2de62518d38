/** The battle pool, edited where it is shown: who can be drawn, how likely, and who is left out and why. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { AlertTriangle, CircleSlash } from "lucide-react";
import { useState } from "react";
import { useMayManage } from "@/api/permissions";
import { placesOf, poolQuery, useChangePool } from "@/api/pool";
import { aboutQuery } from "@/api/queries";
import type { ModelCard } from "@/api/types";
import { ModelMark } from "@/components/model-mark";
import type { Special } from "@/features/battle/plan";
import { inOrder, type PoolRow, poolList, tooFew } from "@/features/battle/pool-state";
import { cn } from "@/lib/cn";
import { Checkbox } from "@/ui/checkbox";

const SAMPLING = {
  equal: "Every pair is equally likely.",
  weighted: "Pairs are drawn by the models’ weights.",
  informative: "Pairs whose votes improve the leaderboard most come more often.",
} as const;

interface PoolProps {
  models: readonly ModelCard[];
  /** Only those that can read the picture of the question. */
  pictured: boolean;
  special: Special | null;
}

export function Pool({ models, pictured, special }: PoolProps) {
  const { data: about } = useQuery(aboutQuery);
  const { data: pool } = useQuery({ ...poolQuery, refetchInterval: 5_000 });
  const { rows, ready } = poolList(models, placesOf(pool), pictured, special);
  const [first] = useState(
    () => new Set(rows.filter(({ place }) => place.chosen).map(({ model }) => model.id)),
  );
  const change = useChangePool();
  const mayManage = useMayManage();
  const problem = pool && tooFew(ready);
  return (
    <>
      <div className="border-b border-line px-4 py-3 text-sm">
        <h2 className="font-semibold">Battle pool</h2>
        <p className="mt-0.5 text-ink-2">
          Two are drawn for each battle. {about && SAMPLING[about.sampling]}
        </p>
        <p role="status" className={cn("mt-1 text-bad", !problem && "sr-only")}>
          {problem}
        </p>
      </div>
      <ul className="min-h-0 flex-1 overflow-y-auto p-1.5" data-scroll-area>
        {inOrder(rows, first).map((row) => (
          <Line
            key={row.model.id}
            row={row}
            weighted={about?.sampling === "weighted"}
            onChange={mayManage ? (place) => change.mutate({ [row.model.id]: place }) : undefined}
          />
        ))}
      </ul>
      <p className="flex justify-between gap-3 border-t border-line px-4 py-2.5 text-xs text-ink-3">
        <span className="num">{ready} can be drawn now</span>
        <Link to="/models" className="text-ink-2 underline underline-offset-2 hover:text-ink">
          {mayManage ? "Edit models" : "All models"}
        </Link>
      </p>
    </>
  );
}

interface LineProps {
  row: PoolRow;
  weighted: boolean;
  /** Undefined for those who only see the pool. */
  onChange: ((place: { chosen?: boolean; weight?: number }) => void) | undefined;
}

function Line({ row: { model, place, why }, weighted, onChange }: LineProps) {
  // A paused model without a cause and a weight of 0 are somebody's wish.
  const failing = place.out === "failing" || (place.out === "paused" && why !== "It is paused.");
  const Icon = failing ? AlertTriangle : CircleSlash;
  return (
    <li className="flex items-center gap-2 rounded-sm pr-2 hover:bg-raised">
      <label className="flex min-h-10 touch:min-h-11 min-w-0 flex-1 items-center has-enabled:cursor-pointer gap-2.5 py-1 pl-2.5">
        <Checkbox
          checked={place.chosen}
          disabled={!onChange}
          onChange={() => onChange?.({ chosen: !place.chosen })}
        />
        <ModelMark organization={model.organization} name={model.name} />
        <span className="flex min-w-0 flex-1 flex-col leading-tight">
          <span className={cn("truncate text-sm", !place.chosen && "text-ink-2")}>{model.name}</span>
          {why && (
            <span className={cn("flex items-start gap-1 text-xs", failing ? "text-bad" : "text-ink-3")}>
              <Icon aria-hidden="true" className="mt-0.5 size-3 shrink-0" />
              {why}
            </span>
          )}
        </span>
      </label>
      {onChange && place.chosen && (weighted || place.weight !== 1) && (
        <Weight name={model.name} weight={place.weight} onChange={(weight) => onChange({ weight })} />
      )}
    </li>
  );
}

interface WeightProps {
  name: string;
  weight: number;
  onChange: (weight: number) => void;
}

/** Stored when the field is left, or with Enter. */
function Weight({ name, weight, onChange }: WeightProps) {
  const [text, setText] = useState(`${weight}`);
  const store = () => {
    const value = Number(text.replace(",", "."));
    const valid = text.trim() !== "" && Number.isFinite(value) && value >= 0 && value <= 1000;
    if (valid && value !== weight) onChange(value);
    if (!valid) setText(`${weight}`);
  };
  return (
    <span className="flex items-center gap-1 text-xs text-ink-3">
      ×
      <input
        aria-label={`Weight of ${name}`}
        value={text}
        inputMode="decimal"
        onChange={(event) => setText(event.target.value)}
        onBlur={store}
        onKeyDown={(event) => event.key === "Enter" && store()}
        className="num h-7 touch:h-11 w-12 rounded-sm border border-line bg-page px-1.5 text-right text-sm text-ink"
      />
    </span>
  );
}
