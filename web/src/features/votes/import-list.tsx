/** The files whose votes were imported, each with a way to remove it again. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "@/api/problem";
import { standingsKey } from "@/api/standings";
import { type ImportView, importsQuery, removeImport } from "@/api/votes";
import { counted } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";

export function ImportList() {
  const { data } = useQuery(importsQuery);
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-label="Imports" className="flex flex-col gap-1">
      <h3 className="text-sm font-medium">Imports</h3>
      <ul className="max-h-60 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {data.items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      <p className="text-xs text-ink-3">
        Imported votes count on the leaderboard. They are not in the list of votes or in exports.
      </p>
    </section>
  );
}

function Item({ item }: { item: ImportView }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeImport(item.id),
    onSuccess: (removed) => {
      showToast(`${counted(removed.votes, "vote")} removed`);
      client.invalidateQueries({ queryKey: importsQuery.queryKey });
      client.invalidateQueries({ queryKey: standingsKey });
    },
    onError: (error) => showToast(asApiError(error).message, { tone: "bad" }),
  });
  return (
    <li className="flex items-center gap-3 px-3 py-2 text-sm">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{item.name}</span>
        <span className="num text-xs text-ink-3">
          {new Date(item.created_at).toLocaleDateString()}, {counted(item.votes, "vote")}
        </span>
      </span>
      {asking && !remove.isPending && <Button onClick={() => setAsking(false)}>Keep</Button>}
      <Button
        variant={asking ? "primary" : "quiet"}
        disabled={remove.isPending}
        aria-label={asking ? `Remove ${item.name} with all its votes` : `Remove ${item.name}`}
        onClick={() => (asking ? remove.mutate() : setAsking(true))}
      >
        {asking ? "Remove all its votes" : "Remove"}
      </Button>
    </li>
  );
}
