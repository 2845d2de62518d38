/** The models that a provider offers, each with a tick. */
import { Search } from "lucide-react";
import { useState } from "react";
import type { Offer, OfferedModel } from "@/api/providers";
import { formatBytes, formatContext, formatPrice } from "@/lib/format";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";

interface ModelChoiceProps {
  offer: Offer;
  ticked: ReadonlySet<string>;
  onTicked: (ticked: ReadonlySet<string>) => void;
  battle: boolean;
  onBattle: (battle: boolean) => void;
}

/** It can take a seat: it chats, or draws. */
const isForSeats = ({ purpose }: OfferedModel) => purpose === "chat" || purpose === "images";
const canBeAdded = (model: OfferedModel) => model.added === null && isForSeats(model);

export function ModelChoice({ offer, ticked, onTicked, battle, onBattle }: ModelChoiceProps) {
  const [search, setSearch] = useState("");
  const shown = offer.models.filter((model) =>
    `${model.name} ${model.model}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const free = shown.filter(canBeAdded);
  const all = free.length > 0 && free.every((model) => ticked.has(model.model));
  const tick = (models: OfferedModel[], on: boolean) => {
    const next = new Set(ticked);
    for (const { model } of models) {
      if (on) next.add(model);
      else next.delete(model);
    }
    onTicked(next);
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Models</legend>
      <div className="flex items-center gap-2">
        <Field
          type="search"
          className="min-w-0 flex-1"
          aria-label="Search models…"
          placeholder="Search models…"
          icon={<Search />}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button size="sm" disabled={free.length === 0} onClick={() => tick(free, !all)}>
          {all ? "Select none" : "Select all"}
        </Button>
      </div>
      <ul className="max-h-60 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {shown.map((model) => (
          <li key={model.model}>
            <label className="flex min-h-9 touch:min-h-11 cursor-pointer items-center gap-2.5 px-3 py-1.5 text-sm">
              <Checkbox
                checked={ticked.has(model.model)}
                disabled={!canBeAdded(model)}
                onChange={(event) => tick([model], event.target.checked)}
              />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{model.name}</span>
              <span className="num text-xs text-ink-3">{factsOf(model)}</span>
            </label>
          </li>
        ))}
      </ul>
      {offer.truncated && <p className="text-xs text-ink-3">Only the first models of the list are shown.</p>}
      <label className="flex min-h-8 touch:min-h-11 cursor-pointer items-center gap-2.5 text-sm">
        <Checkbox checked={battle} onChange={(event) => onBattle(event.target.checked)} />
        Use in battles
      </label>
    </fieldset>
  );
}

function factsOf(model: OfferedModel): string {
  if (model.added !== null) return "added";
  if (!isForSeats(model)) return "not a chat model";
  if (model.purpose === "images") return "draws";
  return [
    model.remote && "runs elsewhere",
    model.size_bytes !== null && formatBytes(model.size_bytes),
    model.context_window !== null && formatContext(model.context_window),
    model.prices && `${formatPrice(model.prices.input)} / ${formatPrice(model.prices.output)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
