/** What the table shows: by which score, whose models, under which licence, run where, with how many votes. */

import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { choicesOf } from "@/features/leaderboard/arrange-lines";
import { type BoardSearch, countFilters, MIN_VOTES, NO_FILTERS } from "@/features/leaderboard/board-search";
import { MethodSwitch } from "@/features/leaderboard/method-switch";
import { cn } from "@/lib/cn";
import { useMedia } from "@/lib/use-media";
import { Button } from "@/ui/button";
import { Labelled } from "@/ui/labelled";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";
import { Sheet, SheetContent, SheetTrigger } from "@/ui/sheet";

interface FiltersProps {
  lines: readonly LeaderboardLine[];
  search: BoardSearch;
  /** Whether the view has a line per model, to choose from. */
  byLine: boolean;
  onChange: (change: BoardSearch) => void;
  /** What a phone's sheet has first, and last. */
  first: ReactNode;
  last: ReactNode;
}

const WHERE = [
  { value: "any", label: "All" },
  { value: "local", label: "Local" },
  { value: "remote", label: "Remote" },
] as const;

const LEAST = [1, 5, 10, 30, 100, 300, 1000];

/** In a popover, on a phone in a sheet. */
export function Filters({ lines, search, byLine, onChange, first, last }: FiltersProps) {
  const wide = useMedia("(min-width: 640px)");
  const set = countFilters(search) + (search.method ? 1 : 0) + (!wide && search.search ? 1 : 0);
  const trigger = (
    <Button className={cn(set > 0 && "border-accent!")}>
      <SlidersHorizontal aria-hidden="true" />
      Filters
      {set > 0 && <span className="num text-accent">{set}</span>}
    </Button>
  );
  const fields = (
    <>
      {!search.votes && (
        <MethodSwitch
          value={search.method ?? "bradley-terry"}
          onChange={(method) => onChange({ method: method === "bradley-terry" ? undefined : method })}
        />
      )}
      {byLine && <LineFilters {...{ lines, search, onChange }} />}
      <Button
        disabled={set === 0}
        className="justify-center"
        onClick={() =>
          onChange({ ...NO_FILTERS, method: undefined, search: wide ? search.search : undefined })
        }
      >
        Clear filters
      </Button>
    </>
  );
  if (!wide) {
    return (
      <Sheet>
        <SheetTrigger asChild>{trigger}</SheetTrigger>
        <SheetContent title="Filters">
          {first}
          {fields}
          {last}
        </SheetContent>
      </Sheet>
    );
  }
  return (
    <Popover>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent
        aria-label="Filters"
        align="start"
        className="flex max-h-(--radix-popover-content-available-height) w-72 flex-col gap-3 overflow-y-auto p-4"
      >
        {fields}
      </PopoverContent>
    </Popover>
  );
}

function LineFilters({ lines, search, onChange }: Pick<FiltersProps, "lines" | "search" | "onChange">) {
  const least = search.min_votes ?? MIN_VOTES;
  const steps = LEAST.includes(least) ? LEAST : [...LEAST, least].sort((a, b) => a - b);
  return (
    <>
      <Choice
        label="Organisation"
        value={search.organization}
        options={choicesOf(lines, (line) => line.model.organization)}
        onChange={(organization) => onChange({ organization })}
      />
      <Choice
        label="Licence"
        value={search.license}
        options={choicesOf(lines, (line) => line.model.license)}
        onChange={(license) => onChange({ license })}
      />
      <Choice
        label="Provider"
        value={search.provider}
        options={choicesOf(lines, (line) => line.model.provider)}
        onChange={(provider) => onChange({ provider })}
      />
      <div>
        <p className="pb-1.5 text-sm font-medium">Runs</p>
        <Segmented
          label="Runs"
          value={search.local === undefined ? "any" : search.local ? "local" : "remote"}
          options={[...WHERE]}
          onChange={(where) => onChange({ local: where === "any" ? undefined : where === "local" })}
        />
      </div>
      <Labelled label="Min votes">
        {(id) => (
          <Select
            id={id}
            value={String(least)}
            options={steps.map((votes) => ({
              value: String(votes),
              label: votes === 1 ? "1 vote" : `${votes} votes`,
            }))}
            onChange={(votes) =>
              onChange({ min_votes: Number(votes) === MIN_VOTES ? undefined : Number(votes) })
            }
          />
        )}
      </Labelled>
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: string[];
  onChange: (value: string | undefined) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const all = value && !options.includes(value) ? [value, ...options] : options;
  if (all.length === 0) return null;
  return (
    <Labelled label={label}>
      {(id) => (
        <Select
          id={id}
          value={value ?? ""}
          options={[{ value: "", label: "All" }, ...all.map((each) => ({ value: each, label: each }))]}
          onChange={(next) => onChange(next || undefined)}
        />
      )}
    </Labelled>
  );
}
