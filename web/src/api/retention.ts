/** How long things are stored, by kind. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";

export type Preview = components["schemas"]["RetentionPreview"];
export type Kept = components["schemas"]["KeptView"];
export type Retention = components["schemas"]["RetentionView"];

export const retentionQuery = queryOptions({
  queryKey: ["retention"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/retention", { signal })),
});

export const previewQuery = (kind: string, days: number) =>
  queryOptions({
    queryKey: ["retention", kind, days],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET("/api/retention/{kind}/preview", { params: { path: { kind }, query: { days } }, signal }),
      ),
    staleTime: 0,
  });

export const setRetention = (kind: string, days: number | null) =>
  answerOf(api.PUT("/api/retention/{kind}", { params: { path: { kind } }, body: { days } }));

export type ExportFormat = "jsonl" | "parquet";
export type ExportContent = "everything" | "votes";

export const anonymisedExportPath = (format: ExportFormat, content: ExportContent) =>
  `/api/exports/anonymised?${new URLSearchParams({ format, content })}`;

export type UnusedFiles = components["schemas"]["UnusedFiles"];

export const unusedFilesQuery = (days: number) =>
  queryOptions({
    queryKey: ["unused-files", days],
    queryFn: ({ signal }) => answerOf(api.GET("/api/files/unused", { params: { query: { days } }, signal })),
    staleTime: 0,
  });

export const removeUnusedFiles = (days: number) =>
  answerOf(api.DELETE("/api/files/unused", { params: { query: { days } } }));
