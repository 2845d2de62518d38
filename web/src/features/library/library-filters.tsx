import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import type { components } from "@/api/__generated__/schema";
import { libraryChoicesQuery } from "@/api/library";
import { modelsQuery } from "@/api/queries";
import { KINDS, type LibrarySearch, type Span } from "@/features/library/library-search";
import { cn } from "@/lib/cn";
import { useTyped } from "@/lib/use-typed";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";

interface LibraryFiltersProps {
  search: LibrarySearch;
  page: components["schemas"]["AssetPage"] | undefined;
  onChange: (change: LibrarySearch) => void;
}

const CLEAR: LibrarySearch = {
  search: undefined,
  kind: undefined,
  model: undefined,
  session: undefined,
  tag: undefined,
  span: undefined,
};
const SPAN_WORDS: Record<Span, string> = {
  day: "Today",
  week: "Last 7 days",
  month: "Last month",
  year: "Last year",
};

export function LibraryFilters({ search, page, onChange }: LibraryFiltersProps) {
  const [typed, setTyped] = useTyped(search.search ?? "", (text) => onChange({ search: text || undefined }));
  const { data: choices } = useQuery(libraryChoicesQuery);
  const { data: models = [] } = useQuery(modelsQuery);
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const narrowed = Object.keys(CLEAR).some((name) => search[name as keyof LibrarySearch] !== undefined);
  return (
    <div role="search" aria-label="Filter the library" className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <Field
          type="search"
          aria-label="Search prompts and names"
          placeholder="Search prompts and names…"
          icon={<Search />}
          className="min-w-52 flex-1 sm:max-w-72"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Kinds search={search} page={page} onChange={onChange} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Choice
          label="Model"
          all="All models"
          value={search.model}
          options={(choices?.models ?? []).map((id) => ({ value: id, label: nameOf(id) }))}
          onChange={(model) => onChange({ model })}
        />
        <Choice
          label="Session"
          all="All sessions"
          value={search.session}
          options={(choices?.sessions ?? []).map(({ id, title }) => ({ value: id, label: title }))}
          onChange={(session) => onChange({ session })}
        />
        <Choice
          label="Tag"
          all="All tags"
          value={search.tag}
          options={(choices?.tags ?? []).map((tag) => ({ value: tag, label: tag }))}
          onChange={(tag) => onChange({ tag })}
        />
        <Choice
          label="Date"
          all="Any time"
          value={search.span}
          options={Object.entries(SPAN_WORDS).map(([value, label]) => ({ value, label }))}
          onChange={(span) => onChange({ span: span as Span | undefined })}
        />
        <Choice
          label="Order"
          all="Newest first"
          value={search.oldest ? "oldest" : undefined}
          options={[{ value: "oldest", label: "Oldest first" }]}
          onChange={(order) => onChange({ oldest: order ? true : undefined })}
        />
        {narrowed && (
          <Button
            size="sm"
            variant="quiet"
            onClick={() => {
              setTyped("");
              onChange(CLEAR);
            }}
          >
            Clear
          </Button>
        )}
      </div>
    </div>
  );
}

function Kinds({ search, page, onChange }: LibraryFiltersProps) {
  const counts = new Map(page?.kinds.map(({ kind, count }) => [kind, count]));
  const shown = KINDS.filter(({ kind }) => counts.has(kind) || search.kind === kind);
  const chip = (label: string, count: number | undefined, on: boolean, choose: () => void) => (
    <button
      key={label}
      type="button"
      aria-pressed={on}
      onClick={choose}
      className={cn(
        "min-h-8 touch:min-h-11 rounded-sm px-2.5 text-sm whitespace-nowrap",
        on ? "bg-raised font-medium text-ink" : "text-ink-2 hover:text-ink",
      )}
    >
      {label} {count !== undefined && <span className="num text-ink-3">{count.toLocaleString()}</span>}
    </button>
  );
  return (
    <fieldset className="m-0 flex max-w-full overflow-x-auto rounded-md border border-line p-0.5">
      <legend className="sr-only">Kind</legend>
      {chip("All", undefined, search.kind === undefined, () => onChange({ kind: undefined }))}
      {shown.map(({ kind, label }) =>
        chip(label, counts.get(kind) ?? 0, search.kind === kind, () => onChange({ kind })),
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string | undefined;
  options: { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  if (options.length === 0 && value === undefined) return null;
  const known = value === undefined || options.some((each) => each.value === value);
  return (
    <Select
      aria-label={label}
      className="max-w-44"
      value={value ?? ""}
      options={[
        { value: "", label: all },
        ...options,
        ...(known ? [] : [{ value: value ?? "", label: value ?? "" }]),
      ]}
      onChange={(next) => onChange(next || undefined)}
    />
  );
}
