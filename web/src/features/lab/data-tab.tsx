/** The data of a prompt: one data set, with a column for each variable. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import { type Draft, variablesOf } from "@/features/lab/draft";
import { createDataset, useChangeDataset } from "@/features/lab/lab-api";
import { NameDialog } from "@/features/lab/name-dialog";
import { RowsTable } from "@/features/lab/rows-table";
import { datasetQuery, datasetsQuery } from "@/features/prompts/datasets-api";
import { Button } from "@/ui/button";
import { Select } from "@/ui/select";

const route = getRouteApi("/lab");

export function DataTab({ prompt, draft }: { prompt: string; draft: Draft }) {
  const { data: id } = route.useSearch();
  const navigate = route.useNavigate();
  const [naming, setNaming] = useState(false);
  const { data: sets = [] } = useQuery(datasetsQuery);
  const set = sets.find((each) => each.id === id) ?? sets[0];
  const { data } = useQuery({ ...datasetQuery(set?.id ?? ""), enabled: set !== undefined });
  const choose = (dataset: string) =>
    navigate({ search: (now: Record<string, unknown>) => ({ ...now, data: dataset }) as never });
  const create = useChangeDataset(async (name: string) => {
    const made = await createDataset({ name, rows: [] });
    choose(made.dataset.id);
    return made;
  });
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 px-5 pt-4">
        {sets.length > 0 && (
          <Select
            aria-label="Data set"
            value={set?.id ?? ""}
            options={sets.map(({ id: value, name, rows }) => ({ value, label: `${name} (${rows})` }))}
            onChange={choose}
          />
        )}
        <Button onClick={() => setNaming(true)}>New data set</Button>
        {set && (
          <Button variant="quiet" asChild>
            <a href={`/api/prompts/${prompt}/promptfoo?dataset=${set.id}`} download={`${set.name}.yaml`}>
              <Download aria-hidden="true" />
              Export for promptfoo
            </a>
          </Button>
        )}
      </div>
      {data ? (
        <RowsTable detail={data} columns={variablesOf(draft).map(({ name }) => name)} />
      ) : (
        sets.length === 0 && (
          <p className="px-5 py-8 text-sm text-ink-2">
            No data yet. A data set has a row for each case, with a value for each variable.
          </p>
        )
      )}
      {naming && (
        <NameDialog
          title="New data set"
          action="Create data set"
          pending={create.isPending}
          onName={(name) => create.mutate(name, { onSuccess: () => setNaming(false) })}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  );
}
