/** Which models a person preferred so far, where they choose one. Off by one click; Settings brings it back. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { answerOf, api } from "@/api/client";
import type { ModelCard } from "@/api/types";
import { categoryTitle } from "@/lib/category-title";
import { useStored } from "@/lib/local-storage";
import { IconButton } from "@/ui/icon-button";

const SHOWN = 3;
export const SUGGESTIONS = "suggestions";

interface SuggestionsProps {
  models: readonly ModelCard[];
  onChoose: (id: string) => void;
}

export function Suggestions({ models, onChoose }: SuggestionsProps) {
  const [wanted, setWanted] = useStored(SUGGESTIONS, true);
  const { data } = useQuery({
    queryKey: ["votes", "preferred"],
    queryFn: ({ signal }) => answerOf(api.GET("/api/votes/preferred", { signal })),
    enabled: wanted,
    staleTime: 30_000,
  });
  const able = data?.preferred.filter(({ model_id }) =>
    models.some((model) => model.id === model_id && model.enabled),
  );
  if (!wanted || !able?.length) return null;
  // The same figures of the same model are mostly the same votes: the first, widest category says it.
  const widest = new Map(
    able.map((each) => [`${each.model_id} ${each.preferred} ${each.of}`, each] as const).reverse(),
  );
  const shown = able.filter((each) => widest.get(`${each.model_id} ${each.preferred} ${each.of}`) === each);
  return (
    <section
      aria-label="From your votes"
      className="flex shrink-0 items-start border-b border-line py-1.5 pr-1.5 pl-3.5 text-sm"
    >
      <ul className="min-w-0 flex-1">
        {shown.slice(0, SHOWN).map(({ category, model_id, preferred, of }) => {
          const name = models.find((model) => model.id === model_id)?.name ?? model_id;
          return (
            <li
              key={category}
              className="flex min-h-7 touch:min-h-11 flex-wrap items-center gap-x-1 text-ink-2"
            >
              {category === "overall" ? "You preferred " : `For ${spoken(category)} you preferred `}
              <button
                type="button"
                onClick={() => onChoose(model_id)}
                className="font-medium text-ink underline underline-offset-2"
              >
                {name}
              </button>
              {" in "}
              <Link
                to="/votes"
                search={{ model: model_id, ...(category !== "overall" && { category }) }}
                className="num underline underline-offset-2 hover:text-ink"
              >
                {preferred} of {of}
              </Link>
            </li>
          );
        })}
      </ul>
      <IconButton
        size="icon-sm"
        label="Hide suggestions"
        onClick={({ currentTarget }) => {
          // This button goes; the keyboard stays in the list of models.
          currentTarget.closest("[cmdk-root]")?.querySelector("input")?.focus();
          setWanted(false);
        }}
      >
        <X />
      </IconButton>
    </section>
  );
}

/** Names of languages are proper names; other categories are plain words. */
const spoken = (category: string) =>
  category.startsWith("language-") ? categoryTitle(category) : categoryTitle(category).toLowerCase();
