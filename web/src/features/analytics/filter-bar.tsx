/** The range and the filters of a dashboard. */

import { useQuery } from "@tanstack/react-query";
import { type UsageQuestion, usageQuery } from "@/api/usage";
import {
  type AnalyticsSearch,
  FILTERS,
  type Filter,
  RANGES,
  type Range,
} from "@/features/analytics/analytics-search";
import type { Span } from "@/features/analytics/question";
import { nameOf } from "@/features/analytics/words";
import { titled } from "@/lib/format";
import { Segmented } from "@/ui/segmented";
import { Select } from "@/ui/select";

interface FilterBarProps {
  search: AnalyticsSearch;
  of: NonNullable<UsageQuestion["of"]>;
  span: Span;
  models: ReadonlyMap<string, string>;
  onChange: (change: AnalyticsSearch) => void;
}

export function FilterBar({ search, of, span, models, onChange }: FilterBarProps) {
  const shown = FILTERS.filter((name) => name !== "person" || of !== "me");
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Range"
        value={String(search.days ?? 30)}
        options={RANGES.map((days) => ({
          value: String(days),
          label: days === 1 ? "24 hours" : `${days} days`,
        }))}
        onChange={(days) => onChange({ days: Number(days) as Range })}
      />
      {shown.map((name) => (
        <FilterSelect
          key={name}
          name={name}
          value={search[name]}
          question={{ measure: "requests", by: name, of, ...span }}
          models={models}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </div>
  );
}

interface FilterSelectProps {
  name: Filter;
  value: string | undefined;
  question: UsageQuestion;
  models: ReadonlyMap<string, string>;
  onChange: (value: string | undefined) => void;
}

/** One of the models, modes or people that have figures in the range. */
function FilterSelect({ name, value, question, models, onChange }: FilterSelectProps) {
  const { data: table } = useQuery(usageQuery(question));
  const options = (table?.rows ?? [])
    .map(([key]) => String(key ?? ""))
    .filter((key) => key !== "" && key !== value && !key.includes(","))
    .map((key) => ({ value: key, label: table ? nameOf(key, name, table, models) : key }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const chosen = value && table ? [{ value, label: nameOf(value, name, table, models) }] : [];
  return (
    <Select
      aria-label={titled(name)}
      className="max-w-52"
      value={value ?? ""}
      options={[{ value: "", label: `${titled(name)}: all` }, ...chosen, ...options]}
      onChange={(next) => onChange(next || undefined)}
    />
  );
}
