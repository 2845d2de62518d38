/** One click to what a search lacks: a check, a split of the rows, or rows to try it with. */

import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { ApiError } from "@/api/problem";
import { EXAMPLE_SEARCH_DATA, fitsExample } from "@/features/lab/example";
import { createDataset, type Dataset, useChangeDataset, type Variable } from "@/features/lab/lab-api";
import { SplitDialog } from "@/features/lab/split-dialog";
import { Button } from "@/ui/button";

const route = getRouteApi("/lab");
const ENOUGH_ROWS = 12;

interface ImproveRemedyProps {
  problem: ApiError | null;
  dataset: Dataset | undefined;
  variables: readonly Variable[];
  /** Called with the data set to choose. */
  onData: (id: string) => void;
}

export function ImproveRemedy({ problem, dataset, variables, onData }: ImproveRemedyProps) {
  const navigate = route.useNavigate();
  const [splitting, setSplitting] = useState(false);
  const add = useChangeDataset(async () => {
    const made = await createDataset(EXAMPLE_SEARCH_DATA);
    onData(made.dataset.id);
    return made;
  });
  const to = (tab: "checks" | "data") =>
    navigate({
      search: (now: Record<string, unknown>) => ({ ...now, tab, data: dataset?.id ?? now.data }) as never,
    });
  const field = problem?.field;
  if (field === "checks") return <Button onClick={() => to("checks")}>Open checks</Button>;
  if (dataset && field !== "rows") return null;
  return (
    <span className="flex flex-wrap gap-2">
      {dataset && dataset.rows >= ENOUGH_ROWS ? (
        <Button onClick={() => setSplitting(true)}>Split rows</Button>
      ) : (
        <>
          <Button onClick={() => to("data")}>Add rows</Button>
          {fitsExample(variables) && (
            <Button disabled={add.isPending} onClick={() => add.mutate()}>
              Use example rows
            </Button>
          )}
        </>
      )}
      {splitting && dataset && <SplitDialog dataset={dataset} onClose={() => setSplitting(false)} />}
    </span>
  );
}
