/** A vote's categories, which its voter may correct. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { useMayWrite } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { standingsKey } from "@/api/standings";
import type { CategoryCard } from "@/api/standings-types";
import { correctCategories, reasonsQuery, type VoteCard, votesKey } from "@/api/votes";
import { categoryTitle } from "@/lib/category-title";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/popover";

interface CategoryEditorProps {
  vote: VoteCard;
  categories: readonly CategoryCard[];
}

interface EditorProps extends CategoryEditorProps {
  titleOf: (id: string) => string;
  onDone: () => void;
}

const BY: Record<VoteCard["categories_by"], string> = {
  rules: "Set by rules",
  model: "Set by a model",
  person: "Corrected by you",
};

export function CategoryEditor({ vote, categories }: CategoryEditorProps) {
  const [open, setOpen] = useState(false);
  const mayWrite = useMayWrite();
  const titleOf = (id: string) => categoryTitle(id, categories);
  return (
    <div className="flex flex-wrap items-center gap-1.5" title={BY[vote.categories_by]}>
      {vote.categories.map((id) => (
        <span key={id} className="rounded-xs border border-line px-1.5 text-2xs leading-[19px] text-ink-2">
          {titleOf(id)}
        </span>
      ))}
      {vote.categories.length === 0 && <span className="text-2xs text-ink-3">no category</span>}
      {mayWrite && (
        <Popover open={open} onOpenChange={setOpen}>
          <PopoverTrigger asChild>
            <Button variant="quiet" size="icon-sm" aria-label="Edit categories">
              <Pencil aria-hidden="true" className="size-3!" />
            </Button>
          </PopoverTrigger>
          <PopoverContent align="start" className="w-64 p-3">
            <Editor vote={vote} categories={categories} titleOf={titleOf} onDone={() => setOpen(false)} />
          </PopoverContent>
        </Popover>
      )}
    </div>
  );
}

/** Matched rules in the prompt. */
function Why({ vote, titleOf }: { vote: VoteCard; titleOf: (id: string) => string }) {
  const { data } = useQuery(reasonsQuery(vote.vote_id));
  if (!data || data.reasons.length === 0) return null;
  return (
    <details className="mt-2 border-t border-line pt-2 text-xs text-ink-2">
      <summary className="rounded-xs text-ink-3 hover:text-ink">Matched rules</summary>
      <ul className="mt-1 max-h-32 space-y-1 overflow-y-auto">
        {data.reasons.map((reason) => (
          <li
            key={`${reason.category} ${reason.rule} ${reason.matched}`}
            className="[overflow-wrap:anywhere]"
          >
            <b className="font-medium text-ink">{titleOf(reason.category)}</b>: {reason.rule}, “
            {reason.matched}”
          </li>
        ))}
      </ul>
    </details>
  );
}

function Editor({ vote, categories, titleOf, onDone }: EditorProps) {
  const [chosen, setChosen] = useState<readonly string[]>(vote.categories);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => correctCategories(vote.vote_id, [...chosen]),
    onSuccess: async () => {
      onDone();
      await Promise.all([
        client.invalidateQueries({ queryKey: votesKey }),
        client.invalidateQueries({ queryKey: ["vote", vote.vote_id] }),
        client.invalidateQueries({ queryKey: standingsKey }),
      ]);
    },
    onError: (error) => {
      const problem = asApiError(error);
      showToast([problem.message, problem.detail].filter(Boolean).join(" "), { tone: "bad" });
    },
  });
  const shown = categories.filter((each) => each.kind !== "overall");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className="pb-1.5 text-xs text-ink-3">{BY[vote.categories_by]}. What is the prompt about?</p>
      <ul className="max-h-64 overflow-y-auto" data-scroll-area>
        {shown.map((category) => (
          <li key={category.id}>
            <label
              title={category.description}
              className="flex h-7.5 cursor-pointer items-center gap-2.5 rounded-sm px-1 text-sm hover:bg-raised"
            >
              <Checkbox
                checked={chosen.includes(category.id)}
                onChange={() =>
                  setChosen((now) =>
                    now.includes(category.id)
                      ? now.filter((id) => id !== category.id)
                      : [...now, category.id],
                  )
                }
              />
              <span className="truncate">{category.title}</span>
            </label>
          </li>
        ))}
      </ul>
      <Why vote={vote} titleOf={titleOf} />
      <Button
        type="submit"
        variant="primary"
        size="sm"
        className="mt-2 w-full justify-center"
        disabled={save.isPending}
      >
        Save
      </Button>
    </form>
  );
}
