/** Tries the draft: the values of its variables, one model, its answer and the checks. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, Play } from "lucide-react";
import { useState } from "react";
import { create } from "zustand";
import { answerOf, api } from "@/api/client";
import { modelsQuery } from "@/api/queries";
import { CheckMarks } from "@/features/lab/check-marks";
import { bodyOf, type Draft, variablesOf } from "@/features/lab/draft";
import {
  type Check,
  changePrompt,
  type PromptDetail,
  type TriedAnswer,
  tryPrompt,
  useChangeDataset,
  useChangePrompt,
} from "@/features/lab/lab-api";
import { type Values, VariableField, withUsual } from "@/features/lab/variable-field";
import { datasetQuery, datasetsQuery } from "@/features/prompts/datasets-api";
import { showProblem } from "@/features/prompts/prompts-api";
import { formatCost, formatCount, formatMs } from "@/lib/format";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { Select } from "@/ui/select";

const route = getRouteApi("/lab");

/** The values stay while another tab is open. */
const useValues = create<{ values: Record<string, Values> }>()(() => ({ values: {} }));

interface TryPanelProps {
  detail: PromptDetail;
  draft: Draft;
}

export function TryPanel({ detail: { prompt }, draft }: TryPanelProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const usable = models.filter(({ kind, enabled }) => kind === "single" && enabled);
  const [chosen, setChosen] = useState<string | null>(null);
  const model = chosen ?? prompt.model ?? usable[0]?.id ?? "";
  const values = useValues((store) => store.values[prompt.id]) ?? {};
  const setValues = (next: Values) =>
    useValues.setState(({ values: all }) => ({ values: { ...all, [prompt.id]: next } }));
  const variables = variablesOf(draft);
  const sets = useDataRow(setValues);
  const filled = withUsual(variables, values);
  const ask = useMutation({
    mutationFn: () =>
      tryPrompt({
        ...bodyOf(draft),
        model,
        values: filled,
        checks: prompt.checks as Check[],
        expected: sets.expected,
      }),
    onError: showProblem,
  });
  const makeUsual = useChangePrompt(() => changePrompt(prompt.id, { model }));
  return (
    <aside
      aria-label="Try it"
      className="flex w-[360px] shrink-0 flex-col gap-3.5 border-line px-4 py-4 max-lg:w-full max-lg:border-t lg:overflow-y-auto lg:border-l"
    >
      <div className="flex items-center gap-1">
        <h2 className="flex-1 text-sm font-semibold">Try it</h2>
        {sets.count > 0 && (
          <>
            <span className="num truncate text-xs text-ink-3">
              {sets.at === null ? sets.name : `${sets.name}, row ${sets.at + 1} of ${sets.count}`}
            </span>
            <IconButton size="icon-sm" label="Previous row" onClick={() => sets.go(-1)}>
              <ChevronLeft />
            </IconButton>
            <IconButton size="icon-sm" label="Next row" onClick={() => sets.go(1)}>
              <ChevronRight />
            </IconButton>
          </>
        )}
      </div>
      {variables.map((variable) => (
        <VariableField
          key={variable.name}
          variable={variable}
          value={values[variable.name]}
          onChange={(value) => setValues({ ...values, [variable.name]: value })}
        />
      ))}
      <div className="flex items-center gap-2">
        <Select
          aria-label="Model"
          className="min-w-0 flex-1"
          value={model}
          options={usable.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setChosen}
        />
        <Button disabled={!model || ask.isPending} onClick={() => ask.mutate()}>
          <Play aria-hidden="true" />
          {ask.isPending ? "Asking…" : "Try"}
        </Button>
      </div>
      {model && model !== prompt.model && (
        <Button variant="quiet" size="sm" className="self-start" onClick={() => makeUsual.mutate()}>
          Make it the prompt’s default model
        </Button>
      )}
      <div aria-live="polite">{ask.data && <Answer answer={ask.data} values={filled} />}</div>
    </aside>
  );
}

function Answer({ answer, values }: { answer: TriedAnswer; values: Values }) {
  const { data: id } = route.useSearch();
  const { data: sets = [] } = useQuery(datasetsQuery);
  const set = sets.find((each) => each.id === id) ?? sets[0];
  const add = useChangeDataset((dataset: string) =>
    answerOf(
      api.POST("/api/lab/datasets/{dataset_id}/rows", {
        params: { path: { dataset_id: dataset } },
        body: { rows: [{ fields: values, split: "validation" }] },
      }),
    ),
  );
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Answer</h3>
      <div
        tabIndex={0}
        className="max-h-96 overflow-y-auto rounded-md border border-line bg-surface px-3 py-2.5 text-sm whitespace-pre-wrap"
      >
        {answer.text || "The answer is empty."}
      </div>
      <CheckMarks checks={answer.checks} />
      <p className="num flex flex-wrap items-center gap-x-3 text-xs text-ink-3">
        <span>{formatMs(answer.latency_ms)}</span>
        <span>{formatCount(answer.input_tokens)} in</span>
        <span>{formatCount(answer.output_tokens)} out</span>
        {answer.cost_usd !== null && <span>{formatCost(answer.cost_usd * 1e6)}</span>}
        <span className="flex-1" />
        {set && (
          <Button
            variant="quiet"
            size="sm"
            onClick={() => add.mutate(set.id, { onSuccess: () => showToast(`Added to ${set.name}.`) })}
          >
            Add to {set.name}
          </Button>
        )}
      </p>
    </div>
  );
}

/** Steps through the rows of the data set in the address, or the first one. */
function useDataRow(onValues: (values: Values) => void) {
  const { data: id } = route.useSearch();
  const { data: sets = [] } = useQuery(datasetsQuery);
  const set = sets.find((each) => each.id === id) ?? sets[0];
  const { data } = useQuery({ ...datasetQuery(set?.id ?? ""), enabled: set !== undefined });
  const [at, setAt] = useState<number | null>(null);
  const rows = data?.rows ?? [];
  const go = (by: number) => {
    const next = at === null ? 0 : (at + by + rows.length) % rows.length;
    const row = rows[next];
    if (!row) return;
    setAt(next);
    onValues(row.fields);
  };
  return {
    name: set?.name ?? "",
    count: rows.length,
    at,
    go,
    expected: at === null ? null : (rows[at]?.expected ?? null),
  };
}
