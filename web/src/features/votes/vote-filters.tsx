import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { modelsQuery } from "@/api/queries";
import { boardQuery, DEFAULT_BOARD } from "@/api/standings";
import type { CategoryCard } from "@/api/standings-types";
import { OUTCOMES, type VotesSearch } from "@/features/votes/votes-search";
import { categoryTitle } from "@/lib/category-title";
import { useTyped } from "@/lib/use-typed";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";

interface VoteFiltersProps {
  search: VotesSearch;
  categories: readonly CategoryCard[];
  onChange: (change: VotesSearch) => void;
}

const OF_A_MODEL = { won: "Won", lost: "Lost", tie: "Tie", both_bad: "Both bad" };
const OF_A_SIDE = {
  won: "Left won",
  lost: "Right won",
  tie: "Tie",
  both_bad: "Both bad",
};

export function VoteFilters({ search, categories, onChange }: VoteFiltersProps) {
  const [typed, setTyped] = useTyped(search.search ?? "", (text) => onChange({ search: text || undefined }));
  const names = useModelNames();
  const listed = categories
    .filter(({ kind }) => kind !== "overall")
    .map(({ id, title }) => ({ value: id, label: title }));
  // A link can name one that the list does not hold, such as a language.
  if (search.category && !listed.some(({ value }) => value === search.category))
    listed.push({ value: search.category, label: categoryTitle(search.category) });
  const words = search.model ? OF_A_MODEL : OF_A_SIDE;
  return (
    <div role="search" aria-label="Filter votes" className="grid grid-cols-2 gap-2 sm:grid-cols-4 xl:flex">
      <Field
        type="search"
        aria-label="Search prompts and reasons"
        placeholder="Search prompts and reasons…"
        icon={<Search />}
        className="col-span-2 min-w-0 sm:col-span-4 xl:flex-1"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Select
        aria-label="Model"
        className="xl:w-44"
        value={search.model ?? ""}
        options={[{ value: "", label: "All models" }, ...names]}
        onChange={(model) => onChange({ model: model || undefined })}
      />
      <Select
        aria-label="Outcome"
        value={search.outcome ?? ""}
        options={[
          { value: "", label: "All outcomes" },
          ...OUTCOMES.map((outcome) => ({ value: outcome, label: words[outcome] })),
        ]}
        onChange={(value) => onChange({ outcome: OUTCOMES.find((outcome) => outcome === value) })}
      />
      <Select
        aria-label="Category"
        className="xl:w-40"
        value={search.category ?? ""}
        options={[{ value: "", label: "All categories" }, ...listed]}
        onChange={(category) => onChange({ category: category || undefined })}
      />
      <Select
        aria-label="Counted"
        value={search.counted === undefined ? "" : String(search.counted)}
        options={[
          { value: "", label: "All votes" },
          { value: "true", label: "Counted" },
          { value: "false", label: "Not counted" },
        ]}
        onChange={(value) => onChange({ counted: value === "" ? undefined : value === "true" })}
      />
    </div>
  );
}

/** Models of the catalog and of the table: votes may speak of models that are gone. */
function useModelNames() {
  const { data: models = [] } = useQuery(modelsQuery);
  const { data: board } = useQuery(boardQuery({ ...DEFAULT_BOARD, minVotes: 1 }));
  const cards = new Map(
    [...models, ...(board?.lines.map((line) => line.model) ?? [])].map((card) => [card.id, card]),
  );
  return [...cards.values()]
    .map((card) => ({ value: card.id, label: card.name }))
    .sort((a, b) => a.label.localeCompare(b.label));
}
