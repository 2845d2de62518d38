/** What was made, with where it was made. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components, operations } from "@/api/__generated__/schema";
import { answerOf, api } from "@/api/client";
import { problemOf, unreachable } from "@/api/problem";

export type AssetCard = components["schemas"]["AssetCard"];
export type AssetView = components["schemas"]["AssetView"];
export type AssetKind = AssetCard["kind"];

type Asked = NonNullable<operations["list_assets_api_library_get"]["parameters"]["query"]>;
export type AssetFilter = Pick<
  Asked,
  "search" | "kind" | "model" | "session" | "tag" | "since" | "oldest_first"
>;

export const libraryKey = ["library"] as const;
const PAGE_SIZE = 60;

export const libraryQuery = (filter: AssetFilter) =>
  infiniteQueryOptions({
    queryKey: [...libraryKey, "list", filter],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET("/api/library", {
          params: {
            query: { ...filter, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    // A page more leaves those before as they are; comparing all of them would take longer the more there are.
    structuralSharing: false,
  });

export const libraryChoicesQuery = queryOptions({
  queryKey: [...libraryKey, "choices"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/library/choices", { signal })),
});

export const assetQuery = (asset_id: string) =>
  queryOptions({
    queryKey: [...libraryKey, "one", asset_id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/library/{asset_id}", { params: { path: { asset_id } }, signal })),
  });

export const contentUrl = (id: string) => `/api/library/${id}/content`;

/** Read something as text. Throws ApiError. */
export async function readContent(id: string): Promise<string> {
  const response = await fetch(contentUrl(id), { credentials: "same-origin" }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw await problemOf(response);
  return response.text();
}

/** Upload a file into the library, or an export of a session that was written here. Throws ApiError. */
export async function uploadAsset(file: File, exportOf?: string): Promise<void> {
  const query = new URLSearchParams({ name: file.name, origin: exportOf ? "export" : "upload" });
  if (exportOf) query.set("session", exportOf);
  const path = `/api/library?${query}`;
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    credentials: "same-origin",
    body: file,
  }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw await problemOf(response);
}

export const changeAsset = (asset_id: string, body: components["schemas"]["ChangeAsset"]) =>
  answerOf(api.PATCH("/api/library/{asset_id}", { params: { path: { asset_id } }, body }));

export const deleteAsset = (asset_id: string) =>
  answerOf(api.DELETE("/api/library/{asset_id}", { params: { path: { asset_id } } }));

export const restoreAsset = (asset_id: string) =>
  answerOf(api.POST("/api/library/{asset_id}/restore", { params: { path: { asset_id } } }));

/** Export a session into the library. */
export const exportToLibrary = (session_id: string, format: "markdown" | "json") =>
  answerOf(api.POST("/api/library/exports", { body: { session_id, format } }));
