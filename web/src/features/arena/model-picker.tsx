/** Choose a model: search, filters, prices, favourites. */

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Check, Cloud, HardDrive, Search, Star } from "lucide-react";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { modelsQuery } from "@/api/queries";
import type { ModelCard } from "@/api/types";
import { type ModelFilter, noFilter, providersOf, sortedModels } from "@/features/arena/model-filter";
import { Suggestions } from "@/features/arena/suggestions";
import { cn } from "@/lib/cn";
import { formatPrice } from "@/lib/format";
import { useStored } from "@/lib/local-storage";
import { takeTyped } from "@/lib/type-ahead";
import { Kbd } from "@/ui/kbd";

interface ModelPickerProps {
  value: string | null;
  onChoose: (id: string) => void;
  /** The question has pictures: a model that can't read them can't be chosen. */
  pictures?: boolean;
}

export function ModelPicker({ value, onChoose, pictures = false }: ModelPickerProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const [favourites, setFavourites] = useStored<string[]>("favourites", []);
  const [lit, setLit] = useState(value ?? "");
  const [filter, setFilter] = useState<ModelFilter>(noFilter);
  const change = (part: Partial<ModelFilter>) => setFilter({ ...filter, ...part });
  useLayoutEffect(() => {
    const search = takeTyped();
    if (search) setFilter((now) => ({ ...now, search }));
  }, []);
  const shown = sortedModels(models, filter, favourites);
  const providers = providersOf(models);
  const toggleFavourite = (id: string) =>
    setFavourites(favourites.includes(id) ? favourites.filter((each) => each !== id) : [...favourites, id]);
  return (
    <Command
      shouldFilter={false}
      label="Models"
      value={lit}
      onValueChange={setLit}
      onKeyDown={(event) => {
        if (!event.altKey || event.code !== "KeyF") return;
        event.preventDefault();
        toggleFavourite(lit);
      }}
      className="flex min-h-0 max-h-[min(440px,60vh,calc(var(--radix-popover-content-available-height,100vh)-var(--picker-above,0px)-2px))] flex-col"
    >
      <div className="flex shrink-0 items-center gap-2.5 border-b border-line px-3.5">
        <Search aria-hidden="true" className="size-[15px] shrink-0 text-ink-3" />
        <Command.Input
          autoFocus
          value={filter.search}
          onValueChange={(search) => change({ search })}
          placeholder="Search models…"
          className="h-11 w-full bg-transparent text-base outline-none"
        />
      </div>
      <fieldset className="flex shrink-0 gap-1.5 overflow-x-auto border-b border-line px-3 py-2 [scrollbar-width:none]">
        <legend className="sr-only">Filters</legend>
        <Toggle on={filter.favourites} onClick={() => change({ favourites: !filter.favourites })}>
          Favourites
        </Toggle>
        <Toggle on={filter.local} onClick={() => change({ local: !filter.local })}>
          Local
        </Toggle>
        <Toggle on={filter.cheapest} onClick={() => change({ cheapest: !filter.cheapest })}>
          Cheapest first
        </Toggle>
        {providers.length > 1 &&
          providers.map((provider) => (
            <Toggle
              key={provider}
              on={filter.provider === provider}
              onClick={() => change({ provider: filter.provider === provider ? null : provider })}
            >
              {provider}
            </Toggle>
          ))}
      </fieldset>
      <Suggestions models={models} onChoose={onChoose} />
      <Command.List className="min-h-0 flex-1 overflow-y-auto p-1.5">
        {shown.length === 0 && (
          <p className="px-3 py-6 text-center text-sm text-ink-2">No results. Try fewer filters.</p>
        )}
        {shown.map((model) => (
          <Command.Item
            key={model.id}
            value={model.id}
            disabled={pictures && !model.capabilities.includes("vision")}
            onSelect={() => onChoose(model.id)}
            className="flex items-center gap-3 rounded-sm px-2.5 py-1.5 data-[selected=true]:bg-raised data-[disabled=true]:opacity-60"
          >
            <Row model={model} chosen={model.id === value} pictures={pictures} />
            {/* An option holds no button: the star is for the mouse, Alt F for the keyboard. */}
            <Star
              aria-hidden="true"
              className={cn(
                "-m-1 box-content size-[15px] shrink-0 p-1 text-ink-3 hover:text-ink",
                favourites.includes(model.id) && "fill-current text-accent!",
              )}
              onClick={(event) => {
                event.stopPropagation();
                toggleFavourite(model.id);
              }}
            />
            {favourites.includes(model.id) && <span className="sr-only">favourite</span>}
          </Command.Item>
        ))}
      </Command.List>
      <p className="flex shrink-0 items-center gap-1.5 border-t border-line px-3.5 py-1.5 text-xs text-ink-3 pointer-coarse:hidden">
        <Kbd>Enter</Kbd> choose <Kbd className="ml-2">Alt F</Kbd> favourite
        <span className="ml-auto">$ in / out per million tokens</span>
      </p>
    </Command>
  );
}

function Row({ model, chosen, pictures }: { model: ModelCard; chosen: boolean; pictures: boolean }) {
  const Where = model.local ? HardDrive : Cloud;
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5 truncate font-medium">
          <span className="truncate">{model.name}</span>
          {chosen && <Check aria-label="chosen" className="size-4 shrink-0 text-accent" />}
        </p>
        <p className="flex items-center gap-1.5 text-xs text-ink-3">
          <Where aria-hidden="true" className="size-3 shrink-0" />
          <span className="truncate">
            {pictures && !model.capabilities.includes("vision")
              ? "Can’t read pictures"
              : [model.organization, model.provider, model.local ? "local" : null]
                  .filter(Boolean)
                  .join(" · ")}
          </span>
        </p>
      </div>
      <p className="num shrink-0 text-right text-xs text-ink-3" title="Input / output, per million tokens">
        {model.prices
          ? `${formatPrice(model.prices.input)} / ${formatPrice(model.prices.output)}`
          : "no price"}
      </p>
    </>
  );
}

function Toggle({ on, onClick, children }: { on: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={cn(
        "focus-inset h-6 shrink-0 rounded-full border px-2.5 text-xs font-medium",
        on ? "border-accent text-accent" : "border-line text-ink-2 hover:border-line-strong hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
