import { ListFilter } from "lucide-react";
import { useState } from "react";
import type { ModelCard } from "@/api/types";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

export const MOST_LINES = 8;

interface ModelChoiceProps {
  models: readonly ModelCard[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Which models have a line: up to eight. */
export function ModelChoice({ models, chosen, onChange }: ModelChoiceProps) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = models.filter((model) =>
    `${model.name} ${model.organization}`.toLowerCase().includes(wanted),
  );
  const full = chosen.length >= MOST_LINES;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button size="sm">
          <ListFilter aria-hidden="true" />
          Models
          <span className="num text-ink-3">{chosen.length}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="flex w-72 flex-col p-2">
        <Field
          type="search"
          aria-label="Search models to show"
          placeholder="Search models…"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <p className="px-1 pt-2 pb-1 text-xs text-ink-3">
          {full ? `${MOST_LINES} lines is the maximum.` : `Up to ${MOST_LINES}.`}
        </p>
        <ul className="max-h-72 overflow-y-auto" data-scroll-area>
          {shown.map((model) => {
            const on = chosen.includes(model.id);
            return (
              <li key={model.id}>
                <label className="flex min-h-8 touch:min-h-11 cursor-pointer items-center gap-2.5 rounded-sm px-1.5 py-1 text-sm hover:bg-raised has-disabled:cursor-not-allowed has-disabled:text-ink-3">
                  <Checkbox
                    checked={on}
                    disabled={full && !on}
                    onChange={() =>
                      onChange(on ? chosen.filter((id) => id !== model.id) : [...chosen, model.id])
                    }
                  />
                  <span className="leading-tight [overflow-wrap:anywhere]">{model.name}</span>
                </label>
              </li>
            );
          })}
        </ul>
        <Button size="sm" className="mt-2 justify-center" onClick={() => onChange([])}>
          Top {MOST_LINES}
        </Button>
      </PopoverContent>
    </Popover>
  );
}
