/** The Prompt Lab: the calls of the server, and what the page keeps of them. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { datasetQuery, datasetsQuery } from "@/features/prompts/datasets-api";
import { promptsQuery, showProblem } from "@/features/prompts/prompts-api";

type Schemas = components["schemas"];
export type PromptDetail = Schemas["PromptDetail"];
export type Version = Schemas["VersionView"];
export type Variable = Schemas["Variable"];
export type Dataset = Schemas["DatasetView"];
export type DatasetDetail = Schemas["DatasetDetail"];
export type LabRow = Schemas["RowView"];
export type WriteRow = Schemas["WriteRow"];
export type Run = Schemas["RunView"];
type RawReport = Schemas["RunReport"];
/** A cell of the grid: its state, its score, and each check's verdict in the first repeat. */
export type Cell = ["completed" | "failed" | "missing", number | null, (boolean | null)[]];
export type GridRow = Omit<RawReport["rows"][number], "cells"> & { cells: Cell[] };
export type Report = Omit<RawReport, "rows"> & { rows: GridRow[] };
export type ColumnFigures = Schemas["ColumnView"];
export type Quote = Schemas["RunQuote"];
export type StartRun = Schemas["StartRun"];
export type CellDetail = Schemas["CellDetail"];
export type TriedAnswer = Schemas["TriedAnswer"];
export type WriteBody = Schemas["NewVersion"];
/** A check as the server takes it: its kind, and the fields of that kind. */
export type Check = { kind: string; label?: string; weight?: number; negate?: boolean } & Record<
  string,
  unknown
>;

export const promptQuery = (id: string) =>
  queryOptions({
    queryKey: ["prompt", id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/prompts/{prompt_id}", { params: { path: { prompt_id: id } }, signal })),
  });

export const runsQuery = (prompt: string) =>
  queryOptions({
    queryKey: ["lab", "runs", prompt],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET("/api/lab/runs", { params: { query: { prompt } }, signal }))).runs,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === "running") ? 1000 : false),
  });

const BUSY_MS = 1000;
const MANY_CELLS = 3000;

export const reportQuery = (run: string) =>
  queryOptions({
    queryKey: ["lab", "report", run],
    queryFn: async ({ signal }) =>
      (await answerOf(
        api.GET("/api/lab/runs/{run_id}/report", { params: { path: { run_id: run } }, signal }),
      )) as unknown as Report,
    refetchInterval: ({ state: { data } }) =>
      data?.run.status === "running" || data?.run.progress.running
        ? data.run.progress.cells > MANY_CELLS
          ? 4 * BUSY_MS
          : BUSY_MS
        : false,
  });

export interface CellPlace {
  row: number;
  version: number;
  model: string;
}

export const cellQuery = (run: string, { row, version, model }: CellPlace) =>
  queryOptions({
    queryKey: ["lab", "cell", run, row, version, model],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/lab/runs/{run_id}/cell", {
          params: { path: { run_id: run }, query: { row, version, model } },
          signal,
        }),
      ),
  });

export const quoteQuery = (prompt: string, plan: StartRun | null) =>
  queryOptions({
    queryKey: ["lab", "quote", prompt, plan],
    queryFn: ({ signal }) =>
      answerOf(
        api.POST("/api/prompts/{prompt_id}/quote", {
          params: { path: { prompt_id: prompt } },
          body: plan as StartRun,
          signal,
        }),
      ),
    enabled: plan !== null,
    staleTime: 0,
    retry: false,
  });

/** A change of a prompt, of which the server returns the whole prompt. */
export function useChangePrompt<T = void>(change: (values: T) => Promise<PromptDetail>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (detail) => {
      client.setQueryData(promptQuery(detail.prompt.id).queryKey, detail);
      client.invalidateQueries({ queryKey: promptsQuery.queryKey });
      client.invalidateQueries({ queryKey: datasetsQuery.queryKey });
    },
    onError: showProblem,
  });
}

/** A change of a data set, of which the server returns the whole set. */
export function useChangeDataset<T = void>(change: (values: T) => Promise<DatasetDetail>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (detail) => {
      client.setQueryData(datasetQuery(detail.dataset.id).queryKey, detail);
      client.invalidateQueries({ queryKey: datasetsQuery.queryKey });
      client.invalidateQueries({ queryKey: ["lab", "quote"] });
    },
    onError: showProblem,
  });
}

/** A change of a run: start, pause, resume, extend, cancel. */
export function useChangeRun<T = void>(change: (values: T) => Promise<Run>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (run) => {
      client.invalidateQueries({ queryKey: runsQuery(run.prompt_id).queryKey });
      client.invalidateQueries({ queryKey: reportQuery(run.id).queryKey });
      client.invalidateQueries({ queryKey: ["lab", "quote"] });
    },
    onError: showProblem,
  });
}

export const createPrompt = (body: Schemas["NewPrompt"]) => answerOf(api.POST("/api/prompts", { body }));
export const createDataset = (body: Schemas["NewDataset"]) =>
  answerOf(api.POST("/api/lab/datasets", { body }));

export const addVersion = (id: string, body: WriteBody) =>
  answerOf(api.POST("/api/prompts/{prompt_id}/versions", { params: { path: { prompt_id: id } }, body }));

export const changePrompt = (id: string, body: Schemas["ChangePrompt"]) =>
  answerOf(api.PATCH("/api/prompts/{prompt_id}", { params: { path: { prompt_id: id } }, body }));

export const moveLabel = (id: string, label: string, version: number) =>
  answerOf(
    api.PUT("/api/prompts/{prompt_id}/labels/{label}", {
      params: { path: { prompt_id: id, label } },
      body: { version },
    }),
  );

export const restoreVersion = (id: string, version: number) =>
  answerOf(
    api.POST("/api/prompts/{prompt_id}/restore", {
      params: { path: { prompt_id: id } },
      body: { version },
    }),
  );

export const forkPrompt = (id: string, name: string, version: number) =>
  answerOf(
    api.POST("/api/prompts/{prompt_id}/fork", {
      params: { path: { prompt_id: id } },
      body: { name, version },
    }),
  );

export const startRun = (id: string, body: StartRun) =>
  answerOf(api.POST("/api/prompts/{prompt_id}/runs", { params: { path: { prompt_id: id } }, body }));

const runPath = (id: string) => ({ params: { path: { run_id: id } } });
export const pauseRun = (id: string) => answerOf(api.POST("/api/lab/runs/{run_id}/pause", runPath(id)));
export const resumeRun = (id: string) => answerOf(api.POST("/api/lab/runs/{run_id}/resume", runPath(id)));
export const cancelRun = (id: string) => answerOf(api.POST("/api/lab/runs/{run_id}/cancel", runPath(id)));
export const extendRun = (id: string, body: Schemas["ExtendRun"]) =>
  answerOf(api.PATCH("/api/lab/runs/{run_id}", { ...runPath(id), body }));

export const tryPrompt = (body: Schemas["TryPrompt"]) => answerOf(api.POST("/api/prompts/try", { body }));
