import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { type AssetView, assetQuery, changeAsset, libraryChoicesQuery } from "@/api/library";
import { useMayWrite } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { showToast } from "@/lib/toast-store";
import { Field } from "@/ui/field";

const LONGEST = 40;

/** The tags of a thing; each can be taken off, and one more put on. */
export function AssetTags({ view: { asset, tags } }: { view: AssetView }) {
  const [typed, setTyped] = useState<string | null>(null);
  const client = useQueryClient();
  const mayWrite = useMayWrite();
  const save = useMutation({
    mutationFn: (names: string[]) => changeAsset(asset.id, { tags: names }),
    onSuccess: (view, names) => {
      client.setQueryData(assetQuery(asset.id).queryKey, view);
      client.invalidateQueries({ queryKey: libraryChoicesQuery.queryKey });
      // Another tag may be on its way by now.
      setTyped((now) => (now === null || names.includes(now.trim()) ? null : now));
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  return (
    <section aria-label="Tags" className="flex flex-wrap items-center gap-1.5 border-t border-line px-4 py-3">
      {tags.map((tag) => (
        <span
          key={tag}
          className="flex min-h-6 items-center gap-1 rounded-sm border border-line pl-2 text-xs"
        >
          {tag}
          {mayWrite ? (
            <button
              type="button"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => save.mutate(tags.filter((each) => each !== tag))}
              className="grid size-6 touch:size-11 place-items-center text-ink-3 hover:text-ink"
            >
              <X aria-hidden="true" className="size-3" />
            </button>
          ) : (
            <span className="w-2" />
          )}
        </span>
      ))}
      {mayWrite && typed === null && (
        <button
          type="button"
          onClick={() => setTyped("")}
          className="flex min-h-6 touch:min-h-11 items-center gap-1 rounded-sm border border-dashed border-line-strong px-2 text-xs text-ink-2 hover:text-ink"
        >
          <Plus aria-hidden="true" className="size-3" />
          Tag
        </button>
      )}
      {mayWrite && typed !== null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim()) save.mutate([...tags, typed.trim()]);
            else setTyped(null);
          }}
        >
          <Field
            autoFocus
            aria-label="New tag"
            placeholder="New tag"
            maxLength={LONGEST}
            className="w-32"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => event.key === "Escape" && setTyped(null)}
          />
        </form>
      )}
    </section>
  );
}
