/** Filters of the table: whose models, under which licence, run where, with how many votes. */

import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { choicesOf } from "@/features/leaderboard/arrange-lines";
import { type BoardSearch, countFilters, MIN_VOTES, NO_FILTERS } from "@/features/leaderboard/board-search";
import { STRINGS } from "@/features/leaderboard/strings";
import { cn } from "@/lib/cn";
import { Button } from "@/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";

interface FiltersProps {
  lines: readonly LeaderboardLine[];
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
  className?: string;
}

const WHERE = [
  { value: "any", label: STRINGS.all },
  { value: "local", label: STRINGS.local },
  { value: "remote", label: STRINGS.remote },
] as const;

const LEAST = [1, 5, 10, 30, 100, 300, 1000];

export function Filters({ lines, search, onChange, className }: FiltersProps) {
  const set = countFilters(search);
  const least = search.min_votes ?? MIN_VOTES;
  const steps = LEAST.includes(least) ? LEAST : [...LEAST, least].sort((a, b) => a - b);
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button className={cn(set > 0 && "border-accent!", className)}>
          <SlidersHorizontal aria-hidden="true" />
          {STRINGS.filters}
          {set > 0 && <span className="num text-accent">{set}</span>}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="flex w-72 flex-col gap-3 p-4">
        <Choice
          label={STRINGS.organisation}
          value={search.organization}
          options={choicesOf(lines, (line) => line.model.organization)}
          onChange={(organization) => onChange({ organization })}
        />
        <Choice
          label={STRINGS.licence}
          value={search.license}
          options={choicesOf(lines, (line) => line.model.license)}
          onChange={(license) => onChange({ license })}
        />
        <Choice
          label={STRINGS.provider}
          value={search.provider}
          options={choicesOf(lines, (line) => line.model.provider)}
          onChange={(provider) => onChange({ provider })}
        />
        <div>
          <p className="pb-1 text-xs text-ink-3">{STRINGS.runs}</p>
          <Segmented
            label={STRINGS.runs}
            value={search.local === undefined ? "any" : search.local ? "local" : "remote"}
            options={[...WHERE]}
            onChange={(where) => onChange({ local: where === "any" ? undefined : where === "local" })}
          />
        </div>
        <Labelled label={STRINGS.minVotes}>
          {(id) => (
            <Select
              id={id}
              value={String(least)}
              options={steps.map((votes) => ({
                value: String(votes),
                label: votes === 1 ? STRINGS.oneVote : STRINGS.manyVotes(votes),
              }))}
              onChange={(votes) =>
                onChange({ min_votes: Number(votes) === MIN_VOTES ? undefined : Number(votes) })
              }
            />
          )}
        </Labelled>
        <Button
          disabled={set === 0}
          className="justify-center"
          onClick={() => onChange({ ...NO_FILTERS, search: search.search })}
        >
          {STRINGS.clearFilters}
        </Button>
      </PopoverContent>
    </Popover>
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
  return (
    <Labelled label={label}>
      {(id) => (
        <Select
          id={id}
          value={value ?? ""}
          options={[{ value: "", label: STRINGS.all }, ...all.map((each) => ({ value: each, label: each }))]}
          onChange={(next) => onChange(next || undefined)}
        />
      )}
    </Labelled>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="flex flex-col">
      <label htmlFor={id} className="pb-1 text-xs text-ink-3">
        {label}
      </label>
      {children(id)}
    </div>
  );
}
